# SPDX-License-Identifier: MIT
"""Makes a site of the documents and headers, with a search, and a page of man3 for each function:

    python3 packaging/site/site.py SOURCE OUT

SOURCE is the tree, OUT a folder that is made. Needs python3-markdown. The site is files only: it works from a disk.
Ends with 1 and names the page where a link leads nowhere."""
import html
import html.parser
import json
import os
import re
import shutil
import sys
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import man  # noqa: E402

try:
    import markdown
except ImportError:
    sys.exit("site: Python's markdown is needed: Debian package python3-markdown")

FOLDERS = ("docs", "bindings", "packaging", "src", "server", "lab", "extra", "ground", "examples", "tests", "bench",
           "fuzz")
MENU = (("README.html", "wend"), ("docs/astar.html", "Tutorial"), ("docs/program.html", "Program"),
        ("docs/players.html", "Players"), ("docs/semantics.html", "Semantics"), ("docs/bodies.html", "Bodies"),
        ("docs/performance.html", "Performance"), ("docs/architecture.html", "Architecture"),
        ("reference.html", "Reference"))
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title} – wend</title><link rel="stylesheet" href="{up}site.css"></head>
<body data-up="{up}"><nav>{menu}<input type="search" placeholder="Search" aria-label="Search"></nav>
<ol id="found" hidden></ol>
<main>
{body}
</main>
<script src="{up}index.js"></script><script src="{up}site.js"></script></body></html>
"""


# ---- pages ----

class Site:
    def __init__(self, source, out):
        self.source, self.out, self.entries, self.pages, self.images = source, out, [], 0, set()

    def write(self, path, title, body):
        up = "../" * path.count("/")
        menu = "".join(f'<a href="{up}{at}">{text}</a>' for at, text in MENU)
        os.makedirs(os.path.join(self.out, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(self.out, path), "w", encoding="utf-8") as out:
            out.write(PAGE.format(title=html.escape(title), up=up, menu=menu, body=body))
        self.pages += 1

    def index(self, url, title, text):
        """What the search finds: a place, its title, and its words."""
        words = re.sub(r"<[^>]*>|[^\w]+", " ", html.unescape(text)).lower().split()
        self.entries.append([url, title, " ".join(sorted(set(words)))])


def documents(source):
    """All documents of the tree, by their paths."""
    found = [name for name in sorted(os.listdir(source)) if name.endswith(".md")]
    for folder in FOLDERS:
        for at, folders, files in os.walk(os.path.join(source, folder)):
            folders[:] = sorted(name for name in folders if name not in ("node_modules", "target", "build"))
            found += [os.path.relpath(os.path.join(at, name), source) for name in sorted(files) if name.endswith(".md")]
    return found


def link_to(site, document, target, known):
    """Where a link of a document leads on the site. None: to a file that is no page, which stays a word."""
    address, _, fragment = target.partition("#")
    if re.match(r"[a-z]+:", target) or not address:
        return target
    path = os.path.normpath(os.path.join(os.path.dirname(document), urllib.parse.unquote(address)))
    up = "../" * document.count("/")
    here = os.path.join(site.source, path)
    if path in known:
        return up + path[:-3] + ".html" + ("#" + fragment if fragment else "")
    if os.path.isdir(here) and os.path.join(path, "README.md") in known:
        return up + os.path.join(path, "README.html")
    if re.fullmatch(r"include/wend/\w+\.h", path) and os.path.exists(here):
        return up + "reference/" + os.path.basename(path)[:-2] + ".html"
    if os.path.exists(here) and os.path.splitext(path)[1] in (".svg", ".png", ".gif"):
        site.images.add(path)
        return up + path
    return None if os.path.exists(here) else up + path  # one that is not there is found by the check


def write_document(site, document, known):
    with open(os.path.join(site.source, document), encoding="utf-8") as file:
        text = re.sub(r"^```(\w+) .*$", r"```\1", file.read(), flags=re.M)  # a file's name may follow the language
    body = markdown.Markdown(extensions=["tables", "fenced_code", "toc", "sane_lists"]).convert(text)

    def relink(match):
        to = link_to(site, document, html.unescape(match[3]), known)
        return f'{match[1]}{match[2]}="{html.escape(to)}"' if to else match[1] + "data-file"
    body = re.sub(r'(<(?:a|img)\b[^>]*?)\b(href|src)="([^"]*)"', relink, body)
    url = document[:-3] + ".html"
    title = re.search(r"<h1[^>]*>(.*?)</h1>", body)
    title = re.sub(r"<[^>]*>", "", title[1]) if title else document
    for part in re.split(r"(?=<h[123] id=)", body):
        head = re.match(r'<h[123] id="([^"]*)">(.*?)</h', part)
        if head:
            name = re.sub(r"<[^>]*>", "", head[2])
            site.index(f"{url}#{head[1]}", name if name == title else f"{title}: {name}", part)
    site.write(url, html.unescape(title), body)


# ---- reference ----

def code(text):
    """`words` and names of functions, as HTML."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return "<p>" + text.replace("\n\n", "</p><p>") + "</p>"


