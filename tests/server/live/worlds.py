# SPDX-License-Identifier: MIT
"""What a page asks and changes: fields, units, graphs, agents that are adjusted, and the world as edited."""
import json
import os
import subprocess

from messages import BOTH, accept, classes, refuse
from server import Folder, Server, case

SMALL = ["grid 8 6", "mover cart size=2", "fill 4,0 4,4 blocked"]
GRAPH = ["graph", "node 0 0 0", "node 1 10 0", "node 2 10 5", "node 4 0 9 -2", "edge 0 1 10", "edge 1 0 10", "edge 1 2 5",
         "edge 2 4 3"]


def world(*lines):
    return "\n".join(lines) + "\n"


def inspect(client, name, **fields):
    return accept(client, "inspect", name=name, **fields)


def best_way(client):
    return client.done(accept(client, "request", **{"from": 0, "to": 3})["id"])


@case(*BOTH)
def nodes_and_edges_change_and_are_journalled_and_saved(kind):
    with Folder(world(*GRAPH, "edge 1 2 7")) as folder:
        with folder.server() as server, server.connect(kind) as client:
            for error, fields in (("bad_argument", {"nodes": [[2, 1, 1]]}), ("bad_argument", {"nodes": [[3]]}),
                                  ("bad_argument", {"nodes": [[5, 1, 1]]}), ("bad_argument", {"nodes": [[3, 1]]}),
                                  ("out_of_range", {"edges": [[0, 3, 5]]}), ("bad_argument", {"edges": [[0, 1, 0]]}),
                                  ("bad_argument", {"unlinks": [[0, 2]]}),
                                  ("bad_argument", {"nodes": [[3, 1, 1]], "unlinks": [[0, 1], [0, 1]]})):
                refuse(client, error, "edit", **fields)
            accept(client, "edit", nodes=[[3, 20, 5]], edges=[[2, 3, 4], [0, 1, 6]], set=[[3, 2]])
            assert best_way(client)["cost"] == 19
            accept(client, "edit", edges=[[1, 2, 1]])
            assert best_way(client)["cost"] == 15
            accept(client, "edit", links=[[0, 3, 30]], unlinks=[[2, 4], [1, 0]])
            before = accept(client, "map", features=True)
            assert [2, 4, 3] not in before["edges"] and before["nodes"][3] == [20, 5, 0], before
            script = accept(client, "save")["script"]
        with folder.server() as server, server.connect(kind) as client:
            after = accept(client, "map", features=True)
            assert after["edges"] == before["edges"] and after["nodes"] == before["nodes"], after
        saved = os.path.join(folder.path, "saved.wend")
        with open(saved, "w") as out:
            out.write(script)
        print_of = ["./wend", "solve", saved, "--json", "--from", "0", "--to", "3"]
        found = json.loads(subprocess.run(print_of, stdout=subprocess.PIPE, text=True, check=True).stdout)
        assert found["cost"] == 15 and found["cells"] == [0, 1, 2, 3], found


# ---- links for some, agents that avoid ground ----

@case(*BOTH)
def links_for_some_and_agents_that_avoid_are_journalled_and_saved(kind):
    lines = ["grid 9 4", "mover people", "mover cart", "fill 4,0 4,3 blocked", "set 6,0 2", "agent old 1,3 avoid=2;3"]

    def cost(client, **fields):
        return client.done(accept(client, "request", **{"from": [0, 0], "to": [8, 0]}, **fields)["id"])["cost"]

    def seen(client):
        costs = [cost(client, **fields) for fields in ({}, {"mover": "people"}, {"mover": "cart"},
                                                       {"mover": "people", "avoid": [2]}, {"mover": "cart", "avoid": [2]})]
        agents = [[inspect(client, name)[key] for key in ("mover", "avoid")] for name in ("old", "dry", "clean")]
        return costs, agents, accept(client, "map", features=True)["link_list"]

    with Folder(world(*lines)) as folder:
        with folder.server() as server, server.connect(kind) as client:
            for error, link in (("unknown", [[3, 0], [5, 0], 9, ["nobody"]]), ("bad_argument", [[3, 0], [5, 0], 9, []]),
                                ("bad_argument", [[3, 0], [5, 0], 9, "people"]),
                                ("bad_argument", [[3, 0], [5, 0], 9, ["people"], 1])):
                refuse(client, error, "edit", links=[link])
            for avoid in ([256], [-1], ["mud"], 2, []):
                refuse(client, "bad_argument", "request", **{"from": [0, 0], "to": [8, 0]}, avoid=avoid)
            refuse(client, "bad_argument", "agent", name="wet", cell=[6, 0], avoid=[2])
            accept(client, "edit", links=[[[3, 0], [5, 0], 9, ["people"]], [[5, 3], [3, 3], 7]])
            assert cost(client, mover="cart") == -1 and cost(client) == -1
            accept(client, "edit", links=[[[3, 0], [5, 0], 9, ["cart", "people"]]])
            accept(client, "agent", name="dry", cell=[0, 0], mover="people", avoid=[2])
            accept(client, "agent", name="clean", cell=[0, 1])
            accept(client, "adjust", names=["clean", "dry"], avoid=[3])
            before = seen(client)
            script = accept(client, "save")["script"]
        through, round_it = 77, 83  # an avoided cell has corners
        assert before == ([-1, through, through, round_it, round_it],
                          [["default", [2, 3]], ["people", [2, 3]], ["default", [3]]],
                          [[[3, 0], [5, 0], 9, ["people", "cart"]], [[5, 3], [3, 3], 7]]), before
        with folder.server() as server, server.connect(kind) as client:
            assert seen(client) == before, seen(client)
        with Server(world=world(*lines) + script.split("\n", 2)[2]) as server, server.connect(kind) as client:
            assert seen(client) == before, seen(client)


