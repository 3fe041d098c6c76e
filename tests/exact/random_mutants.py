#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random mutants: how many random mistakes in one part of the library do its tests find?

Copies the sources and builds the part's tests with the assertions of --enable-debug. A seed then draws places in the
part's files. At each, one operator, number or condition is changed; the files that see it are compiled and linked with
each of the part's tests, which run until the first fails. A test that takes four times as long as without a mutant
counts as failed. A mutant whose machine code is the original's is not counted, nor one that equal_mutants lists with
the reason why no caller can see it. mutants.sh makes mistakes chosen by hand.

    python3 tests/exact/random_mutants.py PART... [--count 30] [--minutes 60] [--seed 1] [--file NAME[:LINE]]
        [--work FOLDER] [--jobs 2] [--only NUMBER...] [--tests COMMAND...]

PART is one of the rows below; `all` is all of them. Prints a line for each mutant, and a table of the parts at the end.
"""
import argparse
import glob
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

SOURCES = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
# Tests of services and crowds, then those of them that take a second or longer.
LONG_SERVICE = ('changes|counted|far_requests|kinds|landmarks|look_model|max|memory|quantum|service_pressure|'
                'share_goal|share_random|timed|workers|worlds')
SERVICE = [f'test_service --filter=!({LONG_SERVICE})/*', f'test_service --filter=@({LONG_SERVICE})/*']
LONG_CROWD = ('jam/does_not*|manners/packed*|player/a_player_among*|home/all_of*|links/crowds*|'
              'far_goals/end_once*|near_field/is_taken*|setting_out/s2*|crowd_fields/the_bytes*')
CROWD = [f'test_crowd --filter=!({LONG_CROWD}|steady/*)', f'test_crowd --filter=@({LONG_CROWD})']
STEADY = 'test_crowd --filter=steady/*'  # a pinned hash
# What other rooms' tests ask of the same calls: refusals, what is saved, the calls in any order.
OTHERS = ['test_detail', 'check_pairs 1 40', 'test_save']
OPEN = 'test_search --filter=@(bucket_queue|multilevel_buckets|strict_queue|pool|pages)/*'
SEARCH = ('test_search --filter=@(search_open|strict_queue|search_max|search_nearest|heuristic|search_limits|reach|'
          'counted|prefix|search_pressure|search_taken|voxel_astar|graph_astar|grid_jump|search_expanded)/*')
# Names of files, then commands: the fast ones first.
PARTS = {
    'parsers': (['src/io/readers/*.c'], ['test_io']),
    'open': (['src/search/open/*.[ch]', 'src/search/general/general_queue.c', 'src/search/store/*.c'],
             [OPEN, 'check_exact 3000 7 1', SEARCH]),
    'queue': (['src/service/queue/*.c', 'src/service/store/*.c', 'src/service/inbox/*.c', 'src/service/backlog/*.c'],
              ['check_pairs 1 40', *SERVICE, 'test_detail']),
    'scheduler': (['src/service/scheduling/*.c'],
                  ['test_service --filter=schedule_model/*', 'check_exact 300 7 1', 'check_pairs 1 40', *SERVICE,
                   'test_detail']),
    'traffic': (['src/agents/manners/*.c'], ['check_crowd', 'test_traffic', 'check_bodies', STEADY, *CROWD, *OTHERS]),
    'agents': (['src/agents/[!dfm]*/*.c'], ['check_crowd', 'check_bodies', STEADY, CROWD[0], *OTHERS, CROWD[1]]),
    'bodies': (['src/agents/[df]*/*.c', 'src/agents/update/*.c'], ['check_bodies', 'test_body', *OTHERS]),
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
    """The sources and a build of them, and a folder of sources for each job, where its mutants are made."""

    def __init__(self, work, jobs, programs):
        self.source, self.build = os.path.join(work, 'source'), os.path.join(work, 'build')
        if not os.path.isdir(self.source):
            shutil.copytree(SOURCES, self.source, ignore=lambda folder, names: [
                n for n in names if n in ('.git', 'node_modules') or
                folder == SOURCES and n.startswith('build') and n != 'build-aux'])
        if not os.path.isdir(self.build):
            os.mkdir(self.build)
            self.must('../source/configure', '-q', '--enable-debug', '--disable-shared', '--enable-static',
                      'CFLAGS=-O1 -g0 -w')
        self.must('make', '-s', f'-j{jobs}', *programs)
        lines = self.must('make', '-n', 'V=1', '-W', '../source/src/base/error.c', 'src/base/error.lo')
        words = lines[lines.index('--mode=compile'):lines.index(' -MT ')].split()[1:]
        self.compile = [word.replace('-I../source', '-I.') if word.startswith('-I../') else
                        word.replace('-I.', '-I' + self.build) for word in words]
        self.compile.insert(1, '-I' + os.path.join(self.source, 'include'))
        self.links = {program: self.link_of(program) for program in programs}
        self.users, self.originals = {}, {}
        for path in [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(self.build, 'src'))
                     for name in names if name.endswith('.Plo')]:
            with open(path, encoding='utf-8') as file:
                names = re.findall(r'\.\./source/(src/\S+\.[ch])(?=\s)', file.read().replace(':', ' '))
            for name in set(names):
                self.users.setdefault(name, set()).add(names[0])
        self.jobs = queue.Queue()
        for job in range(jobs):
            folder = os.path.join(work, f'job{job}')
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(os.path.join(SOURCES, 'src'), os.path.join(folder, 'src'))
            self.jobs.put(folder)

    def must(self, *words):
        done = subprocess.run(words, cwd=self.build, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f'mutants: {words[:3]} failed\n{done.stderr[-2000:]}')
        return done.stdout

    def link_of(self, program):
        """Returns what links a program: the words before the mutant's objects, and those after them."""
        lines = self.must('make', '-n', 'V=1', '-W', 'libwendcore.la', program)
        (line,) = [x for x in lines.splitlines() if '--mode=link' in x and f'-o {program} ' in x]
        shown = self.must('sh', '-c', line.replace('./libtool', './libtool --dry-run', 1))
        (words,) = [x.split('link:', 1)[1].split() for x in shown.splitlines() if f'-o {program} ' in x]
        at = min(i for i, word in enumerate(words) if word.endswith('.a'))
        words[words.index('-o') + 1] = None
        return words[:at], words[at:]

    def objects_of(self, folder, name):
        """Compiles the files that see a file. Returns {file: machine code}, or None if one cannot be compiled."""
        codes = {}
        for user in sorted(self.users[name]):
            path = os.path.join(folder, user.replace('/', '-') + '.o')
            if subprocess.run([*self.compile, '-c', '-o', path, user], cwd=folder, capture_output=True).returncode:
                return None
            with open(path, 'rb') as file:
                codes[user] = file.read()
        return codes

    def run(self, command, limit, program=None):
        """Returns '' if the test passes, else why not."""
        words = [program or './' + command.split()[0]] + command.split()[1:]
        if command.startswith('test_'):
            words += ['--fail-fast', '-j1']
        run = subprocess.Popen(words, cwd=self.build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True,
                               env={**os.environ, 'WEND_SHORT': '1', 'WEND_SRCDIR': self.source,
                                    'WEND_BUILDDIR': self.build})
        try:
            return f'{command}: exit {run.returncode}' if run.wait(limit) else ''
        except subprocess.TimeoutExpired:
            return f'{command}: over its time'
        finally:
            end_session(run.pid)
            run.wait()

    def try_mutant(self, mutant, limits):
        """Returns why a test fails, '' if none does, and None if the mutant is not built or changes nothing."""
        name, place, length, other = mutant
        folder = self.jobs.get()
        path = os.path.join(folder, name)
        with open(path, encoding='utf-8') as file:
            text = file.read()
        try:
            if name not in self.originals:
                self.originals[name] = self.objects_of(folder, name)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text[:place] + other + text[place + length:])
            codes = self.objects_of(folder, name)
            if codes is None or codes == self.originals[name]:
                return None
            changed = [os.path.join(folder, user.replace('/', '-') + '.o') for user in codes
                       if codes[user] != self.originals[name][user]]
            for command, limit in limits.items():
                program = os.path.join(folder, command.split()[0])
                before, after = self.links[command.split()[0]]
                words = [word or program for word in before] + changed + after
                linked = subprocess.run(words, cwd=self.build, capture_output=True, text=True)
                if linked.returncode:
                    raise RuntimeError(linked.stderr[-2000:])
                why = self.run(command, limit, program)
                if why:
                    return why
            return ''
        finally:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            self.jobs.put(folder)


