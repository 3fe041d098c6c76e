# SPDX-License-Identifier: MIT
"""Nodes of a cluster in a folder: orders that are passed on, reads of a follower, handing over, and takeovers."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))

import faults
from client import Lines, PATIENCE
from faults import Link, entries_of, second_line
from nats import Nats, is_here
from server import Server, case, run_cases

WORLD = "grid 32 32\n"


class Nodes:
    """Servers a, b and so on, of one map; each has a folder of its own. Over NATS each has a link of its own."""

    def __init__(self, names="ab", *options, store="file", world=WORLD):
        self.folder = tempfile.mkdtemp(prefix="wend-cluster-")
        self.nats = Nats(self.folder) if store == "nats" else None
        self.url = f"nats://127.0.0.1:{self.nats.port}" if self.nats else f"file:{self.folder}/store"
        self.options, self.world, self.nodes, self.links = options, world, {}, {}
        for name in names:
            self.add(name)

    def journal(self, name):
        return f"{self.folder}/journal-{name}"

    def add(self, name):
        """Start a further node."""
        url = self.url
        if self.nats:
            self.links[name] = Link(self.nats.port)
            url = f"nats://127.0.0.1:{self.links[name].port}"
        self.nodes[name] = Server("--node", name, "--cluster", url, "--map", "town", "--hz", "50", "--journal",
                                  self.journal(name), *self.options, world=self.world)
        return self.nodes[name]

    def heads(self):
        """The second lines of the log's entries."""
        if not self.nats:
            return [second_line(entry) for entry in entries_of(f"{self.folder}/store/log.town")]
        lines, sequence = [], 0
        while found := self.nats.entry("town", sequence + 1):
            entry, sequence = found
            lines.append(second_line(entry))
        return lines

    def since_snapshot(self):
        """How many entries the log has since then."""
        return next(at for at, line in enumerate(reversed(self.heads())) if "snapshot" in line)

    def lose_log(self):
        if self.nats:
            self.nats.kill()
            shutil.rmtree(self.nats.folder)
            self.nats.start()
        else:
            shutil.rmtree(f"{self.folder}/store")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        for node in self.nodes.values():
            if kind is None and node.process.poll() is None:
                status, words = node.terminate()  # so that sanitizers report
                assert status == 0, words[-2000:]
            node.remove()
        if self.nats:
            self.nats.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def client(self, name):
        return Lines(self.nodes[name].line_address)

    def status(self):
        done = subprocess.run(["./wend", "cluster", self.url, "status", "--json"], capture_output=True, check=True)
        return json.loads(done.stdout)

    def owner(self, but=None):
        """The owner's name, once there is one that serves."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for name, node in self.nodes.items():
                if name == but or node.process.poll() is not None:
                    continue
                with self.client(name) as client:
                    if client.ask("hello", protocol=1).get("node") == name and client.ask("resume").get("ok"):
                        return name
            time.sleep(0.05)
        raise AssertionError("nobody owns the map")

    def other(self, name):
        return next(one for one in self.nodes if one != name)


def wait_for(what):
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.05)


@case()
def orders_are_passed_on():
    with Nodes() as nodes:
        owner = nodes.owner()
        with nodes.client(owner) as here, nodes.client(nodes.other(owner)) as there:
            done = there.ask("edit", set=[[[3, 3], 0]])
            assert done["ok"] is True and done["epoch"] == 1 and done["term"] == 1, done
            assert here.ask("map", box=[[3, 3], [3, 3]])["classes"] == [0]
            assert there.ask("edit", set=[[[99, 3], 0]])["error"] == "out_of_range"
            assert there.ask("agent", name="a", cell=[1, 1])["ok"] is True
            assert there.ask("go", names=["a"], to=[5, 1])["ok"] is True
            assert there.event(agent="a", event="arrived")["cell"] == [5, 1]
            wait_for(lambda: there.ask("positions")["agents"] == {"a": [5, 1]})
            assert there.ask("reset")["ok"] is True
            wait_for(lambda: there.ask("positions")["agents"] == {})
            assert there.ask("map", box=[[3, 3], [3, 3]])["classes"] == [1]


def events_until(client, last):
    """What a watcher of edits hears, up to the event of an epoch."""
    heard = []
    while not heard or heard[-1].get("epoch") != last:
        heard.append(client.wait(lambda m: "event" in m and "agent" not in m["event"])["event"])
    return heard


@case("file", "nats")
def watchers_of_a_follower_hear_what_those_of_the_owner_hear(store):
    if store == "nats" and not is_here():
        return
    with Nodes(store=store) as nodes:
        owner = nodes.owner()
        with nodes.client(owner) as here, nodes.client(nodes.other(owner)) as there:
            for client in (here, there):
                assert client.ask("subscribe", what=["edits"])["ok"] is True
            for orders in (here, there):  # an order is told once, whoever gave it
                for op, fields in (("edit", {"set": [[[3, 3], 0], [[0, 0], 7]]}), ("edit", {"fill": [[[4, 4], [6, 5], 0]]}),
                                   ("occupy", {"cells": [[9, 9], [9, 9], [8, 9]]}), ("vacate", {"cells": [[9, 9]]}),
                                   ("edit", {"links": [[[1, 1], [20, 20], 5]], "steps": [[[7, 7], [8, 7], "blocked"]]}),
                                   ("edit", {"unlinks": [[[1, 1], [20, 20]]], "set": [[[3, 3], 1]]})):
                    while (last := orders.ask(op, **fields)).get("text") == "this node does not own the map":
                        time.sleep(0.05)  # it stood still for a lease
                    assert last.get("ok"), (op, last)
            heard = [events_until(client, last["epoch"]) for client in (here, there)]
            assert [e["event"] for e in heard[0]] == 2 * ["edit", "edit", "occupy", "vacate", "edit", "edit"], heard[0]
            assert heard[0] == heard[1], heard
            assert there.ask("reset")["ok"] is True
            for client in (here, there):
                client.event(event="reset")
                assert client.ask("map", box=[[4, 4], [4, 4]])["classes"] == [1]
                assert not [m for m in client.kept if "event" in m], client.kept


@case()
def a_read_only_node_passes_on_what_only_looks():
    with Nodes("a") as nodes:
        nodes.owner()
        reader = Server("--node", "r", "--cluster", nodes.url, "--map", "field", "--read-only", world=WORLD)
        try:
            with Lines(reader.line_address) as client, nodes.client("a") as town:
                town.ask("agent", name="bob", cell=[1, 1])
                for op, fields in (("edit", {"set": [[[3, 3], 0]]}), ("occupy", {"cells": [[9, 9]]}), ("reset", {}),
                                   ("agent", {"name": "eve", "cell": [5, 5]}), ("go", {"names": ["bob"], "to": [9, 9]}),
                                   ("pause", {}), ("pace", {"hz": 7}), ("load", {"chunk": [0, 0]}), ("of another release", {}),
                                   ("steer", {"name": "bob", "cell": [1, 2]})):
                    assert client.ask(op, map="town", **fields)["error"] == "denied", op
                assert client.ask("map", map="town", box=[[3, 3], [3, 3]])["classes"] == [1]
                assert client.ask("inspect", map="town", name="bob")["cell"] == [1, 1]
                assert client.ask("positions", map="town")["agents"] == {"bob": [1, 1]}
                assert client.ask("pace", map="town")["hz"] == 50
                for op in ("stats", "save"):
                    assert client.ask(op, map="town")["ok"] is True, op
                assert client.ask("subscribe", map="town", what=["edits"])["ok"] is True
                client.ask("request", id="way", map="town", **{"from": [0, 0], "to": [9, 0]})
                assert client.done("way")["cost"] == 90
                assert town.ask("edit", set=[[[3, 3], 0]])["epoch"] == 1  # it is the first
                assert client.event(event="edit")["epoch"] == 1
        finally:
            reader.terminate()
            reader.remove()


@case("file", "nats")
def places_of_many_agents_are_followed(store):
    if store == "nats" and not is_here():
        return
    names = [f"{at:05}-{'x' * 50}" for at in range(24000)]
    cells = [[at % 256 * 2, at // 256 * 2] for at in range(len(names))]
    world = "grid 512 512\n" + "".join(f"agent {name} {x},{y}\n" for name, (x, y) in zip(names, cells))
    with Nodes(store=store, world=world) as nodes:  # their places take two messages of NATS, and a part
        owner = nodes.owner()
        with nodes.client(owner) as here, nodes.client(nodes.other(owner)) as there:
            moved = {names[at]: [cells[at][0] + 1, cells[at][1] + 1] for at in range(0, len(names), 2399)}
            for name, cell in moved.items():
                answer = here.ask("go", names=[name], to=cell)
                assert answer.get("ok"), answer
            wait_for(lambda: all(there.ask("positions")["agents"][name] == cell for name, cell in moved.items()))


@case()
def a_follower_answers_at_an_epoch():
    with Nodes() as nodes:
        owner = nodes.owner()
        with nodes.client(owner) as here, nodes.client(nodes.other(owner)) as there:
            for x in range(20):
                epoch = here.ask("edit", set=[[[x, 5], 0]])["epoch"]
                answers = []
                for client in (here, there):
                    name = f"r{x}"
                    fields = {"id": name, "to": [9, 9], "at_least": epoch, "from": [9, 0]}
                    assert client.ask("request", **fields)["ok"] is True
                    answers.append(client.done(name))
                for member in ("status", "cost", "cells", "epoch"):
                    assert answers[0].get(member) == answers[1].get(member), answers
                assert answers[0]["epoch"] == epoch


@case()
def a_map_is_handed_over():
    with Nodes() as nodes:
        owner = nodes.owner()
        heir = nodes.other(owner)
        with nodes.client(owner) as client:
            assert client.ask("agent", name="a", cell=[7, 7])["ok"] is True
        wait_for(lambda: nodes.status()["maps"][0]["replicas"] == [{"node": heir, "lag": 0}])
        subprocess.run(["./wend", "cluster", nodes.url, "move", "town", heir], check=True, stdout=subprocess.DEVNULL)
        with nodes.client(owner) as client:
            wait_for(lambda: client.ask("edit", set=[[[2, 2], 0]]).get("term") == 2)
        with nodes.client(heir) as client:
            assert client.ask("positions")["agents"] == {"a": [7, 7]}
        told = nodes.status()
        assert told["maps"][0]["owner"] == heir and told["nodes"] == ["a", "b"], told
        subprocess.run(["./wend", "cluster", nodes.url, "drain", heir], check=True, stdout=subprocess.DEVNULL)
        assert nodes.status()["maps"][0]["owner"] == owner


@case()
def the_owner_is_killed():
    with Nodes("abc") as nodes:
        owner = nodes.owner()
        with nodes.client(owner) as client:
            assert client.ask("agent", name="far", cell=[0, 0])["ok"] is True
            assert client.ask("agent", name="slow", cell=[0, 9], speed=20)["ok"] is True
            assert client.ask("go", names=["far"], to=[20, 0])["ok"] is True
            assert client.ask("go", names=["slow"], to=[31, 9])["ok"] is True
            client.event(agent="far", event="arrived")
            epoch = client.ask("edit", set=[[[4, 4], 0]])["epoch"]
        time.sleep(0.5)  # the owner tells places four times a second
        nodes.nodes[owner].kill()
        after = nodes.owner(but=owner)
        with nodes.client(after) as client:
            agents = client.ask("positions")["agents"]
            assert agents["far"] == [20, 0] and agents["slow"][1] == 9 and agents["slow"] != [0, 9], agents
            answer = client.ask("edit", set=[[[4, 5], 0]])
            assert answer["epoch"] == epoch + 1 and answer["term"] == 2, answer
            assert client.ask("adjust", names=["slow"], speed=5000)["ok"] is True
            wait_for(lambda: client.ask("positions")["agents"]["slow"] == [31, 9])


# ---- snapshots ----

STORES = ("file", "nats") if is_here() else ("file",)
HOUSE = """grid 40 32
mover cart size=2
agent old 1,1
occupy 5,5
occupy 6,6
link 0,0 19,11 5
link 1,0 2,0 7
step 3,3 4,3 blocked
route there loop 0,0 5,0
"""


def change_all(client):
    """Something of all that the log has."""
    for op, fields in (("edit", {"set": [[[10, 5], 0], [[3, 3], 254]], "fill": [[[12, 0], [14, 3], 3]],
                                 "links": [[[7, 7], [8, 8], 4]], "unlinks": [[[1, 0], [2, 0]]],
                                 "steps": [[[3, 3], [4, 3], "open"], [[8, 1], [9, 1], "blocked"]]}),
                       ("occupy", {"cells": [[6, 6], [15, 10], [15, 10]]}), ("vacate", {"cells": [[5, 5]]}),
                       ("remove", {"names": ["old"]}),
                       ("agent", {"name": "big one", "cell": [20, 20], "mover": "cart", "speed": 90, "urgency": -4}),
                       ("agent", {"name": "ghost%20#=", "cell": [15, 10], "ghost": True}),
                       ("agent", {"name": "walker", "cell": [0, 30], "speed": 1}),
                       ("agent", {"name": "near", "cell": [30, 30], "speed": 1}),
                       ("agent", {"name": "afraid", "cell": [25, 30], "speed": 1}),
                       ("agent", {"name": "player", "cell": [30, 5]}),
                       ("agent", {"name": "guard", "cell": [0, 5], "speed": 1}),
                       ("route", {"name": "round trip", "mode": "back", "cells": [[0, 11], [9, 11]]}),
                       ("go", {"names": ["walker"], "to": [39, 30], "reach": 1}),
                       ("follow", {"name": "near", "target": "walker", "reach": 3}),
                       ("flee", {"name": "afraid", "target": "walker", "distance": 40, "keep": True}),
                       ("take", {"name": "guard", "route": "round trip"}), ("steer", {"name": "player", "cell": [30, 6]}),
                       ("adjust", {"names": ["near"], "urgency": 7})):
        assert client.ask(op, **fields).get("ok") is True, (op, fields)


def described(client):
    """The map, units, routes and agents. Of a route only the owner, where agents walk, knows the next cell."""
    picture = {"epoch": client.ask("map")["epoch"], "script": sorted(client.ask("save")["script"].split("\n"))}
    for name in sorted(client.ask("positions")["agents"]):
        about = client.ask("inspect", name=name)
        keys = ["wish", "goal", "steered", "speed", "urgency", "mover", "size"]
        picture[name] = {key: about.get(key) for key in keys if (name, key) != ("guard", "goal")}
    return picture


def edit_some(client, count, y=31):
    """Edits that leave the map as it was, and one epoch each."""
    for i in range(count):
        answer = client.ask("edit", set=[[[i % 32, y], i // 32 % 2]])
        assert answer.get("ok") is True, answer
    return answer["epoch"]


def cut_after(nodes, client, before="", orders=64):
    """Gives orders. @return the log's first line once it begins with a snapshot, another one than before"""
    edit_some(client, orders)
    wait_for(lambda: "snapshot 1 of" in nodes.heads()[0] and nodes.heads()[0] != before)
    return nodes.heads()[0]


