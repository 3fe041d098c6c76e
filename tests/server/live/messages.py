# SPDX-License-Identifier: MIT
"""Every message of the protocol and every refusal, from the protocol's description."""
import json
import random
import re
import subprocess
import time

from client import BINARY, CLOSE, Closed, frame, http, PATIENCE, PING, Refused, TEXT, WebSocket
from server import Server, WORLD, case

BOTH = ("lines", "ws")


def refuse(client, error, op, **fields):
    answer = client.ask(op, **fields)
    assert answer.get("error") == error, (op, fields, answer)
    assert isinstance(answer.get("text"), str) and answer["text"], answer
    assert "ok" not in answer, answer
    return answer


def accept(client, op, **fields):
    answer = client.ask(op, **fields)
    assert answer.get("ok") is True and "error" not in answer, (op, fields, answer)
    return answer


def classes(client, low=(0, 0), high=(9, 9)):
    return accept(client, "map", box=[list(low), list(high)])["classes"]


def search(client, **fields):
    fields.setdefault("from", [0, 0])
    fields.setdefault("to", [9, 9])
    return client.done(accept(client, "request", **fields)["id"])


@case(*BOTH)
def hello_gives_version_and_secret(kind):
    with Server() as server, server.connect(kind) as client:
        answer = accept(client, "hello", protocol=1, session="one")
        assert answer["protocol"] == 1 and len(answer["secret"]) >= 16, answer
        assert accept(client, "stats")
        with server.connect(kind) as other:
            refuse(other, "bad_argument", "hello", protocol=2)
            assert "secret" in accept(other, "hello", protocol=1, session="two")
        with server.connect(kind) as third:
            refuse(third, "denied", "hello", protocol=1, session="one", secret="wrong")
            refuse(third, "denied", "hello", protocol=1, session="one")


@case(*BOTH)
def requests_that_share_a_search_say_so(kind):
    with Server(world=WORLD + "limit share 1\n") as server, server.connect(kind) as client:
        for name in "ab":
            client.send({"op": "request", "id": name, "from": [0, 0], "to": [9, 9]})
        done = {name: client.done(name) for name in "ab"}
        assert all(answer["shared"] is True for answer in done.values()), done


@case(*BOTH)
def request_completes_as_a_line_of_run(kind):
    with Server() as server, server.connect(kind) as client:
        client.send({"op": "request", "id": "a", "from": [0, 0], "to": [3, 3]})
        first, second = client.receive(), client.receive()
        assert first == {"id": "a", "ok": True} or first.get("ok") is True, first
        done = second["done"]
        assert done["id"] == "a" and done["status"] == "found" and done["cost"] == 42, done
        assert done["cells"] == [[0, 0], [1, 1], [2, 2], [3, 3]] and done["exact"] is True, done
        assert done["frames"] >= 1 and done["frame"] >= 1 and done["epoch"] == 0 and done["checked"] == 0, done
        assert done["engine"] in ("astar", "jump") and isinstance(done["expansions"], int), done
        assert list(done) == ["frame", "id", "status", "cost", "cells", "expansions", "frames", "epoch", "checked",
                              "exact", "engine"], done


@case(*BOTH)
def options_of_requests(kind):
    with Server() as server, server.connect(kind) as client:
        accept(client, "edit", set=[[[5, 5], "blocked"]])
        accept(client, "occupy", cells=[[7, 7]])
        assert search(client, to=[5, 5])["status"] == "goal_blocked"
        assert search(client, **{"from": [5, 5]})["status"] == "start_blocked"
        assert search(client, to=[5, 5], reach=1)["status"] == "found"
        assert search(client, to=[5, 5], mode="nearest")["status"] == "partial"
        assert search(client, to=[5, 5], goals=[[1, 1], [2, 2]])["cells"] == [[0, 0], [1, 1]]
        assert search(client, to=[7, 7], occupied="block")["status"] == "goal_blocked"
        assert search(client, to=[7, 7], occupied="ignore")["cost"] == search(client, to=[7, 7], occupied=100)["cost"] - 100
        assert search(client, mover="cart", to=[8, 8])["status"] == "found"
        assert search(client, max=1)["status"] == "limit"
        assert search(client, weight=2)["exact"] is False
        assert search(client, weight=1.5, engine="astar")["exact"] is False
        assert "cells" not in search(client, cells=False)
        assert search(client, deadline=1)["status"] in ("found", "expired")
        assert search(client, urgency=-1000, on_stale="deliver", agent=3)["status"] == "found"


@case(*BOTH)
def requests_are_refused_with_a_reason(kind):
    with Server() as server, server.connect(kind) as client:
        refuse(client, "out_of_range", "request", **{"from": [10, 0], "to": [1, 1]})
        refuse(client, "out_of_range", "request", **{"from": [0, 0], "to": [1, -1]})
        refuse(client, "out_of_range", "request", **{"from": [0, 0, 1], "to": [1, 1]})
        good = {"from": [0, 0], "to": [1, 1]}
        for field, bad in (("urgency", 1001), ("urgency", -1001), ("deadline", 0), ("weight", 0.5), ("reach", 256),
                           ("reach", -1), ("mode", "best"), ("occupied", "maybe"),
                           ("on_stale", "wait"), ("max", -1), ("urgency", "high"), ("goals", [[1, 1]] * 64),
                           ("goals", 5), ("agent", -1), ("urgency", 1.5)):
            refuse(client, "bad_argument", "request", **good, **{field: bad})
        for fields in ({"to": [1, 1]}, {"from": [0, 0]}, {"from": 5, "to": [1, 1]}, {"from": [0], "to": [1, 1]},
                       {"from": [0, 0, 0, 0], "to": [1, 1]}, {"from": ["0", "0"], "to": [1, 1]},
                       {"from": [0.5, 0], "to": [1, 1]}):
            refuse(client, "bad_argument", "request", **fields)
        assert search(client)["status"] == "found"


