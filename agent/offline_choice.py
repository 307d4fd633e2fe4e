"""Which statements to quote: those that say most of the question, from the sections that stand best; with
room left, more of both.

Pure. The section that bears most comes first; within one, quotations stand in the order of the document.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.offline_evidence import Evidence
from agent.offline_excerpts import Excerpt, entire, excerpt, joined
from agent.offline_leads import leads
from agent.offline_plan import section_scores
from agent.offline_question import Question
from agent.offline_score import Scored, is_announcement, is_empty, score_all
from agent.offline_statements import Shape, Statement, statements
from agent.offline_thresholds import THRESHOLDS, Thresholds
from agent.quotes import is_meaningful
from tools.clean import one_line
from tools.results import Passage

LONG = 9
"""Words of its own from which a question is long."""
WEAK, WEAK_OF_LONG = (0.6, 0.8), (0.3, 0.5)
"""Part of what the best statement says of the question that another has to say, in its section and in
others. The parts of a long question are answered by statements that share little."""
_ANNEX = 1_000
"""Beyond every clause's number."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The statements of every passage shown, and what each is worth."""

    found: Mapping[Passage, Sequence[Statement]]
    worth: Mapping[Statement, float] = field(default_factory=dict)

    def excerpt(self, one: Statement, by: Thresholds) -> Excerpt:
        """A statement with what is around it."""
        return excerpt(one, self.found[one.passage], self.worth, by)

    def wider(self, quoted: Excerpt, by: Thresholds) -> Excerpt:
        """An excerpt with more around it."""
        return self.excerpt(quoted.decisive[0], replace(by, whole=by.grown_whole, excerpt=by.grown))

    def whole_section(self, quoted: Excerpt, by: Thresholds) -> Excerpt | None:
        """The section of an excerpt, where it is short and in one piece."""
        whole = entire(quoted, self.found[quoted.passage])
        return whole if whole and len(whole.text) <= by.short_section else None

    def strength(self, quoted: Excerpt) -> float:
        """What the best statement of an excerpt is worth."""
        return max(self.worth.get(said, 0.0) for said in quoted.decisive)


def choose(evidence: Evidence, question: Question, by: Thresholds = THRESHOLDS) -> list[Excerpt]:
    """What to quote, in the order in which to quote it."""
    found = {passage: statements(passage) for passage in evidence.passages}
    meant = [one for held in found.values() for one in held if is_meaningful(one.text)]
    sections = section_scores(evidence, question)
    if question.alone:
        best = opening(meant, section=max(sections, key=lambda one: (sections[one], one), default=""))
        return in_order(excerpts(best, Shown(found), by), Shown(found))
    sections = with_leads(sections, evidence, question, by)
    scored = score_all(meant, question, sections=sections, hits=list(evidence.hits), by=by)
    shown = Shown(found, {one.statement: one.score for one in scored})
    long = sum(weight == 1 for weight in question.terms.values()) >= LONG
    pool = substantial(scored)
    best_ones = best_of(pool, most=by.most_of_long if long else by.most, by=by)
    if not long:
        pool, best_ones = (without_neighbours(some, question.names) for some in (pool, best_ones))
    best_ones = without_weak(best_ones, least=WEAK_OF_LONG if long else WEAK)
    chosen = [one.statement for one in best_ones]
    read = {one: sections[one] for one in sections if one in evidence.read}
    chosen += from_other_sections(excerpts(chosen, shown, by), pool, read, shown, by)
    return in_order(grown(excerpts(chosen, shown, by), shown, by), shown)


def from_other_sections(
    quoted: Sequence[Excerpt],
    pool: Sequence[Scored],
    read: Mapping[str, float],
    shown: Shown,
    by: Thresholds,
) -> list[Statement]:
    """Where little was quoted: the best statement of each other section that was read and stands well."""
    taken = sum(len(one.text) for one in quoted)
    cited = {one.passage.clauseid for one in quoted}
    out: list[Statement] = []
    for section in sorted(read, key=lambda one: (-read[one], one)):
        own = [one for one in pool if one.statement.passage.clauseid == section and one.words > 0]
        if section in cited or read[section] < by.stands or not own:
            continue
        best = min(own, key=lambda one: (-one.score, one.statement.place)).statement
        longer = taken + len(shown.excerpt(best, by).text)
        if longer <= by.sparse:
            taken = longer
            out.append(best)
    return out


def grown(quoted: Sequence[Excerpt], shown: Shown, by: Thresholds) -> list[Excerpt]:
    """Each with more around it, then short sections whole, the better ones first while all together stay
    short."""
    for larger in (shown.wider, shown.whole_section):
        for one in sorted(quoted, key=lambda one: (-shown.strength(one), one.decisive[0].place)):
            if one in quoted and (wider := larger(one, by)):
                quoted = replaced(quoted, wider, room=by.room)
    return list(quoted)


def replaced(quoted: Sequence[Excerpt], larger: Excerpt, *, room: int) -> list[Excerpt]:
    """With a larger excerpt instead of those that it overlaps, where all together still fit."""
    beside = [other for other in quoted if larger.overlaps(other)]
    out = [*(other for other in quoted if other not in beside), joined([*beside, larger])]
    return out if sum(len(one.text) for one in out) <= room else list(quoted)


