# SPDX-License-Identifier: MIT
"""Three nodes of a map on three NATS servers under faults, and a checker that knows the protocols alone.

    faults.py FAULTS SEED [NAME...]     FAULTS: how many; the same seed gives the same ones; NAME: of these alone

WEND_NATS_SERVER names a nats-server that is fit for three replicas; without one the run fails. Clients block cells that
nobody blocks twice. An order has a `once` number and is repeated, at any node, until an answer decides. Checked:
(1) an edit that was acknowledged before another one was sent is before it in the log: edits are linearizable;
(2) each acknowledged order is in the log once, and three replicas, read one by one as leaders, have the same log;
(3) a claim's number is its term, and behind it no entry has an earlier term;
(4) each entry names the hash of the one before, and its number is its sequence;
(5) check entries and the words of all nodes have one state's hash at each number; all nodes end with one map;
(6) an order that was repeated is done once;
(7) after its owner was killed, the map takes orders within 1.35 leases and half a second, while NATS is up."""
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from nats import PATIENCE, free_port
from servers import Cluster, supported

SIDE, CLIENTS, LEASE_MS, NODES = 128, 3, 1000, "abc"
TAKEOVER_S = 1.35 * LEASE_MS / 1000 + 0.5
problems = []


def complain(text):
    problems.append(text)
    print(f"  WRONG: {text}", flush=True)


class Link:
    """A TCP proxy between a node and a NATS server, which can be cut, slow, silent, or silent one way."""

    def __init__(self, target):
        self.target, self.state, self.pairs = target, "up", []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            one, _ = self.listener.accept()
            try:
                if self.state == "cut":
                    raise OSError
                other = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            except OSError:
                one.close()
                continue
            other.settimeout(None)
            self.pairs.append((one, other))
            for source, sink, ways in ((one, other, ("silent",)), (other, one, ("silent", "one_way"))):
                threading.Thread(target=self.pump, args=(source, sink, ways), daemon=True).start()

    def pump(self, source, sink, silent):
        try:
            while data := source.recv(1 << 16):
                while self.state in silent:
                    time.sleep(0.02)
                if self.state == "slow":
                    time.sleep(0.1)
                sink.sendall(data)
        except OSError:
            pass
        self.close(source, sink)

    @staticmethod
    def close(*pair):
        for sock in pair:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def set(self, state):
        self.state = state
        if state == "cut":
            for pair in self.pairs:
                self.close(*pair)
            self.pairs = []


