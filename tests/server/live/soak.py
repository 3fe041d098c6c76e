# SPDX-License-Identifier: MIT
"""A server's memory does not grow with use. Time is the world's: a minute is 1,200 frames at 20 a second, run as steps.

The arguments are how many minutes, and a seed."""
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from client import http
from exposition import check
from messages import accept, wait_for_clients
from server import Server, case, run_cases

MINUTES = int(sys.argv[1]) if len(sys.argv) > 1 else 4
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 18
SIDE, FRAMES, CLIENTS, OPERATIONS = 64, 1200, 6, 200
WORLD = f"grid {SIDE} {SIDE}\nneighbours 8\ncorners never\ncost 10 14\nmover cart size=2\n"
MIB = 1 << 20


def cell(chance):
    return [chance.randrange(SIDE), chance.randrange(SIDE)]


def any_order(chance, number):
    """An order that the server may well refuse: what was done before is not remembered here."""
    name = f"n{chance.randrange(40)}"
    return chance.choice([
        {"op": "request", "from": cell(chance), "to": cell(chance), "urgency": chance.randrange(-1000, 1001)},
        {"op": "request", "from": cell(chance), "to": cell(chance), "mode": "nearest", "occupied": "block"},
        {"op": "cancel", "request": number - 1}, {"op": "goal", "request": number - 1, "to": cell(chance)},
        {"op": "edit", "set": [[cell(chance), chance.choice(["open", "blocked", 5])] for _ in range(3)]},
        {"op": "edit", "links": [[cell(chance), cell(chance), 7]]},
        {"op": "edit", "steps": [[[5, 5], [5, 6], chance.choice(["open", "blocked"])]]},
        {"op": "occupy", "cells": [cell(chance)]}, {"op": "vacate", "cells": [cell(chance)]},
        {"op": "agent", "name": name, "cell": cell(chance), "speed": 1000}, {"op": "remove", "names": [name]},
        {"op": "go", "names": [name], "to": cell(chance)}, {"op": "halt", "names": [name]},
        {"op": "steer", "name": name, "cell": cell(chance)},
        {"op": "follow", "name": name, "target": "n1"}, {"op": "flee", "name": name, "target": "n1"},
        {"op": "route", "name": name, "mode": "loop", "cells": [cell(chance), cell(chance)]},
        {"op": "take", "name": name, "route": name}, {"op": "inspect", "name": name}, {"op": "save"},
        {"op": "map", "box": [[0, 0], [SIDE - 1, SIDE - 1]], "features": True}, {"op": "positions"}, {"op": "stats"},
        {"op": "subscribe", "what": ["frames", "agents", "edits", "completions"], "every": chance.randrange(1, 9)},
        {"op": "pace", "hz": 20}, {"op": "nothing"}, {"op": "agent", "name": name},
    ])


def minute(server, owner, secrets, chance):
    """Clients come and go, some in the middle of what they do; half of them have sessions."""
    for number in range(CLIENTS):
        with server.connect(chance.choice(["lines", "ws"])) as client:
            session = f"s{number}"
            if number % 2:
                known = {"secret": secrets[session]} if session in secrets else {}
                secrets[session] = accept(client, "hello", protocol=1, session=session, **known)["secret"]
            waiting = []
            for i in range(OPERATIONS // CLIENTS):
                order = any_order(chance, client.last_id)
                client.send({**order, "id": client.next_id()})
                waiting.append(client.last_id)
                while len(waiting) > 8:
                    client.answer(waiting.pop(0))
                    client.kept = [m for m in client.kept if m.get("id") in waiting]
            for name in waiting[:chance.randrange(9)]:
                client.answer(name)
        if number % 2 == 0:
            accept(owner, "step", frames=FRAMES * 2 // CLIENTS)
    wait_for_clients(owner, 1)
    owner.kept.clear()


def memory(server, owner):
    """Resident bytes, and those of the map, of a world that has just begun again."""
    accept(owner, "reset")
    accept(owner, "step", frames=10)
    samples = check(http(server.web, "/metrics")[2].decode())
    return (server.resident(), samples["wend_memory_bytes", (("owner", "map"),)],
            len(os.listdir(f"/proc/{server.process.pid}/fd")))


def soak(*options):
    chance, secrets = random.Random(SEED), {}
    with Server("--max-edits", "1000", *options, world=WORLD) as server, server.connect("lines") as owner:
        accept(owner, "pause")
        warm = max(2, MINUTES // 4)
        for i in range(MINUTES):
            minute(server, owner, secrets, chance)
            if i % 10 == 9:
                accept(owner, "reset")
            if i == warm - 1:
                before = memory(server, owner)
        after = memory(server, owner)
        counts = accept(owner, "stats")
    print(f"  {MINUTES} minutes: {counts['messages']} messages, {counts['frames']} frames, "
          f"{before[0] >> 10} KiB after {warm}, then {after[0] >> 10} KiB, {' '.join(options[:1])}")
    assert after[1] == before[1], (before, after)
    assert after[2] <= before[2] + 1, (before, after)
    assert after[0] - before[0] <= 3 * MIB, (before, after)
    assert counts["frames"] >= MINUTES * FRAMES


@case()
def memory_is_flat():
    soak()


@case()
def memory_is_flat_with_a_journal():
    with tempfile.TemporaryDirectory() as folder:
        soak("--journal", os.path.join(folder, "journal"))


sys.exit(run_cases("memory_is_flat"))