def with_leads(
    sections: Mapping[str, float], evidence: Evidence, question: Question, by: Thresholds
) -> dict[str, float]:
    """How good each section is, those counted that were read because something good pointed to them."""
    out = dict(sections)
    for lead, worth in leads(evidence, question, sections=sections, by=by).items():
        if lead in evidence.read:
            out[lead] = min(1.0, out.get(lead, 0.0) + by.inherited * worth)
    return out


def excerpts(chosen: Sequence[Statement], shown: Shown, by: Thresholds) -> list[Excerpt]:
    """The statements with what is around them, the better ones first as long as there is room."""
    out: list[Excerpt] = []
    for one in chosen:
        held = next((place for place, other in enumerate(out) if other.holds(one)), None)
        if held is not None:
            out[held] = replace(out[held], decisive=(*out[held].decisive, one))
            continue
        around = shown.excerpt(one, by)
        taken = sum(len(other.text) for other in out)
        if not out or taken + len(around.text) <= by.characters:
            beside = [other for other in out if around.overlaps(other)]
            out = [other for other in out if other not in beside]
            out.append(joined([*beside, around]))
    return out


def substantial(scored: Sequence[Scored]) -> list[Scored]:
    """Without what only announces an algorithm, unless there is nothing else."""
    return [one for one in scored if not is_announcement(one.statement)] or list(scored)


def without_weak(chosen: Sequence[Scored], *, least: tuple[float, float]) -> list[Scored]:
    """Without what says far less of the question than the best: in its section, and more so elsewhere."""
    if not chosen:
        return []
    best = max(chosen, key=lambda one: one.score)
    section = best.statement.passage.clauseid
    here, elsewhere = (part * best.words for part in least)
    return [
        one
        for one in chosen
        if one.words >= (here if one.statement.passage.clauseid == section else elsewhere)
    ]


def without_neighbours(chosen: Sequence[Scored], names: Sequence[str]) -> list[Scored]:
    """Without sections about another member of what a name in a short question is a member of.

    `Array.prototype.indexOf` shares with `Array.prototype.at` the generic words only, and
    `%TypedArray%.prototype.at` repeats it. Nothing is left out
    when nothing chosen is about the name itself, or where a statement mentions it.
    """
    asked = {name for name in names if any(_titled(one) == name for one in chosen)}
    owners = {_owner(name) for name in asked} - {""}
    members = {_member(name) for name in asked} - {""}
    return [
        one
        for one in chosen
        if not (_owner(_titled(one)) in owners or _member(_titled(one)) in members)
        or _titled(one) in names
        or any(name in one.statement.text for name in asked)
    ]


def _titled(one: Scored) -> str:
    return one.statement.passage.title.partition(" ")[0]


def _member(name: str) -> str:
    """`at` of `Array.prototype.at`; nothing of a name without an owner."""
    return name.rpartition(".")[2] if ".prototype." in name else ""


def _owner(name: str) -> str:
    """`Array.prototype` of `Array.prototype.at`, `Count` of `Count::divide`."""
    return max(name.rpartition(".")[0], name.rpartition("::")[0], key=len)


def in_order(quoted: Sequence[Excerpt], shown: Shown) -> list[Excerpt]:
    """The section of the best statement first, each section in the order of the document."""
    strength: dict[str, float] = {}
    for one in quoted:
        section = one.passage.clauseid
        strength[section] = max(shown.strength(one), strength.get(section, 0.0))
    return sorted(quoted, key=lambda one: (-strength[one.passage.clauseid], document_order(one.decisive[0])))


def opening(found: Sequence[Statement], *, section: str) -> list[Statement]:
    """What a section defines and how it begins: two sentences and three steps, or its first statements."""
    own = [one for one in found if one.passage.clauseid == section]
    prose = [one for one in own if one.shape is Shape.SENTENCE and not is_empty(one)][:2]
    steps = [one for one in own if one.shape is Shape.STEP][:3]
    return sorted((prose + steps) or own[:3], key=lambda one: one.place)


def best_of(scored: Sequence[Scored], *, most: int, by: Thresholds = THRESHOLDS) -> list[Scored]:
    """The best statement, then again and again the best of the rest, less what those chosen already say."""
    pool = sorted(scored, key=lambda one: (-one.score, one.statement.place))
    pool = [one for one in pool if one.score >= by.near * pool[0].score]
    chosen: list[Scored] = []
    while pool and len(chosen) < most:
        best = max(pool, key=lambda one: _left(one, chosen, by))
        chosen.append(best)
        words = one_line(best.statement.text)
        pool = [one for one in pool if one_line(one.statement.text) != words]
    return chosen


def _left(one: Scored, chosen: Sequence[Scored], by: Thresholds) -> float:
    repeated = {stem for other in chosen for stem in other.held}
    near = sum(other.statement.passage.clauseid == one.statement.passage.clauseid for other in chosen)
    return (
        one.score
        - by.repeated * sum(one.held[stem] for stem in one.held.keys() & repeated)
        - by.same_section * near
    )


def document_order(statement: Statement) -> tuple[tuple[tuple[int, str], ...], tuple[str, int]]:
    """By section number, the introduction before the clauses and annexes behind them, then by place."""
    parts = statement.passage.secnum.split(".") if statement.passage.secnum else []
    return tuple((int(part), "") if part.isdigit() else (_ANNEX, part) for part in parts), statement.place
