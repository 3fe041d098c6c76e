# SPDX-License-Identifier: MIT
"""Agents that wander: `wend serve --wander`, and what a journal, a recording and clients have of it."""
import json
import os
import subprocess
import tempfile

from messages import BOTH, accept, refuse
from server import Server, case

HALL = "grid 30 20\nmover cart size=2\nfill 10,0 10,15 blocked\nfill 20,4 20,19 blocked\n"
WANDER = ("--agents", "12", "--wander")


def places(client):
    return accept(client, "positions")["agents"]


def places_at(frame, *options):
    """Where agents are after that frame, in a server without clients' orders."""
    with Server(*options, "--hz", "100", "--budget", "20000", world=HALL) as server, server.connect() as client:
        accept(client, "pause")
        now = accept(client, "stats")["frames"]
        assert now < frame, "the machine is too slow"
        assert accept(client, "step", frames=frame - now)["frame"] == frame
        return places(client)


@case(*BOTH)
def idle_agents_wander_again_and_again(kind):
    with Server(*WANDER, "--hz", "1000", world=HALL) as server, server.connect(kind) as client:
        accept(client, "subscribe", what=["agents"])
        arrived = {}
        while len(arrived) < 12 or min(arrived.values()) < 3:
            name = client.event(event="arrived")["agent"]
            arrived[name] = arrived.get(name, 0) + 1
        assert accept(client, "pace")["wander"] is True


@case()
def the_same_seed_wanders_the_same_way():
    first, again = places_at(900, *WANDER), places_at(900, *WANDER)
    assert first == again, (first, again)
    assert first == places_at(900, *WANDER, "--workers", "2")
    assert first != places_at(900, *WANDER[:2]), "nobody wanders"
    assert first != places_at(900, *WANDER, "--seed", "2")


@case(*BOTH)
def clients_let_agents_wander_and_stop(kind):
    with Server("--agents", "12", "--hz", "1000", world=HALL) as server, server.connect(kind) as client, \
            server.connect(kind) as watcher:
        accept(watcher, "subscribe", what=["frames", "agents"])
        assert accept(client, "pace")["wander"] is False
        assert accept(client, "pace", wander=True)["wander"] is True
        assert watcher.event(event="pace", wander=True)
        watcher.event(event="arrived")
        accept(client, "pace", wander=False)
        accept(client, "pause")
        accept(client, "step", frames=2000)  # the last goals are reached
        before = places(client)
        accept(client, "step", frames=200)
        assert places(client) == before
        refuse(client, "bad_argument", "pace", wander=1)
    with Server("--read-only", "--wander", world=HALL) as server, server.connect(kind) as client:
        assert accept(client, "pace")["wander"] is True
        refuse(client, "denied", "pace", wander=False)
    with Server("--owner-token", "mine", world=HALL) as server, server.connect(kind) as client:
        refuse(client, "denied", "pace", wander=True)


@case(*BOTH)
def clients_command_agents_that_wander(kind):
    with Server(*WANDER, "--hz", "1000", world=HALL) as server, server.connect(kind) as client, \
            server.connect(kind) as watcher:
        accept(watcher, "subscribe", what=["agents"])
        watcher.event(agent="a1", event="arrived")
        for goal in ([0, 0], [29, 19], [12, 10]):
            accept(client, "go", names=["a1"], to=goal)
            event = client.event(agent="a1")  # what it wandered to is not the client's: no `replaced`
            assert event["event"] == "arrived" and event["cell"] == goal, event
        watcher.wait(lambda m: m.get("event", {}).get("cell") == [12, 10])
        watcher.event(agent="a1", event="arrived")  # it wanders on
        accept(client, "go", names=["a1"], to=[0, 0])
        accept(client, "halt", names=["a1"])
        assert client.event(agent="a1")["event"] == "replaced"
        accept(client, "pause")
        accept(client, "step", frames=10)
        stands = places(client)["a1"]
        accept(client, "step", frames=300)
        accept(client, "remove", names=["a2"])
        accept(client, "step")
        there = places(client)
        assert abs(there["a1"][0] - stands[0]) <= 2 and abs(there["a1"][1] - stands[1]) <= 2, (stands, there)
        assert not [m for m in client.kept if "event" in m], client.kept


@case()
def an_agent_that_is_closed_in_stands():
    with Server("--wander", "--hz", "1000", world="grid 6 6\nfill 0,1 1,1 blocked\nset 1,0 blocked\nagent a 0,0\n") \
            as server, server.connect() as client:
        frame = accept(client, "stats")["frames"]
        while accept(client, "stats")["frames"] < frame + 200:
            pass
        assert places(client) == {"a": [0, 0]}
        accept(client, "edit", set=[[[1, 0], "open"]])
        while places(client) == {"a": [0, 0]}:
            pass


@case()
def a_journal_has_no_goals_of_wandering():
    with tempfile.TemporaryDirectory() as folder:
        journal = os.path.join(folder, "journal")
        options = (*WANDER, "--hz", "1000", "--journal", journal)
        with Server(*options, world=HALL, folder=folder) as server, server.connect() as client:
            accept(client, "subscribe", what=["agents"])
            for _ in range(20):
                client.event(event="arrived")
            with open(journal) as script:
                begun = script.read()
            assert begun.count("\nagent ") == 12 and "\ngo " not in begun, begun
            accept(client, "adjust", names=["a3"], urgency=7)
            accept(client, "halt", names=["a4"])
            accept(client, "adjust", names=["a4"], speed=100)
            accept(client, "route", name="beat", mode="back", cells=[[0, 19], [9, 19]])
            accept(client, "take", name="a5", route="beat")
            server.kill()
            with open(journal) as script:
                lines = [line for line in script.read().split("\n") if line[:1] not in "#"]
            assert not [line for line in lines if line.startswith("go")], lines
            server.start()
            with server.connect() as again:
                accept(again, "pause")
                assert accept(again, "inspect", name="a3", trace=False)["urgency"] == 7
                before = places(again)
                accept(again, "step", frames=400)
                after = places(again)
                stood = [name for name in before if before[name] == after[name]]
                assert "a4" in stood and len(stood) < 4, stood
                assert after["a5"][0] <= 10 and after["a5"][1] >= 17, after  # on its beat
    words = [line.split()[0] for line in lines if line]
    assert words.count("halt") == 1 and words.count("adjust") == 2 and "remove" not in words, words


@case()
def a_recording_of_wandering_plays_back():
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "recording")
        with Server(*WANDER, "--hz", "1000", "--record", recording, world=HALL) as server, \
                server.connect() as client:
            accept(client, "subscribe", what=["agents"])
            for _ in range(20):
                client.event(event="arrived")
            done = client.ask("request", **{"from": [0, 0], "to": [29, 19]})
            answer = client.done(done["id"])
            assert server.terminate()[0] == 0
        played = subprocess.run(["./wend", "run", recording], capture_output=True, text=True)
        assert played.returncode == 0, played.stderr
        found = [json.loads(line) for line in played.stdout.splitlines()]
        assert [line["cells"] for line in found if line.get("cost") == answer["cost"]].count(answer["cells"]) == 1
