# SPDX-License-Identifier: MIT
"""The journal of `wend serve`: what was acknowledged is there after the server is killed at any moment.

An argument gives how many times it is killed under edits; a second one the seed."""
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from client import Closed, PATIENCE
from messages import accept, classes, refuse, search
from server import CASES, Folder, Server, case, run_cases

KILLS = int(sys.argv[1]) if len(sys.argv) > 1 else 50
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 18
SIDE = 32
WORLD = f"grid {SIDE} {SIDE}\n"


class Editor(threading.Thread):
    """Edits cells of its own rows, and remembers which edits were acknowledged."""

    def __init__(self, server, number, seed, state):
        super().__init__()
        self.server, self.number, self.state = server, number, state
        self.random = random.Random(seed)
        self.sent = {}  # cell: classes of the edits that got no answer, in order
        self.acknowledged = self.refused = 0
        self.start()

    def run(self):
        try:
            with self.server.connect("lines" if self.number % 2 else "ws") as client:
                waiting = []
                while True:
                    for _ in range(self.random.randrange(1, 6)):
                        name = client.next_id()
                        cells = [(self.random.randrange(SIDE), self.number) for _ in range(self.random.randrange(1, 4))]
                        ground = self.random.randrange(256)
                        client.send({"op": "edit", "id": name, "set": [[list(c), ground] for c in cells]})
                        waiting.append((name, cells, ground))
                        for cell in cells:
                            self.sent.setdefault(cell, []).append(ground)
                    while len(waiting) > 3:
                        name, cells, ground = waiting.pop(0)
                        answer = client.answer(name)
                        assert answer.get("ok") is True, answer
                        self.acknowledged += 1
                        for cell in dict.fromkeys(cells):
                            pending = self.sent[cell]
                            for _ in range(cells.count(cell)):
                                pending.pop(0)
                            self.state[cell] = ground
        except (Closed, OSError):
            pass


def check_edits(server, state, editors):
    """Each cell is as the last acknowledged edit made it, or as one of those that came after it and got no answer."""
    with server.connect("lines") as client:
        rows = classes(client, (0, 0), (SIDE - 1, SIDE - 1))
    open_edits = {}
    for editor in editors:
        open_edits.update(editor.sent)
    for y in range(SIDE):
        for x in range(SIDE):
            cell, found = (x, y), rows[y * SIDE + x]
            allowed = [state.get(cell, 1)] + open_edits.get(cell, [])
            assert found in allowed, f"cell {cell} is {found}, not one of {allowed}"
            state[cell] = found


SAVES = ("its records", "saves")


def options_of(kind):
    """With saves: the journal begins again from one as often as can be."""
    return ("--hz", "100") + (("--journal-bytes", "1") if kind == "saves" else ())


def wait_until(happened):
    """On a slow machine nothing may happen for a while."""
    end = time.monotonic() + PATIENCE
    while not happened() and time.monotonic() < end:
        time.sleep(0.01)


@case(*SAVES)
def killed_at_any_moment(kind):
    chance = random.Random(SEED)
    state, acknowledged, torn, kills = {}, 0, 0, (KILLS + 1) // 2
    with Folder(WORLD) as folder:
        server = folder.server(*options_of(kind))
        try:
            for kill in range(kills):
                editors = [Editor(server, number, chance.random(), state) for number in range(4)]
                if kill % 10 == 0:
                    wait_until(lambda: any(editor.acknowledged for editor in editors))
                time.sleep(chance.random() * chance.random() * 0.3)
                server.kill()
                for editor in editors:
                    editor.join()
                acknowledged += sum(editor.acknowledged for editor in editors)
                server.start()
                torn += "not whole" in server.words()
                check_edits(server, state, editors)
                if kill % 20 == 19:  # or the journal grows for ever
                    with server.connect("lines") as client:
                        accept(client, "reset")
                    state.clear()
            assert len(folder.text()) < 20000 or kind != "saves"
        finally:
            server.remove()
    print(f"  {kills} kills, {acknowledged} edits acknowledged, {torn} records torn, seed {SEED}")
    assert acknowledged > 0


