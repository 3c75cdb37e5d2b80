"""Writes crates/posenc/tests/data/analysis.json: what numpy finds in tables. See README.md beside it."""

import json
import pathlib

import numpy as np

ROOT = pathlib.Path(__file__).parent.parent.parent


def quantised(name):
    """A table as the site has it: bytes with a scale for each row."""
    data = (ROOT / "static/data" / f"learned-{name}.bin").read_bytes()
    rows, columns = np.frombuffer(data, "<u4", 2, 8)
    scales = np.frombuffer(data, "<f4", rows, 16).astype(np.float64)
    numbers = np.frombuffer(data, "i1", rows * columns, 16 + 4 * rows).reshape(rows, columns)
    # As the crate gives it to a figure: in 32 bits.
    return (scales[:, None] * numbers).astype(np.float32)


def random(rows, columns):
    """Numbers that any language can make: a linear congruential generator, the upper 24 bits of 32."""
    state, out = 1, []
    for _ in range(rows * columns):
        state = (1664525 * state + 1013904223) % 2**32
        out.append((state >> 8) / 2**23 - 1)
    return np.array(out, np.float32).reshape(rows, columns)


def analyse(table):
    x = table.astype(np.float64)
    rows = len(x)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    cosines = unit @ unit.T
    by_distance = [np.diag(cosines, d) for d in range(rows)]
    within = sum(len(c) * c.var() for c in by_distance[1:])
    pairs = cosines[np.triu_indices(rows, 1)]
    apart = cosines.copy()
    np.fill_diagonal(apart, -9)
    u, s, _ = np.linalg.svd(x - x.mean(0), full_matrices=False)
    shares = s**2 / (s**2).sum()
    positive = shares[shares > 0]
    components = []
    for k in range(6):
        along = u[:, k] * np.sign(u[np.abs(u[:, k]).argmax(), k])
        power = np.abs(np.fft.rfft(along - along.mean())) ** 2
        power[1 : (rows + 1) // 2] *= 2
        power[0] = 0
        best = int(power.argmax())
        components.append(
            {
                "share": shares[k],
                "along": along[:: max(1, rows // 8)].tolist(),
                "period": rows / best,
                "purity": power[best] / power.sum(),
            }
        )
    return {
        "distances": [d for d in (0, 1, 2, 4, 8, 16, 31)],
        "mean": [by_distance[d].mean() for d in (0, 1, 2, 4, 8, 16, 31)],
        "spread": [by_distance[d].std() for d in (0, 1, 2, 4, 8, 16, 31)],
        "toeplitz": 1 - within / (len(pairs) * pairs.var()),
        "nearest": apart.argmax(1).tolist(),
        "rank": float(np.exp(-(positive * np.log(positive)).sum())),
        "components": components,
    }


found = {
    "minilm": analyse(quantised("minilm")),
    "rxnmapper": analyse(quantised("rxnmapper")),
    "random-48-64": analyse(random(48, 64)),
    "random-64-20": analyse(random(64, 20)),
}
(ROOT / "crates/posenc/tests/data/analysis.json").write_text(json.dumps(found, indent=1) + "\n")
