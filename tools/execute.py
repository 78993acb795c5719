"""Execute the lessons again, in place, and keep in them only what belongs there.

    python -m tools.execute          all lessons
    python -m tools.execute 00 03    those whose names start so
    python -m tools.execute --check  write nothing, fail if a lesson would change

Each lesson runs in a fresh kernel. Running it twice changes nothing: what differs from run to run (the times, the ids
of widgets, the names of folders) is left out, and a picture is replaced only if its words have changed.
"""

import argparse
import copy
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from tests.lessons.notebooks import ROOT, lessons, read

ONLY_HERE = ("application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/html")  # of a figure, beside its PNG
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def main(arguments=None):
    """Execute the lessons named in `arguments`; return how many failed (or would change)."""
    parser = argparse.ArgumentParser(prog="python -m tools.execute", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a lesson would change")
    parser.add_argument("--redraw", action="store_true", help="replace all pictures, after a change of their style")
    parser.add_argument("names", nargs="*", help="how the lessons' names start (default: all lessons)")
    options = parser.parse_args(arguments)
    paths = [path for path in lessons() if not options.names or path.name.startswith(tuple(options.names))]
    if not paths:
        parser.error("no such lesson")
    return sum(refresh(path, check=options.check, redraw=options.redraw) for path in paths)


def refresh(path, *, check=False, redraw=False):
    """Execute one lesson and write it if it changed; return whether that failed."""
    old = path.read_text(encoding="utf-8")
    try:
        before = read(path)
        notebook = execute(copy.deepcopy(before), path.parent)
    except CellExecutionError as error:
        print(f"{path.name}: a cell fails, nothing written\n{error}", file=sys.stderr)
        return True
    new = nbformat.writes(tidy(notebook, before, redraw)) + "\n"
    if new == old:
        print(f"{path.name}: as stored")
    elif check:
        print(f"{path.name}: would change", file=sys.stderr)
        return True
    else:
        print(f"{path.name}: written")
        temporary = path.with_suffix(".tmp")  # so that an interruption cannot leave half a lesson
        temporary.write_text(new, encoding="utf-8")
        os.replace(temporary, path)
    return False


def execute(notebook, folder):
    """Run the notebook from top to bottom in a fresh kernel whose working directory is `folder`."""
    notebook.metadata.update(METADATA)
    client = NotebookClient(
        notebook,
        timeout=60,
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    return client.execute()


def tidy(notebook, before, redraw=False):
    """Leave out what differs from run to run, and keep each picture whose words are what they were."""
    notebook.metadata = NotebookNode(METADATA)
    stored = {cell.id: cell.get("outputs", []) for cell in before.cells}
    for cell in notebook.cells:
        cell.metadata = NotebookNode({key: cell.metadata[key] for key in ("tags", "jupyter") if key in cell.metadata})
        for number, output in enumerate(cell.get("outputs", [])):
            if "traceback" in output:
                output.traceback = [without_folders(line) for line in output.traceback]
            if "image/png" not in output.get("data", {}):
                continue
            for kind in ONLY_HERE:
                output.data.pop(kind, None)
            old = stored[cell.id][number] if number < len(stored[cell.id]) else {}
            if not redraw and old.get("data", {}).get("text/plain") == output.data["text/plain"]:
                output.data, output.metadata = old.data, old.metadata
    return notebook


def without_folders(line):
    """Name files as seen from this project or from where packages are, not by this machine."""
    for folder in (sys.prefix, sys.base_prefix, str(ROOT)):
        from_home = folder.replace(str(Path.home()), "~", 1)  # how IPython writes it
        line = line.replace(from_home + os.sep, "").replace(folder + os.sep, "")
    return line


if __name__ == "__main__":
    sys.exit(main())
