# SPDX-License-Identifier: MIT
"""Orders that mean harm, full disks and damaged journals: what is refused leaves everything as it was, and what was
acknowledged is there after a restart."""
import os
import random
import re
import resource
import stat
import subprocess
import time

from client import http, PATIENCE
from messages import accept, classes, refuse
from server import Folder, Server, case

CARTS = """grid 12 12
neighbours 8
corners never
cost 10 14
mover cart size=2
mover boat 2=1 1=blocked
"""


def agents_of(client):
    return accept(client, "positions")["agents"]


def units_of(client):
    return sorted(accept(client, "map", features=True)["units"])


def everything(client, names):
    """The world as far as a client can see it; walking agents stand still while it is paused."""
    about = {}
    for name in names:
        answer = client.ask("inspect", name=name, trace=False)
        about[name] = {k: answer.get(k) for k in ("error", "cell", "speed", "urgency", "mover", "wish", "goal")}
    return (agents_of(client), about, units_of(client), classes(client, (0, 0), (11, 11)),
            accept(client, "map", features=True)["link_list"])


@case()
def an_agent_on_closed_ground_stays_what_it_is():
    """It could not be put back where its adjustment was refused, and its id stood for whoever came next."""
    with Server("--owner-token", "boss", "--hz", "100", world=CARTS) as server, server.connect("lines") as rude, \
            server.connect("lines", {"token": "boss"}) as owner:
        accept(rude, "agent", name="a", cell=[3, 3])
        accept(rude, "agent", name="b", cell=[8, 8])
        accept(rude, "follow", name="b", target="a", reach=1)
        accept(rude, "edit", set=[[[3, 3], "blocked"]])
        refuse(rude, "bad_argument", "adjust", names=["a"], mover="cart")
        refuse(rude, "bad_argument", "adjust", names=["b", "a"], mover="cart", speed=999)
        assert accept(rude, "inspect", name="b", trace=False)["mover"] == "default"
        assert accept(rude, "inspect", name="b", trace=False)["speed"] == 250
        for op in ("halt", "remove"):
            accept(owner, "agent", name="king", cell=[6, 6])
            accept(rude, "go", names=["a"], to=[5, 5])
            accept(rude, op, names=["a"])
            assert agents_of(owner)["king"] == [6, 6]
            accept(owner, "remove", names=["king"])
        assert set(agents_of(owner)) == {"b"}


@case()
def others_agents_are_out_of_reach():
    with Server("--owner-token", "boss", world=CARTS) as server, server.connect("lines") as one, \
            server.connect("lines") as two:
        accept(one, "agent", name="a", cell=[3, 3])
        accept(two, "agent", name="b", cell=[5, 5])
        accept(two, "route", name="r", cells=[[1, 1], [2, 2]])
        for op, fields in (("go", {"names": ["a", "b"], "to": [1, 1]}), ("halt", {"names": ["a", "b"]}),
                           ("remove", {"names": ["a", "b"]}), ("adjust", {"names": ["a", "b"], "speed": 1}),
                           ("follow", {"name": "b", "target": "a"}), ("flee", {"name": "b", "target": "a"}),
                           ("take", {"name": "b", "route": "r"})):
            before = everything(one, "ab")
            refuse(one, "denied", op, **fields)
            assert everything(one, "ab") == before, op
        accept(one, "remove", names=["a"])
        accept(two, "agent", name="a", cell=[3, 3])  # it is another agent now, in the same place
        refuse(one, "denied", "remove", names=["a"])


ORDERS = [("edit", {"set": [[[9, 9], "blocked"]]}), ("edit", {"links": [[[0, 0], [9, 9], 5]]}),
          ("occupy", {"cells": [[7, 7], [7, 7]]}), ("vacate", {"cells": [[6, 0]]}),
          ("agent", {"name": "new", "cell": [8, 1]}), ("adjust", {"names": ["a"], "speed": 999, "urgency": 3}),
          ("adjust", {"names": ["a", "b"], "mover": "cart"}), ("go", {"names": ["a", "b"], "to": [2, 2]}),
          ("follow", {"name": "a", "target": "b"}), ("flee", {"name": "a", "target": "b"}), ("halt", {"names": ["c"]}),
          ("steer", {"name": "c", "cell": [8, 5]}),
          ("route", {"name": "s", "cells": [[1, 1], [2, 2]]}), ("take", {"name": "a", "route": "r"}),
          ("remove", {"names": ["b"]})]