@case(*STORES)
def a_node_begins_at_a_snapshot(store):
    with Nodes("a", "--snapshot-entries", "40", store=store, world=HOUSE) as nodes:
        owner = nodes.owner()
        with nodes.client(owner) as here:
            change_all(here)
            cut_after(nodes, here)
            epoch = edit_some(here, 5, 29)
            late = nodes.add("late")
            with nodes.client("late") as there:
                wait_for(lambda: there.ask("map")["epoch"] == epoch)
                late.say_of("(at the snapshot before entry)")
                wait_for(lambda: there.ask("positions")["agents"] == here.ask("positions")["agents"])
                one, two = described(here), described(there)
                assert one == two, (one, two)
                answers = []
                for client in (here, there):
                    assert client.ask("request", id="r", to=[9, 9], at_least=epoch, **{"from": [9, 0]})["ok"] is True
                    answers.append(client.done("r"))
                assert answers[0]["epoch"] == answers[1]["epoch"] == epoch, answers
        nodes.nodes[owner].kill()
        assert nodes.owner(but=owner) == "late"
        with nodes.client("late") as there:
            assert edit_some(there, 1, 29) == epoch + 1
            assert there.ask("adjust", names=["guard", "walker", "near", "afraid"], speed=5000)["ok"] is True
            wait_for(lambda: there.ask("positions")["agents"]["guard"][1] == 11)
            wait_for(lambda: there.ask("positions")["agents"]["walker"][0] >= 38)


