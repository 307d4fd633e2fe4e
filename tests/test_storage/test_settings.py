import re
from pathlib import Path

import pytest

from storage.errors import SettingsError
from storage.model import BreakdownRules
from storage.settings import PREFIX, ROOT, Settings, changed, load_settings

EXAMPLE = ROOT / ".env.example"


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in [name for name in os.environ if name.upper().startswith(PREFIX)]:
        monkeypatch.delenv(name)


def env_file(folder: Path, *lines: str) -> Path:
    file = folder / ".env"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_without_anything_set_the_defaults_need_no_network() -> None:
    settings = load_settings(None)
    assert settings.embedder == "minilm"
    assert settings.model is None
    assert settings.storage_dir == ROOT / "storage" / "data"
    assert settings.rules == BreakdownRules()


def test_a_misspelt_variable_in_the_environment_stops_the_program_and_names_the_nearest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ASK262_TRESHOLD", "100")
    with pytest.raises(SettingsError, match=r"ASK262_TRESHOLD in the environment .* ASK262_THRESHOLD\?"):
        load_settings(None)


def test_a_misspelt_variable_in_the_file_stops_the_program_and_names_the_file(tmp_path: Path) -> None:
    file = env_file(tmp_path, "ASK262_EMBEDER=minilm")
    with pytest.raises(SettingsError, match=r"ASK262_EMBEDER in .*\.env is no setting.*ASK262_EMBEDDER"):
        load_settings(file)


def test_foreign_variables_are_left_alone_even_those_that_are_called_like_a_field(tmp_path: Path) -> None:
    file = env_file(
        tmp_path, "OPENAI_API_KEY=sk-1", "source=/elsewhere", "MODEL=other", "ASK262_EDITION=es2025"
    )
    settings = load_settings(file)
    assert (settings.source, settings.model, settings.edition) == (None, None, "es2025")


def test_the_environment_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASK262_EDITION", "es2026")
    assert load_settings(env_file(tmp_path, "ASK262_EDITION=es2025")).edition == "es2026"


def test_an_empty_value_is_no_value(tmp_path: Path) -> None:
    settings = load_settings(env_file(tmp_path, "ASK262_MODEL=", "ASK262_THRESHOLD="))
    assert (settings.model, settings.threshold) == (None, 5_000)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ASK262_THRESHOLD=abc", "ASK262_THRESHOLD is 'abc', but must be a valid integer"),
        ("ASK262_MAX_DEPTH=-1", "ASK262_MAX_DEPTH is '-1', but must be greater than or equal to 0"),
        ("ASK262_TIMEOUT=nan", "ASK262_TIMEOUT is 'nan', but must be"),
        ("ASK262_OFFLINE=perhaps", "ASK262_OFFLINE is 'perhaps', but must be a valid boolean"),
        ("ASK262_BASE_URL=ftp://host", "ASK262_BASE_URL must be an address"),
        ("ASK262_BASE_URL=http://127.0.0.1:abc/v1", "ASK262_BASE_URL must be an address such as"),
        ("ASK262_EMBEDDER_BASE_URL=http://host/\u202e", "ASK262_EMBEDDER_BASE_URL must have no blanks"),
        ("ASK262_API_KEY=“sk-x”", "ASK262_API_KEY must hold ASCII characters alone"),
        ("ASK262_EMBEDDER_API_KEY=' '", "ASK262_EMBEDDER_API_KEY must not be blank"),
        ("ASK262_MCP_TOKEN=tökén", "ASK262_MCP_TOKEN must hold ASCII"),
        ("ASK262_STORAGE_DIR=~nobody-by-this-name/x", "ASK262_STORAGE_DIR is .* must be a folder"),
    ],
)
def test_a_value_out_of_range_names_setting_value_and_reason(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        load_settings(env_file(tmp_path, line))
    assert "\n" not in str(caught.value)


def test_no_secret_is_ever_printed(tmp_path: Path) -> None:
    settings = load_settings(
        env_file(tmp_path, "ASK262_API_KEY=sk-hidden", "ASK262_EMBEDDER_API_KEY=sk-hidden")
    )
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() == "sk-hidden"
    assert "sk-hidden" not in f"{settings!r} {settings} {settings.model_dump_json()}"


def test_all_secrets_are_known_to_what_keeps_them_out_of_messages(tmp_path: Path) -> None:
    settings = load_settings(
        env_file(
            tmp_path,
            "ASK262_API_KEY=one",
            "ASK262_EMBEDDER_API_KEY=two",
            "ASK262_MCP_TOKEN=three",
            "ASK262_BASE_URL=http://me:four@host/v1",
            "ASK262_EMBEDDER_BASE_URL=http://me:five@host/v1",
        )
    )
    assert settings.secrets == ("one", "two", "three", "four", "five")
    assert load_settings(None).secrets == ()


@pytest.mark.parametrize(
    "line",
    [
        "ASK262_API_KEYS=sk-hidden",
        "ASK262_BASE_URL=//me:sk-hidden@host",
        "ASK262_BASE_URL=http://host/v1?key=sk-hidden",
        "ASK262_API_KEY=“sk-hidden”",
    ],
)
def test_no_error_prints_a_secret(tmp_path: Path, line: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(env_file(tmp_path, line))
    assert "sk-hidden" not in str(caught.value)


def test_a_relative_store_is_in_the_project_wherever_the_program_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings(env_file(tmp_path, "ASK262_STORAGE_DIR=data/x")).storage_dir == ROOT / "data" / "x"


def test_a_tilde_is_the_home_folder(tmp_path: Path) -> None:
    assert load_settings(env_file(tmp_path, "ASK262_STORAGE_DIR=~/x")).storage_dir == Path.home() / "x"


def test_a_file_that_is_no_text_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"ASK262_MODEL=\xff\n")
    with pytest.raises(SettingsError, match="cannot be read as UTF-8"):
        load_settings(file)


def test_settings_do_not_change_once_made() -> None:
    settings = load_settings(None)
    with pytest.raises(ValueError, match="frozen"):
        settings.threshold = 1  # type: ignore[misc]


def test_the_example_file_has_every_setting_with_its_comment_and_default() -> None:
    listed = re.findall(
        r"^# (.+)\n#ASK262_([A-Z_]+)=(.*)$", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert listed == [
        (field.description, name.upper(), example_value(field.default))
        for name, field in Settings.model_fields.items()
    ]


def test_the_example_file_uncommented_gives_the_defaults(tmp_path: Path) -> None:
    lines = [
        line.removeprefix("#") for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if "=" in line
    ]
    assert load_settings(env_file(tmp_path, *lines)) == load_settings(None)


def example_value(default: object) -> str:
    if isinstance(default, Path):
        return default.relative_to(ROOT).as_posix()
    if isinstance(default, bool):
        return str(default).lower()
    return "" if default is None else str(default)


def test_what_the_command_line_gives_replaces_a_setting_and_is_checked_like_one() -> None:
    before = Settings.model_validate({"max_calls": 3})
    after = changed(before, {"budget_characters": 5_000, "max_calls": None})
    assert (after.budget_characters, after.max_calls) == (5_000, 3)
    with pytest.raises(SettingsError, match="ASK262_BUDGET_CHARACTERS is '12', but must be greater"):
        changed(before, {"budget_characters": 12})