def full_disk(server, journal):
    """The journal cannot grow; as on a full disk."""
    room = os.path.getsize(journal)
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (room, before[1]))
    return lambda: resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


def begin_world(client):
    accept(client, "pause")
    for name, cell in (("a", [1, 1]), ("b", [4, 4]), ("c", [8, 4])):
        accept(client, "agent", name=name, cell=cell)
    accept(client, "go", names=["c"], to=[8, 9])
    accept(client, "route", name="r", mode="loop", cells=[[0, 0], [5, 5]])
    accept(client, "occupy", cells=[[6, 0]])


@case()
def what_a_full_disk_refuses_changes_nothing():
    """remove and adjust said busy and were done; occupy and vacate that failed together left a unit behind."""
    with Folder(CARTS) as folder, folder.server("--hz", "100") as server, server.connect("lines") as client:
        if server.has_valgrind():
            return
        begin_world(client)
        before = everything(client, ["a", "b", "c", "new"])
        lift = full_disk(server, folder.journal)
        for op, fields in ORDERS:
            answer = client.ask(op, **fields)
            assert answer.get("error") == "busy" and "large" in answer["text"], (op, answer)
            assert everything(client, ["a", "b", "c", "new"]) == before, op
        ids = []
        for op, fields in (*ORDERS, ("occupy", {"cells": [[7, 7]]}), ("vacate", {"cells": [[7, 7]]}), *ORDERS):
            ids.append(f"together {len(ids)}")  # in as few commits as there may be
            client.send({"op": op, "id": ids[-1], **fields})
        told = {client.answer(name).get("error") for name in ids}
        assert told <= {"busy", "unknown", "bad_argument"}, told
        assert everything(client, ["a", "b", "c", "new"]) == before
        assert "journal" in server.words() and "large" in server.words(), server.words()
        metrics = http(server.web, "/metrics")[2].decode()
        assert int(re.search(r"^wend_journal_failures_total (\d+)$", metrics, re.M)[1]) >= len(ORDERS), metrics
        lift()
        for op, fields in ORDERS:
            assert client.ask(op, **fields).get("ok"), op
        after = everything(client, ["a", "c", "new"])
        server.kill()
        server.start()
        with server.connect("lines") as again:
            accept(again, "pause")
            assert "cannot be" not in server.words(), server.words()
            now = everything(again, ["a", "c", "new"])
            assert now[0].keys() == after[0].keys() and now[2:] == after[2:], (now, after)
            for name in ("a", "c", "new"):
                assert {**now[1][name], "cell": 0, "goal": 0} == {**after[1][name], "cell": 0, "goal": 0}, (now, after)