@case(*STORES)
def a_follower_missed_what_was_cut(store):
    with Nodes("ab", "--snapshot-entries", "30", store=store) as nodes:
        owner = nodes.owner()
        slept = nodes.nodes[nodes.other(owner)]
        with nodes.client(owner) as here:
            first = cut_after(nodes, here)
            wait_for(lambda: nodes.status()["maps"][0]["replicas"][0]["lag"] == 0)
            slept.process.send_signal(signal.SIGSTOP)
            try:
                for _ in range(2):
                    first = cut_after(nodes, here, first)
            finally:
                slept.process.send_signal(signal.SIGCONT)
            assert here.ask("agent", name="a", cell=[1, 1])["ok"] is True
            epoch = edit_some(here, 3)
            with nodes.client(nodes.other(owner)) as there:
                wait_for(lambda: there.ask("map")["epoch"] == epoch)
                slept.say_of("(at the snapshot before entry)")
                for op, fields in (("map", {"box": [[0, 0], [31, 31]]}), ("positions", {})):
                    one, two = here.ask(op, **fields), there.ask(op, **fields)
                    assert one.get("classes") == two.get("classes") and one.get("agents") == two.get("agents")


@case(*STORES)
def a_reset_cuts(store):
    with Nodes("a", store=store) as nodes:
        with nodes.client(nodes.owner()) as here:
            edit_some(here, 10)
            assert here.ask("reset")["ok"] is True
            wait_for(lambda: nodes.heads()[0].endswith(" fresh"))
            epoch = edit_some(here, 3)
            nodes.add("late")
            with nodes.client("late") as there:
                wait_for(lambda: there.ask("map")["epoch"] == epoch == 3)


