# SPDX-License-Identifier: MIT
"""Many maps on one machine: bench/fleet.py [WEND [MAPS [SECONDS]]]. Prints CSV: measure, value, unit.

Each map has an owner and a follower, processes of their own; three NATS servers keep three replicas of each log. First
the maps are quiet; then clients edit cells of random maps, and now and then an owner is killed; at the end clients flood
one owner, and never read what it answers. WEND_NATS_SERVER names a nats-server that is fit for three replicas."""
import json
import os
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "server", "cluster"))

from nats import free_port
from servers import Cluster, supported
from town import Gone, Talk

WEND = sys.argv[1] if len(sys.argv) > 1 else "build/wend"
MAPS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 600
SIDE, EDITS_A_S, FLOOD_S, KILL_EVERY_S = 128, 20, 20, 30
TICK = os.sysconf("SC_CLK_TCK")


def row(measure, value, unit):
    print(f"{measure},{value:.6g},{unit}", flush=True)


def cpu_s(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / TICK


def resident_mib(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s*(\d+)", file.read()).group(1)) / 1024


class Node:
    def __init__(self, fleet, place, name):
        self.lines, self.place, self.name = free_port(), place, name
        self.words = [WEND, "serve", fleet.world, "--map", place, "--node", name, "--cluster", fleet.nats.url,
                      "--listen", "127.0.0.1:0", "--lines", f"127.0.0.1:{self.lines}", "--journal",
                      f"{fleet.folder}/{place}-{name}", "--max-edits", "100000", "--max-messages", "100000000"]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def owner(self):
        """The name of the node that owns the map, as this one says; None: it does not answer, or does not know."""
        try:
            talk = Talk(self)
            talk.close()
            return talk.hello.get("node")
        except Gone:
            return None


class Fleet:
    def __init__(self, server):
        self.folder = tempfile.mkdtemp(prefix="wend-fleet-")
        self.world = os.path.join(self.folder, "world.wend")
        with open(self.world, "w", encoding="utf-8") as out:
            out.write(f"grid {SIDE} {SIDE}\n")
        self.nats = Cluster(server, 3).__enter__()
        self.maps = {}
        for i in range(MAPS):
            name = f"m{i}"
            subprocess.run([WEND, "cluster", self.nats.url, "init", name, self.world, "--replicas", "3"], check=True,
                           stdout=subprocess.DEVNULL)
            self.maps[name] = [Node(self, name, "a"), Node(self, name, "b")]
        for name in self.maps:
            self.owner(name)

    def processes(self):
        return [node.process for nodes in self.maps.values() for node in nodes]

    def owner(self, name):
        """The node that owns a map, once there is one."""
        while True:
            for node in self.maps[name]:
                known = node.owner()
                for other in self.maps[name]:
                    if other.name == known and other.owner() == known:
                        return other
            time.sleep(0.05)

    def messages(self):
        """Those that all nodes' connections have sent to NATS so far, and their bytes; and what they got."""
        sent, size, got = 0, 0, 0
        for port in self.nats.monitors:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/connz?limit=2000") as answer:
                for one in json.load(answer)["connections"]:
                    sent, size, got = sent + one["in_msgs"], size + one["in_bytes"], got + one["out_msgs"]
        return sent, size, got

    def close(self):
        for process in self.processes():
            process.kill()
            process.wait()
        self.nats.__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)


def quiet(fleet, seconds):
    nodes, servers = [sum(map(cpu_s, all_of)) for all_of in (fleet.processes(), fleet.nats.processes)]
    before, begun = fleet.messages(), time.monotonic()
    time.sleep(seconds)
    clock, after = time.monotonic() - begun, fleet.messages()
    for i, (what, unit) in enumerate((("messages that nodes send", "1/s"), ("bytes that nodes send", "B/s"),
                                      ("messages that nodes get", "1/s"))):
        row(f"a quiet map with two nodes: {what}", (after[i] - before[i]) / clock / MAPS, unit)
    row("a quiet map: both nodes", (sum(map(cpu_s, fleet.processes())) - nodes) / clock / MAPS * 1000,
        "ms of processor time a second")
    row("a quiet map: three NATS servers", (sum(map(cpu_s, fleet.nats.processes)) - servers) / clock / MAPS * 1000,
        "ms of processor time a second")
    row("resident memory of a node, median", statistics.median(map(resident_mib, fleet.processes())), "MiB")
    row("resident memory of a NATS server, most", max(map(resident_mib, fleet.nats.processes)), "MiB")


def edit(fleet, name, cell):
    """@return seconds until it is acknowledged"""
    begun = time.monotonic()
    while True:
        try:
            talk = Talk(fleet.owner(name))
            sent = time.monotonic()
            answer = talk.ask(op="edit", id=1, set=[[cell, random.randrange(2)]])
            talk.close()
            if answer.get("ok"):
                return time.monotonic() - sent, time.monotonic() - begun
        except Gone:
            pass
        time.sleep(0.02)


def busy(fleet, seconds):
    """Edits at random maps; owners that are killed."""
    waits, takeovers, begun, killed, ended = [], [], time.monotonic(), 0, 0
    while (now := time.monotonic()) < begun + seconds:
        name = f"m{random.randrange(MAPS)}"
        if now - begun > (killed + 1) * KILL_EVERY_S:
            killed += 1
            node = fleet.owner(name)
            node.process.kill()
            node.process.wait()
            takeovers.append(edit(fleet, name, [1, 1])[1])
            node.start()
        waits.append(edit(fleet, name, [random.randrange(SIDE), random.randrange(SIDE)])[0])
        ended += sum(process.poll() is not None for process in fleet.processes())
        time.sleep(max(0, 1 / EDITS_A_S - (time.monotonic() - now)))
    waits.sort()
    row("edits of random maps", len(waits) / (time.monotonic() - begun), "1/s")
    row("an edit until its ok, median", waits[len(waits) // 2] * 1000, "ms")
    row("an edit until its ok, p99", waits[len(waits) * 99 // 100] * 1000, "ms")
    row("owners that were killed", killed, "")
    if takeovers:
        row("from the kill to the next ok, median", statistics.median(takeovers) * 1000, "ms")
        row("from the kill to the next ok, most", max(takeovers) * 1000, "ms")
    row("nodes that ended by themselves", ended, "")


def flood(fleet):
    """Eight clients write as fast as the owner reads, and read nothing."""
    node = fleet.owner("m0")
    before, most, end = resident_mib(node.process), 0, time.monotonic() + FLOOD_S
    request = b'{"op":"request","id":1,"from":[0,0],"to":[127,127]}\n'
    orders = b"".join(b'{"op":"edit","id":2,"set":[[[%d,%d],%d]]}\n' % (i % 128, i // 128 % 128, i % 2)
                      for i in range(1000)) + request * 1000
    sent = [0]

    def write():
        while time.monotonic() < end:
            try:
                with socket.create_connection(("127.0.0.1", node.lines), timeout=1) as sock:
                    sock.sendall(b'{"op":"hello","id":0,"protocol":1}\n')
                    while time.monotonic() < end:
                        sock.sendall(orders)
                        sent[0] += len(orders)
            except OSError:
                time.sleep(0.05)  # it was cut off

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        most = max(most, resident_mib(node.process))
        time.sleep(0.02)
    for thread in threads:
        thread.join()
    row("an owner under eight clients' flood: sent", sent[0] / FLOOD_S / 1e6, "MB/s")
    row("an owner under eight clients' flood: resident memory above before, most", most - before, "MiB")
    row("an owner after the flood: an edit until its ok", edit(fleet, "m0", [5, 5])[1] * 1000, "ms")


def main():
    server = supported()
    if not server:
        sys.exit("three replicas need a supported nats-server: WEND_NATS_SERVER")
    print("measure,value,unit")
    fleet = Fleet(server)
    try:
        row("maps", MAPS, "")
        quiet(fleet, SECONDS / 5)
        busy(fleet, SECONDS * 4 / 5)
        flood(fleet)
        said = subprocess.run([WEND, "cluster", fleet.nats.url, "status", "--json"], check=True, capture_output=True)
        row("maps with an owner", sum("owner" in one for one in json.loads(said.stdout)["maps"]), "")
    finally:
        fleet.close()


if __name__ == "__main__":
    main()
