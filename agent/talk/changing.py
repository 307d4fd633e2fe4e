"""Commands that change what the next question is asked of. Without a value each says what holds now."""

from agent.talk.state import DEFAULT_STRATEGY, Conversation
from storage.errors import InputError
from tools.clean import shortened


def edition(conversation: Conversation, name: str) -> str:
    """The editions in the store; ask another one."""
    if name:
        conversation.change(edition=name)
    record, settings = conversation.session.reader.record, conversation.session.settings
    now = f"{record.edition}: {record.title}, built {record.built} from {record.origin}"
    if name:
        return f"Asking {now}"
    from storage.catalog import list_editions

    others = [one.edition for one in list_editions(settings.storage_dir) if one.edition != record.edition]
    return "\n".join([now, *([f"Also here: {', '.join(others)}"] if others else [])])


def model(conversation: Conversation, name: str) -> str:
    """Which model answers; ask another one."""
    from agent.models import name_of

    if name:
        conversation.change(model=name)
    return f"{'Asking' if name else 'Model:'} {name_of(conversation.session.model)}"


def strategy(conversation: Conversation, name: str) -> str:
    """How `/search` chooses evidence. Answers are always searched for by the default, which measured best."""
    from tools.strategies.table import STRATEGIES

    known = (DEFAULT_STRATEGY, *STRATEGIES)
    if name and name not in known:
        raise InputError(f"{shortened(name)} is no strategy; there are {', '.join(known)}")
    conversation.strategy = name or conversation.strategy
    if name:
        return f"/search goes by {name}"
    return f"/search goes by {conversation.strategy}; there are {', '.join(known)}"


def budget(conversation: Conversation, number: str) -> str:
    """Characters of the specification that one question may be shown."""
    if number:
        digits = number.replace(",", "").replace("_", "")
        if not (digits.isascii() and digits.isdigit()):
            raise InputError(f"the budget is {shortened(number)}, but counts characters: /budget 40000")
        conversation.change(budget_characters=int(digits))
    return f"{conversation.session.settings.budget_characters:,} characters may be shown to a question"