@case()
def the_owner_is_killed_in_a_snapshot():
    """The first of some pieces is in the log: a limit of files lets the last one not come."""
    with Nodes("ab", "--snapshot-entries", "30", "--lease", "4000", world="grid 512 512\n") as nodes:
        owner = nodes.owner()
        with nodes.client(owner) as here:
            first = cut_after(nodes, here)
            for top in range(0, 120, 20):  # each cell is a line of the snapshot
                cells = [[[x, y], 2 + x % 2] for y in range(top, top + 20) for x in range(512)]
                assert here.ask("edit", set=cells)["ok"] is True
            while nodes.since_snapshot() < 28:
                edit_some(here, 1, 509)
            size = os.path.getsize(f"{nodes.folder}/store/log.town")
            subprocess.run(["prlimit", "--pid", str(nodes.nodes[owner].process.pid), f"--fsize={size + 300000}:"],
                           check=True)
            for i in range(5):
                here.send({"op": "edit", "id": f"e{i}", "set": [[[i, 511], 0]]})
                time.sleep(0.4)
            wait_for(lambda: any(re.search("snapshot 1 of ([2-9]|1[0-9])", line) for line in nodes.heads()))
        nodes.nodes[owner].kill()
        heads = nodes.heads()  # the next owner soon makes one of its own
        after = nodes.owner(but=owner)
        assert heads[0] == first and not any(re.search(r"snapshot (\d+) of \1 ", line) for line in heads[1:]), heads
        nodes.add("late")
        with nodes.client(after) as here, nodes.client("late") as there:
            epoch = edit_some(here, 1, 509)
            wait_for(lambda: there.ask("map")["epoch"] >= epoch)
            one, two = (client.ask("map", box=[[0, 0], [511, 511]]) for client in (here, there))
            assert one["classes"] == two["classes"]
            cut_after(nodes, here, first)  # the new owner makes its own


