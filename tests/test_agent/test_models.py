"""Chat models by name: what is loaded, and the one line when it cannot be."""

import re
from pathlib import Path

import pytest
from langchain_core.outputs import ChatGeneration

from agent.failures import Asked, TooLongAtFirst, explain, may_pass
from agent.model_cache import FILE, ModelCache, read_row
from agent.models import load_model, name_of
from storage.errors import ModelError
from tests.test_agent.helpers import settings
from tests.test_agent.scripted import ScriptedModel, call

LOCAL = "http://127.0.0.1:9/v1"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_name_the_offline_model_answers() -> None:
    assert name_of(load_model(settings())) == "offline"


def test_offline_is_a_name_even_where_another_model_is_configured() -> None:
    assert name_of(load_model(settings(model="openai:gpt-5"), "offline")) == "offline"


@pytest.mark.parametrize("name", ["openai:some-model", "some-model"])
def test_a_name_with_an_address_belongs_to_the_server_there(name: str) -> None:
    model = load_model(settings(base_url=LOCAL), name)
    assert name_of(model) == "some-model"
    assert model.openai_api_base == LOCAL  # type: ignore[attr-defined]


def test_a_provider_and_name_go_through_langchain() -> None:
    model = load_model(settings(api_key="k"), "openai:some-model")
    assert (model._llm_type, name_of(model)) == ("openai-chat", "openai:some-model")


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("openai:gpt-5", {}, "needs a key; set ASK262_API_KEY"),
        ("nobody:model", {}, "is not known; write provider:name"),
        ("some-model", {}, "is not known; write provider:name"),
        ("anthropic:some", {"api_key": "k"}, "needs a package that is not installed"),
        (None, {"base_url": LOCAL}, "no model is named; set ASK262_MODEL"),
        ("openai:gpt-5", {"offline": True, "api_key": "k"}, "ASK262_OFFLINE is set"),
        ("some", {"offline": True, "base_url": "http://192.0.2.1/v1"}, "ASK262_OFFLINE is set"),
    ],
)  # fmt: skip
def test_what_cannot_be_loaded_is_one_line_with_the_remedy(
    name: str | None, given: dict[str, object], said: str
) -> None:
    with pytest.raises(ModelError, match=re.escape(said)) as caught:
        load_model(settings(**given), name)
    assert "\n" not in str(caught.value)


def test_a_server_of_this_machine_is_no_network() -> None:
    assert name_of(load_model(settings(offline=True, base_url=LOCAL), "some")) == "some"


def test_the_key_does_not_print() -> None:
    model = load_model(settings(base_url=LOCAL, api_key="secret-key"), "some")
    assert "secret-key" not in f"{model!r} {model}"


def test_the_cache_lies_beside_the_store(tmp_path: Path) -> None:
    model = load_model(settings(base_url=LOCAL, model_cache=True, storage_dir=tmp_path / "data"), "some")
    assert model.cache is not None
    assert (tmp_path / "data" / FILE).exists()


def test_an_answer_in_the_cache_comes_back_as_it_was(tmp_path: Path) -> None:
    said = call("search_spec", query="ToNumber")
    ModelCache(tmp_path).update(
        "[]", "m", [ChatGeneration(message=said, generation_info={"finish_reason": "stop"})]
    )
    found = ModelCache(tmp_path).lookup("[]", "m")
    assert found is not None
    assert isinstance(found[0], ChatGeneration)
    assert found[0].message == said
    assert ModelCache(tmp_path).lookup("[]", "other") is None


