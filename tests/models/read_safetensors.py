#!/usr/bin/env python3
"""Reads safetensors files by the description of the format, in plain Python. It shares no code with softalign.

    read_safetensors.py FILE

It first prints the metadata, one entry per line: "# key" and the text as JSON. Then it prints every tensor in the order of its
numbers: name, dtype, shape joined by x ("-" for a scalar), and the numbers, all separated by spaces. The exit status is 1 if
the file breaks a rule of the format, or if it has a wrong checksum.
"""
import json
import struct
import sys
import zlib

FORMATS = {"F32": ("f", 4), "I64": ("q", 8)}


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), "a name occurs twice"
    return dict(pairs)


def read(path):
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack_from("<Q", content, 0)
    assert length <= len(content) - 8 and length % 8 == 0 and content[8:9] == b"{", "header"
    header = json.loads(content[8:8 + length].decode("utf-8"), object_pairs_hook=no_duplicates)
    numbers = content[8 + length:]

    metadata = header.pop("__metadata__", {})
    assert all(isinstance(value, str) for value in metadata.values()), "metadata holds strings only"
    if "checksum" in metadata:
        entry = '"checksum":"%s"'
        before, after = ((entry % digits).encode() for digits in (metadata["checksum"], "0" * 8))
        assert content.count(before) == 1, "checksum entry"
        assert "%08x" % zlib.crc32(content.replace(before, after)) == metadata["checksum"], "checksum"

    tensors = []
    end = 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        letter, size = FORMATS[entry["dtype"]]
        count = 1
        for dim in entry["shape"]:
            count *= dim
        begin, stop = entry["data_offsets"]
        assert begin == end and stop == begin + count * size, f"offsets of {name}"
        assert begin % size == 0, f"{name} is not aligned"
        tensors.append((name, entry["dtype"], entry["shape"], struct.unpack_from(f"<{count}{letter}", numbers, begin)))
        end = stop
    assert end == len(numbers), "bytes that belong to no tensor"
    return metadata, tensors


def main():
    metadata, tensors = read(sys.argv[1])
    for key, text in metadata.items():
        print("#", key, json.dumps(text, ensure_ascii=False))
    for name, dtype, shape, values in tensors:
        print(name, dtype, "x".join(map(str, shape)) or "-", *(repr(value) for value in values))


if __name__ == "__main__":
    try:
        main()
    except (AssertionError, KeyError, ValueError, struct.error, OSError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
