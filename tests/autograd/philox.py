"""An independent Philox4x32-10 (Salmon et al. 2011), which computed the expected numbers of test_random.cpp.

    python3 tests/autograd/philox.py

It first checks itself against the known-answer vectors of the authors' Random123 library (kat_vectors, philox4x32 10).
"""

MASK = 0xFFFFFFFF


def philox(key, counter):
    key, counter = list(key), list(counter)
    for _ in range(10):
        left, right = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [(right >> 32) ^ counter[1] ^ key[0], right & MASK, (left >> 32) ^ counter[3] ^ key[1], left & MASK]
        key = [(key[0] + 0x9E3779B9) & MASK, (key[1] + 0xBB67AE85) & MASK]
    return counter


KNOWN = [
    ((0, 0), (0, 0, 0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((MASK, MASK), (MASK,) * 4, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ((0xA4093822, 0x299F31D0), (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def halves(x):
    return x & MASK, x >> 32


def draws(seed, first, count):
    """Yields `count` numbers of 64 bits, starting with number `first`."""
    for position in range(first, first + count):
        block = philox(halves(seed), halves(position // 2) + (0, 0))
        half = position % 2 * 2
        yield block[half] | block[half + 1] << 32


def split(seed, name):
    fnv = 0xCBF29CE484222325
    for byte in name:
        fnv = (fnv ^ byte) * 0x100000001B3 % 2**64
    block = philox(halves(seed), halves(fnv) + (0x73706C69, 0x74000000))
    return block[0] | block[1] << 32


if __name__ == "__main__":
    for key, counter, answer in KNOWN:
        assert " ".join(f"{word:08x}" for word in philox(key, counter)) == answer
    seed = 0x123456789ABCDEF
    print("from 0:", ", ".join(f"0x{x:016x}" for x in draws(seed, 0, 5)))
    print("from 2^34 - 1:", ", ".join(f"0x{x:016x}" for x in draws(seed, 2**34 - 1, 3)))
    print("split:", ", ".join(f"0x{x:016x}" for x in draws(split(seed, "encoder/forward/W".encode()), 0, 2)))
    print("split 7:", ", ".join(f"0x{x:016x}" for x in draws(split(seed, (7).to_bytes(8, "little")), 0, 2)))
