# SPDX-License-Identifier: MIT
"""What a cluster costs: bench/cluster.py [WEND [PART...]]. Prints CSV: measure, value, unit.

Requests and edits by lines, at the owner and at a follower, per second of the nodes' processor time, which hardly
depends on what else the machine does; takeovers and handovers; how far a follower is behind; and the bytes and messages
that docs/scale.md counts with. It needs nats-server."""
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "server", "cluster"))

from nats import free_port

WEND = sys.argv[1] if len(sys.argv) > 1 else "build/wend"
HERE = os.path.dirname(os.path.abspath(__file__))
WORLD = os.path.join(HERE, "..", "data", "caves512.map")
TICK = os.sysconf("SC_CLK_TCK")
LEASE_MS = 2000
ANY = "--nats-any-version"


def cpu_s(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / TICK


class Client:
    """Messages as lines; answers are read as they come."""

    def __init__(self, address):
        self.socket = socket.create_connection(address, timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        self.next = 0

    def send(self, messages):
        self.socket.sendall(b"".join(json.dumps(one).encode() + b"\n" for one in messages))

    def ask(self, op, **fields):
        self.next += 1
        self.send([{"op": op, "id": self.next, **fields}])
        for line in self.file:
            answer = json.loads(line)
            if answer.get("id") == self.next and ("ok" in answer or "error" in answer):
                return answer
        raise ConnectionError("closed")

    def close(self):
        self.file.close()
        self.socket.close()


class Nodes:
    def __init__(self, names, agents=0):
        self.folder = tempfile.mkdtemp(prefix="wend-bench-")
        port = self.port = free_port()
        self.url = f"nats://127.0.0.1:{port}"
        self.monitor = free_port()
        self.nats = subprocess.Popen(["nats-server", "-a", "127.0.0.1", "-p", str(port), "-js", "-sd",
                                      self.folder + "/nats", "-m", str(self.monitor)], stderr=subprocess.DEVNULL)
        while subprocess.run([WEND, "cluster", self.url, "init", "m", WORLD, ANY], capture_output=True,
                             check=False).returncode:
            time.sleep(0.05)
        self.agents, self.lines, self.running = agents, {}, {}
        for name in names:
            self.lines[name] = ("127.0.0.1", free_port())
            self.start(name)

    def start(self, name):
        words = [WEND, "serve", WORLD, "--cluster", self.url, "--node", name, "--map", "m", "--agents",
                 str(self.agents), "--listen", "127.0.0.1:0", "--lines", "%s:%d" % self.lines[name], "--lease",
                 str(LEASE_MS), ANY, "--max-edits", "1000000", "--max-messages", "100000000"]
        self.running[name] = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def client(self, name):
        end = time.monotonic() + 20
        while True:
            try:
                return Client(self.lines[name])
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def owner(self):
        """Who owns the map, as each node that runs says."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            for name, process in self.running.items():
                if process.poll() is None:
                    client = self.client(name)
                    known = client.ask("hello", protocol=1).get("node")
                    client.close()
                    if known in self.running and self.running[known].poll() is None:
                        return known
            time.sleep(0.05)
        sys.exit("nobody owns the map")

    def followers(self):
        owner = self.owner()
        return [name for name in self.running if name != owner]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.running.values(), self.nats]:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def row(measure, value, unit):
    print(f"{measure},{value:.6g},{unit}", flush=True)


OPEN = []


def open_cells():
    """Cells of the map from one of which to another one short paths lead."""
    if not OPEN:
        with open(WORLD, encoding="ascii") as file:
            rows = file.read().split("map\n", 1)[1].split("\n")
        OPEN.extend((x, y) for y in range(512) for x in range(512) if rows[y][x] == ".")
    return OPEN


def messages(op, count):
    """Paths of some 20 cells, or edits of a cell."""
    cells, rng, open_set = open_cells(), random.Random(1), set(open_cells())
    for i in range(count):
        x, y = rng.choice(cells)
        if op == "request":
            near = [(x + dx, y + dy) for dx in (-12, 0, 12) for dy in (-12, 0, 12) if (x + dx, y + dy) in open_set]
            yield {"op": op, "id": i, "from": [x, y], "to": rng.choice(near)}
        else:
            yield {"op": op, "id": i, "set": [[[x, y], i % 2 + 1]]}


def received(nodes):
    """Messages and bytes that the NATS server got."""
    with urllib.request.urlopen(f"http://127.0.0.1:{nodes.monitor}/varz") as answer:
        told = json.load(answer)
    return told["in_msgs"], told["in_bytes"]


def rate(nodes, names, op, count, in_flight):
    """Messages a second of processor time of all nodes, and of the clock; one client at each of `names`."""
    clients = [nodes.client(name) for name in names]
    waiting = [list(messages(op, count)) for _ in clients]
    last = "done" if op == "request" else "ok"
    before, begun = {n: cpu_s(p) for n, p in nodes.running.items()}, time.monotonic()
    open_now = [0] * len(clients)
    done, total = 0, count * len(clients)
    while done < total:
        for i, client in enumerate(clients):
            if waiting[i] and open_now[i] <= in_flight // 2:
                part, waiting[i] = waiting[i][:in_flight - open_now[i]], waiting[i][in_flight - open_now[i]:]
                client.send(part)
                open_now[i] += len(part)
            if open_now[i] == 0:
                continue
            answer = json.loads(client.file.readline())
            if answer.get("error"):
                sys.exit(f"{op}: {answer}")
            if last in answer:
                done, open_now[i] = done + 1, open_now[i] - 1
    spent = sum(cpu_s(p) - before[n] for n, p in nodes.running.items())
    clock = time.monotonic() - begun
    for client in clients:
        client.close()
    return total / max(spent, 1 / TICK), total / clock


def throughput():
    for names in ("a", "ab", "abcd", "abcdefgh"):
        with Nodes(names) as nodes:
            owner = nodes.owner()
            time.sleep(0.5)
            per_cpu, per_s = rate(nodes, list(names), "request", 96000 // len(names), 1000)
            row(f"requests at {len(names)} nodes", per_cpu, "1/s of processor time")
            row(f"requests at {len(names)} nodes", per_s, "1/s")
            if len(names) == 2:
                per_cpu, per_s = rate(nodes, [owner], "edit", 30000, 64)
                row("edits", per_cpu, "1/s of processor time of both nodes")
                row("edits", per_s, "1/s")


def lag():
    """From the owner's ok to the event at a follower."""
    with Nodes("ab") as nodes:
        owner = nodes.owner()
        here, there = nodes.client(owner), nodes.client(nodes.followers()[0])
        there.ask("subscribe", what=["edits"], every=1)
        found = []
        for i in range(300):
            x, y = open_cells()[i * 37]
            here.ask("edit", set=[[[x, y], 0]])
            ok = time.monotonic()
            while b'"edit"' not in there.file.readline():
                pass
            found.append((time.monotonic() - ok) * 1000)
        found.sort()
        row("a follower's lag, median", found[len(found) // 2], "ms")
        row("a follower's lag, p99", found[len(found) * 99 // 100], "ms")


def client_of(address):
    host, port = address.rsplit(":", 1)
    try:
        return Client((host, int(port)))
    except OSError:
        return None  # it was killed


def pause_of_edits(nodes, name, act):
    """The longest time between two acknowledged edits while something happens; they begin at `name`, which may send them
    elsewhere."""
    home, client, last, longest, i = nodes.client(name), None, time.monotonic(), 0.0, 0
    acted, end = False, time.monotonic() + 5
    while time.monotonic() < end:
        x, y = open_cells()[i % 1000]
        i += 1
        try:
            answer = (client or home).ask("edit", set=[[[x, y], 1]])
        except OSError:
            client, answer = None, {}
        if answer.get("ok"):
            now = time.monotonic()
            longest, last = max(longest, now - last), now
        elif "address" in answer:
            client = client_of(answer["address"])
        if not acted and end - time.monotonic() < 4:
            acted, longest = True, 0.0
            act()
        time.sleep(0.002)
    return max(longest, time.monotonic() - last)


def takeovers():
    killed, moved = [], []
    with Nodes("abc") as nodes:
        for _ in range(3):
            owner = nodes.owner()
            killed.append(pause_of_edits(nodes, nodes.followers()[0], nodes.running[owner].kill))
            nodes.running[owner].wait()
            nodes.start(owner)
            nodes.client(owner).close()
            time.sleep(2)
            heir = nodes.followers()[0]
            moved.append(pause_of_edits(nodes, heir, lambda to=heir: subprocess.Popen(
                [WEND, "cluster", nodes.url, "move", "m", to, ANY], stdout=subprocess.DEVNULL)))
    for what, found in (("the owner is killed", killed), ("it hands over", moved)):
        row(f"{what}: longest pause of edits, median of 3", statistics.median(found) * 1000, "ms")
        row(f"{what}: longest pause of edits, most", max(found) * 1000, "ms")


def standing_costs():
    """A second of a map with a thousand walkers: processor time, and bytes that reach the store."""
    with Nodes("ab", 1000) as nodes:
        owner = nodes.owner()
        client = nodes.client(owner)
        while len(client.ask("positions")["agents"]) < 1000:
            time.sleep(0.05)
        names, cells = list(client.ask("positions")["agents"]), open_cells()
        orders, begun = 0, time.monotonic()
        before = {n: cpu_s(p) for n, p in nodes.running.items()}
        told, nats_before = received(nodes), cpu_s(nodes.nats)
        while time.monotonic() < begun + 10:
            for _ in range(10):  # a hundred agents a second have another wish
                client.ask("go", names=[random.choice(names)], to=list(random.choice(cells)))
                orders += 1
            time.sleep(0.1)
        clock = time.monotonic() - begun
        for name, process in nodes.running.items():
            row(f"1,000 walkers, {'the owner' if name == owner else 'a follower'}",
                (cpu_s(process) - before[name]) / clock * 1000, "ms of processor time a second")
        row("1,000 walkers: wishes", orders / clock, "1/s")
        messages_now, bytes_now = received(nodes)
        row("1,000 walkers: messages that NATS gets", (messages_now - told[0]) / clock, "1/s")
        row("1,000 walkers: bytes that NATS gets", (bytes_now - told[1]) / clock / 1000, "KB/s")
        row("1,000 walkers: NATS", (cpu_s(nodes.nats) - nats_before) / clock * 1000,
            "ms of processor time a second")
        quiet, begun = received(nodes), time.monotonic()
        time.sleep(10)
        clock = time.monotonic() - begun
        messages_now, bytes_now = received(nodes)
        row("1,000 walkers, no wishes: messages that NATS gets", (messages_now - quiet[0]) / clock, "1/s")
        row("1,000 walkers, no wishes: bytes that NATS gets", (bytes_now - quiet[1]) / clock / 1000, "KB/s")


def main():
    print("measure,value,unit")
    if not shutil.which("nats-server"):
        sys.exit("nats-server is not here")
    for part in (throughput, lag, takeovers, standing_costs):
        if not sys.argv[2:] or part.__name__ in sys.argv[2:]:
            part()


main()
