# SPDX-License-Identifier: MIT
"""Three nodes of a map on three NATS servers under faults, with a check of all that they promise.

    faults.py FAULTS SEED [NAME...]     FAULTS: how many; the same seed gives the same ones; NAME: of these alone

WEND_NATS_SERVER names a nats-server that is fit for three replicas; without one the run fails. Where no disk can be
mounted in memory, none becomes full. Clients block cells that nobody blocks twice, and set some that all of them set.
An order has a `once` number and is repeated, at any node, until an answer decides. Checked:
(1) an edit that was acknowledged before another one was sent is before it in the log, and what any node shows at an
    epoch is what the log has made by then: edits are linearizable;
(2) each acknowledged order is in the log once, and three replicas, read one by one as leaders, have the same log;
(3) a claim's number is its term, and behind it no entry has an earlier term;
(4) each entry names the hash of the one before, and its number is its sequence;
(5) check entries and the words of all nodes have one state's hash at each number; all nodes end with one map;
(6) an order that was repeated is done once;
(7) after its owner was killed, the map takes orders within 1.25 leases and half a second, while NATS is up, and as much
    more as this machine let a process wait meanwhile;
(8) a node that is not ready says why."""
import os
import random
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checks import check
from nats import stand_still
from servers import Disk, supported
from town import JOURNAL, LEASE_MS, Town, complain, problems

TAKEOVER_S = 1.25 * LEASE_MS / 1000 + 0.5


# ---- nodes ----

def kill_owner(town, chance):
    """The one whose time is measured: NATS and the other nodes are up."""
    node, town.stalls.longest = town.owner(), 0.0
    node.kill()
    took = town.wait_for_orders()
    if took > TAKEOVER_S / town.slowest + town.stalls.longest:
        complain(f"a takeover took {took:.2f} s, not {TAKEOVER_S:.2f} s; processes waited {town.stalls.longest:.2f} s")
    town.takeovers.append(took)
    node.start()


def kill_any(town, chance):
    node = chance.choice(town.nodes)
    node.kill()
    time.sleep(chance.uniform(0.1, 1.0))
    node.start()


def pause_owner(town, chance, node=None):
    node = node or town.owner()
    stand_still(node.process)
    time.sleep(chance.uniform(0.1, 3) * LEASE_MS / 1000)
    node.process.send_signal(signal.SIGCONT)


def pause_any(town, chance):
    pause_owner(town, chance, chance.choice(town.nodes))


def move(town, chance):
    town.command("move", "town", chance.choice(town.nodes).name, may_fail=True)


def step_clock(town, chance):
    """The real clock of a node jumps by hours, and stays so."""
    town.clock.step(chance.choice(town.nodes).clock, chance.choice([-100, -1, 1, 100]) * 3600)
    time.sleep(1)


def creep_clock(town, chance):
    """The clocks that a node measures leases by are a fifth too fast or too slow, for as long as it runs."""
    node, creep = chance.choice(town.nodes), chance.choice([800, 1200])
    node.kill()
    node.start(creep)
    town.slowest = min(town.slowest, creep / 1000)
    time.sleep(1)


def fill_journal(town, chance):
    """The disk of a node's journal is full. It may stop, and is started again."""
    node = chance.choice(town.nodes)
    node.down = True
    node.disk.fill()
    time.sleep(chance.uniform(0.5, 3))
    node.disk.free()
    restart_unready(town)


def restart_unready(town):
    """An operator starts nodes again that do not come by themselves."""
    town.wait_until_ready(3)
    for node in town.nodes:
        if node.ready()[0] != 200:
            node.kill()
        node.start()
        node.down = False


# ---- links and servers ----

def link_fault(state):
    def fault(town, chance):
        node = town.owner() if chance.random() < 0.6 else chance.choice(town.nodes)
        node.set(state)
        if state == "cut":
            town.expect_reason([node], "(?i)nats|no server")
        time.sleep(chance.uniform(0.2, 2.5) * LEASE_MS / 1000)
        node.set("up")
    fault.__name__ = f"link_{state}"
    return fault


def kill_servers(count):
    def fault(town, chance):
        victims = chance.sample(range(3), count)
        for i in victims:
            town.nats.kill(i)
        if count == 3:
            town.expect_reason(town.nodes, "(?i)nats|no server")
        time.sleep(chance.uniform(0.1, 2))
        for i in victims:
            town.nats.start(i)
        town.nats.wait_for_all()
    fault.__name__ = f"kill_nats_{count}"
    return fault


