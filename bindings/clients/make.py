#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The orders of the clients, from docs/orders.md, which is what `wend orders` prints.

    make.py            write them
    make.py --check    fail where a file is not what would be written"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# Whose members have other names than the catalogue's field, or whose answer is more than `ok`.
CHANGES = ("nodes", "edges", "set", "fill", "steps", "links", "unlinks", "loads", "unloads")
REQUEST = "request"
PYTHON_WORDS = {"from": "from_", "as": "as_", "class": "class_"}


def orders(text):
    """(name, what it does, [(field, needed, meaning)]) of each order that is a message."""
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        name = part.split("\n", 1)[0].strip()
        says = re.search(r"^```\n.*?\n```\n(.+?)\. In ([\w, ]+)\.$", part, re.M | re.S)
        if not says or "messages" not in says[2]:
            continue
        rows = re.findall(r"^- `(\w+)`( \(\w+\))?: (.+ \([^()]+\))(; needed|; default .+)?$", part, re.M)
        fields = [(field, rest == "; needed", meaning) for field, only, meaning, rest in rows if only != " (text)"]
        yield name, says[1].replace("\n", " "), fields


def members(name, fields):
    if name == "edit":
        return [], [(one, "changes of this kind: docs/protocol.md") for one in CHANGES]
    needed = [(field, meaning) for field, is_needed, meaning in fields if is_needed and field != "id"]
    optional = [(field, meaning) for field, is_needed, meaning in fields if not is_needed or field == "id"]
    return needed, optional


def python(text):
    yield "# SPDX-License-Identifier: MIT"
    yield '"""Made by bindings/clients/make.py from the catalogue of orders: a method for each order."""'
    yield "# pylint: disable=too-many-arguments,redefined-builtin"
    yield ""
    yield ""
    yield "class Orders:"
    yield '    """Each returns the answer, or raises Refused."""'
    for name, what, fields in orders(text):
        needed, optional = members(name, fields)
        named = [(PYTHON_WORDS.get(field, field), field) for field, _ in needed + optional]
        args = [PYTHON_WORDS.get(field, field) for field, _ in needed]
        args += ["*"] * bool(optional) + [f"{PYTHON_WORDS.get(field, field)}=None" for field, _ in optional]
        yield ""
        yield f"    def {name}(self{''.join(', ' + one for one in args)}):"
        yield f'        """{what[0].upper()}{what[1:]}.'
        yield from (f"        {PYTHON_WORDS.get(field, field)}: {meaning}" for field, meaning in needed + optional)
        yield '        """'
        pairs = ", ".join(f'"{field}": {arg}' for arg, field in named)
        yield f'        return self.{"_request" if name == REQUEST else "ask"}("{name}", {{{pairs}}})'


def javascript(text):
    yield "// SPDX-License-Identifier: MIT"
    yield "// Made by bindings/clients/make.py from the catalogue of orders: a method for each order."
    yield ""
    yield "// Each returns a promise of the answer."
    yield "export class Orders extends EventTarget {"
    for name, what, fields in orders(text):
        needed, optional = members(name, fields)
        yield f"    // {what[0].upper()}{what[1:]}. fields:"
        yield from (f"    //   {field}{'' if (field, meaning) in needed else '?'}: {meaning}" for field, meaning in needed + optional)
        yield f"    {name}(fields = {{}}) {{"
        yield f"        return this.{'completed' if name == REQUEST else 'ask'}('{name}', fields);"
        yield "    }"
        yield ""
    yield "}"


def main():
    with open(os.path.join(HERE, "..", "..", "docs", "orders.md"), encoding="utf-8") as file:
        text = file.read()
    stale = []
    for name, make in (("python/wend_orders.py", python), ("js/orders.js", javascript)):
        path, made = os.path.join(HERE, name), "\n".join(make(text)).replace("\n\n}", "\n}") + "\n"
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(made)
        else:
            with open(path, encoding="utf-8", newline="") as file:
                stale += [name] * (file.read() != made)
    if stale:
        sys.exit(f"{' and '.join(stale)} of bindings/clients: not what docs/orders.md says: run bindings/clients/make.py")


main()