def clock_library(folder):
    """@return the path of a library that steps a process's real clock; None: no compiler, or it has no effect"""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stepped_clock.c")
    path, clock = os.path.join(folder, "clock.so"), os.path.join(folder, "try")
    if "sanitize" in os.environ.get("INSTRUMENT_FLAGS", ""):
        return None  # a sanitizer has to be loaded first
    try:
        subprocess.run([*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-o", path, source, "-ldl"], check=True)
        set_clock(clock, 1 << 30)
        said = subprocess.run(["date", "+%s"], env=with_clock(path, clock), check=True, capture_output=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return path if int(said) > time.time() + (1 << 29) else None


def set_clock(path, seconds):
    with open(path, "ab") as out:
        out.truncate(8)
    with open(path, "r+b") as out:
        out.write(seconds.to_bytes(8, sys.byteorder, signed=True))


def with_clock(library, path):
    return {**os.environ, "LD_PRELOAD": library, "WEND_CLOCK": path} if library else None


class Node:
    def __init__(self, name, town):
        self.name, self.town = name, town
        self.links = [Link(port) for port in town.nats.ports]
        self.lines, self.page, self.log = free_port(), free_port(), os.path.join(town.folder, f"{name}.log")
        self.clock = os.path.join(town.folder, f"clock-{name}")
        set_clock(self.clock, 0)
        self.process, self.down = None, True
        self.lock = threading.Lock()  # of a start by a fault, and one by the watcher

    def start(self):
        with self.lock, open(self.log, "a", encoding="utf-8") as log:
            if self.process and self.process.poll() is None:
                return
            self.down = False
            self.process = subprocess.Popen(
                ["./wend", "serve", self.town.world, "--map", "town", "--node", self.name, "--cluster",
                 ",".join(f"nats://127.0.0.1:{link.port}" for link in self.links), "--hz", "50",
                 "--lease", str(LEASE_MS), "--journal", f"{self.town.folder}/journal-{self.name}",
                 "--snapshot-entries", "500", "--listen", f"127.0.0.1:{self.page}", "--lines",
                 f"127.0.0.1:{self.lines}"], stderr=log, stdout=subprocess.DEVNULL,
                env=with_clock(self.town.clock, self.clock))

    def kill(self):
        with self.lock:
            self.down = True
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()

    def end(self):
        self.down = True
        self.process.terminate()
        if self.process.wait(PATIENCE) != 0:
            complain(f"node {self.name} ended with {self.process.returncode}")

    def set(self, state):
        for link in self.links:
            link.set(state)


class Gone(Exception):
    pass


class Talk:
    """Messages as lines with a node; raises Gone whenever it does not answer."""

    def __init__(self, node, timeout=2.0, **hello):
        try:
            self.sock = socket.create_connection(("127.0.0.1", node.lines), timeout=timeout)
        except OSError as error:
            raise Gone() from error
        self.bytes = b""
        self.hello = self.ask(op="hello", id="hello", protocol=1, **hello)

    def ask(self, **message):
        try:
            self.sock.sendall(json.dumps(message).encode() + b"\n")
            while True:
                while b"\n" not in self.bytes:
                    more = self.sock.recv(1 << 16)
                    if not more:
                        raise Gone()
                    self.bytes += more
                line, self.bytes = self.bytes.split(b"\n", 1)
                answer = json.loads(line)
                if answer.get("id") == message["id"]:
                    return answer
        except (OSError, ValueError) as error:
            raise Gone() from error

    def close(self):
        self.sock.close()


class Client(threading.Thread):
    """One edit after another; each is repeated until an answer decides."""

    def __init__(self, town, number, seed):
        super().__init__(daemon=True)
        self.town, self.number, self.random = town, number, random.Random(seed)
        self.cells = [(x, y) for y in range(number, SIDE, CLIENTS) for x in range(SIDE)]
        self.random.shuffle(self.cells)
        self.session, self.secrets, self.once, self.next = f"client{number}-{os.getpid()}", {}, 0, 0
        self.done = []    # (cell, sent, acknowledged) of edits that are in the log
        self.undone = []  # cells of edits that are not
        self.repeated = self.again = 0
        self.talk, self.node, self.stopped = None, None, False

    def reach(self):
        while not self.talk:
            self.node = self.random.choice(self.town.nodes)
            fields = {"secret": self.secrets[self.node.name]} if self.node.name in self.secrets else {}
            try:
                talk = Talk(self.node, session=self.session, **fields)
            except Gone:
                time.sleep(0.02)
                continue
            if "error" in talk.hello:
                self.secrets.pop(self.node.name, None)
                talk.close()
                continue
            self.secrets[self.node.name] = talk.hello["secret"]
            self.talk = talk

    def drop(self):
        if self.talk:
            self.talk.close()
        self.talk = None

    def edit(self):
        """Until `ok`: each answer but that leaves the order undone, or undecided, and the number makes it one order."""
        cell, sent, tries = self.cells.pop(), time.monotonic(), 0
        self.once += 1
        while not self.stopped or tries > 0:
            self.reach()
            self.next, tries = self.next + 1, tries + 1
            try:
                answer = self.talk.ask(op="edit", id=self.next, once=self.once, set=[[list(cell), 0]])
            except Gone:
                self.drop()
                continue
            if answer.get("ok"):
                self.done.append((cell, sent, time.monotonic()))
                self.repeated += tries > 1
                self.again += bool(answer.get("again"))
                return
            if answer["error"] not in ("moved", "busy", "unavailable", "uncertain"):
                complain(f"an edit: {answer}")
                self.undone.append(cell)
                return
            if answer["error"] == "moved":
                self.drop()
            time.sleep(0.02)

    def run(self):
        while not self.stopped and len(self.cells) > 40:
            self.edit()
            time.sleep(0.005)
        self.drop()


class Watcher(threading.Thread):
    """The log as it grows, entry by entry, and what the nodes say of themselves."""

    def __init__(self, town):
        super().__init__(daemon=True)
        self.town, self.entries, self.states, self.stopped = town, [], {}, False

    def read_more(self):
        with self.town.nats.raw(i=random.randrange(3)) as raw:
            raw.sock.settimeout(2)
            while True:
                answer = raw.api("STREAM.MSG.GET.WEND_town", {"seq": len(self.entries) + 1})
                if "message" not in answer:
                    return
                self.entries.append(raw.decode(answer))

    def heed(self, subject, payload):
        node = subject.rsplit(".", 1)[-1]
        line, _, why = payload.decode().partition("\n")
        found = re.match(r"seen role (\w+) sequence \d+ lag \d+ checked (\d+) state (\w+)", line)
        number, state = int(found[2]), found[3]
        if number > 0 and not why:
            self.states.setdefault(number, {})[node] = state

    def listen(self):
        while not self.stopped:
            try:
                with self.town.nats.raw(i=random.randrange(3)) as raw:
                    raw.sock.settimeout(2)
                    raw.subscribe("wend.seen.town.*")
                    for subject, payload in raw.deliveries():
                        self.heed(subject, payload)
                        if self.stopped:
                            return
            except (OSError, StopIteration):
                time.sleep(0.1)

    def run(self):
        threading.Thread(target=self.listen, daemon=True).start()
        while not self.stopped:
            try:
                self.read_more()
            except (OSError, StopIteration, KeyError, TypeError, ValueError):
                pass
            for node in self.town.nodes:  # as a supervisor does
                with node.lock:
                    ended = not node.down and node.process.poll() is not None
                if ended:
                    complain(f"node {node.name} ended by itself: {node.process.returncode}")
                    node.start()
            time.sleep(0.3)


class Town:
    """Three servers, three nodes, the clients, and the watcher."""

    def __init__(self, server, chance):
        self.folder = tempfile.mkdtemp(prefix="wend-faults-")
        self.world = os.path.join(self.folder, "town.wend")
        with open(self.world, "w", encoding="utf-8") as out:
            out.write(f"grid {SIDE} {SIDE}\n")
        self.nats = Cluster(server, 3).__enter__()
        subprocess.run(["./wend", "cluster", self.nats.url, "init", "town", self.world, "--replicas", "3"], check=True,
                       stdout=subprocess.DEVNULL)
        self.clock = clock_library(self.folder)
        self.nodes = [Node(name, self) for name in NODES]
        for node in self.nodes:
            node.start()
        self.clients = [Client(self, number, chance.random()) for number in range(CLIENTS)]
        self.watcher = Watcher(self)

    def acknowledged(self):
        return sum(len(client.done) for client in self.clients)

    def last_ok(self):
        return max((client.done[-1][2] for client in self.clients if client.done), default=0)

    def wait_for_orders(self):
        """Until each client has had an answer since now. @return seconds"""
        begin = time.monotonic()
        while self.last_ok() < begin and time.monotonic() < begin + 60:
            time.sleep(0.01)
        if self.last_ok() < begin:
            complain("no order is acknowledged a minute after the fault")
        return self.last_ok() - begin

    def owner(self):
        for node in self.nodes:
            try:
                talk = Talk(node, 0.5)
                talk.close()
            except Gone:
                continue
            for other in self.nodes:
                if other.name == talk.hello.get("node"):
                    return other
        return self.nodes[0]

    def close(self):
        for node in self.nodes:
            node.set("up")
            if problems:
                node.kill()
                with open(node.log, encoding="utf-8", errors="replace") as log:
                    print(f"  node {node.name} said: {log.read()[-2000:]}")
            else:
                node.end()
        self.nats.__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)


# ---- faults ----

def kill_owner(town, chance):
    """The one whose time is measured: NATS and the other nodes are up."""
    node = town.owner()
    node.kill()
    took = town.wait_for_orders()
    if took > TAKEOVER_S:
        complain(f"a takeover took {took:.2f} s, not {TAKEOVER_S:.2f} s")
    town.takeovers.append(took)
    node.start()


def kill_any(town, chance):
    node = chance.choice(town.nodes)
    node.kill()
    time.sleep(chance.uniform(0.1, 1.0))
    node.start()


def pause_owner(town, chance, node=None):
    node = node or town.owner()
    node.process.send_signal(signal.SIGSTOP)
    time.sleep(chance.uniform(0.1, 3) * LEASE_MS / 1000)
    node.process.send_signal(signal.SIGCONT)


def pause_any(town, chance):
    pause_owner(town, chance, chance.choice(town.nodes))


def move(town, chance):
    subprocess.run(["./wend", "cluster", town.nats.url, "move", "town", chance.choice(town.nodes).name], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE)


def link_fault(state):
    def fault(town, chance):
        node = town.owner() if chance.random() < 0.6 else chance.choice(town.nodes)
        node.set(state)
        time.sleep(chance.uniform(0.2, 2.5) * LEASE_MS / 1000)
        node.set("up")
    fault.__name__ = f"link_{state}"
    return fault


def kill_servers(count):
    def fault(town, chance):
        victims = chance.sample(range(3), count)
        for i in victims:
            town.nats.kill(i)
        time.sleep(chance.uniform(0.1, 2))
        for i in victims:
            town.nats.start(i)
        town.nats.wait_for_all()
    fault.__name__ = f"kill_nats_{count}"
    return fault


def leader_of(town):
    for i in range(3):
        try:
            with town.nats.raw(i=i) as raw:
                raw.sock.settimeout(2)
                return int(raw.api("STREAM.INFO.WEND_town")["cluster"]["leader"][1:])
        except (OSError, KeyError, StopIteration, ValueError):
            continue
    return 0


def pause_leader(town, chance):
    i = leader_of(town)
    town.nats.signal(i, signal.SIGSTOP)
    time.sleep(chance.uniform(1, 5))
    town.nats.signal(i, signal.SIGCONT)
    town.nats.wait_for_all()


def step_down(town, chance):
    with town.nats.raw(i=chance.randrange(3)) as raw:
        raw.api("STREAM.LEADER.STEPDOWN.WEND_town")
    time.sleep(1)


def step_clock(town, chance):
    """The real clock of a node jumps by hours, and stays so. None where it cannot: without a compiler."""
    if town.clock:
        set_clock(chance.choice(town.nodes).clock, chance.choice([-100, -1, 1, 100]) * 3600)
    time.sleep(1)


def full_disk(town, chance):
    """A limit of a file's size: the node's journal cannot grow. It may end; its supervisor starts it again."""
    node = chance.choice(town.nodes)
    path = f"{town.folder}/journal-{node.name}"
    size = os.path.getsize(path) if os.path.exists(path) else 0
    for limit in (f"{size + 200}", "unlimited"):
        subprocess.run(["prlimit", "--pid", str(node.process.pid), f"--fsize={limit}:"], check=False,
                       stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.5, 2))


FAULTS = [kill_owner, kill_owner, kill_any, pause_owner, pause_any, move, link_fault("cut"), link_fault("silent"),
          link_fault("slow"), link_fault("one_way"), kill_servers(1), kill_servers(2), kill_servers(3), pause_leader,
          step_down, step_clock, full_disk]


# ---- the end ----

def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def heads_of(entries):
    """(2) to (4). @return for each entry, its kind and the cells that it blocks"""
    heads, term, before = [], 0, 0
    for at, entry in enumerate(entries):
        line = entry.split(b"\n", 2)[1].decode()
        head = re.match(r"# map town entry (\d+) term (\d+) writer (\w+) after (\w{16}) (\w+)", line)
        if not head or int(head[1]) != at + 1:
            complain(f"entry {at + 1}: {line}")
            return heads
        if int(head[4], 16) != before:
            complain(f"entry {at + 1} was written behind another entry than the one before")
        if head[5] == "claim":
            if int(head[2]) != at + 1:
                complain(f"the claim {at + 1} has the term {head[2]}")
            term = at + 1
        elif int(head[2]) != term:
            complain(f"entry {at + 1} has the term {head[2]} behind the claim {term}")
        before = fnv(entry)
        cells = [(int(x), int(y)) for x, y in re.findall(rb"^set (\d+),(\d+) 0", entry, re.M)]
        heads.append((head[5], line, cells))
    return heads


def check_orders(heads, clients):
    places = {}
    for at, (_, _, cells) in enumerate(heads):
        for cell in cells:
            if cell in places:
                complain(f"the edit of {cell} is in the log twice: entries {places[cell] + 1} and {at + 1}")
            places[cell] = at
    done = [order for client in clients for order in client.done]
    for cell, _, _ in done:
        if cell not in places:
            complain(f"the edit of {cell} was acknowledged and is lost")
    for cell in (cell for client in clients for cell in client.undone):
        if cell in places:
            complain(f"the edit of {cell} was refused and is in the log")
    highest = []  # of edits by the time of their acknowledgement: the highest place so far
    for cell, _, ended in sorted(done, key=lambda order: order[2]):
        highest.append((ended, max(places.get(cell, 0), highest[-1][1] if highest else 0)))
    at = 0
    for cell, sent, _ in sorted(done, key=lambda order: order[1]):
        while at < len(highest) and highest[at][0] < sent:
            at += 1
        if at > 0 and places.get(cell, 0) < highest[at - 1][1]:
            complain(f"the edit of {cell} is before one that was acknowledged before it was sent")
    return set(places)


def check_states(heads, states):
    compared = 0
    for number, said in states.items():
        found = re.search(r"state (\w+)", heads[number - 1][1]) if 0 < number <= len(heads) else None
        for node, state in said.items():
            compared += 1
            if found and found[1] != state:
                complain(f"node {node} has state {state} at entry {number}, the log {found[1]}")
    return compared


def read_replicas(town, entries):
    """The log by each server as its leader; only what was not purged."""
    last, led = town.nats.last("WEND_town"), set()
    for _ in range(30):
        leader = leader_of(town)
        if leader not in led:
            with town.nats.raw(i=leader) as raw:
                for number in range(max(town.nats.first("WEND_town"), last - 300), last + 1):
                    if raw.entry("WEND_town", number) != entries[number - 1]:
                        complain(f"server {leader} has another entry {number}")
            led.add(leader)
        if len(led) == 3:
            return
        with town.nats.raw() as raw:
            raw.api("STREAM.LEADER.STEPDOWN.WEND_town")
        time.sleep(1)
        town.nats.wait_for_all()
    complain(f"only {sorted(led)} became leaders")


def maps_of(town):
    found = []
    for node in town.nodes:
        talk = Talk(node)
        answer = talk.ask(op="map", id=1, box=[[0, 0], [SIDE - 1, SIDE - 1]])
        talk.close()
        found.append({(i % SIDE, i // SIDE) for i, cell in enumerate(answer["classes"]) if cell == 0})
    return found


def check_maps(town, blocked):
    end, found = time.monotonic() + 60, []
    while time.monotonic() < end:
        try:
            found = maps_of(town)
        except (Gone, KeyError):
            found = []
        if found and all(one == blocked for one in found):
            return
        time.sleep(0.5)
    complain(f"the nodes do not have the log's map: {[len(one) for one in found]} cells, not {len(blocked)}")


def check(town):
    town.nats.wait_for_all()
    town.watcher.stopped = True
    town.watcher.join()
    town.watcher.read_more()
    heads = heads_of(town.watcher.entries)
    blocked = check_orders(heads, town.clients)
    check_maps(town, blocked)
    read_replicas(town, town.watcher.entries)
    return check_states(heads, town.watcher.states)


def run_round(server, chance, faults, count, counts):
    town = Town(server, chance)
    town.takeovers = []
    for thread in [*town.clients, town.watcher]:
        thread.start()
    try:
        town.wait_for_orders()
        for _ in range(count):
            fault = chance.choice(faults)
            counts[fault.__name__] = counts.get(fault.__name__, 0) + 1
            before = town.acknowledged()
            begin = time.monotonic()
            fault(town, chance)
            time.sleep(chance.uniform(0, 1.5) * LEASE_MS / 1000)
            town.wait_for_orders()
            print(f"  {fault.__name__}: {time.monotonic() - begin:.1f} s, {town.acknowledged() - before} edits", flush=True)
            if problems:
                break
        for client in town.clients:
            client.stopped = True
        for client in town.clients:
            client.join(60)
        compared = check(town)
        return [town.acknowledged(), sum(c.repeated for c in town.clients), sum(c.again for c in town.clients),
                len(town.watcher.entries), compared], town.takeovers
    finally:
        town.close()


def main():
    count, chance = int(sys.argv[1]), random.Random(int(sys.argv[2]))
    faults = [fault for fault in FAULTS if not sys.argv[3:] or fault.__name__ in sys.argv[3:]]
    server = supported()
    assert server, "three replicas need a supported nats-server: WEND_NATS_SERVER"
    done, counts, totals, takeovers, begin = 0, {}, [0] * 5, [], time.monotonic()
    while done < count and not problems:  # a round has fresh nodes, as edits use up the map
        numbers, times = run_round(server, chance, faults, min(count - done, 12), counts)
        totals = [a + b for a, b in zip(totals, numbers)]
        takeovers += times
        done += min(count - done, 12)
    print(f"{done} faults in {time.monotonic() - begin:.0f} s: {counts}; {totals[0]} edits acknowledged, {totals[1]} of "
          f"them after a repetition, {totals[2]} done before it; {totals[3]} entries, {totals[4]} hashes compared; "
          f"{len(takeovers)} takeovers, the longest {max(takeovers, default=0):.2f} s")
    if totals[0] == 0 and not problems:
        complain("nothing was acknowledged")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