def end_session(leader):
    """Ends the processes of a test, and those that it began."""
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            try:
                with open(f'/proc/{entry}/stat', encoding='utf-8', errors='replace') as file:
                    if int(file.read().rpartition(')')[2].split()[3]) == leader:
                        os.kill(int(entry), signal.SIGKILL)
            except OSError:
                pass


def equal_mutants():
    """Returns {(file, mutated line)} of those that no caller can tell from the original."""
    with open(os.path.join(SOURCES, 'tests', 'exact', 'equal_mutants'), encoding='utf-8') as file:
        rows = [line.rstrip('\n').split(' | ', 2) for line in file if line.strip() and not line.startswith('#')]
    return {(name, ' '.join(line.split())) for name, _, line in rows}


def try_part(part, given, copy):
    """Tries mutants of a part. Returns how many were caught, survived and are known to change nothing."""
    patterns, commands = PARTS[part][0], given.tests or PARTS[part][1]
    files = sorted(os.path.relpath(path, SOURCES) for pattern in patterns
                   for path in glob.glob(os.path.join(SOURCES, pattern)) if not path.endswith('validate.c'))
    wanted, _, at_line = given.file.partition(':')
    every, known, texts = [m for name in files if wanted in name for m in mutants_of(name)], equal_mutants(), {}
    for name in files:
        with open(os.path.join(SOURCES, name), encoding='utf-8') as file:
            texts[name] = file.read()
    if at_line:
        every = [m for m in every if texts[m[0]].count('\n', 0, m[1]) + 1 == int(at_line)]
    random.Random(given.seed).shuffle(every)
    limits = {}
    for command in commands:
        begun = time.time()
        why = copy.run(command, 1800)
        if why:
            sys.exit(f'mutants: a test fails without a mutant: {why}')
        limits[command] = 4 * (time.time() - begun) + 10
    numbers, counts, lock = iter(range(len(every))), [0, 0, 0, 0], threading.Lock()
    end = time.time() + 60 * given.minutes
    CAUGHT, SURVIVED, EQUAL, RUNNING = range(4)

    def work():
        while True:
            with lock:
                if counts[CAUGHT] + counts[SURVIVED] + counts[RUNNING] >= given.count or time.time() > end:
                    if counts[RUNNING] == 0 or counts[CAUGHT] + counts[SURVIVED] >= given.count or time.time() > end:
                        return
                    number = -1
                else:
                    number = next(numbers, None)
                    if number is None:
                        return
                    counts[RUNNING] += 1
            if number < 0:
                time.sleep(0.2)
                continue
            why, (name, place, length, other) = None, every[number]
            line, first = texts[name].count('\n', 0, place), texts[name].rfind('\n', 0, place) + 1
            last = texts[name].find('\n', place + length)
            mutated = ' '.join((texts[name][first:place] + other + texts[name][place + length:last]).split())
            if (not given.only or number + 1 in given.only) and (name, mutated) not in known:
                why = copy.try_mutant(every[number], limits)
            with lock:
                counts[RUNNING] -= 1
                counts[EQUAL] += (name, mutated) in known
                if why is not None:
                    counts[SURVIVED if not why else CAUGHT] += 1
                    print(f"{'caught  ' if why else 'SURVIVED'} {number + 1} {name}:{line + 1}:"
                          f" {texts[name][place:place + length]!r} -> `{mutated}` {why}", flush=True)

    jobs = [threading.Thread(target=work) for _ in range(given.jobs)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    return counts[:RUNNING]


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument('part', choices=[*PARTS, 'all'], nargs='+')
    reader.add_argument('--count', type=int, default=30)
    reader.add_argument('--minutes', type=float, default=60, help='draw no more mutants of a part after so long')
    reader.add_argument('--seed', type=int, default=1)
    reader.add_argument('--file', default='', help='only files with this in their names, and after a colon one line')
    reader.add_argument('--jobs', type=int, default=os.cpu_count(), help='mutants at a time')
    reader.add_argument('--only', type=int, nargs='*', help='mutants by their numbers, of the same seed')
    reader.add_argument('--tests', nargs='*', help='instead of those of the part')
    reader.add_argument('--work', help='a folder that is kept: the next run need not build all again')
    given = reader.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(99))
    work = os.path.abspath(given.work or tempfile.mkdtemp())
    os.makedirs(work, exist_ok=True)
    parts = list(PARTS) if 'all' in given.part else given.part
    try:
        programs = sorted({command.split()[0] for part in parts for command in given.tests or PARTS[part][1]})
        copy, rows = Copy(work, given.jobs, programs), []
        for part in parts:
            rows.append((part, *try_part(part, given, copy)))
        print('| part | caught | of | equal |\n|---|---|---|---|')
        for part, caught, survived, equal in rows:
            print(f'| {part} | {caught} | {caught + survived} | {equal} |')
        print(f'| all | {sum(r[1] for r in rows)} | {sum(r[1] + r[2] for r in rows)} | {sum(r[3] for r in rows)} |')
    finally:
        if not given.work:
            shutil.rmtree(work)


main()
