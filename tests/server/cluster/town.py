# SPDX-License-Identifier: MIT
"""Three nodes of a map on three NATS servers, clients that edit, and a watcher of all that the nodes say."""
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
import urllib.error
import urllib.request

from nats import PATIENCE, free_port
from servers import Cluster, Disk

SIDE, SHARED, CLIENTS, LEASE_MS, NODES = 128, 4, 3, 1000, "abc"
JOURNAL = b"# a journal of wend serve\n"  # the first line of each entry
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


class Clock:
    """A library that changes a process's clocks; None where there is no compiler, or it has no effect."""

    def __init__(self, folder):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stepped_clock.c")
        self.library, path = os.path.join(folder, "clock.so"), os.path.join(folder, "try")
        if "sanitize" in os.environ.get("INSTRUMENT_FLAGS", ""):
            self.library = None  # a sanitizer has to be loaded first
            return
        try:
            subprocess.run([*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-o", self.library, source, "-ldl"],
                           check=True)
            self.step(path, 1 << 30)
            said = subprocess.run(["date", "+%s"], env=self.environment(path), check=True, capture_output=True).stdout
        except (OSError, subprocess.SubprocessError):
            said = b"0"
        if int(said) < time.time() + (1 << 29):
            self.library = None

    @staticmethod
    def step(path, seconds):
        with open(path, "ab") as out:
            out.truncate(8)
        with open(path, "r+b") as out:
            out.write(seconds.to_bytes(8, sys.byteorder, signed=True))

    def environment(self, path, creep=1000):
        changes = {"LD_PRELOAD": self.library, "WEND_CLOCK": path, "WEND_CREEP": str(creep)}
        return {**os.environ, **changes} if self.library else None


class Node:
    def __init__(self, name, town):
        self.name, self.town = name, town
        self.links = [Link(port) for port in town.nats.ports]
        self.lines, self.page, self.log = free_port(), free_port(), os.path.join(town.folder, f"{name}.log")
        self.world = os.path.join(town.folder, f"{name}.wend")
        shutil.copy(town.world, self.world)
        self.disk = Disk(os.path.join(town.folder, f"disk-{name}"), 8)
        self.journal = os.path.join(self.disk.path, "journal")
        self.clock = os.path.join(town.folder, f"clock-{name}")
        town.clock.step(self.clock, 0)
        self.process, self.down = None, True  # down: nobody minds that it does not run
        self.lock = threading.Lock()  # of a start by a fault, and one by the watcher

    def start(self, creep=1000, tries=False):
        """@param tries   it may end, as something is wrong"""
        with self.lock, open(self.log, "a", encoding="utf-8") as log:
            if self.process and self.process.poll() is None:
                return
            self.down = tries
            self.process = subprocess.Popen(
                ["./wend", "serve", self.world, "--map", "town", "--node", self.name, "--cluster",
                 ",".join(f"nats://127.0.0.1:{link.port}" for link in self.links), "--hz", "50",
                 "--lease", str(LEASE_MS), "--journal", self.journal, "--snapshot-entries", "200", "--listen",
                 f"127.0.0.1:{self.page}", "--lines", f"127.0.0.1:{self.lines}"], stderr=log,
                stdout=subprocess.DEVNULL, env=self.town.clock.environment(self.clock, creep))

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

    def ready(self):
        """The status of /readyz, and its reasons; 0: there is no answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.page}/readyz", timeout=1) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.read().decode()
        except OSError:
            return 0, ""

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()

    def entries(self):
        """Those of its journal, by their numbers."""
        with open(self.journal, "rb") as file:
            parts = file.read().split(JOURNAL)[1:]
        return {int(part.split(b" ", 5)[4]): JOURNAL + part for part in parts}


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
    """One edit after another, of a cell of its own and of one that all edit; each is repeated until an answer decides."""

    def __init__(self, town, number, seed):
        super().__init__(daemon=True)
        self.town, self.number, self.random = town, number, random.Random(seed)
        self.cells = [(x, y) for y in range(1 + number, SIDE, CLIENTS) for x in range(SIDE)]
        self.random.shuffle(self.cells)
        self.session, self.secrets, self.once, self.next = f"client{number}-{os.getpid()}", {}, 0, 0
        self.done = []    # (cell, sent, acknowledged, epoch, again) of edits that are in the log
        self.undone = []  # cells of edits that are not
        self.reads = []   # (node, epoch, classes of the shared cells)
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
        shared = [[self.random.randrange(SHARED), 0], self.random.randrange(1, 200)]
        self.once += 1
        while not self.stopped or tries > 0:
            self.reach()
            self.next, tries = self.next + 1, tries + 1
            try:
                answer = self.talk.ask(op="edit", id=self.next, once=self.once, set=[[list(cell), 0], shared])
            except Gone:
                self.drop()
                continue
            if answer.get("ok"):
                again = bool(answer.get("again"))
                self.done.append((cell, sent, time.monotonic(), answer["epoch"], again))
                self.repeated += tries > 1
                self.again += again
                return
            if answer["error"] not in ("moved", "busy", "unavailable", "uncertain"):
                complain(f"an edit: {answer}")
                self.undone.append(cell)
                return
            if answer["error"] in ("moved", "unavailable"):
                self.drop()
            time.sleep(0.02)

    def read(self):
        """The shared cells, at any node."""
        node = self.random.choice(self.town.nodes)
        try:
            talk = Talk(node, 0.5)
            answer = talk.ask(op="map", id=1, box=[[0, 0], [SHARED - 1, 0]])
            talk.close()
        except Gone:
            return
        if "classes" in answer:
            self.reads.append((node.name, answer["epoch"], answer["classes"]))

    def run(self):
        while not self.stopped and len(self.cells) > 40:
            self.edit()
            if self.random.random() < 0.2:
                self.read()
            time.sleep(0.005)
        self.drop()


class Watcher(threading.Thread):
    """The log as it grows, entry by entry, and what the nodes say of themselves."""

    def __init__(self, town):
        super().__init__(daemon=True)
        self.town, self.entries, self.states, self.stopped = town, [], {}, False
        self.reasons = {}  # why nodes were not ready, and how often each was heard

    def read_more(self):
        with self.town.nats.raw(i=random.randrange(3)) as raw:
            raw.sock.settimeout(2)
            while True:
                answer = raw.api("STREAM.MSG.GET.WEND_town", {"seq": len(self.entries) + 1})
                if "message" in answer:
                    self.entries.append(raw.decode(answer))
                elif raw.api("STREAM.INFO.WEND_town").get("state", {}).get("first_seq", 0) <= len(self.entries) + 1 or \
                        not self.read_journals():
                    return

    def read_journals(self):
        """Of an entry that was purged before it was read here."""
        for node in self.town.nodes:
            if found := node.entries().get(len(self.entries) + 1):
                self.entries.append(found)
                return True
        return False

    def heed(self, subject, payload):
        node = subject.rsplit(".", 1)[-1]
        line, _, why = payload.decode().partition("\n")
        found = re.match(r"node .* checked (\d+) state (\w+) ", line)
        number, state = int(found[1]), found[2]
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

    def look(self):
        """(8): a node that is not ready says why. A node that ended is started again, as a supervisor does."""
        for node in self.town.nodes:
            with node.lock:
                ended = not node.down and node.process.poll() is not None
            if ended:
                complain(f"node {node.name} ended by itself: {node.process.returncode}")
                node.start()
            status, text = node.ready()
            if status not in (0, 200) and not (status == 503 and text.strip()):
                complain(f"node {node.name} answers {status} without a reason")
            for reason in text.splitlines() if status == 503 else []:
                reason = re.sub(r"\b[0-9a-f]{16}\b|\d+", "N", re.sub(r"nats:\S+:", "NATS:", reason))
                self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def run(self):
        threading.Thread(target=self.listen, daemon=True).start()
        while not self.stopped:
            try:
                self.read_more()
            except (OSError, StopIteration, KeyError, TypeError, ValueError):
                pass
            self.look()
            time.sleep(0.2)


class Stalls(threading.Thread):
    """How long this machine lets a process wait that wants to run: no node is quicker than that."""

    def __init__(self):
        super().__init__(daemon=True)
        self.longest = 0.0

    def run(self):
        while True:
            begin = time.monotonic()
            time.sleep(0.01)
            self.longest = max(self.longest, time.monotonic() - begin - 0.01)


class Town:
    """Three servers, three nodes, the clients, and the watcher."""

    def __init__(self, server, chance):
        self.folder = tempfile.mkdtemp(prefix="wend-faults-")
        self.world = os.path.join(self.folder, "town.wend")
        with open(self.world, "w", encoding="utf-8") as out:
            out.write(f"grid {SIDE} {SIDE}\n" + "".join(f"set {x},{SIDE - 1} 9\n" for x in range(0, SIDE, 2)))
        self.nats = Cluster(server, 3, disk_mib=96).__enter__()
        self.command("init", "town", self.world, "--replicas", "3")
        self.clock, self.takeovers = Clock(self.folder), []
        self.stalls = Stalls()
        self.stalls.start()
        self.nodes = [Node(name, self) for name in NODES]
        for node in self.nodes:
            node.start()
        self.clients = [Client(self, number, chance.random()) for number in range(CLIENTS)]
        self.watcher = Watcher(self)
        for thread in [*self.clients, self.watcher]:
            thread.start()

    def command(self, *words, may_fail=False):
        done = subprocess.run(["./wend", "cluster", self.nats.url, *words], check=False, capture_output=True, text=True,
                              timeout=PATIENCE)
        if done.returncode != 0 and not may_fail:
            complain(f"{words}: {done.returncode}, {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def acknowledged(self):
        return sum(len(client.done) for client in self.clients)

    def last_ok(self):
        return max((client.done[-1][2] for client in self.clients if client.done), default=0)

    def wait_for_orders(self):
        """Until a client has had an answer since now. @return seconds"""
        begin = time.monotonic()
        while self.last_ok() < begin and time.monotonic() < begin + 60:
            time.sleep(0.01)
        if self.last_ok() < begin:
            complain("no order is acknowledged a minute after the fault")
        return self.last_ok() - begin

    def wait_until_ready(self, seconds=60):
        """@return the nodes that are not, and why"""
        end = time.monotonic() + seconds
        while True:
            words = {node.name: node.ready() for node in self.nodes}
            others = {name: why for name, (status, why) in words.items() if status != 200}
            if not others or time.monotonic() > end:
                return others
            time.sleep(0.1)

    def expect_reason(self, nodes, pattern, seconds=20):
        """Each of these nodes is not ready soon, and says why."""
        end, found = time.monotonic() + seconds, None
        while time.monotonic() < end:
            found = [node.ready() for node in nodes]
            if all(status == 503 and re.search(pattern, why) for status, why in found):
                return
            time.sleep(0.1)
        complain(f"nodes do not say why they are not ready, {pattern}: {found}")

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

    def leader(self):
        """Which server leads the log."""
        for i in range(3):
            try:
                with self.nats.raw(i=i) as raw:
                    raw.sock.settimeout(2)
                    return int(raw.api("STREAM.INFO.WEND_town")["cluster"]["leader"][1:])
            except (OSError, KeyError, StopIteration, ValueError):
                continue
        return 0

    def close(self):
        for node in self.nodes:
            node.set("up")
            if problems:
                node.kill()
                print(f"  node {node.name} said: {node.said()[-2000:]}")
            else:
                node.end()
            node.disk.close()
        self.nats.__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)