def link_functions(text, functions, own):
    def link(match):
        name = match[0]
        if name not in functions:
            return name
        header = functions[name]["header"]
        page = "" if header == own else header[:-2] + ".html"
        return f'<a href="{page}#{name}">{name}</a>'
    return re.sub(r"\bwend_\w+", link, text)


def function_html(name, function, functions):
    text, params, returned, notes = man.parts_of(function["doc"])
    rows = "".join(f"<dt><code>{p}</code></dt><dd>{code(what)}</dd>" for p, what in params)
    rows += f"<dt>returns</dt><dd>{code(returned)}</dd>" if returned else ""
    body = code(text) + (f"<dl>{rows}</dl>" if rows else "")
    body += f"<p class=notes>{html.escape(notes)}</p>" if notes else ""
    head = f'<h2 id="{name}"><a href="#{name}">{name}</a></h2>'
    head += f"<pre>{html.escape(man.prototype(name, function))};</pre>"
    return head + link_functions(body, functions, function["header"])


def write_reference(site, api):
    """A page a header: its functions as api.json has them, and the header itself, where types are explained."""
    folder = os.path.join(site.source, "include", "wend")
    contents = []
    for header in sorted(name for name in os.listdir(folder) if name.endswith(".h")):
        with open(os.path.join(folder, header), encoding="utf-8") as file:
            text = file.read()
        mine = {name: f for name, f in api["functions"].items() if f["header"] == header}
        about = re.search(r"/\*(?!\s*SPDX)\s*(.*?)\*/", text, re.S)
        about = re.sub(r"\s*\n \*\s?", " ", about[1]).strip() if about else ""
        body = f"<h1>wend/{header}</h1>{code(about)}"
        body += "<ul class=names>" + "".join(f'<li><a href="#{n}">{n}</a></li>' for n in mine) + "</ul>"
        body += "".join(function_html(n, f, api["functions"]) for n, f in mine.items())
        body += f'<h2 id="header">The header</h2><pre>{html.escape(text)}</pre>'
        url = f"reference/{header[:-2]}.html"
        for name, function in mine.items():
            site.index(f"{url}#{name}", name, name.replace("_", " ") + " " + name + " " + function["doc"])
        for name in re.findall(r"^} (wend_\w+);", text, re.M):
            site.index(f"{url}#header", f"{name} (wend/{header})", name.replace("_", " ") + " " + name)
        site.write(url, f"wend/{header}", body)
        contents.append(f'<tr><td><a href="{url}">wend/{header}</a></td><td>{len(mine)}</td>'
                        f"<td>{html.escape(about)}</td></tr>")
    head = "<tr><th>header</th><th>functions</th><th>what it is for</th></tr>"
    site.write("reference.html", "Reference", f"<h1>Reference</h1><table>{head}{''.join(contents)}</table>")


# ---- links ----

class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links = set(), []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.add(value)
            if name in ("href", "src"):
                self.links.append(value)


def dead_links(out):
    """All links within the site that lead nowhere."""
    parsed, dead, checked = {}, [], 0
    for at, _, files in os.walk(out):
        for name in files:
            if name.endswith(".html"):
                parsed[os.path.join(at, name)] = links = Links()
                with open(os.path.join(at, name), encoding="utf-8") as file:
                    links.feed(file.read())
    for page, links in parsed.items():
        for link in links.links:
            if re.match(r"[a-z]+:", link):
                continue
            checked += 1
            address, _, fragment = link.partition("#")
            target = page
            if address:
                target = os.path.normpath(os.path.join(os.path.dirname(page), urllib.parse.unquote(address)))
            missing = not os.path.exists(target)
            if missing or (fragment and target in parsed and fragment not in parsed[target].ids):
                dead.append(f"{os.path.relpath(page, out)}: {link}")
    return dead, checked


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, out = sys.argv[1:]
    site = Site(source, out)
    with open(os.path.join(source, "bindings/api/api.json"), encoding="utf-8") as file:
        api = json.load(file)
    if os.path.isdir(out) and os.listdir(out) and not os.path.exists(os.path.join(out, "site.css")):
        sys.exit(f"site: {out} is no site, and is not empty")
    shutil.rmtree(out, ignore_errors=True)
    known = documents(source)
    for document in known:
        write_document(site, document, set(known))
    write_reference(site, api)
    for image in site.images:
        shutil.copyfile(os.path.join(source, image), os.path.join(out, image))
    here = os.path.dirname(os.path.abspath(__file__))
    for name in ("site.css", "site.js"):
        shutil.copyfile(os.path.join(here, name), os.path.join(out, name))
    shutil.copyfile(os.path.join(out, "README.html"), os.path.join(out, "index.html"))
    with open(os.path.join(out, "index.js"), "w", encoding="utf-8") as file:
        file.write("const INDEX = " + json.dumps(site.entries, ensure_ascii=False, separators=(",", ":")) + ";\n")
    pages = man.write(api, os.path.join(out, "man3"))
    dead, checked = dead_links(out)
    for link in dead:
        print(f"dead link: {link}")
    print(f"{site.pages} pages, {len(site.entries)} places to find, {pages} pages of man3, {checked} links, "
          f"{len(dead)} dead")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
