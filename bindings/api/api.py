#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The public headers as data: api.py INCLUDE > api.json. Needs gcc or clang as `cc`, and pycparser.

constants   name: number; enumerators and macros
lists       name: [[NAME, number, text], ...]; words of errors, statuses, events and so on
structs     name: [{name, type}, ...], in their order
handles     names of structs that only the library looks into
aliases     name: type
callbacks   name: {returns, args}; types of functions
functions   name: {returns, args, header, doc}

A type is a name, {"ptr": type, "const": bool}, {"array": type, "n": number} or {"fn": {returns, args}}. Headers that
need other libraries (live.h, uv.h, extra.h, ground.h), and order.h, which only hosts of live.h read, are left out."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from pycparser import c_ast, c_generator, c_parser

LEFT_OUT = ("live.h", "order.h", "uv.h", "extra.h", "ground.h", "wend.h")
BASE = {"size_t": "unsigned long", "int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short",
        "uint16_t": "unsigned short", "int32_t": "int", "uint32_t": "unsigned", "int64_t": "long long",
        "uint64_t": "unsigned long long", "bool": "_Bool"}
LIMITS = {"UINT64_MAX": 2**64 - 1, "UINT32_MAX": 2**32 - 1, "INT32_MAX": 2**31 - 1, "INT64_MAX": 2**63 - 1}


