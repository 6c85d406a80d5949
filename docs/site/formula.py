# SPDX-License-Identifier: MIT
"""Formulas as the theory pages write them, in MathML: sqrt(2 log(1/d)), p_(k+1), a^-i, sum over i of x_i.

A formula is read token by token and never rearranged: what is not known stays upright text in its place."""
import html
import re

GREEK = {name: letter for name, letter in zip(
    "alpha beta gamma delta epsilon eps eta xi phi psi rho sigma tau pi zeta".split(), "αβγδεεηξφψρστπζ")}
WORDS = {"inf": "∞"}
OPERATORS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "...": "…", "..": "‥", "||": "‖", "*": "·", "-": "−"}
TOKEN = re.compile(r"\s+|\d+(?:\.\d+)?(?:e-?\d+)?(?![A-Za-z_])|\d+|<=|>=|!=|->|\.\.\.|\.\.|\|\||[A-Za-z]+|.", re.DOTALL)
OPENING, CLOSING = {"(": ")", "{": "}", "[": "]"}, {")", "}", "]"}

# Inline code that is no formula: commands, options, paths, specs, names of tests and functions.
NAMES = re.compile(r"^(probity|make|man|pby_|--|\$ )|[A-Za-z]_(?!inf\b)[a-z]{2,}|^[a-z-]+:[a-z]|^[a-z]+=|^[\w.{},-]+/[\w./{},-]*\.\w|"
                   r"^[A-Za-z][\w -]*$|^(src|docs|tests|proofs|include|build)/|int64_t|\[,|\*[a-z]+:|^\[\]$|^[\w-]+$|\.[ch]$")


def is_formula(text):
    return re.fullmatch(r"[A-Za-z](_\w)?'?", text) is not None or not NAMES.search(text)


class Reader:
    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]


def element(name, text):
    return f"<{name}>{html.escape(text)}</{name}>"


def script(reader):
    """Reads the script behind ^ or _: a group without its brackets, or one atom with its sign."""
    if reader.peek() in ("(", "{"):
        closing = OPENING[reader.take()]
        inside = row(reader, closing)
        if reader.peek() == closing:
            reader.take()
        return f"<mrow>{inside}</mrow>"
    sign = element("mo", "−") if reader.peek() == "-" and reader.take() else ""
    return f"<mrow>{sign}{atom(reader)}</mrow>" if reader.peek() else sign or "<mrow></mrow>"


def atom(reader):
    token = reader.take()
    if token.isspace():
        return '<mspace width="2em"/>' if len(token) > 1 else '<mspace width="0.22em"/>'
    if token[0].isdigit():
        return element("mn", token)
    if token in GREEK or token in WORDS:
        return element("mi", GREEK.get(token) or WORDS[token])
    if token == "sqrt" and reader.peek() == "(":
        reader.take()
        inside = row(reader, ")")
        if reader.peek() == ")":
            reader.take()
        return f"<msqrt><mrow>{inside}</mrow></msqrt>"
    if token.isalpha():
        return element("mi", token) if len(token) == 1 else element("mtext", token)
    if token == "'":
        return element("mo", "′")
    return f'<mo stretchy="false">{html.escape(OPERATORS.get(token, token))}</mo>'


def group(reader):
    """An atom, or brackets with what they hold, which a script may stand behind."""
    opening = reader.peek()
    if opening in OPENING:
        reader.take()
        inside = row(reader, OPENING[opening])
        closed = reader.peek() == OPENING[opening] and reader.take()
        end = f'<mo stretchy="false">{closed}</mo>' if closed else ""
        return f'<mrow><mo stretchy="false">{opening}</mo>{inside}{end}</mrow>'
    return atom(reader)


def row(reader, end=None):
    """Up to the closing bracket, which stays. A bracket of another kind, as of [a, b), is an operator."""
    parts = []
    while reader.peek() and reader.peek() != end:
        token = reader.peek()
        part = element("mo", reader.take()) if token in CLOSING else group(reader)
        lower = upper = None
        while reader.peek() in ("_", "^", "'") and not token.isspace():
            mark = reader.take()
            if mark == "'":
                part = f"<mrow>{part}{element('mo', '′')}</mrow>"
            elif mark == "_":
                lower = script(reader)
            else:
                upper = script(reader)
        if lower and upper:
            part = f"<msubsup>{part}{lower}{upper}</msubsup>"
        elif lower or upper:
            part = f"<{'msub' if lower else 'msup'}>{part}{lower or upper}</{'msub' if lower else 'msup'}>"
        parts.append(part)
    return "".join(parts)


def mathml(text, display=False):
    reader = Reader(text)
    inside = ""
    while reader.peek():
        inside += row(reader)
    block = ' display="block"' if display else ""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"{block}><mrow>{inside}</mrow></math>'


def pieces(text):
    """A formula cut before its relations outside of brackets: a line may break there."""
    depth, start = 0, 0
    for match in re.finditer(r"[(\[{]|[)\]}]| (?=(?:=|<=|>=|<|>|->) )", text):
        if match[0] in OPENING:
            depth += 1
        elif match[0] in CLOSING:
            depth -= 1
        elif depth == 0:
            yield text[start:match.start()]
            start = match.end()
    yield text[start:]


def inline(text):
    return " ".join(f'<span class="math">{mathml(piece)}</span>' for piece in pieces(text))


def is_displayed(text):
    """Returns True if a block holds formulas: no transcript, no program, no table."""
    table = re.compile(r"[^ ,.;:)] {3,}\S")
    return not any(line.startswith("probity ") or table.search(line) for line in text.splitlines())


def displayed(text):
    rows = "".join(f"<div>{mathml(line.strip())}</div>" for line in text.splitlines() if line.strip())
    return f'<div class="formula">{rows}</div>'