def pause_leader(town, chance):
    i = town.leader()
    stand_still(town.nats.processes[i])
    time.sleep(chance.uniform(1, 5))
    town.nats.signal(i, signal.SIGCONT)
    town.nats.wait_for_all()


def step_down(town, chance):
    with town.nats.raw(i=chance.randrange(3)) as raw:
        raw.api("STREAM.LEADER.STEPDOWN.WEND_town")
    time.sleep(1)


def repair_what_is_lost(town):
    """Where all its disks were full, nats-server 2.15.1 may lose the last entries that it acknowledged. No node goes on
    without them, and journals bring them back."""
    known = max(max(node.entries()) for node in town.nodes)
    if town.nats.last("WEND_town") >= known:
        return
    town.lost += 1
    town.expect_reason(town.nodes, "no owner|refuses what follows|has not sent")
    repair(town)


def fill_nats(count):
    """JetStream stays off after that until its server is started again."""
    def fault(town, chance):
        victims = [town.leader()] if count == 1 else range(3)
        for i in victims:
            town.nats.disks[i].fill()
        if count == 3:
            town.expect_reason(town.nodes, "JetStream is off|no leader|stream WEND", 60)
        else:
            time.sleep(chance.uniform(0.5, 3))
        for i in victims:
            town.nats.disks[i].free()
            town.nats.kill(i)
            town.nats.start(i)
        town.nats.wait_for_all()
        if count == 3:
            repair_what_is_lost(town)
    fault.__name__ = f"fill_nats_{count}"
    return fault


# ---- operators and damage ----

def streams(town):
    """Those that are, with their settings."""
    with town.nats.raw() as raw:
        return {name: raw.api(f"STREAM.INFO.{name}")["config"] for name in raw.api("STREAM.NAMES").get("streams") or []}


def delete(town, names):
    with town.nats.raw() as raw:
        for name in names:
            raw.api(f"STREAM.DELETE.{name}")


def make_again(town, name, subject, first, messages):
    """A stream with its settings, and these messages alone."""
    config = streams(town)[name]
    delete(town, [name])
    with town.nats.raw() as raw:
        raw.api(f"STREAM.CREATE.{name}", {**config, "first_seq": first})
        for message in messages:
            raw.ask(subject, message)


def repair(town, backup=None):
    """An operator's way: nodes are stopped; an old backup, if there is no log, and all that journals have behind it."""
    for node in town.nodes:
        node.kill()
    if backup:
        delete(town, streams(town))
        town.command("restore", "town", backup, "--replicas", "3")
    for node in town.nodes:
        town.command("repair", "town", "--journal", node.journal)
    for node in town.nodes:
        node.start()


def make_backup(town, chance):
    path = os.path.join(town.folder, f"backup-{time.monotonic()}")
    town.command("backup", "town", path)
    time.sleep(chance.uniform(0.2, 1))
    return path


def delete_streams(town, chance):
    backup = make_backup(town, chance)
    delete(town, streams(town))
    town.expect_reason(town.nodes, "stream not found")
    repair(town, backup)


def restore_old(town, chance):
    """Nodes that run know more entries than the log has. None writes behind its end."""
    backup, last = make_backup(town, chance), len(town.watcher.entries)
    time.sleep(0.5)
    make_again(town, "WEND_town", "wend.log.town", max(last - 49, 1), town.watcher.entries[max(last - 50, 0):last])
    town.expect_reason(town.nodes, ".")
    time.sleep(chance.uniform(0, 3))
    if town.nats.last("WEND_town") != last:
        complain("a node wrote into a log that lacks its entries")
    repair(town, backup)


def purge(town, chance):
    """Nodes that run go on. One that starts waits for the owner's next snapshot."""
    node = chance.choice(town.nodes)
    with town.nats.raw() as raw:
        raw.api("STREAM.PURGE.WEND_town")
    node.kill()
    node.start()


def flip(data, at):
    return data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1:]


def change_file(town, chance, path_of, text_end):
    """A node does not serve with a byte of its file changed, and says why; with the right byte it does.
    @param text_end   returns behind which byte a change does no harm"""
    node = chance.choice(town.nodes)
    node.kill()
    with open(path_of(node), "rb") as file:
        whole = file.read()
    at = chance.randrange(text_end(whole))
    with open(path_of(node), "wb") as file:
        file.write(flip(whole, at))
    node.start(tries=True)
    end = time.monotonic() + 10
    while node.process.poll() is None and time.monotonic() < end:
        status, why = node.ready()
        if status == 503 and "needs world" in why:
            break
        time.sleep(0.1)
    status, why = node.ready()
    if node.process.poll() is None and not (status == 503 and "needs world" in why):
        complain(f"node {node.name} serves with byte {at} of {len(whole)} of {path_of(node)} changed: {status} {why}")
    node.kill()
    with open(path_of(node), "wb") as file:
        file.write(whole)
    node.start()


