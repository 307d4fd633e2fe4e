"""Command lines: a wrong one is a foreseeable error like any other, one line and status 1."""

import argparse
from typing import NoReturn

from storage.errors import InputError


class Parser(argparse.ArgumentParser):
    """As the standard one, but a wrong command line raises InputError; its commands do the same."""

    def error(self, message: str) -> NoReturn:
        """Raise InputError: what is wrong, and where to look."""
        raise InputError(f"{message}; `{self.prog} --help` shows what there is")