@case(*BOTH)
def ids_come_back_as_they_were(kind):
    with Server() as server, server.connect(kind) as client:
        for name in (0, -5, 2 ** 53, "x", "", "a" * 64, "\u00e9" * 32, "quote\" \\ \n"):
            accept(client, "stats", id=name)
        for bad in (None, 1.5, True, [1], {}, "a" * 65, "\u00e9" * 33, 2 ** 70):
            client.send({"op": "stats", "id": bad})
            answer = client.receive()
            assert answer["id"] is None and answer["error"] == "bad_message", (bad, answer)
        client.send({"op": "stats"})
        answer = client.receive()
        assert answer["id"] is None and answer["error"] == "bad_message", answer


@case(*BOTH)
def operations_have_names(kind):
    with Server() as server, server.connect(kind) as client:
        refuse(client, "unknown", "fly")
        refuse(client, "unknown", "Request")
        for message in ({"id": 1}, {"id": 1, "op": 5}, {"id": 1, "op": None}):
            client.send(message)
            answer = client.receive()
            assert answer["id"] == 1 and answer["error"] in ("bad_message", "unknown", "bad_argument"), answer
        accept(client, "stats")


@case(*BOTH)
def an_id_in_use_is_bad(kind):
    with Server() as server, server.connect(kind) as client:
        accept(client, "pause")
        accept(client, "request", id="q", **{"from": [0, 0], "to": [9, 9]})
        refuse(client, "bad_argument", "request", id="q", **{"from": [0, 0], "to": [9, 9]})
        with server.connect(kind) as other:  # ids are a client's own
            accept(other, "request", id="q", **{"from": [0, 0], "to": [9, 9]})
        accept(client, "resume")
        assert client.done("q")["status"] == "found"
        accept(client, "request", id="q", **{"from": [0, 0], "to": [9, 9]})
        assert client.done("q")["status"] == "found"


@case(*BOTH)
def pending_requests_can_be_changed(kind):
    with Server() as server, server.connect(kind) as client:
        accept(client, "pause")
        for name in "abc":
            accept(client, "request", id=name, **{"from": [0, 0], "to": [9, 9]})
        accept(client, "cancel", request="a")
        accept(client, "urgency", request="b", urgency=500)
        accept(client, "goal", request="c", to=[2, 2])
        refuse(client, "bad_argument", "urgency", request="b", urgency=1001)
        refuse(client, "out_of_range", "goal", request="c", to=[99, 2])
        refuse(client, "bad_argument", "urgency", request="b")
        for op in ("cancel", "urgency", "goal"):
            answer = client.ask(op, request="none", urgency=1, to=[1, 1])
            assert answer.get("error") in ("unknown", "bad_argument"), (op, answer)
        accept(client, "step", frames=3)
        assert client.done("a")["status"] == "cancelled"
        assert client.done("b")["status"] == "found"
        assert client.done("c")["cells"][-1] == [2, 2]
        accept(client, "cancel", request="a")  # completed


@case(*BOTH)
def edits_are_one_epoch_each(kind):
    with Server() as server, server.connect(kind) as client:
        first = accept(client, "edit", set=[[[3, 3], "blocked"], [[4, 4], 7]], fill=[[[6, 6], [5, 5], 2]])
        assert first["epoch"] == 1, first
        rows = classes(client)
        assert rows[33] == 0 and rows[44] == 7 and rows[55] == rows[56] == rows[65] == rows[66] == 2, rows
        # set, then fill, whatever stands first
        second = accept(client, "edit", fill=[[[0, 0], [1, 1], "blocked"]], set=[[[0, 0], "open"]])
        assert second["epoch"] == 2 and classes(client)[0] == 0
        assert accept(client, "map")["epoch"] == 2
        assert search(client, **{"from": [2, 2], "to": [3, 3]})["status"] == "goal_blocked"
        assert search(client, **{"from": [2, 2], "to": [4, 2]})["epoch"] == 2


@case(*BOTH)
def refused_edits_change_nothing(kind):
    with Server() as server, server.connect(kind) as client:
        before = classes(client)
        for error, fields in (("out_of_range", {"set": [[[1, 1], "blocked"], [[10, 1], "blocked"]]}),
                              ("out_of_range", {"set": [[[1, 1], 0]], "fill": [[[0, 0], [0, 10], 0]]}),
                              ("bad_argument", {"set": [[[1, 1], "blocked"], [[2, 2], "wet"]]}),
                              ("bad_argument", {"set": [[[1, 1], 256]]}), ("bad_argument", {"set": [[[1, 1], -1]]}),
                              ("bad_argument", {"set": [[[1, 1]]]}), ("bad_argument", {"set": 5}),
                              ("bad_argument", {"set": [[[1, 1], "blocked"]], "unlinks": [[[1, 1], [5, 5]]]}),
                              ("bad_argument", {"set": [[[1, 1], 0]], "links": [[[1, 1], [1, 1], 5]]}),
                              ("bad_argument", {"set": [[[1, 1], 0]], "links": [[[1, 1], [2, 2], 0]]}),
                              ("bad_argument", {"set": [[[1, 1], 0]], "steps": [[[1, 1], [5, 5], "blocked"]]}),
                              ("bad_argument", {"set": [[[1, 1], 0]], "steps": [[[1, 1], [1, 2], 3]]})):
            refuse(client, error, "edit", **fields)
        assert classes(client) == before and accept(client, "map")["epoch"] == 0


