"""The words of the course: each lesson introduces some, and nobody meets one before that.

`lessons/glossary.csv` lists them, each with its Chinese name, its meaning and the lesson that introduces it. In the
prose, a term's first use in the whole course is its introduction, and there it is bold. `python -m tools.terms` makes
the glossary from the table, and `prose` returns what a learner reads, in the order of reading.
"""

import csv
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import v4

from tests.lessons.notebooks import LESSONS, lessons, read
from tools.execute import METADATA

TABLE = LESSONS / "glossary.csv"
GLOSSARY = LESSONS / "glossary.ipynb"

# Terms that are also common words: what the term looks like where it is meant as one.
LOOKS_LIKE = {
    "key": r"(?<!arrow )\bkeys?\b",
    "Variable": r"\bVariables?\b",
    "example": r"(?<![Ff]or )(?<!\b[Aa]n )\bexamples?\b",
    "program": r"NumPy program",
    "to feed": r"\bfe(?:ed|eds|d)\b",
    "mean": r"(?:(?<=\bthe )|(?<=\*\*))mean\b",
}


@dataclass(frozen=True)
class Term:
    """A word of the field, its Chinese name, its meaning, and the lesson that introduces it."""

    word: str
    chinese: str
    meaning: str
    lesson: Path

    @property
    def pattern(self):
        """What finds the term in prose, also in the plural."""
        plain = re.sub(r" *\(.*?\)", "", self.word).removeprefix("to ")
        looks = LOOKS_LIKE.get(self.word) or rf"\b{re.escape(plain)}(?:s|es|d|ed)?\b"
        return re.compile(looks, 0 if self.word in LOOKS_LIKE else re.IGNORECASE)


def terms(table=TABLE):
    """Return every term, in the order of introduction."""
    files = {path.stem[:2]: path for path in lessons()}
    with open(table, encoding="utf-8", newline="") as rows:
        return [Term(row["word"], row["chinese"], row["meaning"], files[row["lesson"]]) for row in csv.DictReader(rows)]


def prose(path, notebook):
    """Return what a learner reads in a lesson (where, text), without its code."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield cell.id, without_code(re.sub(r"\A# .*", "", cell.source))  # but the title
        else:
            for comment in re.findall(r"  # (.*)$", cell.source, flags=re.MULTILINE):
                yield cell.id, without_code(comment)
    for pattern in (f"{path.stem}.md", f"{path.stem}/*.md"):
        for file in LESSONS.glob(f"[pq]*s/{pattern}"):  # predictions, quizzes
            yield f"{file.parent.name}/{file.name}", without_code(file.read_text(encoding="utf-8"))


def without_code(text):
    """Leave out code, and where links lead to."""
    text = re.sub(r"```.*?```", " ", text, flags=re.DOTALL)
    text = re.sub(r"^\| \d\d \|.*$", "", text, flags=re.MULTILINE)  # a row of the map of lessons
    text = re.sub(r"`[^`]*`", "`", text)
    text = re.sub(r"\[[^\]]*\]\(\w+\.ipynb[^)]*\)", "[]", text)  # a lesson's title
    return re.sub(r"\]\([^)]*\)|<[^>]*>|https?://\S+", "]", text)


def faults(table=TABLE):
    """Say which terms are used before their introduction, and which are introduced without form."""
    read_so_far = []
    every = terms(table)
    for word, count in Counter(term.word for term in every).items():
        if count > 1:
            yield f"{word!r} is in the table {count} times"
    for path in lessons():
        here = [(f"{path.stem}, {where}", text) for where, text in prose(path, read(path))]
        for term in (term for term in every if term.lesson == path):
            yield from _before(term, read_so_far)
            yield from _introduced(term, here)
        read_so_far += here


def _before(term, read_so_far):
    for where, text in read_so_far:
        found = term.pattern.search(text)
        if found:
            around = " ".join(text[max(0, found.start() - 30) : found.end() + 20].split())
            yield f"{where}: {term.word!r} before {term.lesson.stem} introduces it: ...{around}..."


def _introduced(term, here):
    for where, text in here:
        found = term.pattern.search(text)
        if found:
            opened = text.rfind("**", 0, found.start())
            if opened < 0 or found.start() - opened > 24 or "**" not in text[found.end() : found.end() + 24]:
                yield f"{where}: the first use of {term.word!r} is not bold"
            return
    yield f"{term.lesson.stem}: {term.word!r} is a new word that the lesson does not use"


def glossary(table=TABLE):
    """Return the text of the glossary's notebook: every term, in the order of the alphabet."""
    rows = sorted(terms(table), key=lambda term: term.word.removeprefix("to ").lower())
    table = [f"| {t.word} | {t.chinese} | {t.meaning} | [{t.lesson.stem[:2]}]({t.lesson.name}) |" for t in rows]
    head = "# Glossary\n\nThe words of the course, and the lesson that introduces each."
    names = "| word | 中文 | meaning | lesson |\n|---|---|---|---|"
    back = "[The map of the lessons](00_start_here.ipynb#The-lessons)"
    source = "\n".join([head, "", names, *table, "", back])
    cell = v4.new_markdown_cell(source, id="glossary")
    return nbformat.writes(v4.new_notebook(cells=[cell], metadata=METADATA)) + "\n"


def main():
    """Write the glossary, and print what is wrong with the words."""
    temporary = GLOSSARY.with_suffix(".tmp")
    temporary.write_text(glossary(), encoding="utf-8")
    os.replace(temporary, GLOSSARY)
    found = list(faults())
    print(*found, f"{len(terms())} words, {len(found)} faults", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
