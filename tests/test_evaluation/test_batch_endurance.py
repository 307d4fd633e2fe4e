"""The questions of the long batch."""

from evaluation.batch_endurance import FORMS, questions


def test_as_many_different_questions_as_asked_for_and_the_same_every_time() -> None:
    names = ["ToNumber", "ToText"]
    made = questions(names, 35)
    assert len(set(made)) == 35
    assert made == questions(names, 35)
    assert len(questions(names, 4)) == 4
    assert all(any(name in one for name in names) for one in made)
    assert len(FORMS) > 1