@case(*STORES)
def a_node_ends_in_a_snapshot(store):
    """It is told to while pieces are on their way: it ends, and the next one has all that was acknowledged."""
    with Nodes("a", "--snapshot-entries", "20", store=store, world="grid 512 512\n") as nodes:
        nodes.owner()
        with nodes.client("a") as client:
            for top in range(0, 120, 20):
                cells = [[[x, y], 2 + x % 2] for y in range(top, top + 20) for x in range(512)]
                assert client.ask("edit", set=cells)["ok"] is True
            epoch = 0
            while not any(re.search(r"snapshot 1 of [^1]", line) for line in nodes.heads()[-2:]):
                epoch = edit_some(client, 1, 509)
        status, words = nodes.nodes["a"].terminate()
        assert status == 0, words[-2000:]
        nodes.nodes["a"].start()
        nodes.owner()
        with nodes.client("a") as client:
            assert client.ask("map")["epoch"] == epoch


@case()
def a_follower_of_a_log_that_was_lost():
    """It had fewer entries than the node that brought the log back, whose sequences are lower now: it says so, and
    follows once it is started again."""
    if "nats" not in STORES:
        print("  skipped: no NATS here")
        return
    with Nodes("ab", "--snapshot-entries", "20", "--lease", "1000", store="nats") as nodes:
        owner = nodes.owner()
        other = nodes.other(owner)
        with nodes.client(owner) as client:
            cut_after(nodes, client)
            wait_for(lambda: nodes.status()["maps"][0]["replicas"] == [{"node": other, "lag": 0}])
            nodes.links[other].set("cut")
            epoch = edit_some(client, 3, 9)
        nodes.nodes[owner].kill()
        nodes.lose_log()
        nodes.nodes[owner].start()
        with nodes.client(owner) as client:
            wait_for(lambda: client.ask("edit", set=[[[1, 9], 0]]).get("ok"))
            nodes.links[other].set("up")
            wait_for(lambda: nodes.nodes[other].process.poll() is not None)
            assert "another node brought it back" in nodes.nodes[other].words()
            nodes.nodes[other].start()
            with nodes.client(other) as late:
                wait_for(lambda: late.ask("map")["epoch"] == client.ask("map")["epoch"] > epoch)