@case(*BOTH)
def edits_have_steps_and_links(kind):
    with Server() as server, server.connect(kind) as client:
        ways = {"from": [0, 0], "to": [9, 9]}
        accept(client, "edit", links=[[[0, 0], [9, 9], 5]])
        assert search(client, **ways)["cost"] == 5
        accept(client, "edit", links=[[[0, 0], [9, 9], 7]])
        assert search(client, **ways)["cost"] == 7
        accept(client, "edit", unlinks=[[[0, 0], [9, 9]]])
        assert search(client, **ways)["cost"] == 126
        refuse(client, "bad_argument", "edit", unlinks=[[[0, 0], [9, 9]]])
        accept(client, "edit", fill=[[[0, 1], [9, 9], "blocked"]])
        accept(client, "edit", steps=[[[4, 0], [5, 0], "blocked"]])
        assert search(client, to=[9, 0])["status"] == "no_path"
        assert search(client, **{"from": [9, 0], "to": [0, 0]})["status"] == "found"  # that direction only
        accept(client, "edit", steps=[[[4, 0], [5, 0], "open"]])
        assert search(client, to=[9, 0])["cost"] == 90


@case(*BOTH)
def the_rules_of_scripts_hold_for_clients(kind):
    """What a line of a script may not do, an edit may not do either, for the same reason."""
    with Server() as server, server.connect(kind) as client:
        for line, fields in (("set 10,1 open", {"set": [[[10, 1], "open"]]}),
                             ("fill 0,0 0,10 open", {"fill": [[[0, 0], [0, 10], "open"]]}),
                             ("step 1,1 3,1 open", {"steps": [[[1, 1], [3, 1], "open"]]}),
                             ("link 1,1 1,1 5", {"links": [[[1, 1], [1, 1], 5]]}),
                             ("unlink 1,1 5,5", {"unlinks": [[[1, 1], [5, 5]]]}),
                             ("link 1,1 5,5 5\nunlink 1,1 5,5\nunlink 1,1 5,5",
                              {"links": [[[1, 1], [5, 5], 5]], "unlinks": [[[1, 1], [5, 5]], [[1, 1], [5, 5]]]})):
            script = subprocess.run(["./wend", "run", "-"], input="grid 10 10\n%s\n" % line, text=True,
                                    capture_output=True, check=False)
            answer = client.ask("edit", **fields)
            assert script.returncode == 2 and script.stderr.split(": ", 1)[1] == answer["text"] + "\n", (script, answer)
        accept(client, "edit", links=[[[1, 1], [5, 5], 5]])  # those that were refused are forgotten
        accept(client, "edit", unlinks=[[[1, 1], [5, 5]]])


@case(*BOTH)
def units_are_counted(kind):
    with Server() as server, server.connect(kind) as client:
        accept(client, "occupy", cells=[[3, 3], [3, 3], [4, 4]])
        accept(client, "vacate", cells=[[3, 3]])
        assert search(client, to=[3, 3], occupied="block")["status"] == "goal_blocked"
        refuse(client, "bad_argument", "vacate", cells=[[4, 4], [4, 4]])  # one unit: nothing is done
        assert search(client, to=[4, 4], occupied="block")["status"] == "goal_blocked"
        accept(client, "vacate", cells=[[4, 4], [3, 3]])
        assert search(client, to=[3, 3], occupied="block")["status"] == "found"
        refuse(client, "bad_argument", "vacate", cells=[[3, 3]])
        refuse(client, "out_of_range", "occupy", cells=[[1, 1], [10, 10]])
        refuse(client, "bad_argument", "occupy")
        assert search(client, to=[1, 1], occupied="block")["status"] == "found"


@case(*BOTH)
def agents_walk(kind):
    with Server("--hz", "200") as server, server.connect(kind) as client:
        accept(client, "agent", name="a", cell=[0, 0], speed=1000)
        assert accept(client, "positions")["agents"] == {"a": [0, 0]} if "agents" in client.kept else True
        accept(client, "go", names=["a"], to=[4, 4])
        assert client.event(agent="a", event="arrived")["cell"] == [4, 4]
        accept(client, "agent", name="b", cell=[9, 9], speed=1000, urgency=5, mover="default", ghost=False)
        accept(client, "follow", name="b", target="a", reach=2)
        accept(client, "halt", names=["b"])
        assert client.event(agent="b", event="replaced")
        accept(client, "go", names=["a", "b"], to=[6, 6], reach=1)
        assert client.event(agent="a", event="arrived") and client.event(agent="b", event="arrived")
        accept(client, "flee", name="b", target="a", distance=3)
        assert client.event(agent="b", event="arrived")
        accept(client, "flee", name="b", target="a", distance=2, keep=True)
        accept(client, "route", name="r", mode="once", cells=[[0, 0], [0, 5]])
        accept(client, "take", name="a", route="r")
        assert client.event(agent="a", event="arrived")["cell"] == [0, 5]
        accept(client, "remove", names=["b"])
        accept(client, "agent", name="b", cell=[9, 0])  # the name is free again


@case(*BOTH)
def a_player_is_steered(kind):
    with Server("--hz", "100") as server, server.connect(kind) as client:
        accept(client, "agent", name="p", cell=[5, 5], speed=1000)
        accept(client, "pause")
        for x in range(4, -1, -1):
            accept(client, "steer", name="p", cell=[x, 5])
            accept(client, "step")
            assert accept(client, "positions")["agents"] == {"p": [x, 5]}
        accept(client, "go", names=["p"], to=[9, 9])
        accept(client, "steer", name="p", cell=[9, 9])  # no neighbour
        accept(client, "step")
        assert client.event(agent="p", event="replaced")["cell"] == [0, 5]
        assert client.event(agent="p", event="gave_up")["why"] == "blocked"
        assert accept(client, "inspect", name="p")["steered"] is True
        accept(client, "resume")
        accept(client, "pace", wander=True)
        time.sleep(0.3)
        assert accept(client, "positions")["agents"] == {"p": [0, 5]}, "it wanders"
        accept(client, "halt", names=["p"])
        assert "steered" not in accept(client, "inspect", name="p")


