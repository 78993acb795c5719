"""Compile minitf when it is installed to be edited, as pip does with what it installs otherwise.

So that the first import is as fast as any other, also where Python may not write compiled files itself.
"""

import compileall
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileBuildHook(BuildHookInterface):
    """Hatchling's hook: called once before each build."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Compile for this Python, if the build is for an editable install."""
        if version == "editable":
            compileall.compile_dir(Path(self.root) / "minitf", quiet=1)
