"""Random changes of valid bytes, lines and JSON."""

import json

TOKENS = [b"\0", b"\xff", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r", b"\t", b"\n", b"\n\n\n", b" ||| ", b"|||", b"</s>", b"<s>", b"<unk>",
          b"\xe2\x96\x81", b"@@", b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\x8b", b"\xe2\x80\xa8", b"\x0b", b"\x0c", b"\x1b[31m",
          b"\x1b]0;title\x07", b"\xc2\x9b31m", b"\xe2\x80\xae", b"{", b"[", b"]", b"}", b'"', b"\\", b"0-0", b"999999999999-0", b"-1", b"1e999",
          b"nan", b"-inf", b"18446744073709551616", b"2147483648", b"0", b"a" * 300, b"x y " * 400, b"%s%n", b"../../canary/precious",
          b"/dev/zero", b"../canary/pipe"]
NUMBERS = [b"0", b"-1", b"1", b"255", b"65536", b"2147483647", b"4294967296", b"9223372036854775807", b"18446744073709551615", b"1e308",
           b"-0.0", b"1e-320", b"NaN", b"0x10", b"010", b"1.5", b"99999999999999999999"]


def mutated(random, data, most=4):
    """Returns the bytes with a few changes."""
    data = bytes(data)
    for _ in range(random.randrange(1, most + 1)):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice([1, 2, 4, 8, 30, 200]))
        kind = random.randrange(9)
        if kind == 0 and data:
            data = data[:at] + bytes([random.randrange(256)]) + data[at + 1:]
        elif kind == 1:
            data = data[:at] + data[end:]
        elif kind == 2:
            data = data[:end] + data[at:end] * random.choice([1, 1, 3, 100]) + data[end:]
        elif kind in (3, 4):
            data = data[:at] + random.choice(TOKENS) + data[at:]
        elif kind == 5:
            data = data[:at]
        elif kind == 6:
            lines = data.split(b"\n")
            i, j = random.randrange(len(lines)), random.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            data = b"\n".join(lines)
        elif kind == 7:
            digits = [k for k in range(len(data)) if data[k:k + 1].isdigit()]
            if digits:
                begin = end = random.choice(digits)
                while begin and data[begin - 1:begin].isdigit():
                    begin -= 1
                while data[end:end + 1].isdigit():
                    end += 1
                data = data[:begin] + random.choice(NUMBERS) + data[end:]
        else:
            lines = data.split(b"\n")
            fields = lines[i := random.randrange(len(lines))].split(b"\t")
            random.choice([fields.reverse, lambda: fields.append(random.choice(TOKENS)), fields.pop])()
            lines[i] = b"\t".join(fields)
            data = b"\n".join(lines)
    return data


def hostile_value(random):
    return random.choice([None, True, False, 0, 1, -1, 0.5, -0.5, 1e308, 1e-320, 2 ** 31, 2 ** 63, 2 ** 64, 10 ** 30, "", "a", "</s>", "a b", "\u202ex",
                          "\x1b[31mred", "x" * 5000, "cross", [], {}, [[]], [None], [0], [[0, 0]], [[0.9, 0.9]], {"a": 1}, [1e9, 1e9], "../../canary",
                          "data:image/png;base64,AAAA", "<script>alert(1)</script>", nested(random.choice([5, 200, 20000]))])


class Raw(str):
    """Text that is copied into JSON unchanged."""


def nested(depth):
    return Raw("[" * depth + "1" + "]" * depth)


def text_of(value):
    """Returns json.dumps of the value, where Raw texts are unchanged."""
    raws = []

    def marked(part):
        if isinstance(part, Raw):
            raws.append(part)
            return f"\0{len(raws) - 1}\0"
        if isinstance(part, list):
            return [marked(x) for x in part]
        if isinstance(part, dict):
            return {key: marked(x) for key, x in part.items()}
        return part

    text = json.dumps(marked(value), ensure_ascii=False)
    for k, raw in enumerate(raws):
        text = text.replace(f'"\\u0000{k}\\u0000"', raw)
    return text


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for k in range(min(len(value), 6)):
            yield from places(value[k], (*path, k))


def mutated_json(random, value):
    """Returns a JSON value as text after one to three of its parts were changed."""
    value = json.loads(json.dumps(value))
    for _ in range(random.randrange(1, 4)):
        paths = [path for path in places(value) if path]
        if not paths:
            break
        *way, last = random.choice(paths)
        at = value
        for step in way:
            at = at[step]
        kind = random.randrange(6)
        if kind == 0:
            del at[last]
        elif kind == 1 and isinstance(at, dict):
            at[random.choice(["unknown", "columns", "k" * 3000, "", "__proto__", "weights", "kind"])] = hostile_value(random)
        elif kind == 2 and isinstance(at, list):
            at.insert(random.randrange(len(at) + 1), hostile_value(random))
        elif kind == 3 and isinstance(at, list):
            at.extend(at[:3] * random.choice([1, 50]))
        else:
            at[last] = hostile_value(random)
    return text_of(value)