@case(*BOTH)
def a_box_is_cleared(kind):
    with Server("--hz", "100") as server, server.connect(kind) as client:
        accept(client, "agent", name="a", cell=[5, 5], speed=1000)
        accept(client, "clear", box=[[6, 6], [4, 4]])
        assert client.event(event="clear")["box"] == [[4, 4], [6, 6]]
        x, y = accept(client, "positions")["agents"]["a"]
        assert not (4 <= x <= 6 and 4 <= y <= 6), (x, y)
        refuse(client, "bad_argument", "clear", box=[[4, 4], [6, 6]])  # it is
        refuse(client, "busy", "agent", name="b", cell=[5, 5])
        assert "clear 4,4 6,6" in accept(client, "save")["script"]
        accept(client, "release", box=[[4, 6], [6, 4]])
        refuse(client, "bad_argument", "release", box=[[4, 4], [6, 6]])
        for box in ([[4, 4]], [[1, 1], [2, 2], [3, 3]], [4, 4], "x"):
            refuse(client, "bad_argument", "clear", box=box)
        refuse(client, "out_of_range", "clear", box=[[4, 4], [10, 4]])
        accept(client, "agent", name="b", cell=[5, 5])


@case(*BOTH)
def agents_are_refused(kind):
    with Server() as server, server.connect(kind) as client:
        accept(client, "edit", set=[[[5, 5], "blocked"]])
        accept(client, "agent", name="a", cell=[0, 0])
        accept(client, "route", name="r", mode="loop", cells=[[0, 0], [0, 5]])
        refuse(client, "bad_argument", "agent", name="a", cell=[1, 1])  # the name
        for fields in ({"cell": [0, 0]}, {"cell": [5, 5]}, {"cell": [1, 1], "mover": "none"}):
            answer = client.ask("agent", name="b", **fields)
            assert answer.get("error") in ("bad_argument", "busy", "unknown"), (fields, answer)
        for fields in ({"cell": [1, 1], "speed": 0}, {"cell": [1, 1], "speed": "x"},
                       {"cell": [1, 1], "urgency": 2000}, {},
                       {"cell": [1, 1], "ghost": 5}):
            refuse(client, "bad_argument", "agent", name="b", **fields)
        refuse(client, "out_of_range", "agent", name="b", cell=[10, 1])
        refuse(client, "bad_argument", "agent", cell=[1, 1])
        for op, fields in (("go", {"names": ["x"], "to": [1, 1]}), ("halt", {"names": ["a", "x"]}),
                           ("remove", {"names": ["x"]}), ("follow", {"name": "a", "target": "x"}),
                           ("follow", {"name": "x", "target": "a"}), ("flee", {"name": "a", "target": "x"}),
                           ("take", {"name": "a", "route": "x"}), ("take", {"name": "x", "route": "r"}),
                           ("steer", {"name": "x", "cell": [1, 1]})):
            answer = client.ask(op, **fields)
            assert answer.get("error") in ("unknown", "bad_argument"), (op, fields, answer)
        refuse(client, "out_of_range", "go", names=["a"], to=[10, 10])
        refuse(client, "out_of_range", "steer", name="a", cell=[10, 10])
        refuse(client, "bad_argument", "flee", name="a", target="a", keep=1)
        refuse(client, "bad_argument", "steer", name="a")
        refuse(client, "bad_argument", "steer", name="a", cell=[1, 1], to=[1, 1])
        refuse(client, "bad_argument", "go", names=[], to=[1, 1])
        refuse(client, "bad_argument", "go", to=[1, 1])
        refuse(client, "bad_argument", "route", name="r", mode="loop", cells=[[0, 0], [0, 5]])
        refuse(client, "bad_argument", "route", name="s", mode="spiral", cells=[[0, 0], [0, 5]])


@case(*BOTH)
def the_map_is_told(kind):
    with Server() as server, server.connect(kind) as client:
        told = accept(client, "map")
        assert told["kind"] == "grid" and told["size"] == [10, 10] and told["neighbours"] == 8, told
        assert told["corners"] == "never" and told["cost"] == [10, 14] and told["epoch"] == 0, told
        assert "classes" not in told
        accept(client, "edit", set=[[[2, 1], 5], [[3, 2], "blocked"]])
        assert classes(client, (2, 1), (3, 2)) == [5, 1, 1, 0]
        assert len(classes(client)) == 100
        told = accept(client, "map", box=[[2, 1], [3, 2]], runs=True)
        assert told["runs"] == [5, 1, 1, 2, 0, 1] and "classes" not in told, told
        assert accept(client, "map", box=[[0, 5], [9, 9]], runs=True)["runs"] == [1, 50]
        assert accept(client, "map", box=[[2, 1], [3, 2]], runs=False)["classes"] == [5, 1, 1, 0]
        assert "runs" not in accept(client, "map", runs=True)
        refuse(client, "bad_argument", "map", box=[[2, 1], [3, 2]], runs=1)
        refuse(client, "out_of_range", "map", box=[[0, 0], [10, 9]], runs=True)
        refuse(client, "out_of_range", "map", box=[[0, 0], [10, 9]])
        refuse(client, "bad_argument", "map", box=[[3, 3], [2, 2]])
        refuse(client, "bad_argument", "map", box=[[3, 3]])


@case(*BOTH)
def sheets_are_told(kind):
    with Server(world="grid 128 70 sheets=0,0;63,69;0,0;64,0;127,63;10,5\n") as server, server.connect(kind) as client:
        told = accept(client, "map")
        assert told["sheets"] == [[[0, 0], [63, 69], [0, 0]], [[64, 0], [127, 63], [10, 5]]], told
        assert "sheets" not in accept(client, "map", box=[[0, 0], [9, 9]], runs=True)
    with Server() as server, server.connect(kind) as client:
        assert "sheets" not in accept(client, "map")


