"""Runs the code that the app writes and compares it with posenc's numbers.

    python3 run.py <folder> <numpy|torch>

The folder has the cases that `src/share/code_tests.rs` writes. What a piece of code leaves behind is compared: a table, a
bias, or what it turns vectors to. Where it loads a table of the reader's own, it is given the one that the case has.
"""

import contextlib
import io
import json
import pathlib
import re
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
        width = scope["head_dim"]
        x = 1 + library.arange(width, dtype=library.float64) / 8 + library.zeros((*scope["cos"].shape[:-1], width))
        return rows(scope["query"](x)) + rows(scope["key"](x)) if "query" in scope else rows(scope["rotate"](x))
    if "of_value" in scope:
        return rows(scope["bias"]) + rows(scope["of_value"])
    # T5's bias is looked up in a table, too.
    return rows(scope["bias"] if "bias" in scope else scope["table"])


def main(folder, name):
    library = __import__(name)
    cases = sorted(pathlib.Path(folder).glob(f"*.{name}.py"))
    assert len(cases) > 80, f"only {len(cases)} cases"
    worst = 0.0
    for path in cases:
        expected = json.loads(path.with_name(path.name.replace(f"{name}.py", "python.json")).read_text())
        try:
            own = path.with_name(path.name.replace(f"{name}.py", "npy"))
            code = re.sub(r'np\.load\("[^"]*"\)', f"np.load({str(own)!r})", path.read_text())
            found = result(code, path.name, library)
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