@case(*BOTH)
def lists_of_classes_fill_half_of_a_map_s_movers(kind):
    with Server(world=world("grid 4 4")) as server, server.connect(kind) as client:
        way = {"from": [0, 0], "to": [3, 3]}
        for i in range(2, 33):
            assert client.done(accept(client, "request", **way, avoid=[i])["id"])["cost"] == 42
        refuse(client, "busy", "request", **way, avoid=[33])
        refuse(client, "busy", "nearest", **{"from": [0, 0]}, cells=[[3, 3]], avoid=[33])
        accept(client, "request", **way, avoid=[32])
        for i in range(33, 65):
            accept(client, "agent", name=f"a{i}", cell=[i % 4, i // 4 % 4], ghost=True, avoid=[i])
        answer = client.ask("agent", name="more", cell=[0, 0], ghost=True, avoid=[65])
        assert answer["error"] == "bad_argument" and "64 movers" in answer["text"], answer


# ---- layers ----

@case(*BOTH)
def a_map_has_the_values_of_a_layer(kind):
    lines = ["layer fear values half_life=4", "layer near walls within=2", "paint fear 1,1 2,1 value=200"]
    with Server(world=world(*SMALL, *lines)) as server, server.connect(kind) as client:
        accept(client, "pause")
        layers = accept(client, "map")["layers"]
        assert layers == [{"name": "fear", "kind": "values", "half_life": 4},
                          {"name": "near", "kind": "walls", "within": 2}], layers
        box = [[0, 0], [7, 5]]
        accept(client, "paint", layer="fear", cells=[[6, 4]], radius=1, peak=100)
        values = accept(client, "map", layer="fear", box=box)["values"]
        first = values[1 + 8]  # some frames may have passed before the pause
        want = [0] * 48
        want[1 + 8] = want[2 + 8] = first
        want[6 + 8 * 4] = 100
        for x, y in ((5, 4), (7, 4), (6, 3), (6, 5)):
            want[x + 8 * y] = 75
        for x, y in ((5, 3), (7, 3), (5, 5), (7, 5)):
            want[x + 8 * y] = 50
        assert values == want and first in (200, 100, 50, 25, 12, 6, 3, 1, 0), values
        accept(client, "step", frames=4)
        faded = accept(client, "map", layer="fear", box=box)["values"]
        assert faded == [value // 2 for value in want], faded
        runs = accept(client, "map", layer="fear", box=box, runs=True)
        assert "values" not in runs and "classes" not in runs and runs["epoch"] == 0, runs
        told = []
        for value, count in zip(runs["runs"][::2], runs["runs"][1::2]):
            told += [value] * count
        assert told == faded, told
        near = accept(client, "map", layer="near", box=[[0, 2], [4, 2]])["values"]
        assert near == [255, 127, 127, 255, 255], near
        accept(client, "layer", name="late", kind="values")
        assert accept(client, "map", layer="late", box=box)["values"] == [0] * 48
        refuse(client, "unknown", "map", layer="fog", box=box)
        refuse(client, "bad_argument", "map", layer="fear")
        refuse(client, "bad_argument", "map", layer=1, box=box)
        refuse(client, "bad_argument", "map", layer="fear", box=[[1, 0], [0, 0]])
        refuse(client, "out_of_range", "map", layer="fear", box=[[0, 0], [8, 5]])
        accept(client, "agent", name="a", cell=[0, 5], layers={"near": 3, "fear": 16})
        accept(client, "agent", name="b", cell=[1, 5])
        assert inspect(client, "a")["layers"] == {"near": 3, "fear": 16}
        assert "layers" not in inspect(client, "b")


@case(*BOTH)
def watchers_of_edits_see_what_others_paint(kind):
    with Server(world=world(*SMALL)) as server, server.connect(kind) as client, server.connect("lines") as watcher:
        accept(watcher, "subscribe", what=["edits"])
        accept(client, "layer", name="fear", kind="values", half_life=4)
        accept(client, "paint", layer="fear", cells=[[6, 4]], radius=1, peak=100)
        accept(client, "paint", layer="fear", cells=[[0, 0], [2, 1]], value=9)
        refuse(client, "unknown", "paint", layer="fog", cells=[[6, 4]], radius=1, peak=100)
        accept(client, "agent", name="a", cell=[0, 5])
        accept(client, "edit", set=[[[4, 0], 3]])
        events = [watcher.wait(lambda m: m.get("type") == "event")["event"] for _ in range(4)]
        assert events[:3] == [
            {"event": "layer", "name": "fear", "kind": "values", "half_life": 4},
            {"event": "paint", "layer": "fear", "cells": [[6, 4]], "radius": 1, "peak": 100},
            {"event": "paint", "layer": "fear", "cells": [[0, 0], [2, 1]], "value": 9}], events
        assert events[3]["event"] == "edit", events


# ---- fields ----

@case(*BOTH)
def a_field_has_a_step_for_each_cell(kind):
    with Server(world=world(*SMALL, "fill 7,5 7,5 blocked", "link 0,5 2,0 1")) as server, \
            server.connect(kind) as client:
        steps = accept(client, "field", cells=[[0, 0]], box=[[0, 0], [7, 5]])["steps"]
        assert len(steps) == 48, len(steps)
        at = {(i % 8, i // 8): step for i, step in enumerate(steps)}
        assert at[0, 0] == 13 and at[1, 0] == 12 and at[0, 1] == 10 and at[1, 1] == 9, at
        assert at[4, 0] == -1 and at[7, 5] == -1, at  # blocked
        assert at[5, 0] == 16 and at[6, 4] == 15, at  # down, and round the end of the wall
        assert at[0, 5] == 27, at  # a link
        part = accept(client, "field", cells=[[0, 0]], box=[[1, 0], [2, 1]])["steps"]
        assert part == [at[1, 0], at[2, 0], at[1, 1], at[2, 1]], part
        # two goals: each cell goes to the nearer one; a large mover keeps off the walls
        both = accept(client, "field", cells=[[0, 0], [7, 0]], box=[[5, 0], [7, 0]])["steps"]
        assert both == [14, 14, 13], both
        cart = accept(client, "field", cells=[[0, 0]], mover="cart", box=[[3, 0], [3, 0]])["steps"]
        assert cart == [-1], cart


@case(*BOTH)
def a_field_is_refused_where_it_must_be(kind):
    with Server("--max-answer-cells", "12", world=world(*SMALL)) as server, server.connect(kind) as client:
        box = [[0, 0], [3, 2]]
        accept(client, "field", cells=[[0, 0]], box=box)
        refuse(client, "too_large", "field", cells=[[0, 0]], box=[[0, 0], [12, 0]])
        refuse(client, "too_large", "field", cells=[[0, 0]], box=[[-2147483648, -2147483648], [2147483647, 2147483647]])
        refuse(client, "out_of_range", "field", cells=[[0, 0]], box=[[5, 0], [8, 0]])
        refuse(client, "out_of_range", "field", cells=[[0, 0]], box=[[-1, 0], [1, 0]])
        refuse(client, "out_of_range", "field", cells=[[9, 0]], box=box)
        refuse(client, "unknown", "field", cells=[[0, 0]], box=box, mover="tank")
        for fields in ({}, {"cells": [[0, 0]]}, {"box": box}, {"cells": [[0, 0]], "box": [[3, 2], [0, 0]]},
                       {"cells": [[0, 0]], "box": [[0, 0]]}, {"cells": [], "box": box}, {"cells": 3, "box": box},
                       {"cells": [[0, 0]], "box": box, "more": 1}):
            refuse(client, "bad_argument", "field", **fields)


@case(*BOTH)
def fields_of_many_are_all_answered(kind):
    with Server(world=world("grid 300 300")) as server, server.connect(kind) as client:
        accept(client, "pause")  # a field needs no frames
        for i in range(12):
            client.send({"op": "field", "id": f"f{i}", "cells": [[i, i]], "box": [[i, i], [i + 1, i]]})
        answers = [client.answer(f"f{i}") for i in range(12)]
        good = [answer for answer in answers if "ok" in answer]
        assert all(answer["steps"] == [13, 12] for answer in good), answers
        assert len(good) >= 8 and all(answer["error"] == "busy" for answer in answers if "ok" not in answer), answers
        client.send({"op": "field", "id": "g", "cells": [[0, 0]], "box": [[0, 0], [1, 0]]})
        answer = accept(client, "reset") and client.answer("g")
        assert "ok" in answer or answer["error"] == "busy", answer
        assert accept(client, "field", cells=[[0, 0]], box=[[0, 0], [1, 0]])["steps"] == [13, 12]


@case()
def a_field_on_a_graph_names_nodes():
    with Server(world=world(*GRAPH)) as server, server.connect() as client:
        assert accept(client, "field", cells=[2], box=[0, 4])["steps"] == [1, 2, 2, -1, -1]


# ---- what lies on the map ----

@case(*BOTH)
def features_have_units(kind):
    with Server(world=world(*SMALL, "occupy 1,1")) as server, server.connect(kind) as client:
        def units():
            return sorted(accept(client, "map", features=True)["units"])
        assert units() == [[1, 1]]
        accept(client, "occupy", cells=[[2, 2], [2, 2], [0, 0]])
        accept(client, "agent", name="a", cell=[3, 3])  # an agent is no unit here
        assert units() == [[0, 0], [1, 1], [2, 2], [2, 2]]
        accept(client, "vacate", cells=[[1, 1], [2, 2]])
        assert units() == [[0, 0], [2, 2]]
        accept(client, "reset")
        assert units() == [[1, 1]]


@case(*BOTH)
def features_have_the_graph(kind):
    with Server(world=world(*GRAPH)) as server, server.connect(kind) as client:
        answer = accept(client, "map", features=True)
        assert answer["nodes"] == [[0, 0, 0], [10, 0, 0], [10, 5, 0], None, [0, 9, -2]], answer["nodes"]
        assert answer["edges"] == [[0, 1, 10], [1, 0, 10], [1, 2, 5], [2, 4, 3]], answer["edges"]
    with Server("--max-answer-cells", "3", world=world(*GRAPH)) as server, server.connect(kind) as client:
        refuse(client, "too_large", "map", features=True)
    with Server(world=world("graph", "node 0", "node 2", "edge 0 2 1")) as server, server.connect(kind) as client:
        assert accept(client, "map", features=True)["nodes"] == [[], None, []]


# ---- agents ----

@case(*BOTH)
def inspect_has_the_pulled_line(kind):
    with Server(world=world(*SMALL)) as server, server.connect(kind) as client:
        accept(client, "agent", name="a", cell=[0, 0], speed=1)
        accept(client, "go", names=["a"], to=[7, 0])
        while "line" not in (agent := inspect(client, "a", trace=False)):
            pass
        assert "trace" not in agent and agent["goal"] == [7, 0] and agent["size"] == 1, agent
        assert agent["mover"] == "default" and agent["path"][-1] == [7, 0], agent
        line = agent["line"]
        assert line[0] == agent["path"][0] and line[-1] == [7, 0] and 3 <= len(line) < len(agent["path"]), agent
        assert "trace" in inspect(client, "a") and "trace" in inspect(client, "a", trace=True)
        refuse(client, "bad_argument", "inspect", name="a", trace=1)


@case(*BOTH)
def inspect_says_what_an_agent_waits_for(kind):
    corridor = ("grid 9 3", "fill 0,0 8,0 blocked", "fill 0,2 8,2 blocked")
    with Server(world=world(*corridor)) as server, server.connect(kind) as client:
        accept(client, "agent", name="b", cell=[5, 1], parked=True)
        accept(client, "agent", name="a", cell=[0, 1], speed=1000)
        accept(client, "pause")
        assert inspect(client, "a")["waits"] == "none" and "blocker" not in inspect(client, "a")
        accept(client, "go", names=["a"], to=[8, 1])
        accept(client, "step", frames=7)
        agent = inspect(client, "a")
        assert (agent["waits"], agent["blocker"], agent["blocked_cell"]) == ("parked", "b", [5, 1]), agent
        accept(client, "remove", names=["b"])
        accept(client, "route", name="r", mode="loop", cells=[[5, 1], [8, 1]])
        accept(client, "take", name="a", route="r")
        accept(client, "step", frames=3)
        agent = inspect(client, "a")
        assert agent["route"] == "r" and "blocker" not in agent and "blocked_cell" not in agent, agent


@case(*BOTH)
def adjust_changes_agents(kind):
    with Server(world=world(*SMALL)) as server, server.connect(kind) as client:
        for name, cell in (("a", [0, 0]), ("b", [0, 3]), ("c", [2, 0])):
            accept(client, "agent", name=name, cell=cell)
        accept(client, "pause")
        accept(client, "adjust", names=["a", "b"], speed=500, urgency=-7)
        for name in ("a", "b"):
            agent = inspect(client, name)
            assert (agent["speed"], agent["urgency"], agent["size"]) == (500, -7, 1), agent
        accept(client, "adjust", names=["a"], urgency=0)
        assert (inspect(client, "a")["speed"], inspect(client, "a")["urgency"]) == (500, 0)
        accept(client, "adjust", names=["a", "b"], waits_for=["c"], speed=500)
        accept(client, "adjust", names=["a"], waits_for=["players"])
        accept(client, "agent", name="w", cell=[0, 2], waits_for=["a", "b", "c"])
        accept(client, "remove", names=["w"])
        accept(client, "adjust", names=["b"], mover="cart")
        agent = inspect(client, "b")
        assert (agent["mover"], agent["size"], agent["speed"], agent["cell"]) == ("cart", 2, 500, [0, 3]), agent
        # all or none: a can grow, c stands beside the wall and cannot once a has grown
        accept(client, "agent", name="d", cell=[3, 2])
        refuse(client, "bad_argument", "adjust", names=["a", "d"], mover="cart", urgency=3)
        assert (inspect(client, "a")["size"], inspect(client, "a")["urgency"]) == (1, 0)
        accept(client, "agent", name="e", cell=[1, 1])
        refuse(client, "busy", "adjust", names=["c", "a"], mover="cart")
        assert inspect(client, "c")["size"] == 1
        for error, fields in (("bad_argument", {"names": ["a"]}), ("bad_argument", {"names": [], "speed": 1}),
                              ("bad_argument", {"names": ["a"], "speed": 0}), ("bad_argument", {"speed": 100}),
                              ("bad_argument", {"names": ["a"], "urgency": 1001}),
                              ("unknown", {"names": ["a"], "waits_for": ["x"]}),
                              ("bad_argument", {"names": ["a", "c"], "waits_for": ["c"]}),
                              ("bad_argument", {"names": ["a"], "waits_for": []}),
                              ("bad_argument", {"names": ["a"], "waits_for": ["c"] * 9}),
                              ("bad_argument", {"names": ["a", "a"], "speed": 9}),
                              ("unknown", {"names": ["a", "x"], "speed": 9}),
                              ("unknown", {"names": ["a"], "mover": "tank"})):
            refuse(client, error, "adjust", **fields)
        assert inspect(client, "a")["speed"] == 500


@case(*BOTH)
def an_adjusted_agent_keeps_its_wish(kind):
    with Server("--hz", "200", world=world("grid 30 12", "mover cart size=2")) as server, \
            server.connect(kind) as client:
        accept(client, "agent", name="a", cell=[2, 2], speed=50)
        accept(client, "agent", name="b", cell=[2, 6], speed=50)
        accept(client, "agent", name="c", cell=[2, 9], speed=50)
        accept(client, "route", name="r", mode="once", cells=[[4, 9], [20, 9]])
        accept(client, "pause")
        accept(client, "go", names=["a"], to=[25, 3])
        accept(client, "follow", name="b", target="a")
        accept(client, "take", name="c", route="r")
        accept(client, "step", frames=20)
        accept(client, "adjust", names=["a", "c"], mover="cart", speed=1000)
        assert inspect(client, "b")["wish"] == "follow"
        accept(client, "resume")
        assert client.event(agent="a", event="arrived")["cell"] == [25, 3]
        assert client.event(agent="c", event="arrived")["cell"] == [20, 9]
        assert inspect(client, "b")["wish"] == "follow" and inspect(client, "a")["size"] == 2


@case()
def agents_of_others_are_not_adjusted():
    with Server("--owner-token", "boss", world=world(*SMALL)) as server, server.connect() as one, \
            server.connect() as other:
        accept(one, "agent", name="a", cell=[0, 0])
        accept(one, "adjust", names=["a"], speed=300)
        refuse(other, "denied", "adjust", names=["a"], speed=400)
        accept(other, "field", cells=[[0, 0]], box=[[0, 0], [1, 1]])


@case()
def looking_is_for_everyone():
    with Server("--read-only", "--agents", "1", world=world(*SMALL)) as server, server.connect() as client:
        refuse(client, "denied", "adjust", names=["a1"], speed=100)
        accept(client, "field", cells=[[0, 0]], box=[[0, 0], [1, 1]])
        inspect(client, "a1", trace=False)


@case()
def the_journal_keeps_what_was_adjusted():
    server = Server(world=world(*SMALL, "agent f 6,0"))
    server.kill()
    server.options = ["--journal", os.path.join(server.folder, "journal")]
    try:
        server.start()
        with server.connect() as client:
            accept(client, "agent", name="a b", cell=[0, 0])
            accept(client, "agent", name="c", cell=[0, 5])
            accept(client, "go", names=["a b"], to=[3, 5])
            accept(client, "follow", name="c", target="a b")
            accept(client, "adjust", names=["a b", "f"], speed=125, urgency=9, mover="cart")
            accept(client, "adjust", names=["c"], urgency=4)
        server.kill()
        server.start()
        with server.connect() as client:
            for name in ("a b", "f"):
                agent = inspect(client, name)
                assert (agent["speed"], agent["urgency"], agent["size"]) == (125, 9, 2), (name, agent)
            assert inspect(client, "a b").get("goal") == [3, 5] or inspect(client, "a b")["cell"] == [3, 5]
            assert inspect(client, "c")["wish"] == "follow" and inspect(client, "c")["urgency"] == 4
    finally:
        server.remove()


@case()
def the_journal_keeps_an_agent_that_avoids_where_it_began():
    server = Server(world=world("grid 9 3", "set 0,0 2", "agent wet 0,0 speed=1000"))
    server.kill()
    server.options = ["--journal", os.path.join(server.folder, "journal")]
    try:
        server.start()
        with server.connect() as client:
            accept(client, "go", names=["wet"], to=[5, 0])
            while inspect(client, "wet")["cell"] != [5, 0]:
                pass
            accept(client, "adjust", names=["wet"], avoid=[2])
        server.kill()
        server.start()
        with server.connect() as client:
            agent = inspect(client, "wet")
            assert agent["avoid"] == [2] and agent["cell"] != [0, 0], agent
    finally:
        server.remove()


# ---- the world's file ----

@case(*BOTH)
def a_world_file_has_agents(kind):
    lines = world(*SMALL, "occupy 1,1", "agent a 0,0 speed=700 urgency=3", "agent gone 3,3", "agent big 5,2 mover=cart",
                  "remove gone", "agent ghost 1,1 ghost")
    with Server("--agents", "3", world=lines) as server, server.connect(kind) as client:
        places = accept(client, "positions")["agents"]
        assert sorted(places) == ["a", "a1", "a2", "a3", "big", "ghost"], places
        assert places["a"] == [0, 0] and places["big"] == [5, 2] and places["ghost"] == [1, 1], places
        agent = inspect(client, "a")
        assert (agent["speed"], agent["urgency"]) == (700, 3), agent
        assert inspect(client, "big")["size"] == 2
        accept(client, "remove", names=["a"])
        accept(client, "reset")
        assert sorted(accept(client, "positions")["agents"]) == ["a", "big", "ghost"]


@case()
def a_bad_agent_of_a_world_file_is_said():
    for line, words in (("agent a 4,0", "2:1:"), ("agent a 9,9", "2:9:"), ("agent a 0,0\nagent b 0,0", "3:1:"),
                        ("agent a 0,0\nagent a 1,1", "3:7:"), ("remove a", "2:8:"), ("go a to 1,1", "2:4:"),
                        ("agent a 0,0\ntake a round", "3:8:"), ("agent a 0,0\ngo a to 8,0", "3:9:"),
                        ("agent a 0,0 mover=tank", "2:13:"),
                        ("frame\ngo", "3:3:"), ("request x 0,0 1,1\nnonsense", "3:1:")):
        server = None
        try:
            server = Server(world=world("grid 8 6", *line.split("\n"), "fill 4,0 4,4 blocked"))
        except AssertionError as problem:
            assert "ended with 2" in str(problem) and words in str(problem), (line, str(problem))
        else:
            server.remove()
            raise AssertionError(f"{line} was taken")


@case()
def a_script_has_the_agents_of_its_world():
    with Server(world=world(*SMALL, "agent a 0,0", "agent b 1,0")) as server:
        script = os.path.join(server.folder, "run.wend")
        with open(script, "w") as out:
            out.write(world("map world.wend", "limit lanes 2", "remove b", "agent c 5,5", "go a to 3,0", "positions",
                            "walk"))
        lines = subprocess.run(["./wend", "run", script], capture_output=True, text=True, check=True).stdout
        assert json.loads(lines.split("\n")[0])["agents"] == {"a": [0, 0], "c": [5, 5]}, lines
        assert '"agent":"a","event":"arrived","cell":[3,0]' in lines, lines


# ---- scripts of wend run ----

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples")


def left_out(server):
    """How many lines the server said it leaves out, in one line; 0: it said nothing."""
    said = [line for line in server.words().split("\n") if "left out" in line]
    assert len(said) <= 1, said
    return int(said[0].split(": ")[1].split()[0]) if said else 0


def run_events(lines):
    """The events of agents when `wend run` runs a script."""
    out = subprocess.run(["./wend", "run", "-"], input=lines, capture_output=True, text=True, check=True).stdout
    events = [json.loads(line) for line in out.split("\n") if '"event":' in line]
    return sorted((event["agent"], event["event"], event["cell"]) for event in events)


def served_events(server, kind, frames):
    """The events of a server's first frames. A reset begins its world again."""
    with server.connect(kind) as client:
        accept(client, "pause")
        accept(client, "reset")
        accept(client, "subscribe", what=["agents"])
        client.send({"op": "step", "id": "s", "frames": frames})
        events = []
        while (message := client.receive()).get("id") != "s":
            if "agent" in (event := message.get("event", {})):
                events.append((event["agent"], event["event"], event["cell"]))
        return sorted(events)


@case(*BOTH)
def agents_of_a_served_script_do_what_they_do_when_it_runs(kind):
    with open(os.path.join(EXAMPLES, "market.wend")) as file:
        market = file.read()
    begin = market.split("frame 40")[0]
    wanted = run_events(begin + "walk\n")
    assert len(wanted) == 11 and len({agent for agent, _, _ in wanted}) == 11, wanted
    with Server(world=market) as server:
        assert left_out(server) == 14, server.words()
        assert served_events(server, kind, 400) == wanted
    with Server(world=begin) as server:
        assert left_out(server) == 0, server.words()


@case()
def all_orders_before_the_first_frame_are_given():
    """Those to an agent that a later line removes are not given to the next one of its name."""
    head = world("grid 12 8", "mover cart size=2", "route round loop 9,1 9,6 3,6", "route there once 0,7 11,7",
                 "agent a 0,0 speed=900", "agent b 0,2 speed=900", "agent c 5,2", "agent d 5,5", "agent e 0,6",
                 "agent f 11,0", "agent g 8,3 speed=800", "agent h 2,4", "agent i 10,4", "go f i to 6,6 reach=2",
                 "remove i", "agent i 11,5", "take e there", "take a round", "follow b c reach=2", "flee c d distance=4",
                 "adjust d speed=1000 urgency=7", "adjust h cell=3,4 mover=cart", "go g to 0,3", "halt g",
                 "steer g 8,2", "go d to 9,2")
    names = ("b", "c", "d", "e", "f", "g", "h")  # a goes round for ever; of the first i only a run tells

    def of(events):  # where f ends depends on the others of its group, of which a run has one more
        return [event[:2] if event[0] == "f" else event for event in events if event[0] in names]
    wanted = of(run_events(head + "frame 300\n"))
    assert len(wanted) > 4, wanted
    with Server(world=head + "request x 0,0 1,1\nframe 300\nremove a\n") as server:
        assert left_out(server) == 3, server.words()
        served = of(served_events(server, None, 300))
        assert served == wanted, (served, wanted)
        with server.connect() as client:
            assert accept(client, "positions")["agents"]["i"] == [11, 5]
            assert inspect(client, "h")["size"] == 2 and inspect(client, "d")["speed"] == 1000
            assert inspect(client, "a")["state"] != "idle", inspect(client, "a")


@case()
def examples_are_served():
    for name, lines, size in (("scouts", 5, [12, 6]), ("village", 11, [14, 8])):
        with open(os.path.join(EXAMPLES, name + ".wend")) as file:
            text = file.read()
        with Server(world=text) as server, server.connect() as client:
            assert left_out(server) == lines, server.words()
            about = accept(client, "map")
            assert about["size"] == size, about
            if name == "scouts":
                assert len(classes(client, (5, 0), (5, 5))) == 6
                continue
            assert about["movers"] == ["default", "walker", "swimmer", "cart"], about
            features = accept(client, "map", features=True)
            assert len(features["link_list"]) == 2 and len(features["closed"]) == 1, features
            assert features["units"] == [], "the unit comes after the first frame"


@case()
def what_is_saved_of_a_script_is_served_again():
    text = world("grid 20 12", "limit queue 20", "agent a 0,0", "agent b 5,5", "go a to 9,9", "request x 0,0 9,9", "drain")
    with Server(world=text) as server:
        with server.connect() as client:
            accept(client, "pause")
            accept(client, "edit", set=[[[5, 0], "blocked"]])
            before, script = described(client), accept(client, "save")["script"]
        with open(os.path.join(server.folder, "saved.wend"), "w") as out:
            out.write(script)
        server.terminate()
        server.world = os.path.join(server.folder, "saved.wend")
        server.start()
        assert left_out(server) == 3, server.words()  # with the order, as agents behind `map` only stand
        with server.connect() as client:
            assert described(client) == before
            assert accepted(client, 40) == 20


@case()
def a_journal_goes_on_where_a_script_began():
    with Folder(world("grid 20 3", "agent a 0,0", "agent b 0,2", "go a b to 19,1", "walk")) as folder:
        with folder.server() as server, server.connect() as client:
            accept(client, "pause")
            accept(client, "go", names=["b"], to=[3, 2])
        with folder.server() as server, server.connect() as client:
            assert inspect(client, "a", trace=False)["goal"] in ([19, 1], [19, 0]), inspect(client, "a")
            assert inspect(client, "b", trace=False)["goal"] == [3, 2]


@case()
def a_recording_is_served():
    with open(os.path.join(EXAMPLES, "market.wend")) as file:
        market = file.read()
    with Folder("") as folder:
        record = os.path.join(folder.path, "market.rec")
        subprocess.run(["./wend", "run", "-", "--record", record], input=market, capture_output=True, text=True, check=True)
        with open(record) as file:
            text = file.read()
    with Server(world=text) as server:
        assert left_out(server) > 100, server.words()
        wanted = [event[1:] for event in run_events(market.split("frame 40")[0] + "walk\n")]
        assert sorted(event[1:] for event in served_events(server, None, 400)) == sorted(wanted)


def described(client):
    """All of a world that its file says."""
    features = accept(client, "map", features=True)
    agents = {name: inspect(client, name, trace=False) for name in accept(client, "positions")["agents"]}
    keys = ("cell", "speed", "urgency", "mover", "size", "steered")
    return {"classes": classes(client, (0, 0), (19, 11)), "links": features["link_list"],
            "closed": sorted(features["closed"]), "units": sorted(features["units"]),
            "agents": {name: [agent.get(key) for key in keys] for name, agent in agents.items()}}


@case(*BOTH)
def what_is_saved_is_the_same_world(kind):
    first = world("grid 20 12", "corners always", "mover cart size=2 3=1", "fill 10,2 10,9 blocked", "occupy 5,5",
                  "occupy 6,6", "link 0,0 19,11 5", "link 1,0 2,0 7", "step 3,3 4,3 blocked", "agent old 1,1",
                  "agent moved 2,8 speed=1000", "route there once 0,0 5,0")
    with Server("--hz", "500", world=first) as server, server.connect(kind) as client:
        accept(client, "edit", set=[[[10, 5], "open"], [[3, 3], 254]], fill=[[[12, 0], [14, 3], 3]],
               links=[[[7, 7], [8, 8], 4]], unlinks=[[[1, 0], [2, 0]]],
               steps=[[[3, 3], [4, 3], "open"], [[8, 1], [9, 1], "blocked"]])
        accept(client, "occupy", cells=[[6, 6], [15, 10], [15, 10]])
        accept(client, "vacate", cells=[[5, 5]])
        accept(client, "remove", names=["old"])
        accept(client, "agent", name="big one", cell=[16, 6], mover="cart", speed=90, urgency=-4)
        accept(client, "agent", name="ghost%20#=", cell=[15, 10], ghost=True)
        accept(client, "route", name="round trip", mode="loop", cells=[[0, 11], [4, 11]])
        accept(client, "go", names=["moved"], to=[6, 8])
        assert client.event(agent="moved", event="arrived")["cell"] == [6, 8]
        accept(client, "agent", name="the player", cell=[4, 9])
        accept(client, "steer", name="the player", cell=[4, 10])
        accept(client, "pause")
        before, script = described(client), accept(client, "save")["script"]
        assert script.split("\n")[1] == "map world.wend" and server.folder not in script, script
        with open(os.path.join(server.folder, "saved.wend"), "w") as out:
            out.write(script)
        with Server(folder=server.folder) as again:
            again.kill()
            again.world = os.path.join(server.folder, "saved.wend")
            again.start()
            with again.connect(kind) as other:
                after = described(other)
                assert after == before, (script, before, after)
                accept(other, "take", name="moved", route="round trip")
                accept(other, "take", name="big one", route="there")
                more = accept(other, "save")["script"].split("\n")
                assert more[1] == "map saved.wend", more
                assert not any(line.startswith(("fill", "set", "link", "step", "occupy")) for line in more), more


@case()
def a_world_without_a_name_is_not_saved():
    with Server(world=world(*SMALL)) as server:
        odd = os.path.join(server.folder, "two words.wend")
        os.rename(server.world, odd)
        server.kill()
        server.world = odd
        server.start()
        with server.connect() as client:
            refuse(client, "bad_argument", "save")


def accepted(client, count):
    """How many of so many requests a paused server takes."""
    accept(client, "pause")
    ids = [client.next_id() for _ in range(count)]
    for name in ids:
        client.send({"op": "request", "id": name, "from": [0, 0], "to": [9, 9]})
    answers = [client.answer(name) for name in ids]
    assert all(a.get("ok") or a.get("error") == "busy" for a in answers), answers
    return sum(a.get("ok") is True for a in answers)


@case()
def limits_of_the_world_are_obeyed():
    """`limit queue 20`: 40 requests were accepted. Those of a world within a world count, too; later ones win."""
    world = "grid 10 10\nlimit queue 20\nlimit lanes 2\nlimit cells 5\n"
    for options, most, lanes in (((), 20, 2), (("--queue", "21"), 21, 2), (("--lanes", "3"), 20, 3)):
        with Server(*options, world=world) as server, server.connect() as client:
            assert accepted(client, 40) == most
            accept(client, "subscribe", what=["queue"])
            accept(client, "step")
            assert client.wait(lambda m: "queue" in m and m["queue"]["frame"] > 0)["queue"]["lane_count"] == lanes
            assert client.wait(lambda m: "done" in m)["done"]["status"] == "too_long"
    with Server(world="grid 10 10\n") as server, server.connect() as client:
        assert accepted(client, 40) == 40
    with Folder("map inner.wend\nlimit lanes 1\n") as folder:
        with open(os.path.join(folder.path, "inner.wend"), "w") as out:
            out.write(world)
        with folder.server() as server, server.connect() as client:
            assert accepted(client, 21) == 20
            accept(client, "edit", set=[[[5, 5], "blocked"]])
            accept(client, "reset")
            accept(client, "step")
            assert accepted(client, 21) == 20, "after a reset, too"