@case()
def what_is_refused_is_not_in_the_journal():
    """Agents walk while the disk works: an order could be refused after it was written."""
    names = {"ok": set(), "refused": set()}
    with Folder("grid 12 3\nneighbours 4\nmover cart size=2\n") as folder, \
            folder.server("--hz", "1000") as server, server.connect("lines") as client:
        for i in range(4):
            accept(client, "agent", name=f"w{i}", cell=[3 * i, 0], speed=1000000)
        waiting, cell = [], 0
        for i in range(3000):
            cell = (7 * cell + 5) % 36
            orders = [("go", {"names": [f"w{i % 4}"], "to": [cell % 12, cell // 12]}),
                      ("agent", {"name": f"a{i}", "cell": [cell % 12, cell // 12]}),
                      ("agent", {"name": f"b{i}", "cell": [cell % 12, cell // 12], "radius": 300}),
                      ("adjust", {"names": [f"w{i % 4}"], "mover": "cart" if i % 3 else "default", "speed": i + 1}),
                      ("remove", {"names": [f"a{i - 5}"]}), ("remove", {"names": [f"b{i - 7}"]})]
            for op, fields in orders:
                waiting.append((op, fields, f"{op} {i} {fields.get('name') or fields['names']}"))
                client.send({"op": op, "id": waiting[-1][2], **fields})
            while len(waiting) > 40 or (i == 2999 and waiting):
                op, fields, name = waiting.pop(0)
                answer = client.answer(name)
                if answer.get("error") == "too_fast":
                    time.sleep(0.01)
                mark = fields["speed"] if op == "adjust" else fields.get("name")
                if mark and op != "go":
                    names["ok" if answer.get("ok") else "refused"].add(str(mark))
        assert len(names["ok"]) > 300 and len(names["refused"]) > 300, {k: len(v) for k, v in names.items()}
        before = agents_of(client)
        with open(folder.journal) as file:
            text = file.read()
        written = set(re.findall(r"^agent ([ab]\d+) ", text, re.M)) | set(re.findall(r"^adjust .* speed=(\d+)", text, re.M))
        assert written == names["ok"], (written ^ names["ok"])
        assert "# void" not in text
        server.kill()
        server.start()
        with server.connect("lines") as again:
            assert agents_of(again).keys() == before.keys() and "cannot be" not in server.words(), server.words()


@case()
def units_where_an_agent_began_are_put_there_again():
    """An agent was sent off, and 255 units came to where it began: a restart could not put the last one there. A cell
    has at most 254 units of clients, and an agent beside."""
    with Folder(CARTS) as folder, folder.server("--hz", "1000") as server, server.connect("lines") as client:
        accept(client, "agent", name="a", cell=[3, 3], speed=1000000)
        accept(client, "go", names=["a"], to=[9, 9])
        client.event(agent="a", event="arrived")
        accept(client, "occupy", cells=[[3, 3]] * 200)
        accept(client, "occupy", cells=[[3, 3]] * 54)
        refuse(client, "busy", "occupy", cells=[[3, 3]])
        refuse(client, "busy", "occupy", cells=[[4, 4]] * 255)
        accept(client, "occupy", cells=[[4, 4]] * 254)
        accept(client, "vacate", cells=[[4, 4]] * 254)
        for _ in range(2):
            server.kill()
            server.start()
            with server.connect("lines") as again:
                assert units_of(again) == [[3, 3]] * 254
                refuse(again, "busy", "occupy", cells=[[3, 3]])
                assert "a" in agents_of(again) and "cannot be" not in server.words(), server.words()


def seal(data):
    """FNV-1a, as docs/design/journal.md says."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return data + b"# sealed %016x\n" % value


@case()
def a_record_that_cannot_be_taken_is_set_aside():
    """Any that another version or a person wrote: the server said no, and nothing was served."""
    bad = [b"vacate 3,3\n", b"set 1,1 blocked\nunlink 0,0 5,5\npublish\n", b"set 99,1 blocked\npublish\n",
           b"agent x 99,99\n", b"agent y 3,3 mover=none\n", b"remove nobody\n", b"go nobody to 1,1\n", b"sing a song\n",
           b"set 1,1\npublish\n", b"set 1,1 blocked\n", b"route r once\n", b"occupy 1,1\nvacate 2,2\n",
           b"adjust nobody speed=3\n", b"agent z 0,0 speed=none\n", b"adjust good mover=none\n",
           b"publish\n", b"take good none\n", b"follow good good\n"]
    with Folder(CARTS) as folder:
        with folder.server():
            pass
        data = folder.text()
        for record in (b"agent good 5,5\n", *bad, b"set 2,2 blocked\npublish\n", b"agent last 6,6\n"):
            data = seal(data + record)
        folder.put(data)
        for _ in range(2):
            with folder.server() as server, server.connect("lines") as client:
                assert agents_of(client) == {"good": [5, 5], "last": [6, 6]}
                assert units_of(client) == [], "a record is taken whole or not at all"
                rows = classes(client, (0, 0), (11, 11))
                assert [i for i in range(144) if rows[i] != 1] == [2 * 13]
                lines = [m for m in re.findall(r"journal\.wend:(\d+):\d*:? (.*)", server.words())]
                assert len(lines) == len(bad), server.words()
                assert "18 records" in server.words(), server.words()
                accept(client, "edit", set=[[[4, 4], 0]])
                accept(client, "edit", set=[[[4, 4], 1]])
            assert folder.text().startswith(data)


@case()
def a_changed_byte_at_the_end_is_damage_and_garbage_is_not():
    """The last seal, byte by byte: its record was acknowledged. What follows it was not."""
    with Folder(CARTS) as folder:
        with folder.server() as server, server.connect("lines") as client:
            accept(client, "edit", set=[[[1, 0], 0]])
            accept(client, "edit", set=[[[2, 0], 0]])
        whole = folder.text()
        for at in (1, 2, 17, 18, 25, 26):  # test_journal changes each byte
            damaged = bytearray(whole)
            damaged[-at] ^= 1
            folder.put(damaged)
            ended = subprocess.run(["./wend", "serve", os.path.join(folder.path, "world.wend"), "--listen",
                                    "127.0.0.1:0", "--journal", folder.journal], capture_output=True, timeout=PATIENCE)
            assert ended.returncode == 2, (at, ended)
            assert re.search(rb"journal\.wend:\d+:\d+: the journal is damaged", ended.stderr), ended
            assert folder.text() == damaged
        chance = random.Random(3)
        for tail in (b"garbage\n", b"\0" * 4096, b"\0" * 4095 + b"\n", b"set 9,9 blo", b"set 9,9 blocked\npublish\n",
                     b"# sealed", b"\n\n\n", chance.randbytes(3000), b"set 9,9 blocked\npublish\n# sealed 0123",
                     b"set 9,9 blocked\npublish\n" + b"\0" * 26):
            folder.put(whole + tail)
            with folder.server() as server, server.connect("lines") as client:
                assert "not whole" in server.words(), (tail[:20], server.words())
                assert classes(client, (0, 0), (11, 0)) == [1, 0, 0] + [1] * 9
            assert folder.text() == whole


@case()
def a_new_file_follows_no_link_and_is_the_owners():
    with Folder(CARTS) as folder:
        victim, fresh = os.path.join(folder.path, "victim"), folder.journal + ".new"
        old = os.umask(0)
        try:
            for kind in ("link", "file"):
                with open(victim, "w") as out:
                    out.write("precious")
                if kind == "link":
                    os.symlink(victim, fresh)
                else:
                    with open(fresh, "w") as out:
                        out.write("old")
                with folder.server() as server, server.connect("lines") as client:
                    accept(client, "edit", set=[[[1, 0], 0]])
                    if kind == "link":
                        os.symlink(victim, fresh)
                    accept(client, "reset")
                about = os.lstat(folder.journal)
                assert stat.S_ISREG(about.st_mode) and about.st_mode & 0o777 == 0o600, oct(about.st_mode)
                with open(victim) as inside:
                    assert inside.read() == "precious"
                assert not os.path.lexists(fresh)
        finally:
            os.umask(old)


def random_order(chance):
    def cell():
        return [chance.randrange(12), chance.randrange(12)]
    names = ["a", "b", "c", "d", "e f", "to"]
    name, some = chance.choice(names), chance.sample(names, chance.randrange(1, 4))
    ground = chance.choice(["open", "open", "blocked", 2, 3])
    return chance.choice([
        ("edit", {"set": [[cell(), ground] for _ in range(chance.randrange(1, 4))]}),
        ("edit", {"fill": [[cell(), cell(), ground]]} if chance.random() < 0.3 else {"links": [[cell(), cell(), 7]]}),
        ("edit", {"links": [[[0, 0], [9, 9], 5]]} if chance.random() < 0.5 else {"unlinks": [[[0, 0], [9, 9]]]}),
        ("occupy", {"cells": [cell() for _ in range(chance.randrange(1, 5))]}),
        ("occupy", {"cells": [cell()] * chance.randrange(1, 256)}),
        ("vacate", {"cells": [cell() for _ in range(chance.randrange(1, 3))]}),
        ("agent", {"name": name, "cell": cell(), "mover": chance.choice(["default", "cart", "boat"]),
                   "ghost": chance.random() < 0.1}),
        ("agent", {"name": name, "cell": cell(), "speed": chance.randrange(100, 100000)}),
        ("adjust", {"names": some, "mover": chance.choice(["default", "cart", "boat"])}),
        ("adjust", {"names": some, "speed": chance.randrange(1, 1000), "urgency": chance.randrange(-9, 9)}),
        ("go", {"names": some, "to": cell()}), ("go", {"names": [name], "to": cell(), "reach": 1}),
        ("follow", {"name": name, "target": chance.choice(names)}),
        ("flee", {"name": name, "target": chance.choice(names)}), ("halt", {"names": some}),
        ("remove", {"names": [name]}), ("steer", {"name": name, "cell": cell()}),
        ("route", {"name": f"r{chance.randrange(6)}", "mode": "loop", "cells": [cell(), cell()]}),
        ("take", {"name": name, "route": f"r{chance.randrange(6)}"})])


def durable(client):
    """What a restart must have again: not where agents are."""
    features = accept(client, "map", features=True)
    about = {}
    for name in agents_of(client):
        answer = accept(client, "inspect", name=name, trace=False)
        about[name] = [answer[k] for k in ("speed", "urgency", "mover")]
    return about, sorted(features["units"]), sorted(features["link_list"]), classes(client, (0, 0), (11, 11))


@case()
def whatever_was_acknowledged_is_taken_again():
    """Random orders, many at a time, each judged with those before it; killed, and compared."""
    chance, done = random.Random(24), 0
    for trial in range(4):
        with Folder(CARTS) as folder, folder.server("--hz", "500") as server:
            for _ in range(3):
                with server.connect("lines") as client:
                    for _ in range(12):
                        ids = [client.next_id() for _ in range(chance.randrange(1, 40))]
                        for name in ids:
                            op, fields = random_order(chance)
                            client.send({"op": op, "id": name, **fields})
                        done += sum(client.answer(name).get("ok") is True for name in ids)
                    before = durable(client)
                server.kill()
                server.start()
                with server.connect("lines") as client:
                    after = durable(client)
                    assert after[1:] == before[1:], (trial, after, before)
                    lost = {k: v for k, v in before[0].items() if after[0].get(k) != v}
                    aside = "cannot be taken" in server.words()
                    assert not lost or aside, (lost, after[0], server.words())
                    assert not after[0].keys() - before[0].keys(), (after[0], before[0])
                    accept(client, "reset")
    assert done > 600, done


@case()
def an_order_is_answered_when_the_disk_has_it():
    """It waited for the next frame."""
    with Folder(CARTS) as folder, folder.server("--hz", "1", "--max-edits", "1000") as server, server.connect("lines") as client:
        began = time.monotonic()
        for i in range(200):
            accept(client, "edit", set=[[[i % 12, 1], 0]])
            accept(client, "occupy", cells=[[i % 12, 2]])
        assert time.monotonic() - began < 300  # 400 seconds by the clock of frames


@case()
def orders_are_judged_with_those_before_them():
    """Many in one commit, each of which is possible only by the one before it."""
    with Folder(CARTS) as folder, folder.server("--hz", "50") as server, server.connect("lines") as client:
        accept(client, "pause")
        orders = [("agent", {"name": "a", "cell": [1, 1]}, None), ("agent", {"name": "a", "cell": [2, 2]}, "bad_argument"),
                  ("go", {"names": ["a"], "to": [5, 5]}, None), ("remove", {"names": ["a"]}, None),
                  ("go", {"names": ["a"], "to": [5, 5]}, "unknown"), ("remove", {"names": ["a"]}, "unknown"),
                  ("agent", {"name": "a", "cell": [3, 3]}, None), ("adjust", {"names": ["a"], "speed": 7}, None),
                  ("occupy", {"cells": [[9, 9]] * 254}, None), ("occupy", {"cells": [[9, 9]]}, "busy"),
                  ("vacate", {"cells": [[9, 9]] * 254}, None), ("vacate", {"cells": [[9, 9]]}, "bad_argument"),
                  ("route", {"name": "r", "cells": [[1, 1], [5, 5]]}, None),
                  ("route", {"name": "r", "cells": [[1, 1], [5, 5]]}, "bad_argument"),
                  ("take", {"name": "a", "route": "r"}, None), ("take", {"name": "a", "route": "s"}, "unknown"),
                  ("edit", {"set": [[[7, 7], "blocked"]]}, None), ("agent", {"name": "x", "cell": [7, 7]}, "bad_argument"),
                  ("edit", {"set": [[[7, 7], "open"]]}, None), ("agent", {"name": "b", "cell": [7, 7]}, None),
                  ("agent", {"name": "c", "cell": [7, 7]}, "busy"), ("follow", {"name": "b", "target": "a"}, None),
                  ("follow", {"name": "b", "target": "b"}, "bad_argument"), ("step", {"frames": 3}, None),
                  ("edit", {"links": [[[0, 0], [9, 9], 7]]}, None), ("edit", {"unlinks": [[[0, 0], [9, 9]]]}, None),
                  ("edit", {"unlinks": [[[0, 0], [9, 9]]]}, "bad_argument")]
        for i, (op, fields, _) in enumerate(orders):
            client.send({"op": op, "id": i, **fields})
        for i, (op, fields, error) in enumerate(orders):
            answer = client.answer(i)
            assert answer.get("error") == error, (op, fields, answer)
        before = durable(client), accept(client, "inspect", name="b", trace=False)["wish"]
        server.kill()
        server.start()
        with server.connect("lines") as again:
            assert (durable(again), accept(again, "inspect", name="b", trace=False)["wish"]) == before
            assert "cannot be" not in server.words(), server.words()