@case(*BOTH)
def runs_are_the_classes(kind):
    chance = random.Random(5)
    for world, size in (("grid 40 30\n", (40, 30)), ("voxels 9 8 7\n", (9, 8, 7)), ("graph\n" + "node 0\nnode 9\nedge 0 9 1\n", (10,))):
        with Server(world=world) as server, server.connect(kind) as client:
            for turn in range(40):
                ends = [sorted(chance.randrange(side) for _ in "ab") for side in size]
                low, high = ([end[at] for end in ends] if len(size) > 1 else ends[0][at] for at in (0, 1))
                if len(size) > 1:
                    accept(client, "edit", fill=[[low, high, chance.choice((0, 1, 2, 254, 255))]])
                box = [low, high] if turn % 2 else [[0] * len(size), [side - 1 for side in size]] if len(size) > 1 else [0, size[0] - 1]
                runs = accept(client, "map", box=box, runs=True)["runs"]
                assert all(count > 0 for count in runs[1::2]) and all(a != b for a, b in zip(runs[::2], runs[2::2])), runs
                spread = [ground for ground, count in zip(runs[::2], runs[1::2]) for _ in range(count)]
                assert spread == accept(client, "map", box=box)["classes"], (box, runs)


@case(*BOTH)
def messages_that_come_unasked_have_a_type(kind):
    """Each message is an answer with an id, or has a type and a member of that name."""
    every = ["frames", "agents", "edits", "completions", "queue"]
    with Server("--hz", "100") as server, server.connect(kind) as watcher, server.connect(kind) as client:
        accept(client, "agent", name="a", cell=[0, 0], speed=1000)
        accept(watcher, "subscribe", what=every, binary=kind == "ws")
        accept(client, "go", names=["a"], to=[2, 2])
        accept(client, "edit", set=[[[5, 5], "blocked"]])
        search(client, id="q")
        events = [watcher.wait(lambda m, event=event: m.get("event", {}).get("event") == event)
                  for event in ("edit", "completion", "arrived")]
        events.append(client.wait(lambda m: "event" in m))
        accept(client, "request", id="r", **{"from": [0, 0], "to": [9, 9]})
        found = set()
        for message in [client.wait(lambda m: m.get("id") == "r"), *events, *client.kept, *watcher.kept]:
            found.add(message["type"])
            assert message["type"] in message and list(message)[0] == "type" and "ok" not in message, message
        places = "names" if kind == "ws" else "agents"
        assert found == {"frame", "event", "queue", "done", places}, found
        assert not kind == "ws" or watcher.binary
        for answer in (client.ask("stats"), client.ask("weather"), watcher.ask("map")):
            assert "type" not in answer, answer


def picture(client, what, count, **fields):
    """The messages that come with the answer to `subscribe`, in a world that is paused."""
    accept(client, "subscribe", what=what, **fields)
    accept(client, "stats")
    messages = list(client.kept)
    client.kept.clear()
    assert len(messages) == count, messages
    return messages


@case(*BOTH)
def subscribe_answers_with_a_first_picture(kind):
    with Server("--hz", "100") as server, server.connect(kind) as client, server.connect(kind) as watcher:
        accept(client, "agent", name="a", cell=[3, 4])
        accept(client, "pause")
        frame = accept(client, "step")["frame"]
        frames, queue, agents = picture(watcher, ["agents", "queue", "edits", "frames", "completions"], 3, every=7)
        assert frames["frame"]["number"] == queue["queue"]["frame"] == agents["number"] == frame, (frames, queue)
        assert agents["agents"] == {"a": [3, 4]}, agents
        assert picture(watcher, ["agents"], 1) == [agents]
        assert picture(watcher, ["edits"], 0) == picture(watcher, [], 0) == []
        if kind == "ws":
            names, = picture(watcher, ["agents"], 1, binary=True)
            assert names == {"type": "names", "names": [[0, "a"]]}, names
            assert [len(message) for message in watcher.binary] == [16 + 20], watcher.binary


@case(*BOTH)
def watchers_of_a_paused_world_see_who_comes_and_goes(kind):
    with Server("--hz", "100") as server, server.connect(kind) as client, server.connect(kind) as watcher:
        accept(client, "pause")
        accept(client, "step")  # it may have been paused before its first frame, of which there is no picture
        accept(watcher, "subscribe", what=["frames", "agents"], every=1000)
        before = watcher.wait(lambda m: "frame" in m)["frame"]["number"]
        accept(client, "agent", name="a", cell=[3, 4])
        assert watcher.wait(lambda m: m.get("agents") == {"a": [3, 4]})["number"] == before
        accept(client, "remove", names=["a"])
        assert watcher.wait(lambda m: m.get("agents") == {})["number"] == before
        assert not [m for m in watcher.kept if m.get("frame", {}).get("number") != before], watcher.kept


