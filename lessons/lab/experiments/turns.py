"""Several workers train one model: each has a copy of the inherited script's loop, and they take turns."""

import textwrap

TURNS = """\
        workers = [worker(k) for k in range({})]
        while not sess.should_stop():
            for one in workers:
                next(one, None)
"""


def with_workers(script: str, number: int) -> str:
    """Return the script with so many copies of its loop, each with its own batches."""
    start, end = script.index("        i = 0"), script.index("    writer.close()")
    loop = textwrap.indent(script[start:end], "    ")
    loop = loop.replace("50 * i", f"50 * ({number} * i + k)")
    loop = loop.replace("i += 1", "i += 1\n                yield")  # then it's the next one's turn
    loop = "        def worker(k):\n" + loop + TURNS.format(number)
    return script[:start] + loop + script[end:]
