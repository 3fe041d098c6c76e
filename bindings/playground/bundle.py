#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One file with the page of `wend serve`, the library and a world: bundle.py WEND.wasm > playground.html. A page that is
opened as a file may not load modules, so they become functions of one script."""
import base64
import gzip
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SITE = os.path.join(HERE, "..", "..", "server", "live", "page", "site")
IMPORT = re.compile(r"^import \{([^}]*)\} from '([^']+)';\n", re.M)
EXPORT = re.compile(r"^export ((?:async )?function|class|const|let) (\w+)", re.M)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Bundle:
    def __init__(self):
        self.modules = {}

    def add(self, path):
        """A module and what it imports, those first. Returns its name."""
        path = os.path.normpath(path)
        if path in self.modules:
            return self.modules[path][0]
        name = f"m{len(self.modules)}"
        self.modules[path] = (name, None)
        text = read(path).replace("import.meta.url", "location.href")

        def resolve(match):
            other = self.add(os.path.join(os.path.dirname(path), match[2]))
            return f"const {{{match[1].replace(' as ', ': ')}}} = {other};\n"

        text = IMPORT.sub(resolve, text)
        names = [match[2] for match in EXPORT.finditer(text)]
        names += [one.strip() for match in re.findall(r"^export \{([^}]*)\};\n", text, re.M) for one in match.split(",")]
        text = re.sub(r"^export \{[^}]*\};\n", "", EXPORT.sub(r"\1 \2", text), flags=re.M)
        if re.search(r"^(import|export) ", text, re.M):
            sys.exit(f"bundle.py: {path} has an import or export that is not known here")
        del self.modules[path]
        self.modules[path] = (name, f"const {name} = (() => {{\n{text}\nreturn {{ {', '.join(names)} }};\n}})();\n")
        return name

    def text(self):
        return "".join(text for _, text in self.modules.values())


def script(*paths):
    bundle = Bundle()
    for path in paths:
        bundle.add(path)
    return bundle


def main():
    worker = script(os.path.join(HERE, "host.js"))
    last = [name for path, (name, _) in worker.modules.items() if path.endswith("host.js")][0]
    worker_text = f'"use strict";\n{worker.text()}{last}.serve(globalThis);\n'
    with open(sys.argv[1], "rb") as file:
        wasm = base64.b64encode(gzip.compress(file.read(), 9, mtime=0)).decode()
    # A script's text must not have the end of a script in it.
    given = json.dumps({"wasm": wasm, "worker": worker_text}).replace("</", "<\\/")
    page = script(os.path.join(HERE, "playground.js"), os.path.join(SITE, "main.js")).text().replace("</script", "<\\/script")
    icon = base64.b64encode(read(os.path.join(SITE, "icon.svg")).encode()).decode()
    html = read(os.path.join(SITE, "index.html"))
    for old, new in (
            ('<link rel="icon" href="/icon.svg">', f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">'),
            ('<link rel="stylesheet" href="/page.css">', f"<style>{read(os.path.join(SITE, 'page.css'))}</style>"),
            ('<script type="module" src="/main.js"></script>', ""),
            ("<title>wend</title>", "<title>wend: a playground</title>"),
            ("</body>", f"<script>globalThis.wendPlayground = {given};</script>\n<script>\"use strict\";\n{page}</script>\n</body>")):
        if html.count(old) != 1:
            sys.exit(f"bundle.py: index.html has no {old}, or several")
        html = html.replace(old, new)
    sys.stdout.write(html)


main()
