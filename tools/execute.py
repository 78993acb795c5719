"""Execute the lessons again, in place, and keep in them only what belongs there.

    python -m tools.execute               all lessons
    python -m tools.execute 00 03         those whose names start so
    python -m tools.execute --check       write nothing, fail if a lesson would change
    python -m tools.execute --photograph  take all photographs again, after a change to lab/page

Each lesson runs in a fresh kernel. Running it twice changes nothing: what differs from run to run
(times, the ids of widgets, where the files are) is left out, and a picture is photographed again, in
Chromium, only if its data have changed.
"""

import argparse
import copy
import json
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from tests.lessons.notebooks import ROOT, VIEW, lessons, read
from tools.photograph_views import photographs

WIDGET = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def main(arguments=None):
    """Execute the lessons named in `arguments`; return how many failed (or would change)."""
    parser = argparse.ArgumentParser(prog="python -m tools.execute", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a lesson would change")
    parser.add_argument("--photograph", action="store_true", help="take all photographs again")
    parser.add_argument("names", nargs="*", help="how the lessons' names start (default: all lessons)")
    options = parser.parse_args(arguments)
    paths = [path for path in lessons() if not options.names or path.name.startswith(tuple(options.names))]
    if not paths:
        parser.error("no such lesson")
    return sum(refresh(path, check=options.check, again=options.photograph) for path in paths)


def refresh(path, *, check=False, again=False):
    """Execute one lesson and write it if it changed; return whether that failed."""
    old = path.read_text(encoding="utf-8")
    try:
        before = read(path)
        notebook = execute(copy.deepcopy(before), path.parent)
    except CellExecutionError as error:
        print(f"{path.name}: a cell fails, nothing written\n{error}", file=sys.stderr)
        return True
    new = nbformat.writes(tidy(notebook, before, again=again)) + "\n"
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


def tidy(notebook, before, *, again=False):
    """Leave out what differs from run to run; photograph each picture that has changed (`again`: every picture)."""
    notebook.metadata = NotebookNode(METADATA)
    stored = {cell.id: cell.get("outputs", []) for cell in before.cells}
    new = []  # outputs that need a photograph
    for cell in notebook.cells:
        cell.metadata = NotebookNode({key: cell.metadata[key] for key in ("tags", "jupyter") if key in cell.metadata})
        for number, output in enumerate(cell.get("outputs", [])):
            if "traceback" in output:
                output.traceback = [without_folders(line) for line in output.traceback]
            data = output.get("data", {})
            data.pop(WIDGET, None)  # the id of a widget means nothing in another session
            if VIEW not in data:
                continue
            old = stored[cell.id][number] if number < len(stored[cell.id]) else {}
            is_settled = settle(output, old, changes="engine" in cell.metadata.get("tags", []))
            if not is_settled or (again and "image/png" in output.data):
                new.append(output)
    views = [(json.loads(output.data[VIEW]), output.data["text/plain"]) for output in new]
    for output, (png, size) in zip(new, photographs(views) if views else [], strict=True):
        output.data["image/png"] = png
        output.metadata = NotebookNode({"image/png": {**size, "alt": output.data["text/plain"].replace("\n", " ")}})
    return notebook


def settle(output, old, *, changes):
    """Keep of a view what stays true in another session; return whether it needs no photograph.

    Its own page, for exported HTML, is made again by each run.
    What `changes` with each run, as processes do, stays as it was while its words are the same.
    """
    data, old_data = output.data, old.get("data", {})
    data.pop("text/html", None)
    if changes and old_data.get("text/plain") == data["text/plain"]:
        data[VIEW] = old_data.get(VIEW, data[VIEW])
    if not has_picture(json.loads(data[VIEW])):
        return True
    if data[VIEW] == old_data.get(VIEW) and "image/png" in old_data:
        data["image/png"], output.metadata = old_data["image/png"], old.metadata
        return True
    return False


def has_picture(view):
    """Return whether a view draws something as it comes; a button or a question doesn't."""
    if view["kind"] == "explorer":
        return view["data"].get("base", {}).get("parts") != []
    return bool(view.get("picture", {}).get("parts"))


def without_folders(line):
    """Name files as seen from this project or from where packages are, not by this machine."""
    for folder in (sys.prefix, sys.base_prefix, str(ROOT)):
        from_home = folder.replace(str(Path.home()), "~", 1)  # how IPython writes it
        line = line.replace(from_home + os.sep, "").replace(folder + os.sep, "")
    return line


if __name__ == "__main__":
    sys.exit(main())
