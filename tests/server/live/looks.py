# SPDX-License-Identifier: MIT
"""What a watcher sees of the service: the queue by urgency, lanes, and one agent's search; counted from the requests alone."""
import random

from messages import BOTH, accept, refuse
from server import Server, case

EDGES = (-1000, -601, -600, -201, -200, 0, 200, 201, 600, 601, 1000)
RANGES = ((-1000, -601), (-600, -201), (-200, 200), (201, 600), (601, 1000))
SIDE = 60


# Open ground whose middle is slow, so that searches take hundreds of expansions.
FIELD = f"grid {SIDE} {SIDE}\nfill 10,10 50,50 9\n"


def next_queue(client):
    return client.wait(lambda m: "queue" in m)["queue"]


class Asked:
    """The requests of a client: which of them are not done, and since when."""

    def __init__(self):
        self.open = {}

    def add(self, name, urgency, frame, start, goal):
        self.open[name] = (urgency, frame, start, goal)

    def take_done(self, client):
        for message in [m for m in client.kept if "done" in m]:
            del self.open[message["id"]]
            client.kept.remove(message)

    def check(self, queue):
        frame = queue["frame"]
        assert queue["finished"] == 0, queue
        assert [(band["least"], band["most"]) for band in queue["bands"]] == list(RANGES), queue
        for band, (least, most) in zip(queue["bands"], RANGES):
            ages = [frame - asked[1] for asked in self.open.values() if least <= asked[0] <= most]
            assert band["waiting"] + band["running"] == len(ages), (band, ages)
            assert band["oldest"] == max(ages, default=0), (band, ages)
        assert queue["waiting"] + queue["running"] == len(self.open)
        places = {(asked[0], tuple(asked[2]), tuple(asked[3])) for asked in self.open.values()}
        seen = [(lane["urgency"], tuple(lane["from"]), tuple(lane["to"])) for lane in queue["lanes"]]
        assert set(seen) <= places, (seen, places)
        assert len(seen) <= queue["lane_count"] == 2
        assert all(lane["expansions"] > 0 and lane["since"] <= frame for lane in queue["lanes"]), queue


@case(*BOTH)
def the_queue_is_told_by_urgency(kind):
    with Server("--budget", "60", "--lanes", "2", world=FIELD) as server, server.connect(kind) as client:
        chance, asked, lanes = random.Random(5), Asked(), 0
        accept(client, "pause")
        accept(client, "subscribe", what=["queue"])
        asked.check(next_queue(client))
        frame = accept(client, "step")["frame"]
        asked.check(next_queue(client))
        for _ in range(60):
            for _ in range(chance.randrange(4) if len(asked.open) < 40 else 0):
                urgency, start = chance.choice(EDGES), [chance.randrange(SIDE), 0]
                goal = [chance.randrange(SIDE), SIDE - 1]
                name = accept(client, "request", urgency=urgency, cells=False, to=goal, **{"from": start})["id"]
                asked.add(name, urgency, frame, start, goal)
            frame = accept(client, "step")["frame"]
            queue = next_queue(client)
            assert queue["frame"] == frame, (queue, frame)
            accept(client, "stats")  # completions came before its answer
            asked.take_done(client)
            asked.check(queue)
            lanes += len(queue["lanes"])
        assert lanes > 40, "lanes were at work"
        accept(client, "step", frames=4000)
        asked.take_done(client)
        assert not asked.open, asked.open


@case(*BOTH)
def the_queue_says_why_the_general_search_answered(kind):
    with Server(world=FIELD) as server, server.connect(kind) as client:
        accept(client, "pause")
        accept(client, "subscribe", what=["queue"])
        assert next_queue(client)["general"] == {}
        for options in {}, {"engine": "astar", "reach": 2}, {"heuristic": "zero", "reach": 2}:
            accept(client, "request", to=[SIDE - 1, SIDE - 1], **{"from": [0, 0]}, **options)
        accept(client, "step")
        assert next_queue(client)["general"] == {"engine": 1, "heuristic": 1}


