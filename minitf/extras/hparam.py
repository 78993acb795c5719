"""`tf.contrib.training.HParams`: a program's hyperparameters as attributes that keep their types.

Mirrors tensorflow/contrib/training/python/training/hparam.py.
"""

import json
import numbers
import re

from minitf.ops.kernels import unimplemented

_ASSIGNMENT = re.compile(
    r"(?P<name>[a-zA-Z][\w.]*)(?:\[\s*(?P<index>\d+)\s*\])?\s*=\s*"
    r"(?:(?P<one>[^,\[]*)|\[(?P<several>[^\]]*)\])(?:$|,\s*)"
)


def _converted(name: str, kind: type, value):
    """Return a value as this type. Raises ValueError if that would lose or invent something."""
    if type(value) is kind or kind is type(None):
        return value
    is_text = isinstance(value, str | bytes)
    fits = [
        not issubclass(kind, str | bytes) or is_text,
        issubclass(kind, bool) == isinstance(value, bool),
        not issubclass(kind, numbers.Integral) or isinstance(value, numbers.Integral),
        not issubclass(kind, numbers.Number) or isinstance(value, numbers.Number),
    ]
    if not all(fits):
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    return kind(value)


def _read(text: str, kind: type):
    """Return what a text says as this type. Raises ValueError if it doesn't."""
    if kind is bool:
        known = {"true": True, "True": True, "false": False, "False": False}
        return known[text] if text in known else bool(int(text))
    return kind(text)


def _parsed(values: str, kinds: dict[str, type]) -> dict:
    """Return the values in a text such as "rate=0.1,sizes=[1,2]". Raises ValueError for others."""
    found, place = {}, 0
    while place < len(values):
        match = _ASSIGNMENT.match(values, place)
        if not match:
            raise ValueError(f"Malformed hyperparameter value: {values[place:]}")
        place, name, index = match.end(), match["name"], match["index"]
        if name not in kinds:
            raise ValueError(f"Unknown hyperparameter type for {name}")
        if index and match["several"] is not None:
            raise ValueError("Assignment of a list to a list index.")
        if name in found:
            raise ValueError(f"Multiple assignments to variable '{name}' in {values}")
        if index:
            raise unimplemented("values with an index")
        found[name] = _value(name, kinds[name], match, values)
    return found


def _value(name: str, kind: type, match: re.Match, values: str):
    one, several = match["one"], match["several"]
    try:
        if several is None:
            return _read(one, kind)
        return [_read(text, kind) for text in re.split("[ ,]", several) if text]
    except ValueError:
        words = f"Could not parse hparam '{name}' of type '{kind.__name__}' with value"
        shown = one if several is None else several
        raise ValueError(f"{words} '{shown}' in {values}") from None


class HParams:
    """Hyperparameters, which are also attributes.

        hparams = tf.contrib.training.HParams(rate=0.1, sizes=[10, 20])
        hparams.parse("rate=0.5").rate  # 0.5

    Each keeps the type of its first value, or of the first element of a list. Raises ValueError for
    an empty list, and for a name that is a method's. minitf has no protocol buffer of them, so
    `hparam_def` raises UnimplementedError.
    """

    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        if hparam_def:
            raise unimplemented("hparam_def")
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name, value):
        """Add a hyperparameter. Raises ValueError if its name is in use, or for an empty list."""
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        is_list = isinstance(value, list | tuple)
        if is_list and not value:
            raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
        self._hparam_types[name] = type(value[0] if is_list else value), is_list
        setattr(self, name, value)

    def set_hparam(self, name, value):
        """Give a hyperparameter another value of its type.

        Raises KeyError if there is no such hyperparameter, ValueError for another type.
        """
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list) != is_list:
            if is_list:
                raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
            raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
        if is_list:
            setattr(self, name, [_converted(name, kind, each) for each in value])
        else:
            setattr(self, name, _converted(name, kind, value))

    def del_hparam(self, name):
        """Remove a hyperparameter, if there is one of this name."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values):
        """Set the hyperparameters in a text such as "rate=0.1,sizes=[1,2]", and return this object.

        Raises ValueError if the text can't be read, or names one that isn't there.
        """
        kinds = {name: kind for name, (kind, _) in self._hparam_types.items()}
        return self.override_from_dict(_parsed(values, kinds))

    def override_from_dict(self, values_dict):
        """Set the hyperparameters in a dict, as `set_hparam` does, and return this object."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map):
        """An older name for `override_from_dict`."""
        return self.override_from_dict(values_map)

    def set_model_structure(self, model_structure):
        """Keep this object, which nothing here reads."""
        self._model_structure = model_structure

    def get_model_structure(self):
        """Return what was given as the model's structure."""
        return self._model_structure

    def to_json(self, indent=None, separators=None, sort_keys=False):
        """Return the hyperparameters as a JSON text; the arguments are those of `json.dumps`."""
        layout = {"indent": indent, "separators": separators, "sort_keys": sort_keys}
        return json.dumps(self.values(), **layout)

    def parse_json(self, values_json):
        """Set the hyperparameters in a JSON text, as `set_hparam` does, and return this object."""
        return self.override_from_dict(json.loads(values_json))

    def values(self):
        """Return a dict of the values by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key, default=None):
        """Return a hyperparameter, or `default` if there is none of this name.

        Raises ValueError if there is one and `default` isn't of its type.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            self._check_default(key, default)
        return getattr(self, key)

    def _check_default(self, key, default):
        kind, is_list = self._hparam_types[key]
        shown = f"list<{kind}>" if is_list else str(kind)
        words = f"Hparam '{key}' of type '{shown}' is incompatible with default={default}"
        if isinstance(default, list) != is_list:
            raise ValueError(words)
        try:
            for value in default if is_list else [default]:
                _converted(key, kind, value)
        except ValueError as error:
            raise ValueError(f"{words}. {error}") from None

    def __contains__(self, key):
        return key in self._hparam_types

    def __str__(self):
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self):
        return f"{type(self).__name__}({sorted(self.values().items())})"
