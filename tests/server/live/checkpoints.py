# SPDX-License-Identifier: MIT
"""Checkpoints of `wend serve`: the world goes back to one, with a journal also after the server is killed."""
import os
import subprocess

from messages import BOTH, accept, classes, refuse, search
from server import Folder, Server, case

LAND = "grid 40 20\nfill 20,0 20,18 blocked\nroute round loop 2,2 8,2 8,8 2,8\n"
TOWN = LAND + "agent guard 2,2\ntake guard round\n"


def step(client, frames):
    return accept(client, "step", frames=frames)["frame"]


def watch_places(client, frames):
    """Where all are after each of these frames."""
    return [(step(client, 1), accept(client, "positions")["agents"]) for _ in range(frames)]


def fill_town(client):
    """Agents on their way, one with a body, a unit, an edit, a box and jams."""
    for number in range(12):
        accept(client, "agent", name=f"a{number}", cell=[number % 6, 10 + number // 6], speed=300 + number)
    accept(client, "agent", name="round", cell=[12, 12], radius=300)
    accept(client, "go", names=[f"a{number}" for number in range(12)], to=[35, 5])
    accept(client, "go", names=["round"], to=[36, 15])
    accept(client, "occupy", cells=[[15, 3]])
    accept(client, "edit", set=[[[16, 4], "blocked"]], links=[[[0, 0], [39, 19], 5]])
    accept(client, "clear", box=[[30, 0], [31, 1]])
    accept(client, "jams")


@case(*BOTH)
def the_same_frames_follow_a_checkpoint(kind):
    with Server("--budget", "20000", world=TOWN) as server, server.connect(kind) as client:
        accept(client, "pause")
        fill_town(client)
        step(client, 15)
        kept = accept(client, "checkpoint", name="before the raid")
        assert kept["bytes"] > 100, kept
        land, epoch = classes(client, (0, 0), (39, 19)), accept(client, "map")["epoch"]
        first = watch_places(client, 60)
        assert first[0] != first[-1]
        accept(client, "edit", fill=[[[0, 0], [39, 19], "open"]], unlinks=[[[0, 0], [39, 19]]])
        accept(client, "remove", names=["a1", "guard"])
        accept(client, "agent", name="late", cell=[39, 0])
        for _ in range(2):
            back = accept(client, "restore", name="before the raid")
            assert back["frame"] == kept["frame"] and back["epoch"] == epoch, back
            assert classes(client, (0, 0), (39, 19)) == land
            assert accept(client, "map", features=True)["units"] == [[15, 3]]
            assert watch_places(client, 60) == first
        refuse(client, "bad_argument", "edit", unlinks=[[[0, 0], [39, 18]]])
        accept(client, "edit", unlinks=[[[0, 0], [39, 19]]])
        accept(client, "reset")
        accept(client, "restore", name="before the raid")
        assert watch_places(client, 60) == first, "a reset in between changes nothing"


@case(*BOTH)
def clients_hear_of_the_way_back(kind):
    with Server("--budget", "0", world=TOWN) as server, server.connect(kind) as client, \
            server.connect("lines") as other:
        accept(other, "subscribe", what=["frames", "edits"])
        accept(client, "agent", name="mine", cell=[5, 5])
        accept(client, "checkpoint", name="x")
        assert other.event(event="checkpoint")
        client.send({"op": "request", "id": "long", "from": [0, 0], "to": [39, 0]})
        assert client.answer("long")["ok"] is True
        accept(client, "edit", set=[[[1, 1], 7]])
        accept(client, "restore", name="x")
        assert client.done("long")["status"] == "cancelled"
        assert other.event(event="restore")["epoch"] == 0
        accept(client, "go", names=["mine"], to=[6, 5])
        accept(client, "pace", budget=20000)
        client.event(agent="mine", event="arrived")


@case()
def what_cannot_be_kept_is_refused():
    with Server("--max-checkpoints", "2", "--owner-token", "boss", world=TOWN) as server:
        with server.connect("lines") as client:
            refuse(client, "denied", "checkpoint", name="a")
            refuse(client, "denied", "restore", name="a")
            assert accept(client, "checkpoints")["checkpoints"] == []
        with server.connect("lines", hello={"token": "boss"}) as client:
            accept(client, "checkpoint", name="a")
            accept(client, "checkpoint", name="b")
            refuse(client, "busy", "checkpoint", name="c")
            accept(client, "checkpoint", name="a")
            refuse(client, "unknown", "restore", name="c")
            refuse(client, "bad_argument", "restore")
            refuse(client, "bad_argument", "restore", name="a", at=3)
            refuse(client, "bad_argument", "checkpoint", name="")
            refuse(client, "unknown", "checkpoint", name="c", drop=True)
            accept(client, "checkpoint", name="b", drop=True)
            assert [kept["name"] for kept in accept(client, "checkpoints")["checkpoints"]] == ["a"]
    with Server("--max-checkpoint-bytes", "64", world=TOWN) as server, server.connect("lines") as client:
        refuse(client, "too_large", "checkpoint", name="a")


@case()
def a_history_has_the_last_seconds():
    with Server("--history", "5", "--budget", "20000", world=TOWN) as server, server.connect("lines") as client:
        accept(client, "pause")
        now = step(client, 1)
        step(client, 200 - now)
        places = {200: accept(client, "positions")["agents"]}
        kept = [one["frame"] for one in accept(client, "checkpoints")["checkpoints"]]
        assert kept == [120, 140, 160, 180, 200], kept
        step(client, 5)
        now = accept(client, "positions")["agents"]
        assert accept(client, "restore", at=150)["frame"] == 140
        assert accept(client, "restore", at=204)["frame"] == 200
        assert accept(client, "positions")["agents"] == places[200]
        assert accept(client, "restore", at=205)["frame"] == 205, "the present is kept on the way back"
        assert accept(client, "positions")["agents"] == now
        accept(client, "restore", at=140)
        step(client, 20)
        kept = [one["frame"] for one in accept(client, "checkpoints")["checkpoints"]]
        assert kept == [140, 160], f"other frames follow: {kept}"
        refuse(client, "unknown", "restore", at=100)
        assert accept(client, "pace", history=0)["history"] == 0
        assert accept(client, "checkpoints")["checkpoints"] == []


def step_to(client, frame):
    now = accept(client, "stats")["frames"]
    return step(client, frame - now)


@case(*BOTH)
def a_history_goes_back_exactly(kind):
    """Also with searches under way, over a reset, over another way back, and forth again."""
    with Server("--history", "20", "--budget", "60", world=TOWN) as server, server.connect(kind) as client:
        accept(client, "pause")
        fill_town(client)
        accept(client, "checkpoint", name="early")
        step_to(client, 19)
        accept(client, "go", names=[f"a{number}" for number in range(12)], to=[36, 12])
        step_to(client, 20)
        land, epoch = classes(client, (0, 0), (39, 19)), accept(client, "map")["epoch"]
        first = watch_places(client, 90)
        accept(client, "restore", at=20)
        hashes = [(step(client, 1), accept(client, "stats", hash=True)["hash"])[1] for _ in range(3)]
        assert len(set(hashes)) == 3 and len(hashes[0]) == 16 and "hash" not in accept(client, "stats"), hashes
        accept(client, "restore", at=20)
        assert [(step(client, 1), accept(client, "stats", hash=True)["hash"])[1] for _ in range(3)] == hashes
        for turn in range(3):
            back = accept(client, "restore", at=25)
            assert back["frame"] == 20 and back["epoch"] == epoch, back
            assert classes(client, (0, 0), (39, 19)) == land
            assert watch_places(client, 90) == first, f"turn {turn}"
            accept(client, "edit", fill=[[[0, 0], [39, 19], "open"]], unlinks=[[[0, 0], [39, 19]]])
            accept(client, "remove", names=["a1", "guard"])
            if turn == 0:
                accept(client, "reset")
            if turn == 1:
                accept(client, "restore", name="early")
                step(client, 3)  # no mark of frame 20 is replaced
        assert accept(client, "restore", at=20)["frame"] == 20
        accept(client, "edit", unlinks=[[[0, 0], [39, 19]]])
        accept(client, "take", name="guard", route="round")
        refuse(client, "unknown", "take", name="guard", route="square")
        listed = accept(client, "checkpoints")["checkpoints"]
        assert listed[0]["name"] == "early" and all(kept["bytes"] > 0 for kept in listed[2:]), listed


@case(*BOTH)
def requests_end_on_the_way_to_a_mark(kind):
    with Server("--history", "5", "--budget", "1", world="grid 300 300\n") as server, \
            server.connect(kind) as client, server.connect("lines") as other:
        accept(other, "subscribe", what=["frames", "edits"])
        accept(client, "pause")
        for name in ("long", "longer"):
            client.send({"op": "request", "id": name, "from": [0, 0], "to": [299, 0]})
            assert client.answer(name)["ok"] is True
        other.send({"op": "field", "id": "f", "cells": [[5, 5]], "box": [[0, 0], [9, 9]]})
        step_to(client, 20)
        assert len(other.answer("f")["steps"]) == 100
        for name in ("long", "longer"):
            client.send({"op": "cancel", "id": name})
        step(client, 3)
        client.send({"op": "request", "id": "late", "from": [0, 0], "to": [299, 9]})
        assert client.answer("late")["ok"] is True
        for _ in range(3):
            accept(client, "restore", at=20)
        assert client.done("late")["status"] == "cancelled"
        assert other.event(event="restore")["epoch"] == 0
        assert accept(client, "stats")["pending"] == 0, "those of that time are gone"
        accept(client, "pace", budget=1000000)
        accept(client, "resume")
        assert search(client, id="after", to=[299, 299])["status"] == "found"
        other.send({"op": "field", "id": "g", "cells": [[5, 5]], "box": [[0, 0], [9, 9]]})
        assert len(other.answer("g")["steps"]) == 100


@case()
def marks_keep_within_their_bytes():
    with Server("--history", "300", "--max-checkpoint-bytes", "2000000", "--hz", "1000", "--agents", "200", "--wander",
                world="grid 200 200\n") as server, server.connect("lines") as client:
        kept = accept(client, "checkpoints")["checkpoints"]
        accept(client, "pause")
        accept(client, "pace", hz=1)
        step(client, 60)
        kept = accept(client, "checkpoints")["checkpoints"]
        assert 0 < len(kept) < 60 and sum(one["bytes"] for one in kept) <= 2000000, kept
        frames = [one["frame"] for one in kept]
        assert frames == sorted(frames) and frames[-1] - frames[0] == len(frames) - 1, frames
        for frame in (frames[0], frames[-1], frames[len(frames) // 2]):
            assert accept(client, "restore", at=frame)["frame"] == frame
    with Server("--history", "9", "--max-checkpoint-bytes", "64", world=TOWN) as server, \
            server.connect("lines") as client:
        accept(client, "pause")
        step_to(client, 60)
        assert accept(client, "checkpoints")["checkpoints"] == []
        refuse(client, "unknown", "restore", at=60)


@case()
def a_recording_ends_on_the_way_back():
    with Folder(TOWN) as folder:
        record = os.path.join(folder.path, "record")
        with Server("--history", "5", "--record", record, "--budget", "20000", world=TOWN) as server, \
                server.connect("lines") as client:
            accept(client, "pause")
            fill_town(client)
            step_to(client, 20)
            first = watch_places(client, 20)
            accept(client, "restore", at=20)
            assert watch_places(client, 20) == first


def check_the_third_way_back(client, land, places):
    """After a restart: the edit behind it is there, and those before are not."""
    rows = classes(client, (0, 0), (39, 19))
    assert rows[2 * 40 + 2] == 3 and rows[:40] == land[:40]
    assert sorted(accept(client, "positions")["agents"]) == sorted(places)
    assert accept(client, "edit", set=[[[9, 9], 7]], once=3).get("again") is True


@case()
def a_way_back_to_a_mark_is_in_the_journal():
    with Folder(LAND) as folder:
        with folder.server("--budget", "200", "--history", "5", "--hz", "10") as server:
            with server.connect("lines", hello={"session": "bob"}) as client:
                accept(client, "pause")
                fill_town(client)
                step_to(client, 20)
                land = classes(client, (0, 0), (39, 19))
                places = accept(client, "positions")["agents"]
                for times in (1, 2, 3):
                    step(client, 15)
                    accept(client, "edit", set=[[[1, 1], 7]])
                    assert accept(client, "restore", at=20)["frame"] == 20
                    assert accept(client, "positions")["agents"] == places
                    accept(client, "edit", set=[[[2, 2], times]], once=times)
                assert watch_places(client, 30)
            server.kill()
            server.start()
            with server.connect("lines", hello={"session": "bob"}) as client:
                check_the_third_way_back(client, land, places)


@case()
def a_way_back_is_in_the_journal():
    with Folder(LAND) as folder:
        with folder.server("--budget", "20000") as server:
            with server.connect("lines", hello={"session": "bob"}) as client:
                accept(client, "pause")
                fill_town(client)
                step(client, 20)
                accept(client, "checkpoint", name="x")
                land = classes(client, (0, 0), (39, 19))
                places = accept(client, "positions")["agents"]
                for times in (1, 2, 3):
                    step(client, 10)
                    accept(client, "edit", set=[[[1, 1], 7]])
                    accept(client, "restore", name="x")
                    accept(client, "edit", set=[[[2, 2], times]], once=times)
                after = watch_places(client, 30)
            server.kill()
            assert sorted(os.listdir(folder.path)) == ["journal.wend", "journal.wend.save1", "stderr", "world.wend"]
            run = subprocess.run(["./wend", "run", folder.journal], capture_output=True, text=True, timeout=60)
            assert run.returncode == 0, run.stderr
            server.start()
            with server.connect("lines", hello={"session": "bob"}) as client:
                check_the_third_way_back(client, land, places)
                accept(client, "reset")
            assert sorted(os.listdir(folder.path)) == ["journal.wend", "stderr", "world.wend"]
            assert after


@case()
def a_restart_goes_on_from_the_save():
    """Frames after a restart are those after the way back, as nothing else was ordered."""
    with Folder(TOWN) as folder:
        with folder.server("--budget", "20000", "--hz", "1") as server:
            with server.connect("lines") as client:
                accept(client, "pause")
                fill_town(client)
                kept = step(client, 30)
                accept(client, "checkpoint", name="x")
                places = dict(watch_places(client, 40))
                accept(client, "restore", name="x")
            server.kill()
            server.start()
            with server.connect("lines") as client:
                accept(client, "pause")
                frame, now = accept(client, "stats")["frames"], accept(client, "positions")["agents"]
                assert kept <= frame < kept + 20 and (frame == kept or places[frame] == now), (kept, frame)
                for frame, now in watch_places(client, 15):  # agents are where they were on the first way
                    assert places[frame] == now
            server.kill()
            with open(folder.journal + ".save1", "r+b") as save:
                save.seek(200)
                save.write(b"\x55\x55\x55")
            run = subprocess.run(["./wend", "serve", server.world, "--journal", folder.journal, "--listen",
                                  "127.0.0.1:0"], capture_output=True, text=True, timeout=60)
            assert run.returncode == 2 and "journal.wend.save1': the save is damaged" in run.stderr, run.stderr
