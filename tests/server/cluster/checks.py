# SPDX-License-Identifier: MIT
"""What must hold of a town after any faults: a checker that knows the protocols alone."""
import re
import time

from town import Gone, SHARED, SIDE, Talk, complain


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def heads_of(entries):
    """(3) and (4). @return for each entry, its kind, its head, and its orders, which are cells and their classes"""
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
        orders = [[tuple(map(int, cell)) for cell in re.findall(rb"^set (\d+),(\d+) (\d+)", part, re.M)]
                  for part in entry.split(b"\npublish\n")[:-1]]
        heads.append((head[5], line, orders))
    return heads


def check_orders(heads, clients):
    """(1), (2) and (6). @return the cells that are blocked, and the classes of the shared cells at each epoch"""
    places, epochs, shared = {}, {}, [(1,) * SHARED]
    for at, (_, _, orders) in enumerate(heads):
        for order in orders:
            now = list(shared[-1])
            for x, y, value in order:
                if y == 0:
                    now[x] = value
                elif (x, y) in places:
                    complain(f"the edit of {x, y} is in the log twice: entries {places[x, y] + 1} and {at + 1}")
                else:
                    places[x, y], epochs[x, y] = at, len(shared)
            shared.append(tuple(now))
    done = [order for client in clients for order in client.done]
    for cell, _, _, epoch, again in done:
        if cell not in places:
            complain(f"the edit of {cell} was acknowledged and is lost")
        elif not again and epoch != epochs[cell]:
            complain(f"the edit of {cell} was acknowledged at epoch {epoch}, and is at {epochs[cell]}")
    for cell in (cell for client in clients for cell in client.undone):
        if cell in places:
            complain(f"the edit of {cell} was refused and is in the log")
    highest = []  # of edits by the time of their acknowledgement: the highest epoch so far
    for cell, _, ended, *_ in sorted(done, key=lambda order: order[2]):
        highest.append((ended, max(epochs.get(cell, 0), highest[-1][1] if highest else 0)))
    at = 0
    for cell, sent, *_ in sorted(done, key=lambda order: order[1]):
        while at < len(highest) and highest[at][0] < sent:
            at += 1
        if at > 0 and epochs.get(cell, 0) < highest[at - 1][1]:
            complain(f"the edit of {cell} is before one that was acknowledged before it was sent")
    return set(places), shared


def check_reads(clients, shared):
    """(1): what a node shows at an epoch is what the log makes of it."""
    for node, epoch, classes in (read for client in clients for read in client.reads):
        if epoch >= len(shared) or tuple(classes) != shared[epoch]:
            complain(f"node {node} showed {classes} at epoch {epoch} of {len(shared) - 1}, the log {shared[epoch:][:1]}")
    return sum(len(client.reads) for client in clients)


def check_states(heads, states):
    """(5)"""
    compared = 0
    for number, said in states.items():
        found = re.search(r"state (\w+)", heads[number - 1][1]) if 0 < number <= len(heads) else None
        for node, state in said.items():
            compared += 1
            if found and found[1] != state:
                complain(f"node {node} has state {state} at entry {number}, the log {found[1]}")
    return compared


def read_replicas(town, entries):
    """(2): the log by each server as its leader; only what was not purged."""
    last, led = town.nats.last("WEND_town"), set()
    for _ in range(30):
        leader = town.leader()
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
        cells = {(i % SIDE, i // SIDE) for i, cell in enumerate(answer["classes"]) if cell == 0}
        found.append((cells, tuple(answer["classes"][:SHARED])))
    return found


def check_maps(town, wanted):
    end, found = time.monotonic() + 60, []
    while time.monotonic() < end:
        try:
            found = maps_of(town)
        except (Gone, KeyError):
            found = []
        if found and all(one == wanted for one in found):
            return
        time.sleep(0.5)
    complain(f"the nodes do not have the log's map: {[(len(one), cells) for one, cells in found]}, not "
             f"{len(wanted[0]), wanted[1]}")


def check(town):
    """@return how many states, and how many reads were compared"""
    town.nats.wait_for_all()
    town.watcher.stopped = True
    town.watcher.join()
    town.watcher.read_more()
    heads = heads_of(town.watcher.entries)
    blocked, shared = check_orders(heads, town.clients)
    check_maps(town, (blocked, shared[-1]))
    read_replicas(town, town.watcher.entries)
    return check_states(heads, town.watcher.states), check_reads(town.clients, shared)
