"""What few programs use: a name's module is loaded when a program first asks for it.

    tf.train.FtrlOptimizer  # loads minitf.extras.optimizers

A reader of the core never meets these files, and the core imports none of them.
"""

# Under each public module: which of the files here holds which names. A file of that very name is the value itself.
NAMES = {
    "tf": {
        "app": "app",
        "check_ops": "assert_equal assert_greater assert_greater_equal assert_less assert_less_equal assert_negative "
        "assert_non_negative assert_non_positive assert_none_equal assert_positive",
        "flags": "flags",
        "io": "io",
        "logging_ops": "Print",
        "script_ops": "py_func",
        "while_ops": "while_loop",
    },
    "tf.train": {},
}


def homes(module: str) -> dict[str, str]:
    """Return, for each name that a public module loads late, the module that it comes from."""
    files = NAMES[module].items()
    return {name: f"minitf.extras.{file}" for file, names in files for name in names.split()}