@case(*SAVES)
def everything_is_in_it(kind):
    with Folder(WORLD) as folder:
        with folder.server(*options_of(kind)) as server, server.connect("lines") as client:
            accept(client, "edit", fill=[[[0, 1], [30, 1], "blocked"]], set=[[[5, 5], 7]],
                   steps=[[[0, 3], [1, 3], "blocked"]], links=[[[0, 0], [31, 31], 5]])
            accept(client, "edit", links=[[[0, 0], [9, 9], 7]])
            accept(client, "edit", unlinks=[[[0, 0], [31, 31]]])
            accept(client, "occupy", cells=[[7, 7], [7, 7], [8, 8]])
            accept(client, "vacate", cells=[[8, 8]])
            accept(client, "agent", name="a", cell=[2, 2], speed=1000, urgency=3)
            accept(client, "agent", name="two words # = %", cell=[9, 2], ghost=True)
            accept(client, "agent", name="to", cell=[9, 3])
            accept(client, "remove", names=["to"])
            accept(client, "route", name="r", mode="back", cells=[[0, 9], [9, 9]])
            accept(client, "take", name="two words # = %", route="r")
            accept(client, "halt", names=["two words # = %"])
            accept(client, "agent", name="the player", cell=[20, 20])
            accept(client, "steer", name="the player", cell=[21, 21])
            accept(client, "agent", name="hare", cell=[25, 21])
            accept(client, "flee", name="hare", target="the player", distance=4, keep=True)
            accept(client, "go", names=["a"], to=[4, 4])
            client.event(agent="a", event="arrived")
            refuse(client, "bad_argument", "edit", unlinks=[[[0, 0], [31, 31]]])
            refuse(client, "out_of_range", "edit", set=[[[99, 1], 1]])
            refuse(client, "bad_argument", "vacate", cells=[[8, 8]])
        assert subprocess.run(["./wend", "run", folder.journal], stdout=subprocess.DEVNULL).returncode == 0
        for _ in range(2):
            with folder.server(*options_of(kind)) as server, server.connect("lines") as client:
                rows = classes(client, (0, 0), (31, 31))
                assert rows[32:63] == [0] * 31 and rows[63] == 1 and rows[5 * 32 + 5] == 7
                done = search(client, to=[9, 9])
                assert done["cost"] == 7, done
                assert search(client, to=[7, 7], occupied="block")["status"] == "goal_blocked"
                assert search(client, to=[8, 8], occupied="block")["status"] == "found"
                player = accept(client, "inspect", name="the player")
                assert player["cell"] == [21, 21] and player["steered"], player
                assert accept(client, "inspect", name="hare")["wish"] == "flee"
                refuse(client, "bad_argument", "route", name="r", mode="back", cells=[[0, 9], [9, 9]])
                refuse(client, "bad_argument", "agent", name="a", cell=[3, 3])
                refuse(client, "bad_argument", "agent", name="two words # = %", cell=[3, 3])
                accept(client, "subscribe", what=["agents"])
                client.wait(lambda m: m.get("agents", {}).get("agents", m.get("agents", {})).get("a") == [4, 4])


@case("lines", "ws")
def land_is_in_it(kind):
    with Folder("grid 192 128 streamed\nload 0,0 open\nload 1,0 open\n") as folder:
        def land(client):
            answer = accept(client, "map", box=[[60, 0], [191, 127]])
            return answer["classes"], answer["land"]

        with folder.server() as server, server.connect(kind) as client:
            accept(client, "unload", chunk=[1, 0])
            accept(client, "unload", chunk=[0, 0], forget=True)
            accept(client, "load", chunk=[0, 1], ground="blocked")
            accept(client, "load", chunk=[2, 1], classes=[[3] * 64] * 64)
            accept(client, "edit", loads=[[[1, 1], "open"]], set=[[[63, 64], 5]], unloads=[[[2, 1], True]])
            before = land(client)
        with folder.server() as server, server.connect(kind) as client:
            assert land(client) == before
            assert "set aside" not in server.words(), server.words()


@case()
def a_reset_begins_it_again():
    with Folder(WORLD) as folder:
        with folder.server() as server, server.connect("lines") as client:
            accept(client, "edit", set=[[[1, 1], 0]])
            accept(client, "agent", name="a", cell=[0, 0])
            accept(client, "reset")
            accept(client, "edit", set=[[[2, 2], 0]])
            large = len(folder.text())
            for i in range(50):
                accept(client, "edit", set=[[[3, 3], i]])
            accept(client, "reset")
            assert len(folder.text()) < large + 100
            accept(client, "edit", set=[[[4, 4], 0]])
        with folder.server() as server, server.connect("lines") as client:
            rows = classes(client, (0, 0), (31, 31))
            assert [i for i in range(len(rows)) if rows[i] != 1] == [4 * 33]
            accept(client, "agent", name="a", cell=[0, 0])