@pytest.mark.parametrize("row", ["", "no json", "{}", "[]", '{"message": {"type": "nobody"}, "info": null}'])
def test_a_row_that_cannot_be_read_is_no_answer(row: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_row(row)


def test_without_the_setting_nothing_is_cached() -> None:
    assert load_model(settings(base_url=LOCAL), "some").cache is None


def test_a_model_without_a_name_is_called_by_its_type() -> None:
    assert name_of(ScriptedModel(script=[])) == "scripted"


class _APIError(Exception):
    def __init__(self, text: str, status_code: int | None = None) -> None:
        super().__init__(text)
        self.status_code = status_code


class _ReadTimeout(Exception):
    pass


class _LocalProtocolError(Exception):
    pass


class _APIConnectionError(Exception):
    pass


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (_APIError("bad key sk-123", 401), "rejected the key (HTTP 401); set ASK262_API_KEY"),
        (_APIError("no model", 404), "does not know this model or address (HTTP 404)"),
        (_APIError("slow down", 429), "is limiting requests (HTTP 429)"),
        (_APIError("oops", 503), "failed (HTTP 503)"),
        (_APIError("maximum context length is 4096 tokens", 400), "too small a context window"),
        (_ReadTimeout("read"), "did not answer in time"),
        (
            _APIConnectionError("refused"),
            "cannot be reached; check that this machine has a network, or leave out --model",
        ),
        (_APIError("Incorrect API key provided: sk-123456", 400), "rejected the key (HTTP 400); set ASK262"),
        (_APIError("no schema", 422), "refused the request (HTTP 422): no schema; choose another"),
        (_APIError("teapot", 418), "refused the request (HTTP 418): teapot; choose another"),
        (_APIError("large", 413), "too small a context window for what was read"),
        (_APIError("set {where} and {status} and {without}", 400), "set {where} and {status} and {without};"),
        (TooLongAtFirst(), "too small a context window for the instructions and the question alone"),
        (_LocalProtocolError("Illegal header value"), "cannot go into a request; set ASK262_API_KEY"),
        (ValueError("No generations found in stream."), "sent no reply in pieces; unset ASK262_STREAM"),
        (NotImplementedError(), "cannot call tools"),
        (KeyError("choices"), "answered what cannot be read (KeyError"),
    ],
)
def test_a_failure_is_one_line_with_its_remedy(error: Exception, said: str) -> None:
    line = explain(error, Asked("m"))
    assert line.startswith("The model m ")
    assert said in line
    assert "\n" not in line
    assert "sk-123" not in line


def test_a_server_that_cannot_be_reached_is_named_and_so_is_the_setting_that_chose_the_model() -> None:
    line = explain(_APIConnectionError("refused"), Asked("m", LOCAL, configured=True))
    assert f"cannot be reached at {LOCAL}; start its server or correct ASK262_BASE_URL" in line
    assert line.endswith("or unset ASK262_MODEL.")


def test_a_server_is_named_without_its_password() -> None:
    line = explain(_APIConnectionError("refused"), Asked("m", "http://me:hunter2@127.0.0.1:1/v1"))
    assert "cannot be reached at http://127.0.0.1:1/v1;" in line
    assert "hunter2" not in line
    with pytest.raises(ModelError, match=r"ASK262_BASE_URL is http://127\.0\.0\.1:1/v1, but no model"):
        load_model(settings(base_url="http://me:hunter2@127.0.0.1:1/v1"), None)


def test_a_key_in_a_server_s_words_is_left_out() -> None:
    line = explain(_APIError("account hunter2 is odd", 400), Asked("m", secrets=("hunter2",)))
    assert "refused the request (HTTP 400): account [key left out] is odd" in line


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (
            "[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1016)",
            "write http:// in ASK262_BASE_URL",
        ),
        ("[SSL: RECORD_LAYER_FAILURE] record layer failure", "write http:// in ASK262_BASE_URL"),
        ("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed", "SSL_CERT_FILE"),
    ],
)
def test_what_fails_in_https_says_so(why: str, said: str) -> None:
    error = _APIConnectionError("Connection error.")
    error.__cause__ = OSError(why)
    assert said in explain(error, Asked("m", "https://127.0.0.1:1/v1"))


@pytest.mark.parametrize("error", [_APIError("no", 418), _APIError("no", 413), _LocalProtocolError("no")])
def test_what_a_second_attempt_cannot_mend_is_not_tried_again(error: Exception) -> None:
    assert not may_pass(error)
    assert "try again" not in explain(error, Asked("m"))


def test_a_name_is_shown_without_what_acts_on_a_terminal() -> None:
    assert explain(KeyError("x"), Asked("m\x1b[31m\u202e\n")).startswith("The model m answered")
