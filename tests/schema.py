"""Validates JSON schemas (draft 2020-12) with the keywords that docs/schemas uses. Any other keyword is an error."""

import json
import re
from functools import lru_cache
from pathlib import Path

SCHEMAS = Path(__file__).resolve().parents[1] / "docs" / "schemas"

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int,
         "number": (int, float)}
SAID = {"$schema", "$id", "$defs", "title", "description"}  # keywords that do not restrict values


@lru_cache
def load(name):
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


@lru_cache
def files_by_id():
    return {load(path.name)["$id"]: path.name for path in SCHEMAS.glob("*.json")}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def follow(reference, name):
    """Returns the schema to which "ID#/a/b" refers in the schema file `name`, and the file of that schema."""
    address, _, pointer = reference.partition("#")
    name = files_by_id()[address] if address else name
    schema = load(name)
    for key in pointer.split("/")[1:]:
        schema = schema[key]
    return schema, name


def problems(value, schema, name, where="", seen=None):
    """Returns what is wrong with a value, as texts that start with its position. Properties that are found are added to
    `seen`."""
    seen = set() if seen is None else seen
    found = []
    for keyword, rule in schema.items():
        check = globals().get("check_" + keyword.lstrip("$"))
        if check:
            found += check(value, rule, schema, name, where, seen)
        elif keyword not in SAID:
            raise ValueError(f"{name}: the keyword {keyword} is not one of those that tests/schema.py knows")
    return found


def check_ref(value, rule, schema, name, where, seen):
    return problems(value, *follow(rule, name), where, seen)


def check_type(value, rule, schema, name, where, seen):
    names = rule if isinstance(rule, list) else [rule]
    return [] if any(is_type(value, n) for n in names) else [f"{where}: {value!r:.60} is not {' or '.join(names)}"]


def check_enum(value, rule, schema, name, where, seen):
    return [] if value in rule else [f"{where}: {value!r:.60} is none of {rule}"]


def check_const(value, rule, schema, name, where, seen):
    return [] if value == rule else [f"{where}: {value!r:.60} is not {rule!r}"]


def check_minimum(value, rule, schema, name, where, seen):
    return [] if not is_type(value, "number") or value >= rule else [f"{where}: {value} is below {rule}"]


def check_maximum(value, rule, schema, name, where, seen):
    return [] if not is_type(value, "number") or value <= rule else [f"{where}: {value} is above {rule}"]


def check_pattern(value, rule, schema, name, where, seen):
    return [] if not isinstance(value, str) or re.search(rule, value) else [f"{where}: {value!r:.60} is not like {rule}"]


def check_maxLength(value, rule, schema, name, where, seen):
    return [] if not isinstance(value, str) or len(value) <= rule else [f"{where}: longer than {rule} characters"]


def check_minItems(value, rule, schema, name, where, seen):
    return [] if not isinstance(value, list) or len(value) >= rule else [f"{where}: fewer than {rule} items"]


def check_maxItems(value, rule, schema, name, where, seen):
    return [] if not isinstance(value, list) or len(value) <= rule else [f"{where}: more than {rule} items"]


def check_items(value, rule, schema, name, where, seen):
    items = enumerate(value) if isinstance(value, list) else []
    return [problem for i, item in items for problem in problems(item, rule, name, f"{where}[{i}]", seen)]


def check_properties(value, rule, schema, name, where, seen):
    found = []
    for key, part in rule.items():
        if isinstance(value, dict) and key in value:
            seen.add((name, id(rule), key))
            found += problems(value[key], part, name, f"{where}.{key}", seen)
    return found


def check_required(value, rule, schema, name, where, seen):
    return [f"{where}: no {key}" for key in rule if isinstance(value, dict) and key not in value]


def check_additionalProperties(value, rule, schema, name, where, seen):
    further = set(value) - set(schema.get("properties", {})) if isinstance(value, dict) else set()
    if rule is False:
        return [f"{where}: {key} is not in the schema" for key in sorted(further)]
    return [problem for key in sorted(further) for problem in problems(value[key], rule, name, f"{where}.{key}", seen)]


def check_anyOf(value, rule, schema, name, where, seen):
    every = [problems(value, part, name, where, seen) for part in rule]
    return [] if any(not found for found in every) else min(every, key=len)


def all_properties(name):
    """Returns every property that the schemas in a file name, in the form of `seen`."""
    found = set()

    def walk(schema):
        if isinstance(schema, dict):
            if isinstance(schema.get("properties"), dict):
                found.update((name, id(schema["properties"]), key) for key in schema["properties"])
            for part in schema.values():
                walk(part)
        elif isinstance(schema, list):
            for part in schema:
                walk(part)

    walk(load(name))
    return found