@case(*BOTH)
def subscriptions_replace_each_other(kind):
    with Server("--hz", "100") as server, server.connect(kind) as watcher, server.connect(kind) as client:
        accept(watcher, "subscribe", what=["frames"])
        one = watcher.wait(lambda m: "frame" in m)["frame"]
        two = watcher.wait(lambda m: "frame" in m)["frame"]
        assert two["number"] == one["number"] + 1, (one, two)
        assert {"number", "expansions", "us", "waiting", "running", "delivered"} <= set(one), one
        accept(watcher, "subscribe", what=[])
        watcher.kept.clear()
        accept(watcher, "subscribe", what=["frames"], every=5)
        watcher.wait(lambda m: "frame" in m)  # the first picture
        numbers = [watcher.wait(lambda m: "frame" in m)["frame"]["number"] for _ in range(3)]
        assert numbers[2] - numbers[0] == 10, numbers
        accept(watcher, "subscribe", what=["edits", "completions"])
        watcher.kept.clear()
        accept(client, "edit", set=[[[3, 3], "blocked"]])
        edit = watcher.wait(lambda m: "event" in m)["event"]
        assert edit["event"] == "edit" and edit["epoch"] == 1 and edit["set"] == [[[3, 3], "blocked"]], edit
        search(client)
        done = watcher.event(event="completion")
        assert done["status"] == "found", done
        accept(watcher, "subscribe", what=["agents"])
        watcher.kept.clear()
        accept(client, "agent", name="a", cell=[0, 0], speed=1000)
        accept(client, "go", names=["a"], to=[2, 2])
        places = watcher.wait(lambda m: m.get("agents", {}).get("agents") == {"a": [2, 2]} or
                              m.get("agents", {}).get("a") == [2, 2])
        assert places
        assert watcher.event(agent="a", event="arrived")
        accept(watcher, "subscribe", what=[])
        watcher.kept.clear()
        time.sleep(0.1)
        accept(watcher, "stats")
        assert not watcher.kept, watcher.kept[:3]
        refuse(watcher, "bad_argument", "subscribe", what=["weather"])
        refuse(watcher, "bad_argument", "subscribe", what="frames")
        refuse(watcher, "bad_argument", "subscribe", what=["frames"], every=0)


@case()
def a_step_does_not_wait_for_the_clock():
    with Server("--hz", "1") as server, server.connect("lines") as client:
        accept(client, "pause")
        began = time.monotonic()
        accept(client, "step", frames=500)
        assert time.monotonic() - began < 400  # 500 seconds by the clock


@case(*BOTH)
def time_is_in_the_clients_hands(kind):
    with Server("--hz", "100") as server, server.connect(kind) as client:
        answer = client.ask("step", frames=1)
        assert answer.get("error") in ("bad_argument", "denied"), answer  # not paused
        accept(client, "pause")
        before = accept(client, "stats")
        accept(client, "request", id="q", **{"from": [0, 0], "to": [9, 9]})
        time.sleep(0.05)
        assert not any("done" in m for m in client.kept)
        accept(client, "step", frames=3)
        assert client.done("q")["status"] == "found"
        assert before
        assert accept(client, "edit", set=[[[1, 1], "blocked"]])["epoch"] == 1  # paused or not
        accept(client, "step")
        refuse(client, "bad_argument", "step", frames=0)
        accept(client, "resume")
        assert search(client)["epoch"] == 1


@case(*BOTH)
def reset_restores_the_world(kind):
    with Server() as server, server.connect(kind) as client:
        accept(client, "edit", set=[[[1, 1], "blocked"]])
        accept(client, "occupy", cells=[[2, 2]])
        accept(client, "agent", name="a", cell=[0, 0])
        accept(client, "pause")
        accept(client, "request", id="q", **{"from": [0, 0], "to": [9, 9]})
        accept(client, "reset")
        accept(client, "resume")
        assert client.done("q")["status"] == "cancelled"
        assert classes(client) == [1] * 100
        assert search(client, to=[2, 2], occupied="block")["status"] == "found"
        accept(client, "agent", name="a", cell=[0, 0])


@case(*BOTH)
def clients_do_not_disturb_each_other(kind):
    with Server() as server, server.connect("lines") as one, server.connect(kind) as two:
        accept(one, "edit", set=[[[1, 1], "blocked"]])
        assert classes(two)[11] == 0
        for i in range(50):
            one.send({"op": "request", "id": f"r{i}", "from": [0, 0], "to": [9, i % 10]})
            two.send({"op": "request", "id": f"r{i}", "from": [9, 9], "to": [0, i % 10]})
        for i in range(50):
            assert one.done(f"r{i}")["cells"][-1] == [9, i % 10]
            assert two.done(f"r{i}")["cells"][-1] == [0, i % 10]


@case(*BOTH)
def answers_come_before_completions(kind):
    with Server("--hz", "1000") as server, server.connect(kind) as client:
        for i in range(500):
            client.send({"op": "request", "id": i, "from": [0, 0], "to": [i % 10, 9]})
        state = {}
        while len(state) < 500 or set(state.values()) != {"done"}:
            message = client.receive()
            if "ok" in message:
                assert message["id"] not in state, message
                state[message["id"]] = "ok"
            else:
                assert state[message["id"]] == "ok", message
                state[message["id"]] = "done"


@case(*BOTH)
def read_only_denies_what_changes(kind):
    with Server("--read-only") as server, server.connect(kind) as client:
        for op, fields in (("edit", {"set": [[[1, 1], 0]]}), ("occupy", {"cells": [[1, 1]]}),
                           ("vacate", {"cells": [[1, 1]]}), ("agent", {"name": "a", "cell": [0, 0]}),
                           ("go", {"names": ["a"], "to": [1, 1]}), ("follow", {"name": "a", "target": "b"}),
                           ("flee", {"name": "a", "target": "b"}), ("halt", {"names": ["a"]}),
                           ("remove", {"names": ["a"]}), ("route", {"name": "r", "mode": "once", "cells": [[0, 0]]}),
                           ("take", {"name": "a", "route": "r"}), ("steer", {"name": "a", "cell": [1, 1]}),
                           ("clear", {"box": [[1, 1], [2, 2]]}), ("release", {"box": [[1, 1], [2, 2]]}),
                           ("pause", {}), ("resume", {}), ("step", {}),
                           ("reset", {})):
            refuse(client, "denied", op, **fields)
        assert search(client)["status"] == "found"
        accept(client, "map"), accept(client, "stats"), accept(client, "positions")
        accept(client, "subscribe", what=["frames"])
        accept(client, "request", id="q", **{"from": [0, 0], "to": [9, 9]})
        client.ask("urgency", request="q", urgency=1), client.ask("goal", request="q", to=[1, 1])
        assert client.ask("cancel", request="q").get("ok")