class Api:
    def __init__(self, include):
        self.include = include
        self.headers = sorted(os.path.basename(path) for path in glob.glob(os.path.join(include, "wend", "*.h")))
        self.headers = ["wend.h"] + [name for name in self.headers if name not in LEFT_OUT]
        self.out = {"version": None, "constants": {}, "lists": {}, "structs": {}, "handles": [], "aliases": {},
                    "callbacks": {}, "functions": {}}
        self.generator = c_generator.CGenerator()

    def preprocess(self, *flags):
        """The headers as the compiler sees them, with empty headers of the C library."""
        with tempfile.TemporaryDirectory() as fake:
            for name in ("stddef", "stdint", "stdbool"):
                with open(os.path.join(fake, name + ".h"), "w", encoding="ascii"):
                    pass
            text = "".join(f"#include <wend/{name}>\n" for name in self.headers)
            words = ["cc", "-E", "-U__GNUC__", "-nostdinc", "-I" + fake, "-I" + self.include, *flags, "-xc", "-"]
            return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout

    def number(self, text):
        plain = re.sub(r"\bU?INT\d+_C\((\w+)\)", r"\1", text)
        plain = re.sub(r"\b(0[xX][0-9A-Fa-f]+|\d+)[uUlL]+\b", r"\1", plain)
        return eval(plain, {"__builtins__": {}}, {**LIMITS, **self.out["constants"]})

    # ---- declarations ----

    def kind(self, node):
        if isinstance(node, c_ast.TypeDecl):
            if isinstance(node.type, c_ast.IdentifierType):
                return " ".join(node.type.names)
            if isinstance(node.type, c_ast.Struct):
                return node.type.name
        if isinstance(node, c_ast.PtrDecl):
            if isinstance(node.type, c_ast.FuncDecl):
                return {"fn": self.function(node.type)}
            return {"ptr": self.kind(node.type), "const": "const" in getattr(node.type, "quals", [])}
        if isinstance(node, c_ast.ArrayDecl):
            return {"array": self.kind(node.type), "n": self.number(self.generator.visit(node.dim))}
        sys.exit(f"api.py: what is this? {self.generator.visit(node)}")

    def function(self, node):
        args = [] if node.args is None else [{"name": one.name, "type": self.kind(one.type)} for one in node.args.params]
        return {"returns": self.kind(node.type), "args": [one for one in args if one["type"] != "void"]}

    def take_enum(self, node):
        value = -1
        for item in node.values.enumerators:
            value = self.number(self.generator.visit(item.value)) if item.value else value + 1
            self.out["constants"][item.name] = value

    def take_struct(self, node):
        if node.decls:
            self.out["structs"][node.name] = [{"name": one.name, "type": self.kind(one.type)} for one in node.decls]

    def take(self, node):
        inner = node.type
        if isinstance(node, c_ast.Decl):
            if isinstance(inner, c_ast.Enum):
                self.take_enum(inner)
            elif isinstance(inner, c_ast.Struct):
                self.take_struct(inner)
            elif isinstance(inner, c_ast.FuncDecl):
                self.out["functions"][node.name] = self.function(inner)
        elif isinstance(node, c_ast.Typedef) and node.name.startswith("wend"):
            if isinstance(inner, c_ast.FuncDecl):
                self.out["callbacks"][node.name] = self.function(inner)
            elif isinstance(inner.type, c_ast.Struct):
                self.take_struct(inner.type)
                if node.name not in self.out["handles"]:
                    self.out["handles"].append(node.name)
            else:
                self.out["aliases"][node.name] = self.kind(inner)

    # ---- macros and documentation ----

    def take_macros(self):
        for name, body in sorted(re.findall(r"^#define (WEND_\w+) (.+)$", self.preprocess("-dM"), re.M)):
            if name not in ("WEND_API",) and not body.startswith("("):
                body = f"({body})"
            try:
                value = self.number(body)
            except (SyntaxError, NameError, TypeError):
                continue  # no number
            if not isinstance(value, str):
                self.out["constants"].setdefault(name, value)

    def take_lists(self):
        """src/base/names.h has the words; a name is what its constant has behind the part that all of a list begin with."""
        with open(os.path.join(self.include, "..", "src", "base", "names.h"), encoding="utf-8") as file:
            lists = re.findall(r"^#define WEND__(\w+)\(X\)((?:.*\\\n)+.*)$", file.read(), re.M)
        for name, body in sorted(lists):
            items = re.findall(r"X\((\w+), \"([^\"]*)\"", body)
            common = os.path.commonprefix([constant for constant, _ in items])
            begin = common.rindex("_") + 1
            self.out["lists"]["WEND_" + name] = [[constant[begin:], self.out["constants"][constant], text] for constant, text in items]

    def take_docs(self):
        """A comment belongs to all declarations up to the next blank line."""
        for header in self.headers:
            with open(os.path.join(self.include, "wend", header), encoding="utf-8") as file:
                text = file.read()
            for block in re.split(r"\n\s*\n", text):
                doc = "\n".join(line.strip()[3:].strip() for line in re.findall(r"^///(?!<).*$", block, re.M))
                for name in re.findall(r"^WEND_API .*?\b(wend_\w+)\(", block, re.M):
                    self.out["functions"][name].update(header=header, doc=doc)

    def read(self):
        prelude = "".join(f"typedef {kind} {name};\n" for name, kind in BASE.items())
        # Macros first: declarations use some of them as sizes.
        self.take_macros()
        for node in c_parser.CParser().parse(prelude + self.preprocess("-P")).ext:
            self.take(node)
        self.take_macros()
        out = self.out
        out["handles"] = [name for name in out["handles"] if name not in out["structs"]]
        self.take_lists()
        self.take_docs()
        out["version"] = ".".join(str(out["constants"]["WEND_VERSION_" + part]) for part in ("MAJOR", "MINOR", "PATCH"))
        out["constants"] = dict(sorted(out["constants"].items()))
        return out


def write(out):
    """An entry a line."""
    parts = []
    for part, items in out.items():
        pairs = [f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in items.items()] if isinstance(items, dict) else []
        parts.append(f" {json.dumps(part)}: " + ("{\n" + ",\n".join(pairs) + "\n }" if pairs else json.dumps(items)))
    print("{\n" + ",\n".join(parts) + "\n}")


def main():
    out = Api(sys.argv[1]).read()
    bare = [name for name, one in out["functions"].items() if not one.get("doc")]
    if bare:
        sys.exit(f"api.py: no documentation: {' '.join(bare)}")
    write(out)
    print(", ".join(f"{len(out[part])} {part}" for part in out if part != "version"), file=sys.stderr)


main()
