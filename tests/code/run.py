"""Runs the code that the app writes and compares it with posenc's numbers.

    python3 run.py <folder> <numpy|torch>

The folder has the cases that `src/share/code_tests.rs` writes. What a piece of code leaves behind is compared: a table, a
bias, buckets, or what it turns vectors of ones to.
"""

import contextlib
import io
import json
import pathlib
import sys


def rows(found):
    """As a list of rows."""
    values = found.tolist()

    def flat(list_):
        return list_ if not isinstance(list_[0], list) else [row for part in list_ for row in (flat(part) if isinstance(part[0], list) else [part])]

    return flat(values) if isinstance(values[0], list) else [values]


def result(code, name, library):
    scope = {"__name__": name}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, name, "exec"), scope)
    assert printed.getvalue().strip(), "it shows nothing"
    if "rotate" in scope:
        shape = scope["cos"].shape[:-1] + (scope["head_dim"],)
        return scope["rotate"](library.ones(tuple(shape), dtype=library.float64))
    if "buckets" in scope:
        # And a learned table is looked up by them.
        buckets = scope["buckets"]
        table = library.arange(2 * scope["relative_attention_num_buckets"], dtype=library.float64).reshape(2, -1)
        looked_up = scope["bias"](table)
        assert rows(looked_up[0]) == rows(buckets) and tuple(looked_up.shape) == (2, *buckets.shape)
        return buckets
    return scope["table"] if "table" in scope else scope["bias"]


def main(folder, name):
    library = __import__(name)
    cases = sorted(pathlib.Path(folder).glob(f"*.{name}.py"))
    assert len(cases) > 40, f"only {len(cases)} cases"
    worst = 0.0
    for path in cases:
        expected = json.loads(path.with_name(path.name.replace(f"{name}.py", "python.json")).read_text())
        try:
            found = rows(result(path.read_text(), path.name, library))
        except Exception as error:
            sys.exit(f"{expected['case']} ({path}): {error!r}")
        right = expected["rows"]
        shape = (len(right), len(right[0]))
        if (len(found), len(found[0])) != shape:
            sys.exit(f"{expected['case']} ({path}): {len(found)} × {len(found[0])} instead of {shape}")
        for i, (a, b) in enumerate(zip(found, right)):
            for j, (x, y) in enumerate(zip(a, b)):
                error = abs(x - y) / max(1.0, abs(y))
                # Not a number is no small error.
                if not error <= 1e-11:
                    sys.exit(f"{expected['case']} ({path}): {x} instead of {y} in row {i}, column {j}")
                worst = max(worst, error)
    print(f"{name} {library.__version__}: {len(cases)} pieces of code agree with posenc, worst error {worst:.1e}")


main(*sys.argv[1:])