@case(*SAVES)
def numbers_of_orders_are_in_it(kind):
    """An order that is repeated after a restart is done once; a reset forgets the numbers."""
    with Folder(WORLD) as folder:
        with folder.server(*options_of(kind)) as server, server.connect("lines") as client:
            accept(client, "hello", protocol=1, session="bob")
            assert "again" not in accept(client, "occupy", once=1, cells=[[7, 7]])
            assert "again" not in accept(client, "edit", once=3, set=[[[5, 5], 7]])
        with folder.server(*options_of(kind)) as server, server.connect("lines") as client:
            accept(client, "hello", protocol=1, session="bob")
            assert accept(client, "occupy", once=1, cells=[[7, 7]])["again"] is True
            assert accept(client, "edit", once=3, set=[[[5, 5], 0]])["again"] is True
            assert "again" not in accept(client, "edit", once=2, set=[[[6, 6], 7]])
            assert accept(client, "map", features=True)["units"] == [[7, 7]]
            accept(client, "reset")
            refuse(client, "forgotten", "edit", once=4, set=[[[5, 5], 0]])


@case()
def agents_at_random_places_are_in_it():
    with Folder(WORLD) as folder:
        with folder.server("--agents", "9") as server, server.connect("lines") as client:
            accept(client, "remove", names=["a3"])
            accept(client, "go", names=["a4"], to=[0, 0])
        for _ in range(2):
            with folder.server("--agents", "9") as server, server.connect("lines") as client:
                refuse(client, "bad_argument", "agent", name="a4", cell=[0, 0])
                answer = client.ask("halt", names=["a3"])
                assert answer.get("error") == "unknown", answer
        assert subprocess.run(["./wend", "run", folder.journal], stdout=subprocess.DEVNULL).returncode == 0


@case()
def edits_sent_together_are_judged_in_order():
    with Folder(WORLD) as folder, folder.server() as server, server.connect("lines") as client:
        client.send({"op": "edit", "id": 1, "links": [[[0, 0], [9, 9], 7]]})
        client.send({"op": "edit", "id": 2, "unlinks": [[[0, 0], [9, 9]]]})
        client.send({"op": "edit", "id": 3, "unlinks": [[[0, 0], [9, 9]]]})
        client.send({"op": "edit", "id": 4, "set": [[[1, 1], 0]]})
        assert client.answer(1)["epoch"] == 1 and client.answer(2)["epoch"] == 2
        assert client.answer(3)["error"] == "bad_argument" and client.answer(4)["epoch"] == 3


@case()
def it_may_be_torn_but_not_damaged():
    with Folder(WORLD) as folder:
        with folder.server() as server, server.connect("lines") as client:
            for x in range(3):
                accept(client, "edit", set=[[[x, 0], 0]])
        whole = folder.text()
        for tail in (b"set 9,9 blo", b"set 9,9 blocked\n", b"\0\0\0\0", b"set 9,9 blocked\npublish\n# sealed 01"):
            folder.put(whole + tail)
            with folder.server() as server, server.connect("lines") as client:
                assert "not whole" in server.words(), server.words()
                assert classes(client, (0, 0), (9, 9)) == [0, 0, 0] + [1] * 97
            assert folder.text() == whole
        for damaged in (whole.replace(b"set 1,0", b"set 1,1"), whole.replace(b"set 1,0", b"sit 1,0"),
                        whole.replace(b"map ", b"mop "), b"garbage\n" + whole, b"garbage",
                        whole.replace(b"publish\n", b"", 1)):
            folder.put(damaged)
            ended = subprocess.run(["./wend", "serve", os.path.join(folder.path, "world.wend"), "--listen",
                                    "127.0.0.1:0", "--journal", folder.journal], capture_output=True, text=True,
                                   timeout=PATIENCE)
            assert ended.returncode == 2 and ":" in ended.stderr, ended
            place = ended.stderr.split("journal.wend:", 1)[1].split(":")
            assert place[0].isdigit() and place[1].isdigit(), ended.stderr
            assert folder.text() == damaged


@case()
def one_server_writes_it():
    with Folder(WORLD) as folder, folder.server() as server:
        ended = subprocess.run(["./wend", "serve", server.world, "--listen", "127.0.0.1:0", "--journal",
                                folder.journal], capture_output=True, text=True, timeout=PATIENCE)
        assert ended.returncode == 2 and "another server" in ended.stderr, ended


