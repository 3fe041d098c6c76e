# SPDX-License-Identifier: MIT
"""Nodes of a cluster in a folder: orders that are passed on, reads of a follower, handing over, and takeovers."""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))

import faults
from client import Lines
from server import Server, case, run_cases

WORLD = "grid 32 32\n"


class Nodes:
    """Servers a, b and so on, of one map; each has a folder of its own."""

    def __init__(self, names="ab", *options):
        self.folder = tempfile.mkdtemp(prefix="wend-cluster-")
        self.url = f"file:{self.folder}/store"
        self.nodes = {name: Server("--node", name, "--cluster", self.url, "--map", "town", "--hz", "50", *options,
                                   world=WORLD) for name in names}

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        for node in self.nodes.values():
            if kind is None and node.process.poll() is None:
                status, words = node.terminate()  # so that sanitizers report
                assert status == 0, words[-2000:]
            node.remove()
        shutil.rmtree(self.folder, ignore_errors=True)

    def client(self, name):
        return Lines(self.nodes[name].line_address)

    def status(self):
        done = subprocess.run(["./wend", "cluster", self.url, "status", "--json"], capture_output=True, check=True)
        return json.loads(done.stdout)

    def owner(self, but=None):
        """The owner's name, once there is one that serves."""
        end = time.monotonic() + 60
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
    end = time.monotonic() + 60
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
                                  capture_output=True, timeout=60, check=False)
        assert done.returncode == 2 and words in done.stderr.decode(), (options, done)
    for words in (["file:/tmp"], ["file:/tmp", "move", "a"], ["file:/tmp", "move", "a.b", "c"]):
        assert subprocess.run(["./wend", "cluster", *words], capture_output=True, check=False).returncode == 2, words


run_cases()
