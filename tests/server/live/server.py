# SPDX-License-Identifier: MIT
"""Runs `wend serve` for tests, and counts test cases."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from client import Lines, PATIENCE, WebSocket

WORLD = """grid 10 10
neighbours 8
corners never
cost 10 14
mover cart size=2
"""


class Server:
    """A server on free ports, in a folder of its own, which keeps its world and journal over restarts."""

    def __init__(self, *options, world=WORLD, folder=None, lines="tcp", program="./wend", environment=None):
        self.program, self.environment = program, {**os.environ, **(environment or {})}
        self.own = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="wend-live-")
        self.world = os.path.join(self.folder, "world.wend")
        if not os.path.exists(self.world):
            with open(self.world, "w") as out:
                out.write(world)
        self.options, self.lines = options, lines
        self.said = ""
        self.start()

    def start(self):
        path = os.path.join(self.folder, "lines.sock")
        where = "127.0.0.1:0" if self.lines == "tcp" else path
        self.log = os.path.join(self.folder, "stderr")
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([self.program, "serve", self.world, "--listen", "127.0.0.1:0", "--lines", where,
                                             *self.options], stderr=log, stdout=subprocess.DEVNULL, env=self.environment)
        self.web = ("127.0.0.1", int(self.say_of(r"://127\.0\.0\.1:(\d+)/")))
        told = self.say_of(r"lines at (\S+)\n")
        self.line_address = path if self.lines != "tcp" else ("127.0.0.1", int(told.rpartition(":")[2]))

    def words(self):
        """What it said so far, read through a descriptor of its own: one shared with the server shares its position."""
        with open(self.log, errors="backslashreplace") as log:
            return log.read()

    def say_of(self, pattern):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.search(pattern, self.words())
            if found:
                return found.group(1)
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended with {self.process.returncode}: {self.words()}")
            time.sleep(0.01)
        raise AssertionError(f"the server did not say {pattern}: {self.words()}")

    def connect(self, kind="lines", hello=None, **options):
        client = WebSocket(self.web, **options) if kind == "ws" else Lines(self.line_address)
        if hello is not None:
            answer = client.ask("hello", protocol=1, **hello)
            assert answer.get("ok") is True, answer
        return client

    def has_valgrind(self):
        with open(f"/proc/{self.process.pid}/maps") as maps:
            return "valgrind" in maps.read()

    def resident(self):
        """Resident bytes; 0 under a sanitizer, which keeps what was freed, and under valgrind, whose own they are."""
        if "sanitize" in os.environ.get("INSTRUMENT_FLAGS", "") or self.has_valgrind():
            return 0
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s*(\d+)", status.read()).group(1)) * 1024

    def kill(self):
        self.process.kill()
        self.process.wait()

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        words = self.words()
        return status, words

    def remove(self):
        if self.process.poll() is None:
            self.kill()
        if self.own:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None and self.process.poll() is not None:
            print(f"  the server ended with {self.process.returncode}")
        if kind is not None and os.path.exists(self.log):
            print("  the server said: " + self.words()[-6000:])
        alive = self.process.poll() is None
        if alive and kind is None:
            status, words = self.terminate()  # so that sanitizers report
            self.remove()
            assert status == 0, f"the server ended with {status}: {words[-2000:]}"
        self.remove()


class Folder:
    """A folder for a world and its journal, over many servers."""

    def __init__(self, world):
        self.world = world

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="wend-journal-")
        self.journal = os.path.join(self.path, "journal.wend")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def server(self, *options):
        return Server("--journal", self.journal, *options, world=self.world, folder=self.path)

    def text(self):
        with open(self.journal, "rb") as file:
            return file.read()

    def put(self, data):
        with open(self.journal, "wb") as file:
            file.write(data)


def stop_or_fail(server, seconds):
    """The server ends by itself within that time, as it should."""
    try:
        status = server.process.wait(seconds)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"the server did not end within {seconds} s") from None
    assert status == 0, f"the server ended with {status}: {server.words()[-2000:]}"


CASES = []


def case(*kinds):
    """A test case, once for each kind of client: case("lines", "ws"), or once: case()."""
    def keep(function):
        for kind in kinds or (None,):
            CASES.append((function, kind))
        return function
    return keep


def complaint_of(function, kind):
    """What is wrong, or None."""
    try:
        function(kind) if kind else function()
        return None
    except Exception:
        return traceback.format_exc()


def run_cases(pattern=""):
    """A case that fails has a second try, alone: a machine that stands still for a second breaks bounds of time."""
    passed, failures = 0, []
    for function, kind in CASES:
        name = function.__name__ + (f" over {kind}" if kind else "")
        if pattern not in name:
            continue
        began = time.monotonic()
        first = complaint_of(function, kind)
        second = first and complaint_of(function, kind)
        passed += second is None
        if first:
            print(f"{'FAIL' if second else 'passes at the second try'}: {name}\n{first}")
        if second:
            failures.append(f"FAIL: {name}\n{second}")
        if os.environ.get("WEND_TIMES"):
            print(f"  {time.monotonic() - began:6.2f} s {name}")
        sys.stdout.flush()
    print(*failures, sep="\n")  # again, where one looks first
    # the line that tests/repo/count-results reads
    print(f"Synthesis: Tested: {passed + len(failures)} | Passing: {passed} | Failing: {len(failures)} | Crashing: 0")
    return 0 if not failures and passed > 0 else 1
