"""How long a question waits for its model."""

import threading

import pytest

from agent.deadline import LAST, SLOWER, Deadline, Overdue, still_wanted, within


def deadline(*, now: list[float]) -> Deadline:
    return Deadline(100.0, lambda: now[0])


def test_a_reply_may_take_what_is_left_of_the_question() -> None:
    now = [5.0]
    one = deadline(now=now)
    assert one.left() == 100.0
    now[0] = 45.0
    assert one.left() == 60.0


@pytest.mark.parametrize("late", [80.0, 100.0, 500.0])
def test_the_last_replies_share_a_part_of_the_time_however_late_it_is(late: float) -> None:
    now = [0.0]
    one = deadline(now=now)
    now[0] = late
    assert one.left() == LAST * 100
    now[0] += 10
    assert one.left() == LAST * 100 - 10
    now[0] += LAST * 100
    assert one.left() == 0.0


@pytest.mark.parametrize(("longest", "kept"), [(5.0, LAST * 100), (40.0, 40.0)], ids=["quick", "slow"])
def test_the_answer_is_due_when_no_time_is_left_for_a_reply_more(longest: float, kept: float) -> None:
    now = [0.0]
    one = deadline(now=now)
    one.took(longest)
    one.took(1.0)
    now[0] = 100 - kept
    assert not one.closes()
    now[0] += 1
    assert one.closes()
    assert not one.passed()
    assert one.left() == max(LAST * 100, SLOWER * longest)
    now[0] += longest
    assert one.left() >= longest
    assert one.closes()


def test_looking_at_what_remains_begins_no_last_part() -> None:
    now = [0.0]
    one = deadline(now=now)
    now[0] = 90.0
    assert one.remaining() == 10.0
    now[0] = 100.0
    assert one.remaining() == 0.0


def test_what_the_work_gives_or_raises_is_passed_on() -> None:
    assert within(30.0, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        within(30.0, lambda: 1 // 0)


def test_work_that_takes_too_long_is_overdue_and_can_tell() -> None:
    gate, ended = threading.Event(), threading.Event()

    def work() -> None:
        still_wanted()
        gate.wait()
        try:
            still_wanted()
        except Overdue:
            ended.set()

    with pytest.raises(Overdue):
        within(0.01, work)
    gate.set()
    assert ended.wait(30.0)


def test_no_work_is_begun_without_time() -> None:
    begun: list[int] = []
    with pytest.raises(Overdue):
        within(0.0, lambda: begun.append(1))
    assert begun == []


def test_work_that_nobody_waits_for_by_a_deadline_is_always_wanted() -> None:
    still_wanted()
