"""Reads a Hinge model with nothing but struct, json and zlib: what docs/file-formats.md promises to other languages."""
import array
import gzip
import json
import struct
import zlib

CODES = {"F64": "d", "F32": "f", "I32": "i", "U32": "I", "I64": "q", "U8": "B"}


def read_model(path):
    """Returns (header, arrays): Hinge's own header, and each array by name. Raises ValueError on a wrong checksum."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    (length,) = struct.unpack_from("<Q", data)
    entries = json.loads(data[8 : 8 + length])
    metadata = entries.pop("__metadata__")
    digits = data.index(b'"checksum":"') + len(b'"checksum":"')
    crc = zlib.crc32(data[:digits] + b"00000000" + data[digits + 8 :])
    if metadata["checksum"] != f"{crc:08x}":
        raise ValueError("wrong checksum")
    if metadata["format"] != "hinge" or metadata["version"] != "1":
        raise ValueError("another format")
    arrays = {}
    for name, entry in entries.items():
        begin, end = entry["data_offsets"]
        values = array.array(CODES[entry["dtype"]])
        if (8 + length + begin) % values.itemsize:
            raise ValueError(f"{name} is not aligned")
        values.frombytes(data[8 + length + begin : 8 + length + end])
        if [len(values)] != entry["shape"]:
            raise ValueError(f"{name} has another shape")
        arrays[name] = values
    return json.loads(metadata["header"]), arrays