@case(*BOTH)
def the_queue_comes_to_those_who_watch_it(kind):
    with Server("--hz", "100") as server, server.connect(kind) as watcher, server.connect(kind) as other:
        accept(other, "subscribe", what=["frames"])
        accept(watcher, "subscribe", what=["queue", "frames"], every=3)
        next_queue(watcher)  # the first picture
        watcher.kept.clear()
        frames = [next_queue(watcher)["frame"] for _ in range(3)]
        assert frames == [frames[0], frames[0] + 3, frames[0] + 6] and frames[0] % 3 == 0, frames
        assert any(m.get("frame", {}).get("number") == frames[1] for m in watcher.kept), watcher.kept
        other.wait(lambda m: m.get("frame", {}).get("number", 0) >= frames[2])
        assert not [m for m in other.kept if "queue" in m]
        accept(watcher, "subscribe", what=["frames"])
        watcher.kept.clear()
        for _ in range(5):
            watcher.wait(lambda m: "frame" in m)
        assert not [m for m in watcher.kept if "queue" in m], watcher.kept
        refuse(watcher, "bad_argument", "subscribe", what=["queues"])


@case(*BOTH)
def inspect_tells_of_the_search_as_far_as_it_is(kind):
    with Server("--budget", "20", "--lanes", "1", world=FIELD) as server, server.connect(kind) as client:
        accept(client, "pause")
        accept(client, "agent", name="a", cell=[0, 0])
        accept(client, "step")
        still = accept(client, "inspect", name="a")
        assert "search" not in still and "ahead" not in still and "trace" not in still, still
        accept(client, "go", names=["a"], to=[SIDE - 1, SIDE - 1])
        accept(client, "step")
        accept(client, "step")
        for i in range(3):  # more urgent than the agent, and two as urgent
            accept(client, "request", urgency=5, to=[SIDE - 1, i], **{"from": [0, SIDE - 1]})
        for i in range(2):
            accept(client, "request", to=[SIDE - 1, i], **{"from": [0, SIDE - 1]})
        told = accept(client, "inspect", name="a")
        assert told["state"] == "waiting" and told["ahead"] == 3 and told["peers"] == 2, told
        before, seen = told["searched"], set(map(tuple, told["trace"]))
        assert told["search"] == "running" and told["live"] is True and before == told["expanded"] > 0, told
        assert told["trace"] and len(seen) == len(told["trace"]), told
        frames = told["frames"]
        accept(client, "step")  # the more urgent are searched: this one is paused
        told = accept(client, "inspect", name="a")
        assert told["searched"] == before and set(map(tuple, told["trace"])) == seen, told
        assert told["frames"] == frames + 1, told
        while told.get("search") == "running":
            step = accept(client, "inspect", name="a")
            assert step["searched"] >= told["searched"] and len(step["trace"]) >= len(seen) * 0.5, step
            told = step
            accept(client, "step", frames=10)
            told = accept(client, "inspect", name="a")
        assert told["live"] is False and told["expanded"] > before and len(told["trace"]) > len(seen), told


CORRIDOR = "grid 12 3\nfill 0,0 11,0 blocked\nfill 0,2 11,2 blocked\ncrowd agents=3 retry=1000000\nagent wall 5,1 parked\nagent a 4,1\nagent b 3,1\n"


@case(*BOTH)
def jams_are_counted_from_the_first_question_on(kind):
    world = CORRIDOR + "go a to 10,1\ngo b to 9,1\n"
    with Server("--read-only", world=world) as server, server.connect(kind) as client:
        assert accept(client, "jams")["jams"] == []
        while (answer := accept(client, "jams", within=0))["updates"] < 20:
            pass
        first, second = answer["jams"]
        assert sorted([first["cell"], second["cell"]]) == [[3, 1], [4, 1]]
        assert answer["waits"] == first["waits"] + second["waits"] > answer["updates"]
        assert accept(client, "jams", count=1)["jams"][0]["cells"] == 2
        refuse(client, "bad_argument", "jams", count=0)
        refuse(client, "bad_argument", "jams", within=-1)


@case("lines")
def a_reset_leaves_nothing_of_the_old_crowd(kind):
    world = "grid 12 12\nagent a 1,1 radius=400\nagent b 8,8\n"
    with Server(world=world) as server, server.connect(kind) as client:
        for _ in range(3):
            accept(client, "jams")
            accept(client, "clear", box=[[4, 4], [6, 6]])
            accept(client, "agent", name="c", cell=[10, 1], radius=400)
            accept(client, "go", names=["a", "c"], to=[5, 9])
            accept(client, "reset")
            assert accept(client, "jams")["updates"] < 20
            accept(client, "agent", name="d", cell=[2, 6], radius=400)
            accept(client, "inspect", name="a")
