"""Damage to a model file: bytes, tokens, and values deep inside."""

import copy
import json
import re
from bisect import bisect_left
from functools import cache

import numpy as np

#: Numbers that are wrong in most places and right in some.
NUMBERS = [
    -3,
    -2,
    -1,
    0,
    1,
    2,
    3,
    4,
    7,
    40,
    255,
    256,
    2**31 - 1,
    2**31,
    -(2**31) - 1,
    2**53 + 1,
    2**63,
    2**80,
]
NUMBERS += [0.5, -0.0, 1.5, -1e-9, 1e-320, 1e300, 1.7976931348623157e308]
#: And other values.
OTHERS = [None, True, False, "", "x", "NaN", "0", [], {}, [[]], [0], [1, 2, 3], {"a": 1}, {"items": []}]
#: What may stand where a token stood.
TOKENS = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-1e999",
    "01",
    "0x10",
    "1_0",
    "null",
    "true",
    '""',
    "[]",
    "{}",
]
TOKENS += ["[" * 40, '"\\ud800"', '"\\u0000"', "9" * 400, "9" * 5000, "1e-400", ",", ":", "]", "}", '"tree"']

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[\[\]{},:]|true|false|null')


def mutate_bytes(rng, text):
    """Flip, drop, repeat or insert bytes, or cut the end off."""
    content = bytearray(text.encode())
    for _ in range(rng.integers(1, 4)):
        at, way = int(rng.integers(len(content))), rng.integers(6)
        if way == 0:
            content[at] ^= 1 << int(rng.integers(8))
        elif way == 1:
            content[at] = int(rng.integers(256))
        elif way == 2:
            del content[at : at + int(rng.integers(1, 20))]
        elif way == 3:
            content[at:at] = content[at : at + int(rng.integers(1, 20))]
        elif way == 4:
            content[at:at] = bytes(rng.integers(0, 256, int(rng.integers(1, 4))).tolist())
        elif rng.random() < 0.3:
            del content[at:]
        if not content:
            break
    return bytes(content)


@cache
def tokens_of(text):
    return [match.span() for match in _TOKEN.finditer(text)]


def mutate_tokens(rng, text):
    """Exchange, drop, double or swap tokens of the JSON."""
    spans = tokens_of(text)
    for _ in range(rng.integers(1, 3)):
        begin, end = spans[int(rng.integers(len(spans)))]
        way = rng.integers(4)
        if way == 0:
            new = TOKENS[int(rng.integers(len(TOKENS)))]
        elif way == 1:
            new = ""
        elif way == 2:
            new = text[begin:end] + "," + text[begin:end]
        else:
            other = spans[int(rng.integers(len(spans)))]
            new = text[other[0] : other[1]]
        text = text[:begin] + new + text[end:]
        spans = spans[: bisect_left(spans, (begin, 0))]  # what follows has moved
        if not spans:
            break
    return text.encode()


def mutate_values(rng, document):
    """Change values deep inside the document; nothing but its own checks can find that."""
    for _ in range(rng.integers(1, 4)):
        parent, key = _some_place(rng, document)
        value, way = parent[key], rng.integers(8)
        if way <= 2:
            parent[key] = NUMBERS[int(rng.integers(len(NUMBERS)))]
        elif way == 3:
            parent[key] = copy.deepcopy(OTHERS[int(rng.integers(len(OTHERS)))])
        elif way == 4 and isinstance(value, (int, float)) and not isinstance(value, bool):
            parent[key] = value + [-1, 1, 1e-9][int(rng.integers(3))]
        elif way == 5 and isinstance(parent, list):
            parent.insert(key, copy.deepcopy(value))
        elif way == 6:
            del parent[key]
        else:
            other_parent, other = _some_place(rng, document)
            parent[key] = copy.deepcopy(other_parent[other])
    return json.dumps(document, ensure_ascii=False).encode()


def _some_place(rng, document):
    """A place in the document: deeper ones are as likely as those at the top."""
    parent = document
    while True:
        keys = list(parent) if isinstance(parent, dict) else range(len(parent))
        key = keys[int(rng.integers(len(keys)))]
        value = parent[key]
        if not isinstance(value, (dict, list)) or not value or rng.random() < 0.15:
            return parent, key
        parent = value


def mutations(seed, documents):
    """Yield damaged files without end, and the document that each was made of."""
    rng = np.random.default_rng(seed)
    texts = [json.dumps(document, ensure_ascii=False) for document in documents]
    bare = [{k: v for k, v in document.items() if k != "checksum"} for document in documents]
    bare_texts = [json.dumps(document, ensure_ascii=False) for document in bare]
    while True:
        which, way = int(rng.integers(len(documents))), rng.random()
        # With a checksum nearly all damage is found by it; without one the other checks must find it.
        summed = rng.random() < 0.25
        text = (texts if summed else bare_texts)[which]
        if way < 0.3:
            yield mutate_bytes(rng, text), documents[which], summed
        elif way < 0.6:
            yield mutate_tokens(rng, text), documents[which], summed
        else:
            yield mutate_values(rng, json.loads(bare_texts[which])), documents[which], False
