"""Opens a model as a safetensors file with NumPy and prints its weights in hexadecimal: open_with_numpy.py MODEL

The layout is checked against the rules of the format, which any reader may rely on: a header of at most 100 MB that begins with "{", text
to text in its metadata, and arrays that follow each other without a hole to the end of the file. Where the package safetensors is
installed, it must find the same.
"""
import json
import sys

import numpy

DTYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U32": "<u4", "U8": "u1"}


def load(path):
    data = numpy.memmap(path, mode="r")
    length = int(data[:8].view("<u8")[0])
    header = bytes(data[8 : 8 + length])
    assert header.startswith(b"{") and length <= 100_000_000
    entries = json.loads(header)
    metadata = entries.pop("__metadata__")
    assert all(isinstance(k, str) and isinstance(v, str) for k, v in metadata.items())
    arrays, end = {}, 0
    for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"]):
        assert entry.keys() == {"dtype", "shape", "data_offsets"}
        first, last = entry["data_offsets"]
        assert first == end, "a hole or an overlap"
        end = last
        arrays[name] = data[8 + length + first : 8 + length + last].view(DTYPES[entry["dtype"]]).reshape(entry["shape"])
    assert 8 + length + end == data.size, "bytes beyond the last array"
    return arrays


arrays = load(sys.argv[1])
try:
    from safetensors.numpy import load_file
except ImportError:
    load_file = load
package = load_file(sys.argv[1])
assert package.keys() == arrays.keys() and all(numpy.array_equal(package[name], arrays[name]) for name in arrays)
print(arrays["weights"].tobytes().hex())
