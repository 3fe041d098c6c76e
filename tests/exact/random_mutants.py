#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random mutants: how many random mistakes in one part of the library do its tests find?

Copies the sources and builds the part's tests with the assertions of --enable-debug. A seed then draws places in the
part's files. At each, one operator, number or condition is changed, the library is built, and the part's tests run
until the first fails. A test that takes four times as long as without a mutant counts as failed. A mutant whose machine
code is the original's changes nothing, and is not counted. mutants.sh makes mistakes chosen by hand.

    python3 tests/exact/random_mutants.py PART [--count 30] [--minutes 60] [--seed 1] [--file NAME] [--work FOLDER]
        [--only NUMBER...] [--tests COMMAND...]

PART is one of the rows below; `all` runs each. Prints a line for each mutant, then "PART: N of N mutants caught".
"""
import argparse
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCES = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
# Names of files, then commands: the fast ones first.
PARTS = {
    'parsers': (['src/io/readers/*.c', 'src/io/scenarios/read_*.c'], ['test_io']),
    'open': (['src/search/open/*.[ch]', 'src/search/general/general_queue.c', 'src/search/store/*.c'],
             ['check_exact 3000 7 1', 'test_search']),
    'queue': (['src/service/queue/*.c', 'src/service/store/*.c', 'src/service/inbox/*.c', 'src/service/backlog/*.c'],
              ['check_calls 200', 'test_service']),
    'scheduler': (['src/service/scheduling/*.c'], ['check_calls 200', 'test_service']),
    'traffic': (['src/crowd/traffic/*.c'], ['check_crowd 10000 7', 'test_traffic', 'test_crowd']),
    'crowd': (['src/crowd/[!t]*/*.c'], ['check_crowd 10000 7', 'test_crowd']),
    'bodies': (['src/body/*/*.c'], ['test_body', 'check_bodies 2000']),
}
OTHER = {
    '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '&&': '||', '||': '&&', '+': '-', '-': '+',
    '<<': '>>', '>>': '<<', '+=': '-=', '-=': '+=', '|=': '&=', '&=': '|=', '|': '&', '^': '|', '%': '/', '/': '*',
    'true': 'false', 'false': 'true', 'continue': 'break', 'break': 'continue',
}
TOKEN = re.compile(r'''(?P<skip>/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|^[ \t]*\#(?:\\\n|[^\n])*)
    |(?P<name>[A-Za-z_]\w*)|(?P<number>\d\w*)
    |(?P<sign><<=|>>=|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||[^\s\w])''', re.S | re.M | re.X)


def tokens_of(text):
    """Returns (kind, text, place) of each token outside comments, strings and directives."""
    return [(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(text) if m.lastgroup != 'skip']


def without_assertions(tokens):
    """Leaves out assertions, as one with a mistake is no mistake of the library, and lists of constants."""
    kept, depth, at = [], 0, 0
    while at < len(tokens):
        if tokens[at][1] in ('WEND__ASSERT', 'WEND__DEBUG_ASSERT', 'static_assert', '_Static_assert', 'enum'):
            opening, closing = ('{', '}') if tokens[at][1] == 'enum' else ('(', ')')
            end = at + 1
            while end < len(tokens) and tokens[end][1] not in (opening, ';'):
                end += 1
            while end < len(tokens):
                depth += (tokens[end][1] == opening) - (tokens[end][1] == closing)
                end += 1
                if depth <= 0:
                    break
            at, depth = end, 0
            continue
        kept.append(tokens[at])
        at += 1
    return kept


def mutants_of(name):
    """Yields (file, place, length, replacement)."""
    with open(os.path.join(SOURCES, name), encoding='utf-8') as file:
        text = file.read()
    tokens = without_assertions(tokens_of(text))
    braces = 0
    for at, (kind, word, place) in enumerate(tokens):
        braces += (word == '{') - (word == '}')
        if braces <= 0:
            continue  # declarations
        before = tokens[at - 1][1] if at else ''
        binary = re.match(r'[\w)\]]', before) and before not in ('return', 'case')
        if kind == 'number' and re.fullmatch(r'\d+', word) and before not in ('[',):
            yield name, place, len(word), str(int(word) + 1)
        elif word in ('if', 'while') and tokens[at + 1][1] == '(':
            depth, end = 0, at + 1
            while True:
                depth += (tokens[end][1] == '(') - (tokens[end][1] == ')')
                if depth == 0:
                    break
                end += 1
            first, last = tokens[at + 1][2] + 1, tokens[end][2]
            yield name, first, last - first, '!(' + text[first:last] + ')'
        elif word in OTHER and (kind == 'name' or binary):
            if word in '+-' and len(word) == 1 and tokens[at + 1][1] == word:
                continue
            yield name, place, len(word), OTHER[word]


class Copy:
    """The sources and a build of them, in a folder of their own."""

    def __init__(self, work, programs):
        self.source, self.build = os.path.join(work, 'source'), os.path.join(work, 'build')
        self.programs = programs
        if not os.path.isdir(self.source):
            shutil.copytree(SOURCES, self.source, ignore=lambda folder, names: [
                n for n in names if n in ('.git', 'node_modules') or
                folder == SOURCES and n.startswith('build') and n != 'build-aux'])
        if not os.path.isdir(self.build):
            os.mkdir(self.build)
            done = subprocess.run(['../source/configure', '-q', '--enable-debug', '--disable-shared', '--enable-static',
                                   'CFLAGS=-O1 -g0 -w'], cwd=self.build, capture_output=True, text=True)
            if done.returncode:
                sys.exit('mutants: configure failed\n' + done.stderr[-2000:])

    def make(self, *targets):
        return subprocess.run(['make', '-s', f'-j{os.cpu_count()}', *targets], cwd=self.build, capture_output=True,
                              text=True)

    def library(self):
        with open(os.path.join(self.build, '.libs', 'libwendcore.a'), 'rb') as file:
            return file.read()

    def run(self, command, limit):
        """Returns '' if the test passes, else why not."""
        words = ['./' + command.split()[0]] + command.split()[1:]
        if command.startswith('test_'):
            words.append('--fail-fast')
        run = subprocess.Popen(words, cwd=self.build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True,
                               env={**os.environ, 'WEND_SHORT': '1', 'WEND_SRCDIR': self.source,
                                    'WEND_BUILDDIR': self.build})
        try:
            return f'{command}: exit {run.returncode}' if run.wait(limit) else ''
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, 9)
            run.wait()
            return f'{command}: over its time'


def try_part(part, given, copy):
    patterns, commands = PARTS[part][0], given.tests or PARTS[part][1]
    files = sorted(os.path.relpath(path, SOURCES) for pattern in patterns
                   for path in glob.glob(os.path.join(SOURCES, pattern)))
    every = [m for name in files if given.file in name for m in mutants_of(name)]
    random.Random(given.seed).shuffle(every)
    built = copy.make(*copy.programs)
    if built.returncode:
        sys.exit('mutants: the tests cannot be built\n' + built.stderr[-2000:])
    original, limits = copy.library(), {}
    for command in commands:
        begun = time.time()
        why = copy.run(command, 1800)
        if why:
            sys.exit(f'mutants: a test fails without a mutant: {why}')
        limits[command] = 4 * (time.time() - begun) + 10
    caught = survived = same = number = 0
    end = time.time() + 60 * given.minutes
    for name, place, length, other in every:
        if caught + survived >= given.count or time.time() > end:
            break
        number += 1
        if given.only and number not in given.only:
            continue
        path = os.path.join(copy.source, name)
        with open(path, encoding='utf-8') as file:
            text = file.read()
        try:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text[:place] + other + text[place + length:])
            if copy.make('libwendcore.la').returncode:
                continue
            if copy.library() == original:
                same += 1
                continue
            why = ''
            for command in commands:
                copy.make(command.split()[0])
                why = copy.run(command, limits[command])
                if why:
                    break
        finally:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
        caught, survived = caught + bool(why), survived + (not why)
        line = text.count('\n', 0, place)
        print(f"{'caught  ' if why else 'SURVIVED'} {number} {name}:{line + 1}: {text[place:place + length]!r} ->"
              f" {other!r} in `{text.splitlines()[line].strip()}` {why}", flush=True)
    copy.make('libwendcore.la')
    print(f'{part}: {caught} of {caught + survived} mutants caught; {same} others changed no machine code', flush=True)
    return survived


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument('part', choices=[*PARTS, 'all'])
    reader.add_argument('--count', type=int, default=30)
    reader.add_argument('--minutes', type=float, default=60, help='draw no more mutants of a part after so long')
    reader.add_argument('--seed', type=int, default=1)
    reader.add_argument('--file', default='', help='only files with this in their names')
    reader.add_argument('--only', type=int, nargs='*', help='mutants by their numbers, of the same seed')
    reader.add_argument('--tests', nargs='*', help='instead of those of the part')
    reader.add_argument('--work', help='a folder that is kept: the next run need not build all again')
    given = reader.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(99))
    work = given.work or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    parts = PARTS if given.part == 'all' else [given.part]
    try:
        for part in parts:
            programs = sorted({command.split()[0] for command in given.tests or PARTS[part][1]})
            try_part(part, given, Copy(work, programs))
    finally:
        if not given.work:
            shutil.rmtree(work)


main()
