"""Small mistakes that a programmer makes, by rule. Each mutant is one change in one line of C++."""

import re
from collections import namedtuple

# The text [begin:end] in this line (counted from 1) becomes `new`.
Mutant = namedtuple("Mutant", "line begin end new rule")

OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
             "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
OPERATOR = re.compile(r"(?<= )(" + "|".join(map(re.escape, sorted(OPERATORS, key=len, reverse=True))) + r")(?= |$)")
WHOLE = re.compile(r"(?<![\w.'])(?<!\de-)\d+(?![\w.'])")
FRACTION = re.compile(r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=e-?\d))(?:e-?\d+)?(?![\w.])")
TRUTH = re.compile(r"\b(true|false)\b")
ONE_MORE = re.compile(r"(?<=[\w)\]]) [+-] 1(?![\w.])")
SIZE = re.compile(r"\.size\(\)(?! [+-] 1\b)")
CONDITION = re.compile(r"\b(?:if|while) \(")
CHOICE = re.compile(r" \? ([^?:]+) : ([^?:;]+);")
# A call or an assignment that is the only statement of its line, or that follows a condition.
STATEMENT = re.compile(r"^\s*(?:\}? ?(?:else )?if \(.*\) |else )?("
                       r"(?!(?:return|throw|using|else|if|for|case|constexpr|const|auto|static|break|continue)\b)"
                       r"(?:[\w\]\[.>():-]|->)+(?: (?:[-+*/|^]?=) .*|\(.*\)|\+\+|--);|(?:\+\+|--)\S+;)$")
JUMP = re.compile(r"\b(continue|break);")
HIDDEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|^[ \t]*#(?:\\\n|[^\n])*""",
                    re.S | re.M)
ARGUMENT = r"[\w.>-]+(?:\[[\w +*-]+\])?(?:\(\))?"
CALL = re.compile(rf"\b\w+\(({ARGUMENT}), ({ARGUMENT})(?=[,)])")


def code_of(text):
    """Returns the text with spaces instead of comments, quoted text and preprocessor lines."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])  # noqa: E731
    return HIDDEN.sub(blank, text)


def closing(code, opening):
    """Returns the position of the bracket that closes the one at `opening`, or None if the line does not contain it."""
    depth = 0
    for place in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            return place
    return None


def changes(code):
    """Yields (begin, end, new text, rule) for one line of code."""
    for match in OPERATOR.finditer(code):
        yield *match.span(), OPERATORS[match[0]], "operator"
    for match in WHOLE.finditer(code):
        yield *match.span(), str(int(match[0]) + 1), "constant"
        if int(match[0]) > 0 and not ONE_MORE.match(code, match.start() - 3):
            yield *match.span(), str(int(match[0]) - 1), "constant"
    for match in FRACTION.finditer(code):
        yield *match.span(), repr(float(match[0]) * 2 or 1.0), "constant"
    for match in TRUTH.finditer(code):
        yield *match.span(), "false" if match[0] == "true" else "true", "constant"
    for match in ONE_MORE.finditer(code):
        yield *match.span(), "", "off by one"
    for match in SIZE.finditer(code):
        yield match.end(), match.end(), " - 1", "off by one"
    for match in CONDITION.finditer(code):
        end = closing(code, match.end() - 1)
        if end and ";" not in code[match.end():end]:
            yield match.end(), end, f"!({code[match.end():end]})", "negated condition"
    for match in CHOICE.finditer(code):
        yield match.start(1), match.end(2), f"{match[2]} : {match[1]}", "swapped choice"
    for match in CALL.finditer(code):
        if match[1] != match[2]:
            yield match.start(1), match.end(2), f"{match[2]}, {match[1]}", "swapped arguments"
    if (match := STATEMENT.match(code)) and code.count("(") == code.count(")"):
        yield *match.span(1), ";", "dropped statement"
    for match in JUMP.finditer(code):
        yield *match.span(), ";", "dropped statement"


def mutants(text):
    """Yields all mutants of a source in order."""
    offset, code = 0, code_of(text)
    for number, (line, original) in enumerate(zip(code.split("\n"), text.split("\n")), 1):
        for begin, end, new, rule in changes(line):
            if line[begin:end] == original[begin:end]:  # leaves quoted text as it is
                yield Mutant(number, offset + begin, offset + end, new, rule)
        offset += len(line) + 1


def applied(text, mutant):
    return text[:mutant.begin] + mutant.new + text[mutant.end:]
