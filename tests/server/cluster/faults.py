# SPDX-License-Identifier: MIT
"""Three nodes of a cluster under faults, and a checker that knows the protocol alone.

    faults.py STORE FAULTS SEED     STORE: file, nats or spaces; FAULTS: how many; the same seed gives the same faults

`spaces` is NATS with each node in a network namespace of its own, so packets are lost as on a wire; it needs root.

Clients edit cells that are theirs alone, add agents, and ask for paths; whoever loses its node goes to another one and
repeats its requests under the same session and id. Checked at the end, and while it runs:
- what was acknowledged is there, on every node, and nothing that nobody sent;
- at one epoch all nodes have the same map;
- acknowledged edits have epochs of their own, and where the epoch is higher, the term is not lower;
- each request has one completion, delivered once."""
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from nats import Nats, PATIENCE, free_port

SIDE, CLIENTS, LEASE_MS = 64, 3, 1000
SNAPSHOT_ENTRIES = 20  # so few that snapshots and cuts happen all the time
NODES, TOKEN = "abc", "of-the-test"
problems = []


def complain(text):
    problems.append(text)
    print(f"  WRONG: {text}", flush=True)


class Link:
    """A TCP proxy between a node and the NATS server, which can be cut, slow, or silent."""

    def __init__(self, target):
        self.target, self.state, self.pairs = target, "up", []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                one, _ = self.listener.accept()
                if self.state == "cut":
                    one.close()
                    continue
                other = socket.create_connection(("127.0.0.1", self.target), timeout=5)
                other.settimeout(None)
            except OSError:
                one.close()
                continue
            self.pairs.append((one, other))
            for source, sink in ((one, other), (other, one)):
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    def pump(self, source, sink):
        try:
            while True:
                data = source.recv(1 << 16)
                while self.state == "silent":
                    time.sleep(0.02)
                if self.state == "slow":
                    time.sleep(0.1)
                if not data:
                    break
                sink.sendall(data)
        except OSError:
            pass
        for sock in (source, sink):
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def set(self, state):
        self.state = state
        if state == "cut":
            for pair in self.pairs:
                for sock in pair:
                    try:
                        sock.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass
            self.pairs = []


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE)


class Bridge:
    """A network on which every node has a namespace and a wire of its own."""

    def __init__(self):
        self.name, self.net, self.wires = f"wend{os.getpid() % 100000}", f"10.{os.getpid() % 200 + 20}.7", []
        try:
            run("ip", "link", "add", self.name, "type", "bridge")
            run("ip", "address", "add", f"{self.net}.254/24", "dev", self.name)
            run("ip", "link", "set", self.name, "up")
        except (OSError, subprocess.SubprocessError):
            self.close()
            print("skipped: no network namespaces here: they need root, and ip of iproute2")
            sys.exit(77)

    def close(self):
        for wire in self.wires:
            subprocess.run(["ip", "netns", "delete", wire.space], stderr=subprocess.DEVNULL, check=False)
        subprocess.run(["ip", "link", "delete", self.name], stderr=subprocess.DEVNULL, check=False)