@case(*BOTH)
def a_token_is_asked_for(kind):
    with Server("--token", "open sesame") as server:
        with server.connect(kind) as client:
            refuse(client, "denied", "stats")
            refuse(client, "denied", "request", **{"from": [0, 0], "to": [1, 1]})
            refuse(client, "denied", "edit", set=[[[1, 1], 0]])
            refuse(client, "denied", "hello", protocol=1)
            for wrong in ("open sesam", "open sesame ", "", "x"):
                refuse(client, "denied", "hello", protocol=1, token=wrong)
            accept(client, "hello", protocol=1, token="open sesame")
            assert search(client)["status"] == "found"
        assert http(server.web, "/")[0] == 200 and http(server.web, "/healthz")[0] == 200
        assert http(server.web, "/metrics")[0] in (401, 403)
        assert http(server.web, "/metrics", headers=["Authorization: Bearer wrong"])[0] in (401, 403)
        assert http(server.web, "/metrics", headers=["Authorization: Bearer open sesame"])[0] == 200


@case(*BOTH)
def a_session_gets_what_it_missed(kind):
    with Server() as server, server.connect(kind) as other:
        client = server.connect(kind)
        secret = accept(client, "hello", protocol=1, session="s")["secret"]
        accept(client, "pause")
        for i in range(5):
            accept(client, "request", id=f"m{i}", **{"from": [0, 0], "to": [9, i]})
        client.close()
        wait_for_clients(other, 1)
        accept(other, "step", frames=3)
        accept(other, "resume")
        with server.connect(kind) as back:
            back.send({"op": "hello", "id": "h", "protocol": 1, "session": "s", "secret": secret})
            assert back.receive().get("ok") is True
            for i in range(5):
                assert back.done(f"m{i}")["cells"][-1] == [9, i]
            accept(back, "request", id="m0", **{"from": [0, 0], "to": [1, 1]})  # the id is free again
            assert back.done("m0")["status"] == "found"


def wait_for_clients(client, count):
    """Until the server saw that the others are gone."""
    end = time.monotonic() + PATIENCE
    while accept(client, "stats")["clients"] > count:
        assert time.monotonic() < end
        time.sleep(0.01)


@case(*BOTH)
def a_session_is_told_what_is_lost(kind):
    with Server("--max-kept-bytes", "0") as server, server.connect(kind) as other:
        client = server.connect(kind)
        secret = accept(client, "hello", protocol=1, session="s")["secret"]
        accept(client, "pause")
        accept(client, "request", id="gone", **{"from": [0, 0], "to": [9, 9]})
        client.close()
        wait_for_clients(other, 1)
        accept(other, "step", frames=3)
        with server.connect(kind) as back:
            accept(back, "hello", protocol=1, session="s", secret=secret)
            assert back.wait(lambda m: m.get("id") == "gone") == {"id": "gone", "lost": True}


@case()
def pages_are_served():
    with Server() as server:
        status, fields, body = http(server.web, "/")
        assert status == 200 and fields["content-type"].startswith("text/html"), (status, fields)
        assert "default-src" in fields["content-security-policy"], fields
        assert b"http://" not in body and b"https://" not in body.replace(b"https://www.w3.org", b"")
        assert http(server.web, "/healthz")[0] == 200
        assert http(server.web, "/readyz")[::2] == (200, b"ok\n")
        status, fields, body = http(server.web, "/metrics")
        assert status == 200 and fields["content-type"].startswith("text/plain") and b"# TYPE" in body
        for name in (b"wend_frame_seconds_bucket", b"wend_live_clients", b'wend_completions_total{status="found"}',
                     b'wend_request_wait_frames_count{urgency="-200 to 200"}', b'wend_expansions_total{engine="astar"}',
                     b'wend_memory_bytes{owner="service"}', b"wend_requests_waiting", b"process_resident_memory_bytes"):
            assert name in body, name
        assert len(set(l for l in body.split(b"\n") if l.startswith(b"# TYPE"))) == body.count(b"# TYPE")
        for path in ("/none", "/../etc/passwd", "/%2e%2e/etc/passwd", "/ws/x", "//etc/passwd"):
            assert http(server.web, path)[0] in (400, 403, 404), path
        assert http(server.web, "/", method="POST")[0] in (403, 404, 405, 400, 501)


@case()
def foreign_origins_and_hosts_are_refused():
    with Server() as server:
        good, port = f"127.0.0.1:{server.web[1]}", server.web[1]
        for origin, host in ((None, None), (f"http://{good}", None), (f"http://localhost:{port}", f"localhost:{port}")):
            WebSocket(server.web, origin=origin, host=host).close()
        for origin, host in (("http://evil.example", None), ("null", None), (None, "evil.example"),
                             (None, f"evil.example:{port}"), (f"http://{good}.evil.example", None),
                             (f"http://evil.example/{good}", None), (None, f"127.0.0.1.evil.example:{port}")):
            try:
                WebSocket(server.web, origin=origin, host=host).close()
            except Refused as refused:
                assert refused.status == 403, (origin, host, refused.head)
            else:
                raise AssertionError(f"origin {origin}, host {host} was let in")
        for path in ("/", "/metrics", "/healthz"):
            assert http(server.web, path, host="evil.example")[0] == 403, path


@case(*BOTH)
def sigterm_answers_what_is_pending(kind):
    server = Server()
    try:
        with server.connect(kind) as client:
            accept(client, "pause")
            for i in range(3):
                accept(client, "request", id=i, **{"from": [0, 0], "to": [9, i]})
            status, words = server.terminate()
            for i in range(3):
                assert client.done(i)["status"] == "found"
            try:
                client.receive()
                raise AssertionError("the connection is still there")
            except Closed as closed:
                assert closed.code == (1001 if kind == "ws" else None), closed
            assert status == 0, (status, words)
    finally:
        server.remove()


