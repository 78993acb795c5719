"""Our English stays natural: constructions that were weeded out of lessons, documents and code don't come back."""

import ast
import io
import json
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = ["*.md", "minitf/*.md", "*.py", "minitf/**/*.py", "benchmarks/**/*.py", "tests/**/*.py", "lessons/lab/**/*.py"]
FILES += [
    "website/*.py",
    "website/*.js",
    "website/static/*.js",
    "website/pages/*.md",
    "website/static/*.css",
    ".ci/run",
    ".github/**/*.yml",
]
FILES += ["lessons/[0-9]*.ipynb", "lessons/field_guide.ipynb"]

END = r"(?=[.,;:!?)]|\n[\n-]|\n?$| (?:and|as|at|by|for|from|in|is|on|or|so|that|to|when|where|which|with)\b)"
BIG = r"(?:(?:large|long|new|real|second|short|small|whole) )?"
PLACE = r"(?:above|among|around|before|behind|below|beside|between|elsewhere|inside|on(?! its)|side by|there|together)"
THING = r"(?:an?|the|most|no) (?:\w+ )?(?!that )\w+|(?!what|which|who|those|example|instance)`?\w+`?"
VERB = r"(?:is|are|was|were|has|have|can|cannot|comes?|does|may|must|needs?|reads?|takes?|waits?|will)"

# What we wrote, and an example of it in better words. In a pattern, a space is a line break as well.
PHRASES = [
    (
        rf"\btrainings\b|\b(?:[Aa]|[Oo]ne|[Ee]ach) {BIG}training(?:{END}| (?:of|\w*[^s]s)\b)",
        "a training ends -> a run ends",
    ),
    (r"\bStands? for ", "Stands for tensorflow/python/ops/nn.py. -> Mirrors tensorflow/python/ops/nn.py."),
    (r"\bWhoever\b|[:;] whoever\b|\b[Ss]o whoever\b", "Whoever tries many rates -> If you try many rates"),
    (r"(?<!is )\b[Aa]ll that (?!is left|its|this)(?:are|\w*[^s]s)\b", "all that is made -> everything made"),
    (rf"\bof (?:its|their|your|our|one's) own{END}", "a graph of its own -> its own graph"),
    (r"\b(?:an?|any|no|some) \w+ of (?:yours|ours|theirs)\b", "no line of yours does -> none of your lines does"),
    (
        r"(?<!not )(?<!n't )\bha(?:s|ve) to be (?:an?|one|above|below|in|there)\b",
        "has to be above 0 -> must be above 0",
    ),
    (r"\bheld-back\b|\b(?:data|digits|examples|images) held back\b", "held-back digits -> the test set"),
    (r"\b(?:is|are) (?:not )?to be (?:\w+ed|\w+wn|fed|made|read|run|seen)\b", "what is to be fed -> what will be fed"),
    (rf", for (?:it|there|they|{THING}) {VERB}\b", "the new one, for b waits -> the new one, because b waits"),
    (rf"\b(?:stands?|stood) (?:at (?!\d)|in\b(?! for)|{PLACE}\b)", "answers stand in tests/ -> answers are in tests/"),
    (r"\blies? (?:at|beside|below|behind|in (?!how|what))\b", "what lies in the folder -> what is in the folder"),
    (r"\b(?:gives?|in) another \S+ than\b", "in another way than b -> differently from b"),
    (r"\b(?:blog|notebook|paper|post|question|thread) of (?:19|20)\d\d\b", "a post of 2018 -> a 2018 post"),
    (r"\bWhat is given of\b", "What is given of two arguments -> Resolves an argument that has two names"),
    (r"\balone among (?:its|their)\b", "alone among its like, it converts y -> unlike the others, it converts y"),
    (r"\bbelie[sd]?\b", "it belies a shape -> it contradicts a shape"),
    (r"\bname (?:that )?it bears\b|\bbears? (?:the|its|this) name\b", "x, whose name it bears -> it is also called x"),
    (r"\b(?:come|take)s? a step late\b", "it takes a step late -> it is one step late"),
]


def found(text):
    """What a text has of these: the line, counted from 0, with the phrase and better words."""
    text = re.sub(r"[ \t]*\n[ \t]*", "\n", text)
    for pattern, example in PHRASES:
        for match in re.finditer(pattern.replace(" ", r"\s"), text):
            yield text.count("\n", 0, match.start()), f"{' '.join(match[0].split())!r}, as in: {example}"


def words_of_python(source):
    """The comments, docstrings and messages of a program, each with its line."""
    comments = [""] * (source.count("\n") + 1)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            beside_code = token.line[: token.start[1]].strip()
            comments[token.start[0] - 1] = token.string.strip("# ") + "." * bool(beside_code)
    yield 1, "\n".join(comments)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            yield node.body[0].lineno, node.body[0].value.value
        verdict = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Verdict")
        for part in ast.walk(node) if verdict or isinstance(node, ast.Raise | ast.Assert) else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.lineno, part.value


def words_of(path):
    """What a person reads in a file: the place, its first line, the text."""
    name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from ((name, *words) for words in words_of_python(text))
    elif path.suffix == ".ipynb":
        for cell in json.loads(text)["cells"]:
            source = "".join(cell["source"])
            texts = words_of_python(source) if cell["cell_type"] == "code" else [(1, source)]
            yield from ((f"{name}[{cell['id']}]", *words) for words in texts)
    else:
        yield name, 1, text


@pytest.mark.parametrize("files", FILES)
def test_english_is_natural(files):
    paths = list(ROOT.glob(files))
    places = [place for path in paths for place in words_of(path)]
    stilted = {(name, first + line, what) for name, first, text in places for line, what in found(text)}
    assert places
    if stilted:
        pytest.fail("".join(f"\n{name}:{line}: {what}" for name, line, what in sorted(stilted)), pytrace=False)


@pytest.mark.parametrize(("pattern", "example"), PHRASES)
def test_a_pattern_finds_what_we_wrote_and_not_the_better_words(pattern, example):
    bad, good = example.split(" -> ")
    assert re.search(pattern, bad) and not list(found(good))


def test_identifiers_and_other_strings_do_not_count():
    source = 'def trainings():\n    """A.\n\n    All that is\n    made."""\n    print("Whoever")  # x of its own\n'
    source += '    raise Wrong("one", f"of its own: {trainings}")\n'
    lines = [first + line for first, text in words_of_python(source) for line, _ in found(text)]
    assert sorted(lines) == [4, 6, 7]