def set_blocked(client, i):
    while client.ask("edit", set=[[[i % SIDE, i // SIDE], 0]]).get("error") == "too_fast":
        time.sleep(0.01)


@case()
def it_begins_again_where_it_has_grown():
    """One file next to it, whose save has all; where no save can be written it goes on without."""
    with Folder(WORLD) as folder:
        with folder.server("--journal-bytes", "3000") as server, server.connect("lines") as client:
            for i in range(200):
                set_blocked(client, i)
                assert len(folder.text()) < 3500
            names = set(os.listdir(folder.path)) - {"journal.wend", "stderr", "world.wend"}
            assert names in ({"journal.wend.save1"}, {"journal.wend.save2"}), names
            server.kill()
        with folder.server("--journal-bytes", "3000") as server, server.connect("lines") as client:
            assert classes(client, (0, 0), (SIDE - 1, SIDE - 1)).count(0) == 200
            for number in "12":  # folders are in the way
                path = f"{folder.journal}.save{number}"
                if not os.path.exists(path):
                    os.makedirs(path + "/full")
            for i in range(200, 260):
                set_blocked(client, i)
            assert len(folder.text()) > 3500 and "goes on without a save" in server.words(), server.words()
            server.kill()
        with folder.server() as server, server.connect("lines") as client:
            assert classes(client, (0, 0), (SIDE - 1, SIDE - 1)).count(0) == 260


@case()
def a_full_disk_refuses_and_loses_nothing():
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Folder(WORLD) as folder:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
        try:
            server = folder.server()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        with server, server.connect("lines") as client:
            good = 0
            while True:
                answer = client.ask("edit", set=[[[good % SIDE, good // SIDE], 0]])
                if "error" in answer:
                    break
                good += 1
            assert answer["error"] == "busy" and answer["text"] and good > 5, answer
            assert client.ask("occupy", cells=[[20, 20]]).get("error") == "busy"
            assert client.ask("agent", name="a", cell=[20, 20]).get("error") == "busy"
            assert search(client, **{"from": [30, 30]}, to=[20, 20], occupied="block")["status"] == "found"
            rows = classes(client, (0, 0), (SIDE - 1, SIDE - 1))
            assert rows.count(0) == good, (rows.count(0), good)
            accept(client, "reset")  # a new journal is short
            accept(client, "edit", set=[[[9, 9], 0]])
        with folder.server() as server, server.connect("lines") as client:
            rows = classes(client, (0, 0), (SIDE - 1, SIDE - 1))
            assert [i for i in range(len(rows)) if rows[i] == 0] == [9 * SIDE + 9]


class Requester(threading.Thread):
    """A client of one session that asks for paths, and comes back after each restart. It repeats, under the same ids,
    what it has no completion for."""

    def __init__(self, number, seed):
        self.number, self.random = number, random.Random(seed)
        self.secret, self.open, self.wrong = None, {}, []  # open: id to message
        self.finished = set()
        self.last = self.repeated = self.twice = 0

    def begin(self, server, asking):
        super().__init__()
        self.server, self.asking = server, asking
        self.start()

    def take(self, message):
        name = message.get("id")
        if "done" in message:
            self.twice += name in self.finished
            self.finished.add(name)
            self.open.pop(name, None)
        elif "error" in message or "lost" in message:
            self.wrong.append(message)

    def run(self):
        client = None
        try:
            client = self.server.connect("lines" if self.number % 2 else "ws")
            hello = {"op": "hello", "id": "h", "protocol": 1, "session": f"s {self.number}"}
            client.send(hello | ({"secret": self.secret} if self.secret else {}))
            self.secret = client.answer("h")["secret"]
            for message in self.open.values():
                client.send(message)
                self.repeated += 1
            while self.asking or self.open:
                while self.asking and len(self.open) < self.random.randrange(1, 30):
                    self.last += 1
                    x, y = self.random.randrange(SIDE), self.random.randrange(SIDE)
                    self.open[self.last] = {"op": "request", "id": self.last, "from": [0, 0], "to": [x, y],
                                            "cells": False}
                    client.send(self.open[self.last])
                self.take(client.receive())
        except (Closed, OSError):
            try:
                while client is not None:  # what the system had taken before the server was killed
                    self.take(client.receive())
            except (Closed, OSError):
                pass


@case()
def requests_are_repeated_after_a_restart():
    chance = random.Random(SEED)
    requesters = [Requester(number, chance.random()) for number in range(4)]
    with Folder(WORLD) as folder:
        server = folder.server("--hz", "100")
        try:
            for kill in range(KILLS // 2):
                for requester in requesters:
                    requester.begin(server, True)
                if kill % 10 == 0:
                    wait_until(lambda: any(requester.finished for requester in requesters))
                time.sleep(chance.random() * chance.random() * 0.3)
                server.kill()
                for requester in requesters:
                    requester.join()
                server.start()
            for requester in requesters:
                requester.begin(server, False)
            for requester in requesters:
                requester.join()
        finally:
            server.remove()
    total = [sum(r.last for r in requesters), sum(r.repeated for r in requesters), sum(r.twice for r in requesters)]
    print(f"  {KILLS // 2} kills, {total[0]} requests, {total[1]} repeated, {total[2]} answered twice")
    for requester in requesters:
        assert not requester.wrong and not requester.open and not requester.twice, (requester.wrong, requester.open)
        assert len(requester.finished) == requester.last
    assert total[0] > 0 or KILLS < 2, total


if __name__ == "__main__":
    CASES[:] = [c for c in CASES if c[0].__module__ == "__main__"]
    sys.exit(run_cases(os.environ.get("WEND_CASES", "")))