def ending_completes(server, client, **fields):
    """SIGTERM while requests are pending that no frame can answer: each ends as cancelled."""
    for i in range(3):
        accept(client, "request", id=i, **{"from": [1, 1], "to": [70, i]}, **fields)
    status, words = server.terminate()
    done = [client.done(i) for i in range(3)]
    assert [answer["status"] for answer in done] == ["cancelled"] * 3, done
    assert status == 0, (status, words)
    return done


@case(*BOTH)
def sigterm_calls_back_what_waits_for_land(kind):
    world = "grid 128 64 streamed\nload 0,0 open\n"
    with Server(world=world) as server, server.connect(kind) as client:
        accept(client, "pause")
        done = ending_completes(server, client, unloaded="wait")
        assert all(answer["frames"] <= 4 for answer in done), ("it waited for land that nobody brings", done)


@case("lines")
def sigterm_calls_back_what_takes_too_long(kind):
    with Server("--budget", "0", world="grid 80 10\n") as server, server.connect(kind) as client:
        ending_completes(server, client)


@case(*BOTH)
def a_frame_has_a_quarter_of_its_time(kind):
    with Server("--hz", "100", world="grid 20 20\n") as server, server.connect(kind) as client:
        pace = accept(client, "pace")
        assert pace["budget_us"] == 2500 and "budget" not in pace, pace
        assert accept(client, "pace", hz=20)["budget_us"] == 12500
        pace = accept(client, "pace", budget=300)
        assert pace["budget"] == 300 and "budget_us" not in pace, pace
        pace = accept(client, "pace", hz=40)
        assert pace["budget"] == 300 and "budget_us" not in pace, pace
    for options, us, expansions in ((("--budget-us", "700"), 700, None), (("--budget", "9"), None, 9),
                                    (("--budget", "0"), None, 0), (("--budget", str(2**64 - 2)), None, 2**64 - 2)):
        with Server(*options, world="grid 20 20\n") as server, server.connect(kind) as client:
            pace = accept(client, "pace", hz=50)
            assert pace.get("budget_us") == us and pace.get("budget") == expansions, (options, pace)


def cells_of(runs):
    """What docs/protocol.md says of runs."""
    cells = []
    for run in runs:
        if isinstance(run, list):
            cells.append(run)
            continue
        way, count = re.fullmatch("([NS]?[EW]?)([1-9][0-9]*)", run).groups()
        for _ in range(int(count)):
            x, y = cells[-1]
            cells.append([x + ("E" in way) - ("W" in way), y + ("S" in way) - ("N" in way)])
    return cells


@case(*BOTH)
def paths_come_as_runs_where_hello_says_so(kind):
    world = "grid 40 30\nfill 10,0 10,20 blocked\nlink 3,3 35,3 5\n"
    with Server(world=world) as server, server.connect(kind) as client, server.connect(kind) as plain, \
            server.connect(kind) as watcher:
        accept(watcher, "subscribe", what=["completions"])
        for wrong in ("turns", 1, None, ["runs"]):
            refuse(client, "bad_argument", "hello", protocol=1, paths=wrong)
        accept(client, "hello", protocol=1, paths="runs")
        accept(plain, "hello", protocol=1, paths="cells")
        for to in ([0, 0], [39, 29], [36, 2], [9, 9], [11, 3]):
            fields = {"from": [1, 0], "to": to, "engine": "astar"}
            done, other = search(client, **fields), search(plain, **fields)
            assert "cells" not in done and "runs" not in other, (done, other)
            assert cells_of(done["runs"]) == other["cells"] and len(done["runs"]) < len(other["cells"]) + 1, done
            assert watcher.event(event="completion")["cells"] == other["cells"]
            watcher.event(event="completion")
        assert "runs" not in search(client, cells=False)
        assert search(client, **{"from": [0, 0], "to": [3, 0]})["runs"] == [[0, 0], "E3"]


def frames_while(server, kind, count, **fields):
    """Frames that a watcher hears of while a client has so many requests, each after the answer to the one before."""
    with server.connect(kind) as client, server.connect(kind) as watcher:
        accept(watcher, "subscribe", what=["frames"])
        first = watcher.wait(lambda m: m.get("type") == "frame")["frame"]["number"]
        for i in range(count):
            assert search(client, to=[i % 20, 9], **fields)["frames"] == 1
        last = accept(watcher, "stats")["frames"]
        heard = 0
        number = first
        while number < last:
            frame = watcher.wait(lambda m: m.get("type") == "frame")["frame"]
            number, heard = frame["number"], heard + 1
        return heard


@case(*BOTH)
def requests_are_answered_when_they_come(kind):
    with Server("--hz", "5", world="grid 20 20\n") as server:
        assert frames_while(server, kind, 30) < 30, "each waits for a frame of the clock"
    with Server("--hz", "50", world="grid 20 20\n") as server:
        assert frames_while(server, kind, 30, deadline=1000) >= 30, "a deadline counts frames of the clock"


@case(*BOTH)
def what_comes_between_two_frames_is_in_the_budget(kind):
    with Server("--hz", "20", "--budget", "40", world="grid 60 60\nfill 5,5 40,5 blocked\n") as server, \
            server.connect(kind) as client, server.connect(kind) as watcher:
        accept(watcher, "subscribe", what=["frames"])
        for i in range(60):
            client.send({"op": "request", "id": i, "from": [i % 30, 0], "to": [30 - i % 30, 50], "engine": "astar"})
        spent = sum(client.done(i)["expansions"] for i in range(60))
        counted = frames = 0
        while counted < spent:
            frame = watcher.wait(lambda m: m.get("type") == "frame")["frame"]
            assert frame["expansions"] <= 40, frame
            counted, frames = counted + frame["expansions"], frames + 1
        assert counted == spent and frames > 30, (counted, spent, frames)
