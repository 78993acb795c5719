"""What a build of minitf does beside packing its files.

To be installed, it gets the digits of minitf/examples from the lessons, with their attribution. To be edited where it
is, it is compiled, as pip does with what it installs otherwise: so that the first import is as fast as any other, also
where Python may not write compiled files itself.
"""

import compileall
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DIGITS = {
    f"lessons/data/optdigits.{kind}": f"minitf/examples/tutorials/mnist/optdigits.{kind}" for kind in ("npz", "md")
}


class CompileBuildHook(BuildHookInterface):
    """Hatchling's hook: called once before each build."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Compile for this Python if the build is for an editable install, else add the digits."""
        if version == "editable":
            compileall.compile_dir(Path(self.root) / "minitf", quiet=1)
        else:
            build_data["force_include"].update(DIGITS)
