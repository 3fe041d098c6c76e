# SPDX-License-Identifier: MIT
"""Nodes of several maps: messages that name a map, processes that end, clients over NATS, and balance."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from client import Lines, PATIENCE, WebSocket
from nats import NatsClient, NatsServer, is_here
from server import case, run_cases

LINE = {"from": [0, 0], "to": [9, 0]}


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.05)


class Nodes:
    """Nodes of the maps `town`, of 10 x 10 cells, and `field`, of 40 x 40."""

    def __init__(self, names="ab", *options, url=None):
        self.folder = tempfile.mkdtemp(prefix="wend-maps-")
        self.url = url or f"file:{self.folder}/store"
        for name, side in (("town", 10), ("field", 40)):
            with open(f"{self.folder}/{name}.wend", "w") as out:
                out.write(f"grid {side} {side}\n")
        with open(f"{self.folder}/maps", "w") as out:
            out.write("# two\ntown town.wend\n\nfield field.wend\n")
        self.options = options
        self.processes = {}
        for name in names:
            self.start(name)

    def start(self, name):
        with open(self.log(name), "w") as log:
            self.processes[name] = subprocess.Popen(
                ["./wend", "serve", "--maps", f"{self.folder}/maps", "--cluster", self.url, "--node", name, "--listen",
                 "127.0.0.1:0", "--lines", "127.0.0.1:0", "--hz", "50", *self.options], stderr=log)

    def log(self, name):
        return f"{self.folder}/log.{name}"

    def words(self, name):
        with open(self.log(name), errors="backslashreplace") as log:
            return log.read()

    def address(self, name, what=r"town.wend at \S+\n.*lines at 127.0.0.1:(\d+)"):
        wait_for(lambda: re.search(what, self.words(name)) or self.processes[name].poll() is not None)
        found = re.findall(what, self.words(name))
        assert found, self.words(name)
        return ("127.0.0.1", int(found[-1]))

    def client(self, name):
        return Lines(self.address(name))

    def status(self):
        done = subprocess.run(["./wend", "cluster", self.url, "status", "--json"], capture_output=True, check=True)
        return {m["map"]: m for m in json.loads(done.stdout)["maps"]}

    def wait_until_served(self, followers=1):
        def served():
            maps = self.status()
            return len(maps) == 2 and all(m["owner"] and len(m["replicas"]) >= followers for m in maps.values())
        wait_for(served)

    def move(self, name, node):
        subprocess.run(["./wend", "cluster", self.url, "move", name, node], check=True, stdout=subprocess.DEVNULL)

    def process_of(self, node, name):
        """The number of the process that serves a map."""
        for at in os.listdir("/proc"):
            try:
                with open(f"/proc/{at}/cmdline") as file, open(f"/proc/{at}/stat") as stat:
                    words = file.read().split("\0")
                    parent = int(stat.read().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            if parent == self.processes[node].pid and "--map" in words and words[words.index("--map") + 1] == name:
                return int(at)
        return None

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        statuses = {}
        for process in self.processes.values():
            process.terminate()
        for name, process in self.processes.items():
            statuses[name] = process.wait(PATIENCE)
            if kind is not None or statuses[name] != 0:
                print(f"  node {name} said: {self.words(name)[-600:]}")
        shutil.rmtree(self.folder, ignore_errors=True)
        assert kind is not None or all(status == 0 for status in statuses.values()), statuses


def check_messages(client):
    assert client.ask("map")["size"] == [10, 10]
    assert client.ask("map", map="town")["size"] == [10, 10]
    there = client.ask("map", map="field")
    assert there["size"] == [40, 40] and there["map"] == "field", there
    # an id belongs to a map: the same one is free on another
    assert client.ask("request", id="one", map="field", **{"from": [0, 0], "to": [39, 0]})["map"] == "field"
    assert "map" not in client.ask("request", id="one", **LINE)
    done = [client.wait(lambda m: m.get("type") == "done") for _ in range(2)]
    costs = {m.get("map"): m["done"]["cost"] for m in done}
    assert costs == {None: 90, "field": 390}, costs
    refused = client.ask("edit", map="field", set=[[[40, 0], 0]])
    assert refused["error"] == "out_of_range" and refused["map"] == "field", refused
    assert client.ask("map", map="nowhere")["error"] == "unknown"
    assert client.ask("map", map="../x")["error"] == "unknown"
    assert client.ask("map", map=7)["error"] == "bad_argument"
    assert client.ask("hello", map="field")["error"] == "bad_argument"


@case("lines", "ws")
def a_message_names_its_map(kind):
    with Nodes() as nodes:
        nodes.wait_until_served()
        for name in nodes.processes:
            where = nodes.address(name, r"town.wend at http://127.0.0.1:(\d+)/")
            with nodes.client(name) if kind == "lines" else WebSocket(where) as client:
                check_messages(client)


def edit_once_owned(client, cell):
    """While the map changes its owner, orders are refused as moved."""
    while True:
        answer = client.ask("edit", map="field", set=[[cell, 0]])
        if "epoch" in answer:
            return answer["epoch"]
        assert answer["error"] == "moved", answer
        time.sleep(0.05)


@case()
def orders_and_events_of_another_map():
    with Nodes() as nodes:
        nodes.wait_until_served()
        nodes.move("field", "a")
        for at, name in enumerate(nodes.processes):  # once with the owner near, once passed on twice
            with nodes.client(name) as client:
                agent = f"agent{at}"
                assert client.ask("subscribe", map="field", what=["edits"])["ok"] is True
                epoch = edit_once_owned(client, [9, 9 + at])
                client.event(event="edit", epoch=epoch)  # as `set`, or `fill` where it comes from the log
                assert client.ask("agent", map="field", name=agent, cell=[0, at])["ok"] is True
                assert client.ask("go", map="field", names=[agent], to=[5, at])["ok"] is True
                assert client.event(agent=agent, event="arrived")["cell"] == [5, at]
                assert agent not in client.ask("positions")["agents"]


@case()
def a_session_gets_what_another_map_said_while_it_was_away():
    with Nodes("a") as nodes:
        nodes.wait_until_served(0)
        with nodes.client("a") as client:
            secret = client.ask("hello", protocol=1, session="bob")["secret"]
            assert client.ask("pause", map="field")["ok"] is True
            assert client.ask("request", map="field", id=5, **LINE)["ok"] is True
        with nodes.client("a") as other:
            assert other.ask("resume", map="field")["ok"] is True
        with nodes.client("a") as client:
            assert client.ask("hello", protocol=1, session="bob", secret=secret)["ok"] is True
            assert client.wait(lambda m: m.get("map") == "field" and m.get("type") == "done")["done"]["cost"] == 90


@case()
def a_replica_never_owns():
    with Nodes("a", "--replica", "field") as nodes:
        wait_for(lambda: "town" in nodes.status())
        time.sleep(3)
        assert list(nodes.status()) == ["town"], nodes.status()
        with nodes.client("a") as client:
            assert client.ask("edit", map="field", set=[[[1, 1], 0]])["error"] == "moved"
            assert client.ask("map", map="field")["size"] == [40, 40]


@case()
def a_process_that_ends_is_started_again():
    with Nodes("a") as nodes:
        nodes.wait_until_served(0)
        with nodes.client("a") as client:
            assert client.ask("pause", map="field")["ok"] is True
            assert client.ask("request", map="field", id=5, **LINE)["ok"] is True
            assert client.ask("edit", map="field", set=[[[3, 0], 0]])["epoch"] == 1
            before = nodes.process_of("a", "field")
            os.kill(before, signal.SIGKILL)
            assert client.wait(lambda m: m.get("id") == 5 and m.get("lost"))["map"] == "field"
            assert client.event(event="gone") == {"event": "gone"}
            wait_for(lambda: nodes.process_of("a", "field") not in (None, before))
            wait_for(lambda: client.ask("edit", map="field", set=[[[3, 1], 0]]).get("epoch") == 2)
            assert client.ask("edit", set=[[[1, 1], 0]])["epoch"] == 1
        assert "ended with signal 9" in nodes.words("a")


@case()
def no_process_outlives_its_node():
    with Nodes("a") as nodes:
        nodes.wait_until_served(0)
        children = [nodes.process_of("a", name) for name in ("town", "field")]
        nodes.processes["a"].kill()
        nodes.processes["a"].wait()
        wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in children))
        nodes.start("a")
        nodes.wait_until_served(0)


@case()
def bad_lists():
    with tempfile.TemporaryDirectory(prefix="wend-maps-") as folder:
        path = f"{folder}/maps"
        with open(f"{folder}/good.wend", "w") as out:
            out.write("grid 4 4\n")
        good = ["--cluster", f"file:{folder}/store", "--node", "a"]
        for text, options, words in (
                ("town\n", good, "maps:1: a line is NAME FILE"),
                ("town good.wend more\n", good, "maps:1: a line is NAME FILE"),
                ("town good.wend\na.b good.wend\n", good, "maps:2: a map's name has"),
                ("town good.wend\n\ntown good.wend\n", good, "maps:3: map town is here twice"),
                ("# none\n", good, "it names no map"),
                ("".join(f"m{at} good.wend\n" for at in range(1025)), good, "maps:1025: a node has at most 1024 maps"),
                ("town nowhere.wend\n", good, "No such file"),
                ("town good.wend\n", good + ["--map", "x"], "goes without --map"),
                ("town good.wend\n", good + [f"{folder}/good.wend"], "stands instead of WORLD"),
                ("town good.wend\n", good + ["--replica", "x"], "there is no map x here"),
                ("town good.wend\n", good + ["--wander"], "goes without"),
                ("town good.wend\n", [], "goes with --cluster")):
            with open(path, "w") as out:
                out.write(text)
            done = subprocess.run(["./wend", "serve", "--maps", path, "--listen", "127.0.0.1:0", *options],
                                  capture_output=True, timeout=PATIENCE, check=False)
            assert done.returncode == 2 and words in done.stderr.decode(), (text[:40], options, done)


# ---- over NATS ----

def over_nats_a_message_alone():
    with NatsServer() as server, Nodes("a", url=server.url) as nodes:
        nodes.wait_until_served(0)
        with NatsClient(server.port) as client:
            reply = client.ask("wend.town.orders", {"op": "request", "id": 1, **LINE},
                               {"op": "request", "id": "\u00e9\"", **LINE}, {"op": "map", "id": 3}, {"op": "x", "id": 4},
                               {"op": "hello", "id": 5}, {"op": "subscribe", "id": 6, "what": []},
                               {"op": "map", "id": 7, "map": "field"}, "nonsense", {"op": "map"})
            assert len(reply) == 11, reply
            done = {m["id"]: m["done"] for m in reply if m.get("type") == "done"}
            assert {name: d["cost"] for name, d in done.items()} == {1: 90, "\u00e9\"": 90}, reply
            errors = {m["id"]: m["error"] for m in reply if "error" in m and m["id"] is not None}
            assert errors == {4: "unknown", 5: "bad_argument", 6: "bad_argument", 7: "bad_argument"}, errors
            assert sum(m.get("error") == "bad_message" for m in reply) == 2, reply
            # without anybody who waits
            client.send("PUB wend.town.orders 42", b'{"op":"edit","id":1,"set":[[[2,2],0]]}    ')
            wait_for(lambda: client.ask("wend.town.orders", {"op": "map", "id": 1})[0]["epoch"] == 1)
            assert client.ask("wend.nowhere.orders", {"op": "map", "id": 1}) is None
            # more than one has room for, all at once: those that come too late are busy
            replies = [client.publish("wend.field.orders", {"op": "request", "id": 1, **LINE}) for _ in range(2000)]
            answers = [client.take(reply) for reply in replies]
            found = sum(len(a) == 2 and a[1]["done"]["cost"] == 90 for a in answers)
            busy = sum(len(a) == 1 and a[0].get("error") == "busy" for a in answers)
            assert found >= 256 and found + busy == 2000, (found, busy)


def over_nats_a_session():
    with NatsServer() as server, Nodes("a", url=server.url) as nodes:
        nodes.wait_until_served(0)
        with NatsClient(server.port) as client:
            client.subscribe("wend.field.session.bob")
            def ask(op, **fields):
                return client.ask("wend.field.orders", {"op": op, "session": "bob", "id": 9, **fields})
            assert ask("request", id=1, **LINE)[0]["ok"] is True
            assert client.take("wend.field.session.bob")[0]["done"]["cost"] == 90
            assert ask("agent", name="a", cell=[0, 0])[0]["ok"] is True
            assert ask("go", names=["a"], to=[3, 0])[0]["ok"] is True
            assert client.take("wend.field.session.bob")[0]["event"]["event"] == "arrived"
            assert ask("request", session="b.c", **LINE)[0]["error"] == "bad_argument"
            # a request that waits is not searched twice
            assert ask("pause")[0]["ok"] is True
            for _ in range(3):
                assert ask("request", id=2, **LINE)[0]["ok"] is True
            assert ask("cancel", request=2)[0]["ok"] is True
            assert ask("resume")[0]["ok"] is True
            assert client.take("wend.field.session.bob")[0]["done"]["status"] == "cancelled"
            assert client.take("wend.field.session.bob", 0.3) is None


def over_nats_the_owner_is_killed():
    """Requests of a session, repeated until each has its completion, while owners are killed: each has one."""
    with NatsServer() as server, Nodes("ab", "--lease", "500", url=server.url) as nodes:
        nodes.wait_until_served()
        with NatsClient(server.port) as client:
            client.subscribe("wend.field.session.bob")
            left, got, epoch = set(range(300)), {}, 0
            end = time.monotonic() + PATIENCE
            kills = 0
            while left and time.monotonic() < end:
                batch = sorted(left)[:20]
                reply = client.publish("wend.field.orders", *[{"op": "request", "session": "bob", "id": at,
                                                               "from": [0, 0], "to": [at % 40, at % 39]} for at in batch])
                if kills < 3 and len(got) >= 60 * (kills + 1):
                    owner = nodes.status()["field"]["owner"]
                    pid = owner and nodes.process_of(owner, "field")
                    if pid:
                        os.kill(pid, signal.SIGKILL)
                        kills += 1
                client.take(reply, 0.5)
                while (lines := client.take("wend.field.session.bob", 0.2 if left else 0)) is not None:
                    for line in lines:
                        if line.get("type") == "done":
                            got.setdefault(line["id"], []).append(line["done"]["status"])
                            left.discard(line["id"])
            assert not left and kills == 3, (left, kills)
            # a completion came twice at most where it was asked for twice
            assert all(status == "found" for all_of in got.values() for status in all_of), got


def over_nats_the_busiest_node_gives_a_map_away():
    with NatsServer() as server, Nodes("ab", "--balance", "3", "--lease", "500", url=server.url) as nodes:
        nodes.wait_until_served()
        for name in ("town", "field"):
            nodes.move(name, "a")
        stop = threading.Event()

        def load(name):
            with NatsClient(server.port) as client:
                while not stop.is_set():
                    client.take(client.publish(f"wend.{name}.orders", *[{"op": "request", "id": at, **LINE}
                                                                        for at in range(400)]), 1)
        threads = [threading.Thread(target=load, args=(name,)) for name in ("town", "field")]
        for thread in threads:
            thread.start()
        try:
            wait_for(lambda: {m["owner"] for m in nodes.status().values()} == {"a", "b"})
        finally:
            stop.set()
            for thread in threads:
                thread.join()


if is_here():
    for function in (over_nats_a_message_alone, over_nats_a_session, over_nats_the_owner_is_killed,
                     over_nats_the_busiest_node_gives_a_map_away):
        case()(function)
else:
    print("skipped: NATS, as nats-server or libnats is missing here")
run_cases(sys.argv[1] if len(sys.argv) > 1 else "")
