# SPDX-License-Identifier: MIT
"""Writes a page of man3 for each function that api.json lists."""
import os
import re


def declare(kind, name):
    """C's declaration of a name of a type of api.json."""
    if isinstance(kind, str):
        return f"{kind} {name}".rstrip()
    if "ptr" in kind:
        inner = kind["ptr"]
        text = declare(inner, "*" + name)
        return ("const " if kind["const"] and isinstance(inner, str) else "") + text
    if "array" in kind:
        return declare(kind["array"], f"{name}[{kind['n']}]")
    function = kind["fn"]
    return declare(function["returns"], f"(*{name})({arguments(function)})")


def arguments(function):
    return ", ".join(declare(a["type"], a["name"]) for a in function["args"]) or "void"


def prototype(name, function):
    return declare(function["returns"], f"{name}({arguments(function)})")


def parts_of(doc):
    """The description, [(parameter, text)], what is returned, and notes on threads and cost."""
    text, params, returned, notes = [], [], "", []
    at = text
    for line in doc.split("\n"):
        tag = re.match(r"@(param|return)\s+(.*)", line)
        if tag and tag[1] == "param":
            name, _, rest = tag[2].partition(" ")
            params.append([name, rest.strip()])
            at = params[-1]
        elif tag:
            returned = tag[2]
            at = "return"
        elif re.match(r"(Threads|Cost):", line):
            notes.append(line)
            at = notes
        elif at == "return":
            returned += " " + line
        elif at is text or at is notes:
            at.append(line)
        else:
            at[1] += " " + line
    return "\n".join(text), params, returned, " ".join(notes)


def roff(text):
    """Text whose letters mean nothing to roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    lines = [("\\&" if line[:1] in (".", "'") else "") + line.strip() for line in text.split("\n")]
    return re.sub(r"\n\n+", "\n.PP\n", "\n".join(lines).strip())


def page(name, function, version, near):
    text, params, returned, notes = parts_of(function["doc"])
    first = re.split(r"(?<=[.:])\s", text.replace("\n", " "), maxsplit=1)[0].rstrip(".:")
    out = [f'.TH {name.upper()} 3 "" "wend {version}"', ".SH NAME",
           f"{name} \\- {roff(first[:1].lower() + first[1:])}",
           ".SH SYNOPSIS", ".nf", f"#include <wend/{function['header']}>", ".PP",
           roff(prototype(name, function) + ";"), ".fi",
           ".SH DESCRIPTION", roff(text)]
    if params:
        out.append(".SH PARAMETERS")
        for param, what in params:
            out += [".TP", f".I {roff(param)}", roff(what)]
    if returned:
        out += [".SH RETURN VALUE", roff(returned)]
    if notes:
        out += [".SH NOTES", roff(notes)]
    if near:
        out += [".SH SEE ALSO", " ,\n".join(f".BR {other} (3)" for other in near)]
    return "\n".join(out) + "\n"


def write(api, folder):
    os.makedirs(folder, exist_ok=True)
    functions = api["functions"]
    for name, function in functions.items():
        same = [other for other, f in functions.items() if f["header"] == function["header"] and other != name]
        with open(os.path.join(folder, name + ".3"), "w", encoding="utf-8") as out:
            out.write(page(name, function, api["version"], same[:12]))
    return len(functions)
