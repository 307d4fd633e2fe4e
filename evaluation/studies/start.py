"""Whether to look for the small unit first and widen, or for the large one first and look inside."""

from collections.abc import Sequence

from evaluation.studies.evidence import Choice, judged
from evaluation.studies.setting import Setting
from evaluation.studies.study import Cell, Findings, Plot, Study, Table, mean, value
from storage.model import Level
from tools.budget import Basket, Budget
from tools.evidence import CANDIDATES, as_found
from tools.library import Counted
from tools.packet import Selected
from tools.strategies.table import run

PARENTS = (1, 2, 4, 8)
CHILD_FIRST = ("flat_blocks", "parent_expansion", "back_off", "fair_share")
BUDGETS = (900, 3_600)
REACHED = (1, 2, 4, 8, 16)


def parent_first(setting: Setting, query: str, count: int, budget: Budget) -> list[Selected]:
    """The best blocks inside the `count` best sections, ranked among themselves."""
    library, basket = Counted(setting.library), Basket(budget)
    chosen = [one.unitid for one in setting.library.search(query, (Level.SECTION,), limit=count)]
    for hit in library.search_inside(query, chosen, limit=CANDIDATES):
        basket.offer(as_found(hit, setting.corpus.by_id[hit.unitid], library))
    return basket.held


def measure(setting: Setting) -> Findings:
    """What each way shows within a budget, and how often its first search reaches the right section."""
    tables = [_shown(setting, Budget(4, characters)) for characters in BUDGETS]
    reached = _reached(setting)
    places = [str(depth) for depth in REACHED]
    series = {str(row[0]): [value(cell) for cell in row[2:]] for row in reached.rows if row[1] == "all"}
    return Findings(
        [*tables, reached], [Plot(reached.title, "first n sections", "share of questions", places, series)]
    )


def _shown(setting: Setting, budget: Budget) -> Table:
    ways = {
        **{f"child: {name}": _strategy(setting, name, budget) for name in CHILD_FIRST},
        **{f"parent: {count} sections": _inside(setting, count, budget) for count in PARENTS},
    }
    rows: list[list[Cell]] = []
    for name, choose in ways.items():
        found = judged(choose, setting)
        columns: dict[str, list[float]] = {}
        for values in found.values():
            for measured, column in values.items():
                columns.setdefault(measured, []).extend(column)
        rows.append([name, *(mean(columns.get(m, [])) for m in ("target", "both", "gold", "quoted"))])
    title = f"Evidence of 4 units and {budget.characters:,} characters"
    return Table(title, ["start", "target", "heading and target", "gold section", "quotations"], rows)


def _strategy(setting: Setting, name: str, budget: Budget) -> Choice:
    return lambda query: run(name, query, setting.library, budget).selected


def _inside(setting: Setting, count: int, budget: Budget) -> Choice:
    return lambda query: parent_first(setting, query, count, budget)


def _reached(setting: Setting) -> Table:
    """How often the right section is among the first n that a search over blocks or over sections names."""
    asked: dict[str, list[tuple[str, Sequence[str]]]] = {
        **{
            stratum.value: [(one.query, (one.target.clauseid,)) for one in held]
            for stratum, held in setting.strata.items()
        },
        **{name: [(one.query, one.question.gold) for one in held] for name, held in setting.datasets.items()},
    }
    rows: list[list[Cell]] = []
    for level in (Level.BLOCK, Level.SECTION):
        every: list[list[float]] = [[] for _ in REACHED]
        for name, questions in asked.items():
            ranks = [_rank(setting, query, gold, level) for query, gold in questions]
            columns = [[float(rank < depth) for rank in ranks] for depth in REACHED]
            for held, column in zip(every, columns, strict=True):
                held += column
            rows.append([f"{level.value} search", name, *map(mean, columns)])
        rows.append([f"{level.value} search", "all", *map(mean, every)])
    return Table(
        "The right section among the first n",
        ["first search", "questions", *(f"first {depth}" for depth in REACHED)],
        rows,
    )


def _rank(setting: Setting, query: str, gold: Sequence[str], level: Level) -> int:
    found = setting.library.search(query, (level,), limit=CANDIDATES)
    sections = list(dict.fromkeys(one.clauseid for one in found))
    return next((rank for rank, one in enumerate(sections) if one in gold), CANDIDATES)


STUDY = Study("start", measure)