class Wire:
    """The link of a node on a bridge: it can be down, or slow and lossy where the kernel has netem."""

    def __init__(self, bridge, number):
        self.bridge, self.space, self.end = bridge, f"{bridge.name}{number}", f"{bridge.name}w{number}"
        self.address = f"{bridge.net}.{number + 1}"
        bridge.wires.append(self)
        run("ip", "netns", "add", self.space)
        run("ip", "link", "add", self.end, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        run("ip", "link", "set", self.end, "master", bridge.name, "up")
        for words in (("address", "add", f"{self.address}/24", "dev", "eth0"), ("link", "set", "eth0", "up"),
                      ("link", "set", "lo", "up")):
            run("ip", "-n", self.space, *words)

    def shape(self, *words):
        run("tc", "qdisc", "replace", "dev", self.end, "root", *words)

    def has_netem(self):
        try:
            self.shape("netem", "delay", "1ms")
            self.shape("pfifo")
        except (OSError, subprocess.SubprocessError):
            return False
        return True

    def set(self, state):
        if state == "cut":
            run("ip", "link", "set", self.end, "down")
        elif state == "slow":
            self.shape("netem", "delay", "150ms", "100ms", "loss", "10%")
        else:
            run("ip", "link", "set", self.end, "up")
            if self.has_netem():
                self.shape("pfifo")


def clock_library(folder):
    """@return the path of a library that steps a process's real clock; None: no compiler, or it has no effect"""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stepped_clock.c")
    path = os.path.join(folder, "clock.so")
    if "sanitize" in os.environ.get("INSTRUMENT_FLAGS", ""):
        return None  # a sanitizer has to be loaded first
    try:
        run(*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-o", path, source, "-ldl")
        set_clock(os.path.join(folder, "try"), 1 << 30)
        said = subprocess.run(["date", "+%s"], env=clock_environment(path, os.path.join(folder, "try")), check=True,
                              capture_output=True, timeout=PATIENCE).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return path if int(said) > time.time() + (1 << 29) else None


def set_clock(path, seconds):
    with open(path, "ab") as out:
        out.truncate(8)
    with open(path, "r+b") as out:
        out.write(seconds.to_bytes(8, sys.byteorder, signed=True))


def clock_environment(library, path):
    return {**os.environ, "LD_PRELOAD": library, "WEND_CLOCK": path} if library else None


def entries_of(path):
    """The entries of a log in a folder: before each are 57 bytes that say its size."""
    with open(path, "rb") as file:
        while len(head := file.read(57)) == 57:
            size = int(head.split()[2], 16)
            if len(entry := file.read(size)) < size:
                return  # it is being written
            yield entry


def second_line(entry):
    return entry[:300].decode(errors="replace").split("\n")[1]


class Node:
    def __init__(self, name, cluster):
        self.name, self.cluster = name, cluster
        if cluster.bridge:
            self.link = Wire(cluster.bridge, NODES.index(name))
            self.address, nats = self.link.address, f"{cluster.bridge.net}.254:{cluster.nats.port}"
        else:
            self.link = Link(cluster.nats.port) if cluster.nats else None
            self.address, nats = "127.0.0.1", f"127.0.0.1:{self.link.port}" if self.link else None
        self.url = f"nats://{nats}" if nats else f"file:{cluster.folder}/store"
        self.lines, self.page, self.log = free_port(), free_port(), os.path.join(cluster.folder, f"{name}.log")
        self.clock = os.path.join(cluster.folder, f"clock-{name}")
        self.seconds_off = 0
        set_clock(self.clock, 0)
        self.process, self.down, self.ended = None, True, 0
        self.lock = threading.Lock()  # of a start by a fault, and one by keep()

    def start(self):
        with self.lock:
            self.start_locked()

    def start_locked(self):
        self.down = False
        inside = ["ip", "netns", "exec", self.link.space] if self.cluster.bridge else []
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [*inside, os.path.abspath("wend"), "serve", self.cluster.world, "--node", self.name, "--cluster",
                 self.url, "--hz", "50", "--lease", str(LEASE_MS), "--token", TOKEN,
                 "--journal", f"{self.cluster.folder}/journal-{self.name}", "--snapshot-entries", str(SNAPSHOT_ENTRIES),
                 "--listen", f"{self.address}:{self.page}", "--lines", f"{self.address}:{self.lines}"],
                stderr=log, stdout=subprocess.DEVNULL, env=clock_environment(self.cluster.clock, self.clock))

    def kill(self):
        with self.lock:
            self.down = True
            self.process.kill()
            self.process.wait()

    def end(self):
        """It gives the lease back, and a sanitizer reports what was never freed."""
        with self.lock:
            self.down = True
            self.process.send_signal(signal.SIGTERM)
        try:
            if self.process.wait(PATIENCE) != 0:
                complain(f"node {self.name} ended with {self.process.returncode}")
        except subprocess.TimeoutExpired:
            complain(f"node {self.name} does not end")
            self.kill()

    def keep(self):
        """A node that ended by itself is started again, as a supervisor does."""
        with self.lock:
            if not self.down and self.process.poll() is not None:
                self.ended += 1
                self.start_locked()


class Cluster:
    def __init__(self, store):
        self.folder = tempfile.mkdtemp(prefix="wend-cluster-")
        self.world = os.path.join(self.folder, "town.wend")
        with open(self.world, "w") as out:
            out.write(f"grid {SIDE} {SIDE}\n")
        self.clock = clock_library(self.folder)
        self.bridge = Bridge() if store == "spaces" else None
        self.nats = Nats(self.folder, "0.0.0.0" if self.bridge else "127.0.0.1") if store != "file" else None
        self.nodes = [Node(name, self) for name in NODES]
        for node in self.nodes:
            node.start()

    def close(self):
        for node in self.nodes:
            if problems or node.process.poll() is not None:
                node.kill()
            else:
                node.end()
        if self.nats:
            self.nats.kill()
        if self.bridge:
            self.bridge.close()
        shutil.rmtree(self.folder, ignore_errors=True)


    def first_entry(self):
        """The second line of the log's first entry."""
        if self.nats:
            return second_line(self.nats.entry("town", 1)[0])
        return second_line(next(entries_of(f"{self.folder}/store/log.town")))

    def begun(self):
        """How often a node began at a snapshot."""
        words = "".join(open(node.log).read() for node in self.nodes)
        return words.count("at the snapshot before entry")


class Gone(Exception):
    pass


class Talk:
    """Messages as lines with a node; raises Gone whenever the node does not answer."""

    def __init__(self, node, timeout=2.0, **hello):
        try:
            self.sock = socket.create_connection((node.address, node.lines), timeout=timeout)
        except OSError as error:
            raise Gone() from error
        self.sock.settimeout(timeout)
        self.bytes = b""
        self.hello = self.ask(op="hello", id="hello", protocol=1, token=TOKEN, **hello)

    def send(self, **message):
        try:
            self.sock.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise Gone() from error

    def receive(self):
        while b"\n" not in self.bytes:
            try:
                more = self.sock.recv(1 << 16)
            except OSError as error:
                raise Gone() from error
            if not more:
                raise Gone()
            self.bytes += more
        line, self.bytes = self.bytes.split(b"\n", 1)
        try:
            return json.loads(line)
        except ValueError as error:  # another program got the port of a node that was killed
            raise Gone() from error

    def ask(self, **message):
        self.send(**message)
        while True:
            answer = self.receive()
            if answer.get("id") == message["id"] and ("ok" in answer or "error" in answer):
                return answer

    def close(self):
        self.sock.close()


class Client(threading.Thread):
    """One order or request after another; each waits for its answer, whatever happens to the nodes."""

    def __init__(self, cluster, number, seed):
        super().__init__(daemon=True)
        self.cluster, self.number, self.random = cluster, number, random.Random(seed)
        self.cells = [(x, y) for y in range(number, SIDE, CLIENTS) for x in range(SIDE)]
        self.random.shuffle(self.cells)
        self.acknowledged, self.unsure, self.refused = {}, set(), 0  # cell: (epoch, term)
        self.agents, self.unsure_agents = set(), set()
        self.requests = self.completions = 0
        self.secrets, self.talk, self.next, self.stopped = {}, None, 0, False

    def connect(self, node):
        """Say hello under the session's name; the secret is the node's."""
        fields = {"secret": self.secrets[node.name]} if node.name in self.secrets else {}
        talk = Talk(node, session=f"client{self.number}", **fields)
        if "error" in talk.hello:  # the node was started again, or knows the session with another secret
            self.secrets.pop(node.name, None)
            talk.close()
            raise Gone()
        self.secrets[node.name] = talk.hello["secret"]
        return talk

    def reach(self):
        while not self.talk and not self.stopped:
            try:
                self.talk = self.connect(self.random.choice(self.cluster.nodes))
            except Gone:
                time.sleep(0.05)

    def drop(self):
        if self.talk:
            self.talk.close()
        self.talk = None

    def order(self, **message):
        """@return the answer; None: nobody knows whether it was done"""
        self.next += 1
        self.reach()
        if self.stopped:
            return None
        try:
            return self.talk.ask(id=self.next, **message)
        except Gone:
            self.drop()
            return None

    def edit(self):
        cell = self.cells.pop()
        answer = self.order(op="edit", set=[[list(cell), 0]])
        if answer and answer.get("ok"):
            self.acknowledged[cell] = (answer["epoch"], answer["term"])
        elif not answer or answer.get("error") == "moved":
            self.unsure.add(cell)
        else:
            self.refused += 1
        if answer and "error" in answer:
            time.sleep(0.05)

    def add_agent(self):
        name, cell = f"c{self.number}-{self.next}", self.random.choice(self.cells)
        answer = self.order(op="agent", name=name, cell=list(cell))
        if answer and answer.get("ok"):
            self.agents.add(name)
        elif not answer or answer.get("error") == "moved":
            self.unsure_agents.add(name)
        if answer and answer.get("ok"):
            self.order(op="go", names=[name], to=list(self.random.choice(self.cells)))

    def request(self):
        """Repeated under its id until its completion is there; then there must not come another one."""
        self.next += 1
        name, done = f"r{self.next}", 0
        start, goal = self.random.choice(self.cells), self.random.choice(self.cells)
        while done == 0 and not self.stopped:
            self.reach()
            try:
                self.talk.send(op="request", id=name, to=list(goal), **{"from": list(start)})
                while done == 0:
                    answer = self.talk.receive()
                    if answer.get("id") != name:
                        continue
                    if "error" in answer and answer["error"] not in ("busy", "moved"):
                        complain(f"request {name}: {answer}")
                    if "error" in answer:
                        time.sleep(0.05)
                        break
                    done += "done" in answer
                self.seen_done = name
            except (Gone, AttributeError):
                self.drop()
        if done:
            self.requests += 1
            self.completions += done
            self.expect_no_more(name)

    def expect_no_more(self, name):
        """The next answer is of the next message: a second completion would come before it."""
        self.next += 1
        try:
            self.talk.send(op="stats", id=f"s{self.next}")
            while True:
                answer = self.talk.receive()
                if answer.get("id") == name and "done" in answer:
                    complain(f"request {name} has a second completion")
                if answer.get("id") == f"s{self.next}":
                    return
        except (Gone, AttributeError):
            self.drop()

    def run(self):
        while not self.stopped and len(self.cells) > 40:
            chance = self.random.random()
            if chance < 0.45:
                self.edit()
            elif chance < 0.5 and len(self.agents) < 40:
                self.add_agent()
            else:
                self.request()
            time.sleep(0.02)
        self.drop()


def read_map(node, timeout=2.0):
    talk = Talk(node, timeout)
    try:
        answer = talk.ask(op="map", id=1, box=[[0, 0], [SIDE - 1, SIDE - 1]])
        return answer["epoch"], answer["classes"], answer.get("term", 0)
    finally:
        talk.close()


class Sampler(threading.Thread):
    """Maps of all nodes while they run: at one epoch there is one map. And what they said, between the faults."""

    def __init__(self, cluster):
        super().__init__(daemon=True)
        self.cluster, self.maps, self.stopped, self.compared = cluster, {}, False, 0
        self.story, self.begin, self.told = [], time.monotonic(), {}

    def tell(self, words):
        self.story.append(f"{time.monotonic() - self.begin:7.2f} s  {words}")

    def listen(self, node):
        with open(node.log, errors="replace") as log:
            log.seek(self.told.get(node.name, 0))
            for line in log.readlines():
                self.tell(f"node {node.name}: {line.strip()}")
            self.told[node.name] = log.tell()

    def run(self):
        while not self.stopped:
            for node in self.cluster.nodes:
                self.listen(node)
                node.keep()
                try:
                    epoch, cells, _ = read_map(node, 0.5)
                except (Gone, KeyError):
                    continue
                digest = hashlib.sha256(bytes(cells)).hexdigest()
                known = self.maps.setdefault(epoch, (digest, node.name))
                self.compared += known[1] != node.name
                if known[0] != digest:
                    complain(f"epoch {epoch}: node {node.name} has another map than {known[1]}")
                    self.tell(problems[-1])
            time.sleep(0.1)


def owner_of(cluster):
    for node in cluster.nodes:
        try:
            talk = Talk(node, 0.5)
            talk.close()
        except Gone:
            continue
        for other in cluster.nodes:
            if other.name == talk.hello.get("node"):
                return other
    return cluster.nodes[0]


# ---- faults ----

def kill_owner(cluster, chance):
    node = owner_of(cluster)
    node.kill()
    time.sleep(chance.uniform(0.1, 2.0))
    node.start()


def kill_any(cluster, chance):
    node = chance.choice(cluster.nodes)
    node.kill()
    time.sleep(chance.uniform(0.1, 1.0))
    node.start()


def pause(cluster, chance, node):
    node.process.send_signal(signal.SIGSTOP)
    time.sleep(chance.uniform(0.2, 3.2) * LEASE_MS / 1000)
    node.process.send_signal(signal.SIGCONT)


def pause_owner(cluster, chance):
    pause(cluster, chance, owner_of(cluster))


def pause_any(cluster, chance):
    pause(cluster, chance, chance.choice(cluster.nodes))


def full_disk(cluster, chance):
    """The limit of a file's size is an error of write(), as a full disk is. A node whose own journal is full ends."""
    node = owner_of(cluster)
    path = os.path.join(cluster.folder, "store", "log.town")
    size = os.path.getsize(path) if os.path.exists(path) else 0
    for limit in (size + 200, "unlimited"):
        subprocess.run(["prlimit", "--pid", str(node.process.pid), f"--fsize={limit}:"], stderr=subprocess.DEVNULL,
                       check=False)
        time.sleep(chance.uniform(0.2, 1.5) if limit != "unlimited" else 0)


def move(cluster, chance):
    node = chance.choice(cluster.nodes)
    url = f"nats://127.0.0.1:{cluster.nats.port}" if cluster.nats else f"file:{cluster.folder}/store"
    subprocess.run(["./wend", "cluster", url, "move", "town", node.name], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)


def link_fault(state):
    def fault(cluster, chance):
        node = owner_of(cluster) if chance.random() < 0.6 else chance.choice(cluster.nodes)
        node.link.set(state)
        time.sleep(chance.uniform(0.2, 2.5) * LEASE_MS / 1000)
        node.link.set("up")
    fault.__name__ = f"link_{state}"
    return fault


def kill_nats(cluster, chance):
    cluster.nats.kill()
    time.sleep(chance.uniform(0.1, 2.0))
    cluster.nats.start()


def pause_nats(cluster, chance):
    """As a disk that stands still does."""
    cluster.nats.process.send_signal(signal.SIGSTOP)
    time.sleep(chance.uniform(0.2, 3.2) * LEASE_MS / 1000)
    cluster.nats.process.send_signal(signal.SIGCONT)


def step_clock(cluster, chance):
    """The real clock of a node jumps by hours; it stays so. NATS' library waits for answers by it, so a node that is
    set back stands still for as long: there it is set back by no more than a fault takes."""
    node = chance.choice(cluster.nodes)
    if cluster.nats:
        node.seconds_off += chance.choice([-2, 3 * 3600, 100 * 3600])
    else:
        node.seconds_off = chance.choice([-100, -3, 0, 3, 100]) * 3600
    set_clock(node.clock, node.seconds_off)


def lose_nats(cluster, chance):
    """Its disk is lost, too: the nodes' journals bring the log back. What only one of them has is lost where that one
    is away then, so the next fault waits until orders are acknowledged again."""
    cluster.nats.kill()
    shutil.rmtree(cluster.nats.folder)
    time.sleep(chance.uniform(0.1, 1.0))
    cluster.nats.start()
    before, end = sum(len(client.acknowledged) for client in cluster.clients), time.monotonic() + PATIENCE
    while sum(len(client.acknowledged) for client in cluster.clients) == before:
        time.sleep(0.05)
        if time.monotonic() > end:
            complain("nothing is acknowledged a minute after NATS lost its disk")
            return


def delete_bucket(cluster, _):
    cluster.nats.delete_bucket()


FAULTS = [kill_owner, kill_owner, kill_any, pause_owner, pause_owner, pause_any, move, step_clock]
SERVER_FAULTS = [kill_nats, pause_nats, delete_bucket, lose_nats]
LINK_FAULTS = [link_fault("cut"), link_fault("silent"), link_fault("slow")]


def faults_of(cluster):
    found = list(FAULTS)
    if not cluster.clock:
        found.remove(step_clock)
    if not cluster.nats:
        return found + [full_disk]
    if not cluster.bridge:
        return found + SERVER_FAULTS + LINK_FAULTS
    slow = [LINK_FAULTS[2]] if cluster.nodes[0].link.has_netem() else []
    return found + SERVER_FAULTS + [LINK_FAULTS[0]] * 4 + slow


# ---- the end ----

def settled(cluster, seconds=60):
    """All nodes answer, know one owner, and have one epoch, twice in a row."""
    end, before = time.monotonic() + seconds, None
    while time.monotonic() < end:
        try:
            maps = [read_map(node) for node in cluster.nodes]
        except (Gone, KeyError):
            maps = []
        if len(maps) == len(cluster.nodes) and all(one == maps[0] for one in maps) and maps[0] == before:
            return maps[0]
        before = maps[0] if maps else None
        time.sleep(1.5 * LEASE_MS / 1000)
    complain("the nodes do not agree after a minute without faults")
    return None


def agents_of(node):
    talk = Talk(node)
    try:
        return set(talk.ask(op="positions", id=1)["agents"])
    finally:
        talk.close()


def check(cluster, clients):
    end = settled(cluster)
    if not end:
        return
    epoch, cells, _ = end
    blocked = {(x, y) for y in range(SIDE) for x in range(SIDE) if cells[y * SIDE + x] == 0}
    acknowledged, unsure = {}, set()
    for client in clients:
        acknowledged.update(client.acknowledged)
        unsure |= client.unsure
    for cell in set(acknowledged) - blocked:
        complain(f"the edit of {cell} was acknowledged at {acknowledged[cell]} and is lost")
    for cell in blocked - set(acknowledged) - unsure:
        complain(f"nobody edited {cell}")
    in_order = sorted(acknowledged.values())
    for one, two in zip(in_order, in_order[1:]):
        if one[0] == two[0]:
            complain(f"two edits were acknowledged at epoch {one[0]}")
        if one[1] > two[1]:
            complain(f"term {one[1]} acknowledged epoch {one[0]}, and term {two[1]} epoch {two[0]}")
    if epoch != len(blocked):
        complain(f"epoch {epoch} has {len(blocked)} edits")
    wanted = set().union(*(client.agents for client in clients))
    allowed = wanted.union(*(client.unsure_agents for client in clients))
    if "snapshot 1 of" not in cluster.first_entry():
        complain(f"the log was not cut: {cluster.first_entry()}")
    for node in cluster.nodes:
        there = agents_of(node)
        if wanted - there:
            complain(f"node {node.name} has lost agents {sorted(wanted - there)[:5]}")
        if there - allowed:
            complain(f"node {node.name} has agents that nobody added: {sorted(there - allowed)[:5]}")
    for client in clients:
        if client.requests != client.completions:
            complain(f"{client.requests} requests have {client.completions} completions")


def main():
    store, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    begin = time.monotonic()
    done, counts, totals = 0, {}, [0, 0, 0, 0, 0]
    while done < count and not problems:  # a round has fresh nodes, as edits use up the map
        cluster = Cluster(store)
        faults = faults_of(cluster)
        if done == 0 and not cluster.clock:
            print("  no stepped clocks: no compiler here, or a sanitizer", flush=True)
        if done == 0 and cluster.bridge and LINK_FAULTS[2] not in faults:
            print("  no slow links: the kernel has no netem", flush=True)
        clients = [Client(cluster, number, chance.random()) for number in range(CLIENTS)]
        cluster.clients = clients
        sampler = Sampler(cluster)
        try:
            for thread in clients + [sampler]:
                thread.start()
            time.sleep(1)
            in_round = min(count - done, 12)
            for _ in range(in_round):
                fault = chance.choice(faults)
                counts[fault.__name__] = counts.get(fault.__name__, 0) + 1
                sampler.tell(fault.__name__)
                fault(cluster, chance)
                sampler.tell("is over")
                time.sleep(chance.uniform(0.0, 1.5) * LEASE_MS / 1000)
            done += in_round
            time.sleep(1)
            for client in clients:
                client.stopped = True
            for client in clients:
                client.join(30)
            check(cluster, clients)
            sampler.stopped = True
            sampler.join(10)
            for at, number in enumerate((sum(len(c.acknowledged) for c in clients), sum(c.requests for c in clients),
                                         sum(len(c.agents) for c in clients), sampler.compared, cluster.begun())):
                totals[at] += number
            if problems:
                print("    " + "\n    ".join(sampler.story[-150:]), flush=True)
        finally:
            cluster.close()
    print(f"  {store}, seed {seed}: {done} faults {counts}; {totals[0]} edits, {totals[1]} requests and {totals[2]} "
          f"agents acknowledged, {totals[3]} maps compared, {totals[4]} times begun at a snapshot, "
          f"{time.monotonic() - begin:.0f} s")
    if totals[0] == 0 or totals[1] == 0:
        complain("nothing was acknowledged")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