def change_journal(town, chance):
    change_file(town, chance, lambda node: node.journal, lambda whole: whole.rindex(JOURNAL))


def change_map(town, chance):
    change_file(town, chance, lambda node: node.world, len)


def change_snapshot(town, chance):
    """The newest snapshot has another byte; a node without a journal does not begin there, and waits for the next one."""
    end = time.monotonic() + 60
    while town.nats.state("WENDS_town")["messages"] == 0 and time.monotonic() < end:
        time.sleep(0.2)
    node = chance.choice(town.nodes)
    node.kill()
    first, last = town.nats.first("WENDS_town"), town.nats.last("WENDS_town")
    with town.nats.raw() as raw:
        pieces = [raw.entry("WENDS_town", number) for number in range(first, last + 1)]
    at = chance.randrange(len(pieces))
    pieces[at] = flip(pieces[at], chance.randrange(len(pieces[at])))
    make_again(town, "WENDS_town", "wend.snap.town", first, pieces)
    os.remove(node.journal)
    node.start()


FAULTS = [kill_owner, kill_owner, kill_any, pause_owner, pause_any, move, link_fault("cut"), link_fault("silent"),
          link_fault("slow"), link_fault("one_way"), kill_servers(1), kill_servers(2), kill_servers(3), pause_leader,
          step_down, step_clock, creep_clock, fill_journal, fill_nats(1), fill_nats(3), delete_streams, restore_old,
          purge, change_journal, change_map, change_snapshot]


def run_round(server, chance, faults, count, counts, reasons):
    town = Town(server, chance)
    town.slowest, town.lost = 1, 0
    try:
        town.wait_for_orders()
        for _ in range(count):
            fault = chance.choice(faults)
            counts[fault.__name__] = counts.get(fault.__name__, 0) + 1
            before, begin = town.acknowledged(), time.monotonic()
            fault(town, chance)
            time.sleep(chance.uniform(0, 1.5) * LEASE_MS / 1000)
            town.wait_for_orders()
            if others := town.wait_until_ready():
                complain(f"nodes are not ready a minute after the fault: {others}")
            print(f"  {fault.__name__}: {time.monotonic() - begin:.1f} s, {town.acknowledged() - before} edits", flush=True)
            if problems:
                break
        for client in town.clients:
            client.stopped = True
        for client in town.clients:
            client.join(60)
        compared = check(town)
        for reason, times in town.watcher.reasons.items():
            reasons[reason] = reasons.get(reason, 0) + times
        return [town.acknowledged(), sum(c.repeated for c in town.clients), sum(c.again for c in town.clients),
                len(town.watcher.entries), *compared, town.lost], town.takeovers
    finally:
        town.close()


def main():
    count, chance = int(sys.argv[1]), random.Random(int(sys.argv[2]))
    faults = [fault for fault in FAULTS if not sys.argv[3:] or fault.__name__ in sys.argv[3:]]
    if not Disk.can_be_made():
        print("no disk can be mounted here: none becomes full")
        faults = [fault for fault in faults if not fault.__name__.startswith("fill")]
    server = supported()
    assert server, "three replicas need a supported nats-server: WEND_NATS_SERVER"
    done, counts, reasons, totals, takeovers, begin = 0, {}, {}, [0] * 7, [], time.monotonic()
    while done < count and not problems:  # a round has fresh nodes, as edits use up the map
        numbers, times = run_round(server, chance, faults, min(count - done, 12), counts, reasons)
        totals = [a + b for a, b in zip(totals, numbers)]
        takeovers += times
        done += min(count - done, 12)
    print(f"{done} faults in {time.monotonic() - begin:.0f} s: {counts}; {totals[0]} edits acknowledged, {totals[1]} of "
          f"them after a repetition, {totals[2]} done before it; {totals[3]} entries, {totals[4]} hashes and {totals[5]} "
          f"reads compared; {len(takeovers)} takeovers, the longest {max(takeovers, default=0):.2f} s; NATS lost entries "
          f"{totals[6]} times, and journals had them")
    for reason, times in sorted(reasons.items(), key=lambda item: -item[1]):
        print(f"  not ready, {times} times: {reason}")
    if totals[0] == 0 and not problems:
        complain("nothing was acknowledged")
    for text in problems:  # once more, as the end is what is read
        print(f"WRONG: {text}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
