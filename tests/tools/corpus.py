"""Writes tests/corpus/npy and tests/corpus/safetensors: files of numpy's and odd ones. See README.md beside it."""

import json
import pathlib
import struct

import numpy as np

CORPUS = pathlib.Path(__file__).parent.parent / "corpus"
NPY = CORPUS / "npy"
SAFETENSORS = CORPUS / "safetensors"


def npy(name, array, fortran=False):
    np.save(NPY / f"{name}.npy", np.asfortranarray(array) if fortran else array)


table = np.arange(12, dtype=np.float64).reshape(4, 3) / 8 - 0.5
for dtype in ("<f2", "<f4", "<f8", ">f2", ">f4", ">f8"):
    npy("table-" + dtype.replace("<", "little-").replace(">", "big-"), table.astype(dtype))
npy("table-by-column", table.astype("<f4"), fortran=True)
npy("table-of-three-sides", table.reshape(1, 4, 3).astype("<f4"))
npy("one-side", table.astype("<f4")[:, 0])
npy("three-sides", np.zeros((2, 2, 2), "<f4"))
npy("whole-numbers", np.arange(6).reshape(2, 3))
npy("nothing", np.zeros((0, 3), "<f4"))
odd = table.astype("<f4").copy()
odd[1] = np.nan
odd[2, 0] = np.inf
npy("not-numbers", odd)
whole = (NPY / "table-little-f4.npy").read_bytes()
magic, header = whole[:8], whole[10:128]
large = b"{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551615, 4294967296)}"
for name, data in {
    "cut-in-the-numbers": whole[:-1],
    "cut-in-the-header": whole[:60],
    "cut-in-the-length": whole[:9],
    "header-of-4-gigabytes": b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + header,
    "header-of-brackets": magic + struct.pack("<H", 2000) + b"(" * 2000,
    "header-no-text": magic + struct.pack("<H", 4) + b"\xff\xfe{}" + whole,
    "shape-of-2-to-the-128": magic + struct.pack("<H", len(large)) + large,
}.items():
    (NPY / f"{name}.npy").write_bytes(data)


def safetensors(name, header, data=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    (SAFETENSORS / f"{name}.safetensors").write_bytes(
        struct.pack("<Q", len(text) if length is None else length) + text + data
    )


def entry(shape, begin, end, dtype="F32"):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


numbers = table.astype("<f4").tobytes()
safetensors("table", {"__metadata__": {"format": "pt"}, "wpe.weight": entry([4, 3], 0, 48)}, numbers)
safetensors("nothing", {})
safetensors("shape-of-2-to-the-128", {"a": entry([2**63, 2**63, 4], 0, 48)}, numbers)
safetensors("end-before-begin", {"a": entry([4, 3], 48, 0)}, numbers)
safetensors("past-the-end", {"a": entry([4, 3], 2**63, 2**63 + 48)}, numbers)
safetensors("overlap", {"a": entry([3, 3], 0, 36), "b": entry([4], 32, 48)}, numbers)
safetensors("too-few-bytes", {"a": entry([4, 3], 0, 40)}, numbers)
safetensors("unknown-type", {"a": entry([4, 3], 0, 6, "F4")}, numbers)
safetensors("negative", b'{"a": {"dtype": "F32", "shape": [-4, 3], "data_offsets": [0, 48]}}', numbers)
same = json.dumps(entry([4, 3], 0, 48)).encode()
safetensors("twice", b'{"a": ' + same + b', "a": ' + same + b"}", numbers)
safetensors("deep", b'{"__metadata__": ' + b"[" * 5000 + b"]" * 5000 + b"}")
safetensors("deep-shape", b'{"a": {"dtype": "F32", "shape": ' + b"[" * 5000 + b"}")
safetensors("many-sides", {"a": entry([1] * 5000, 0, 4)}, b"\0\0\0\0")
safetensors("no-text", b'{"\xff\xfe": 1}')
safetensors("no-json", b'{"a": ]')
safetensors("header-of-2-to-the-64", b'{"a": 1}', length=2**64 - 1)
safetensors("header-of-7-megabytes", b'{"a": 1}', length=7_000_000)
safetensors("cut-in-the-numbers", {"wpe.weight": entry([4, 3], 0, 48)}, numbers[:-1])
safetensors("other-types", {"a": entry([2, 3], 0, 48, "I64"), "b": entry([2, 3], 48, 54, "F8_E4M3")}, numbers + b"\0" * 6)
(SAFETENSORS / "empty.safetensors").write_bytes(b"")
(SAFETENSORS / "picture.safetensors").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00")
(SAFETENSORS / "zip.safetensors").write_bytes(b"PK\x03\x04" + bytes(26) + b"archive/data.pkl")
