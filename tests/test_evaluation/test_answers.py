"""The command that measures answers, over the sample, with the offline model and with a scripted one."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from agent.answer import Answer
from agent.ask import ask
from agent.events import silent
from agent.offline import OfflineModel
from agent.session import Session
from evaluation import fit_offline
from evaluation.__main__ import main
from evaluation.answer_arms import ARMS, BY_NAME, observe
from evaluation.answers import sampled
from evaluation.cold import ratio, told
from evaluation.replay import Replay
from storage.embedder import load_embedder
from storage.errors import InputError
from storage.reader import open_reader
from storage.settings import ROOT, Settings
from tests.test_agent.helpers import settings
from tests.test_agent.scripted import ScriptedModel
from tests.test_tools.fake import FakeEmbedder, small
from tools.toolbox import Toolbox

QUESTIONS = ROOT / "setup" / "sample" / "questions.jsonl"


def test_a_sample_is_drawn_with_its_seed_and_kept_in_order() -> None:
    one, same, other = (sampled(QUESTIONS, 5, seed=seed) for seed in (1, 1, 2))
    assert one == same != other
    everything = [question.id for question in sampled(QUESTIONS, None, seed=1)]
    assert [question.id for question in one] == sorted((q.id for q in one), key=everything.index)


def test_a_limit_below_one_is_an_error() -> None:
    with pytest.raises(InputError, match="The limit is 0"):
        sampled(QUESTIONS, 0, seed=1)


def asking(question: str, *, model: Any, offer: Any, calls: int | None) -> Answer:
    given = settings(max_calls=calls) if calls else settings()
    return ask(question, reader=small(), embedder=FakeEmbedder(), model=model, settings=given, offer=offer)


def draft(quote: str) -> AIMessage:
    claims = [{"text": "So.", "citations": [{"sectionid": "sec-plant", "quote": quote}]}]
    call = {"name": "AnswerDraft", "args": {"claims": claims}, "id": "1"}
    return AIMessage(content="", tool_calls=[call])


def test_every_arm_ends_in_an_observation_and_only_the_agent_chooses_its_calls() -> None:
    shown = {}
    for arm in ARMS:
        model = ScriptedModel(script=[draft("nothing that was shown")] * 4)
        observed = observe("How is a seed planted?", arm, model=model, ask=asking)
        assert observed.raised == ""
        assert observed.answer is not None
        shown[arm.name] = observed.answer.searched, observed.answer.read
    assert shown["none"] == shown["agent"] == ((), ())
    assert shown["search"] == (("How is a seed planted?",), ())
    searched, read = shown["read"]
    assert searched == ("How is a seed planted?",)
    assert 1 <= len(read) <= 3


def test_what_a_model_raises_is_observed_not_passed_on() -> None:
    def broken(question: str, **_: object) -> object:
        raise ValueError(question)

    observed = observe("Why?", BY_NAME["agent"], model=ScriptedModel(script=[]), ask=broken)  # type: ignore[arg-type]
    assert observed.answer is None
    assert observed.raised == "ValueError: Why?"


def test_the_command_writes_answers_and_figures(
    sample_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    out, figures = tmp_path / "all.json", tmp_path / "figures.json"
    asked = ["answers", "--questions", str(QUESTIONS), "--model", "offline", "--limit", "4"]
    arms = ["--arm", "agent", "--arm", "search"]
    assert main([*asked, *arms, "--json", str(out), "--summary", str(figures)]) == 0
    assert "questions, agent, all: 4 questions" in capsys.readouterr().out
    written, summary = json.loads(out.read_text()), json.loads(figures.read_text())
    assert written["schema"] == "ask262/answers/1"
    assert [run["arm"] for run in written["runs"]] == ["agent", "search"]
    assert all(one["answer"]["schema"] == "ask262/answer/1" for one in written["runs"][0]["questions"])
    assert summary["command"].endswith("--arm agent --arm search --limit 4 --seed 262")
    (row,) = [row for row in summary["rows"] if (row["arm"], row["group"]) == ("agent", "all")]
    assert [row["metrics"][name] for name in ("unsupported", "invented", "raised")] == [0, 0, 0]


def test_a_ratio_is_the_median_of_the_turns() -> None:
    assert ratio([1.0, 2.0, 4.0], [1.0, 3.0, 8.0]) == 1.5
    assert "ratio               1.50" in told([1.0, 2.0, 4.0], [1.0, 3.0, 8.0])


def test_thresholds_are_fitted_and_judged_on_unseen_questions(
    sample_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    monkeypatch.setattr(fit_offline, "FITTED", {"section": (6.0, 9.0), "together": (0.45,)})
    monkeypatch.setattr(fit_offline, "FITTED_READING", {"worth": (0.4, 0.5)})
    assert main(["fit-offline", "--questions", str(QUESTIONS), "--limit", "6"]) == 0
    said = capsys.readouterr().out
    assert re.findall(r"^(\w+):\n\d questions; now ", said, re.MULTILINE) == ["read", "quoted"]
    assert said.count("  a fold of ") == 2 * fit_offline.FOLDS
    assert "on unseen ones" in said


def test_no_question_is_in_two_folds_and_none_is_lost() -> None:
    dealt = fit_offline.folds(23)
    assert sorted(place for fold in dealt for place in fold) == list(range(23))


def test_the_replay_comes_to_the_answers_of_the_loop(sample_settings: Settings) -> None:
    reader, embedder = open_reader(sample_settings, None), load_embedder(sample_settings)
    session = Session(reader, embedder, OfflineModel(), sample_settings, silent)
    replay = Replay(
        Toolbox(session.reader, session.embedder),
        calls=sample_settings.max_calls,
        characters=sample_settings.budget_characters,
    )
    for question in sampled(QUESTIONS, 4, seed=3):
        answered = session.ask(question.question)
        quoted = {one.quote for claim in replay.draft(question.question).claims for one in claim.citations}
        assert {one.quote for one in answered.citations} == quoted
