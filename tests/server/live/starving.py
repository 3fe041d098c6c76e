# SPDX-License-Identifier: MIT
"""`wend serve` without memory: each allocation of the program fails in turn, once or with all that follow it.

The server refuses to start, refuses what a client asks for, or closes its connection; it ends with a message, not by a
signal, and what it acknowledged is in its journal. An argument gives about how many of the allocations fail, spread
over all; 0: each one. What the C library allocates inside a stream does not fail."""
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import client as clients
from client import Closed, Lines, WebSocket

clients.PATIENCE = 60
FAILURES = int(sys.argv[1]) if len(sys.argv) > 1 else 40
SIDE = 70
WORLD = f"grid {SIDE} {SIDE}\nmover cart size=2\nlimit share 1\n"
OPTIONS = ("--hz", "200", "--history", "2", "--agents", "3", "--wander", "--journal-bytes", "3000",
           "--max-sessions", "4", "--owner-token", "boss")


def orders_of(session, x):
    """All that a client may do, on agents and cells of its own."""
    walker, cart = session + "1", session + "2"
    return (
        dict(op="hello", protocol=1, session=session, token="boss"),
        dict(op="subscribe", what=["frames", "agents", "queue", "edits", "completions"], every=1),
        dict(op="agent", name=walker, cell=[x, 1], speed=1000),
        dict(op="agent", name=cart, cell=[x + 2, 1], speed=500, mover="cart"),
        dict(op="layer", name=session, kind="values", half_life=10),
        dict(op="paint", layer=session, cells=[[5, 5]], radius=3, peak=20),
        dict(op="request", **{"from": [0, 0], "to": [SIDE - 1, SIDE - 1]}),
        dict(op="go", names=[walker, cart], to=[40, 40]),
        dict(op="route", name=session, mode="loop", cells=[[1, 1], [9, 1], [9, 9]]),
        dict(op="take", name=walker, route=session),
        dict(op="occupy", cells=[[x, 20], [x, 21]]),
        dict(op="checkpoint", name=session),
        dict(op="map", box=[[0, 0], [SIDE - 1, SIDE - 1]]),
        dict(op="positions"),
        dict(op="inspect", name=walker),
        dict(op="jams", count=4),
        dict(op="stats"),
        dict(op="vacate", cells=[[x, 20]]),
        dict(op="remove", names=[cart]),
    )


class Starved:
    """A server whose allocation number `at` fails; 0: none."""

    def __init__(self, folder, at, for_good, program="./starved_serve"):
        self.folder, self.log = folder, os.path.join(folder, "stderr")
        world = os.path.join(folder, "world.wend")
        if not os.path.exists(world):
            with open(world, "w") as out:
                out.write(WORLD)
        self.count = os.path.join(folder, "count")
        environment = dict(os.environ, STARVED_AT=str(at), STARVED_COUNT=self.count)
        if for_good:
            environment["STARVED_FOR_GOOD"] = "1"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [program, "serve", world, "--listen", "127.0.0.1:0", "--lines", "127.0.0.1:0", *OPTIONS,
                 "--journal", os.path.join(folder, "journal")], env=environment, stderr=log, stdout=subprocess.DEVNULL)

    def words(self):
        with open(self.log, errors="backslashreplace") as log:
            return log.read()

    def address(self):
        """Where it takes lines, and where its page is; None: it has ended."""
        end = time.monotonic() + clients.PATIENCE
        while time.monotonic() < end:
            ended = self.process.poll() is not None
            found = re.search(r"://127\.0\.0\.1:(\d+)/[^$]*lines at 127\.0\.0\.1:(\d+)\n", self.words())
            if found:
                return ("127.0.0.1", int(found.group(2))), ("127.0.0.1", int(found.group(1)))
            if ended:
                return None
            time.sleep(0.002)
        raise AssertionError(f"neither serves nor ends: {self.words()}")

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(clients.PATIENCE)


def edit(connection, kept, unknown, cell, ground):
    """Sets a cell; what the server must keep afterwards is in `kept`, what it may keep is in `unknown`."""
    unknown.setdefault(cell, []).append(ground)
    answer = connection.ask("edit", set=[[list(cell), ground]])
    if answer.get("ok"):
        kept[cell], unknown[cell] = ground, []
    else:
        unknown[cell].pop()
    return answer


def talk(address, connect, kept, unknown, session, x):
    """All of it, until the server closes the connection. @return how often it refused"""
    refusals = 0
    try:
        with connect(address) as connection:
            for i, order in enumerate(orders_of(session, x)):
                for answer in (connection.ask(**order), edit(connection, kept, unknown, (x, i // 2), 2 + i)):
                    refusals += "error" in answer
                    assert "ok" in answer or answer["text"], answer
    except socket.timeout:  # one that gives no answer
        raise
    except (Closed, clients.Refused, OSError):
        return refusals + 1
    return refusals


def check(folder, kept, unknown):
    """A server with memory has each edit that was acknowledged."""
    server = Starved(folder, 0, False, "./wend")
    try:
        addresses = server.address()
        assert addresses, f"does not start again: {server.words()}"
        with Lines(addresses[0]) as connection:
            connection.ask("hello", protocol=1)
            rows = connection.ask("map", box=[[0, 0], [SIDE - 1, SIDE - 1]])["classes"]
        for (x, y), ground in kept.items():
            allowed = [ground] + unknown.get((x, y), [])
            assert rows[y * SIDE + x] in allowed, f"{x},{y} is {rows[y * SIDE + x]}, not one of {allowed}"
    finally:
        server.end()


def try_at(at, for_good):
    """@return refusals, and how many allocations were made"""
    kept, unknown = {}, {}
    with tempfile.TemporaryDirectory(prefix="wend-starved-") as folder:
        server = Starved(folder, at, for_good)
        try:
            addresses = server.address()
            refusals = 1 if addresses is None else (talk(addresses[0], Lines, kept, unknown, "one", 30) +
                                                    talk(addresses[1], WebSocket, kept, unknown, "two", 40))
            status = server.end()
        finally:
            server.process.kill()
            server.process.wait()
        words = server.words()
        assert status >= 0, f"ended by signal {-status}: {words}"
        assert status == 0 or re.search(r"memory", words), f"ended with {status}, and said nothing: {words}"
        check(folder, kept, unknown)
        with open(server.count) as count:
            return refusals, int(count.read())


def main():
    refusals, made = try_at(0, False)
    assert refusals == 0, f"{refusals} refusals with memory"
    step = max(1, made // FAILURES) if FAILURES else 1
    tried = failed = total = 0
    for for_good in (False, True):
        for at in range(1, made + 1, step):
            tried += 1
            try:
                total += try_at(at, for_good)[0]
            except Exception as fault:  # the next allocation is tried, too
                print(f"FAIL: allocation {at} of {made}{' and all later ones' if for_good else ''}: {fault!r}")
                failed += 1
            sys.stdout.flush()
    print(f"{tried} servers without memory, {total} refusals")
    print(f"Synthesis: Tested: {tried} | Passing: {tried - failed} | Failing: {failed} | Crashing: 0")
    return 1 if failed or total == 0 else 0


sys.exit(main())