@case(*STORES)
def a_lost_log_is_brought_back_by_a_cut_journal(store):
    with Nodes("ab", "--snapshot-entries", "30", store=store) as nodes:
        with nodes.client(nodes.owner()) as here:
            cut_after(nodes, here)
            assert here.ask("agent", name="a", cell=[1, 1])["ok"] is True
            epoch = edit_some(here, 3)
            cells = here.ask("map", box=[[0, 0], [31, 31]])["classes"]
        for name, node in nodes.nodes.items():
            wait_for(lambda: "snapshot 1 of" in second_line(next(entries_of(f"{nodes.journal(name)}/log.town"))))
            node.kill()
        nodes.lose_log()
        for node in nodes.nodes.values():
            node.start()
        owner = nodes.owner()
        assert "snapshot 1 of" in nodes.heads()[0]
        for name in nodes.nodes:
            with nodes.client(name) as client:
                wait_for(lambda: client.ask("map")["epoch"] == epoch)
                assert client.ask("map", box=[[0, 0], [31, 31]])["classes"] == cells
                assert client.ask("positions")["agents"] == {"a": [1, 1]}
        with nodes.client(owner) as here:
            assert edit_some(here, 1) == epoch + 1


@case()
def a_clock_that_was_set_hides_no_entries():
    """The log is lost, and a node whose clock was set forward comes back first: it waits for the one that has more."""
    with tempfile.TemporaryDirectory(prefix="wend-cluster-") as folder:
        library, clock, store = faults.clock_library(folder), f"{folder}/clock", f"{folder}/store"
        if not library:
            print("  skipped: no compiler here, or a sanitizer")
            return
        faults.set_clock(clock, 0)

        def start(name):
            plain = os.environ.copy()
            if name == "a":
                os.environ.update(LD_PRELOAD=library, WEND_CLOCK=clock)
            try:
                return Server("--node", name, "--cluster", f"file:{store}", "--map", "town", "--lease", "1000",
                              "--journal", f"{folder}/journal-{name}", world=WORLD)
            finally:
                os.environ.clear()
                os.environ.update(plain)

        def edit(node, x):
            with Lines(node.line_address) as client:
                wait_for(lambda: client.ask("edit", set=[[[x, 1], 0]]).get("ok"))

        def epoch(node):
            with Lines(node.line_address) as client:
                return client.ask("map")["epoch"]

        nodes = [start("a"), start("b")]
        try:
            edit(nodes[1], 1)
            wait_for(lambda: epoch(nodes[0]) == 1)
            nodes[0].kill()
            edit(nodes[1], 2)
            nodes[1].kill()
            shutil.rmtree(store)
            faults.set_clock(clock, 100 * 3600)
            nodes += [start("a"), start("b")]
            wait_for(lambda: [epoch(node) for node in nodes[2:]] == [2, 2])
            edit(nodes[2], 3)
        finally:
            for node in nodes:
                node.remove()


@case()
def an_owner_that_talks_nonsense():
    """Its lease and its answers are anything; the node that follows it goes on, and owns the map in the end."""
    answers = [b"", b"\n", b"{", b"[]\n", b"null\n", b'{"id":1}\n', b'{"id":"1","ok":1}\n', b"\xff" * 5000 + b"\n",
               b'{"id":1,"ok":true,"epoch":-1,"term":1e99,"x":{"y":[]}}\n', b'{"id":1,"error":"nonsense","text":7}\n',
               b'{"event":{"agent":"a","event":"x","cell":"y","frame":-1}}\n',
               b'{"event":{"agent":"a","event":"arrived","cell":[1e99,{},null]}}\n']
    with Nodes("a", "--lease", "1000") as nodes:
        nodes.owner()
        with socket.create_server(("127.0.0.1", 0)) as fake:
            port = fake.getsockname()[1]

            def play():
                for answer in answers:
                    try:
                        peer, _ = fake.accept()
                        with peer:
                            peer.recv(1 << 16)
                            time.sleep(0.05)
                            peer.sendall(answer)
                            time.sleep(0.05)
                    except OSError:
                        return

            def write(revision, text):
                with open(f"{nodes.folder}/fake", "w") as out:
                    out.write(f"{revision}\n{text}")
                os.rename(f"{nodes.folder}/fake", f"{nodes.folder}/store/key.town")

            threading.Thread(target=play, daemon=True).start()
            with nodes.client("a") as client:
                for turn in range(2 * len(answers)):
                    write(1000 + turn, f"term=9 node=z lines=127.0.0.1:{port} page=- heir=- entry=1 epoch=0 "
                          f"renewals={turn}")
                    client.send({"op": "edit", "id": turn, "set": [[[turn, 9], 0]]})
                    time.sleep(0.2)
                for text in ("term=10 node=\" lines=\" page=\" heir=- entry=1 epoch=0 renewals=1", "", "x" * 5000):
                    write(2000 + len(text), text)
                    time.sleep(0.2)
        with nodes.client("a") as client:
            wait_for(lambda: client.ask("edit", set=[[[1, 1], 0]]).get("ok"))


@case()
def bad_options():
    for options, words in ((["--node", "a"], "go together"), (["--cluster", "file:/tmp"], "go together"),
                           (["--cluster", "http://x", "--node", "a"], "nats://HOST:PORT or file:DIR"),
                           (["--cluster", "file:/tmp", "--node", "a b"], "a node's name has"),
                           (["--cluster", "file:/nowhere/at/all", "--node", "a"], "No such file"),
                           (["--replica", "m"], "go with --cluster"),
                           (["--cluster", "file:/tmp", "--node", "a", "--replica", "m"], "this node's map is problem1"),
                           (["--cluster", "file:/tmp", "--node", "a", "--wander"], "goes without")):
        with open("/dev/null") as nothing:
            done = subprocess.run(["./wend", "serve", os.path.join(os.environ.get("WEND_SRCDIR", "."), "data",
                                   "problem1.txt"), "--listen", "127.0.0.1:0", *options], stdin=nothing,
                                  capture_output=True, timeout=PATIENCE, check=False)
        assert done.returncode == 2 and words in done.stderr.decode(), (options, done)
    for words in (["file:/tmp"], ["file:/tmp", "move", "a"], ["file:/tmp", "move", "a.b", "c"]):
        assert subprocess.run(["./wend", "cluster", *words], capture_output=True, check=False).returncode == 2, words


run_cases(*sys.argv[1:])
