# SPDX-License-Identifier: MIT
"""Worlds whose chunks are files: `wend serve --stream`."""
import errno
import os
import resource
import subprocess
import tempfile
import time

from client import PATIENCE
from messages import accept, refuse, search
from server import Server, case

WIDE, HIGH, SIDE = 320, 192, 64
WORLD = f"grid {WIDE} {HIGH} streamed\nload 0,0 open\nagent a 10,10\n"


def put_chunk(folder, x, y, wall=None):
    """A file of open cells, as MovingAI has it, with a wall in a column."""
    row = "".join("@" if i == wall else "." for i in range(SIDE))
    with open(os.path.join(folder, f"{x},{y}.wend"), "w") as out:
        out.write(f"type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n" + (row + "\n") * SIDE)


def fill(folder):
    os.mkdir(folder)
    for y in range(HIGH // SIDE):
        for x in range(WIDE // SIDE):
            put_chunk(folder, x, y)
    return folder


def land(client):
    """The state of each chunk, row by row."""
    return accept(client, "map", box=[[0, 0], [WIDE - 1, HIGH - 1]])["land"]


def wait_for(client, is_there):
    end = time.monotonic() + PATIENCE
    while not is_there(land(client)):
        assert time.monotonic() < end, land(client)
        time.sleep(0.01)


def streamed(land_folder, *options, world=WORLD, **more):
    return Server("--stream", land_folder, "--hz", "500", *options, world=world, **more)


@case()
def chunks_come_near_agents_and_their_goals_and_go_again():
    with tempfile.TemporaryDirectory() as own:
        with streamed(fill(own + "/land")) as server, server.connect() as client:
            assert land(client).count("absent") > 0
            wait_for(client, lambda chunks: chunks[0] == "loaded")
            accept(client, "subscribe", what=["agents", "edits"])
            for goal in ([100, 10], [160, 10], [230, 10]):
                accept(client, "go", names=["a"], to=goal)
                assert client.event(event="arrived")["agent"] == "a"
                assert "loads" in client.event(event="edit")
            wait_for(client, lambda chunks: chunks[0] == "known" and chunks[3] == "loaded")
            assert land(client)[2 * (WIDE // SIDE)] == "absent", "nobody was near it"
            refuse(client, "bad_argument", "edit", set=[[[10, 10], "blocked"]])


@case()
def chunks_come_that_a_request_wants():
    with tempfile.TemporaryDirectory() as own:
        with streamed(fill(own + "/land")) as server, server.connect() as client:
            for _ in range(40):
                answer = search(client, **{"from": [10, 10], "to": [310, 180]})
                if answer["status"] == "found":
                    break
                assert answer["status"] == "goal_blocked" or answer["unknown"] is True, answer
            assert answer["status"] == "found", answer


@case()
def what_was_edited_is_in_its_file():
    with tempfile.TemporaryDirectory() as own:
        folder = fill(own + "/land")
        with streamed(folder, folder=own) as server:
            with server.connect() as client:
                wait_for(client, lambda chunks: chunks[0] == "loaded")
                accept(client, "edit", set=[[[11, 12], 7]])
            untouched = os.stat(folder + "/1,0.wend").st_mtime_ns
            assert server.terminate()[0] == 0
        assert os.stat(folder + "/1,0.wend").st_mtime_ns == untouched
        with open(own + "/world.wend", "w") as out:
            out.write(WORLD.replace("10,10", "70,10").replace("load 0,0", "load 1,0"))
        with streamed(folder, folder=own) as server, server.connect() as client:
            wait_for(client, lambda chunks: chunks[0] == "loaded")
            assert accept(client, "map", box=[[11, 12], [11, 12]])["classes"] == [7]


@case()
def agents_walk_on_as_land_comes():
    with tempfile.TemporaryDirectory() as own:
        with streamed(fill(own + "/land")) as server, server.connect() as client:
            accept(client, "subscribe", what=["agents"])
            accept(client, "go", names=["a"], to=[310, 180])
            event = client.event(agent="a")
            assert event["event"] == "arrived" and event["cell"] == [310, 180], event


@case()
def a_damaged_file_is_named_once_and_its_chunk_stays_absent():
    with tempfile.TemporaryDirectory() as own:
        folder = fill(own + "/land")
        with open(folder + "/1,0.wend", "w") as out:
            out.write("no map\n")
        put_chunk(folder, 0, 1)
        with open(folder + "/0,1.wend", "r+") as out:  # of another size
            out.write("type octile\nheight 63\nwidth 64\nmap\n")
        with streamed(folder) as server, server.connect() as client:
            accept(client, "subscribe", what=["frames"])
            accept(client, "agent", name="b", cell=[60, 60])
            wait_for(client, lambda chunks: chunks[6] == "loaded")
            words = server.words()
            assert land(client)[1] == "absent" and land(client)[5] == "absent"
            assert words.count("1,0.wend") == 1 and words.count("0,1.wend") == 1, words


@case()
def a_chunk_that_cannot_be_written_stays():
    with tempfile.TemporaryDirectory() as own:
        folder = fill(own + "/land")
        with streamed(folder) as server, server.connect() as client:
            wait_for(client, lambda chunks: chunks[0] == "loaded")
            accept(client, "subscribe", what=["agents"])
            accept(client, "edit", set=[[[11, 12], 7]])
            accept(client, "go", names=["a"], to=[120, 10])
            wait_for(client, lambda chunks: chunks[2] == "loaded")
            os.rename(folder, own + "/away")
            client.event(event="arrived")
            server.say_of(r"(0,0\.wend: cannot be opened for writing)")
            time.sleep(0.5)
            assert server.words().count("0,0.wend") < 8, server.words()
            assert land(client)[0] == "loaded"
            assert accept(client, "map", box=[[11, 12], [11, 12]])["classes"] == [7]
            os.rename(own + "/away", folder)
            wait_for(client, lambda chunks: chunks[0] == "known")


def content(path):
    with open(path, "rb") as file:
        return file.read()


@case()
def a_killed_server_leaves_the_old_file_of_a_chunk_or_the_new_one():
    """And so does one that finds the disk full: it says so, and ends with an error."""
    if not os.path.exists("dying_wend"):
        return
    with tempfile.TemporaryDirectory() as own:
        folder = fill(own + "/land")
        old, new, kills, refusals = content(folder + "/0,0.wend"), None, 0, 0
        for error in ("", str(errno.ENOSPC)):
            for at in range(0, 100):
                put_chunk(folder, 0, 0)
                fault = {"FAULT_FILE": "0,0.wend.new", "FAULT_AT": str(at), "FAULT_ERROR": error}
                with streamed(folder, program="./dying_wend", environment=fault) as server:
                    with server.connect() as client:
                        wait_for(client, lambda chunks: chunks[0] == "loaded")
                        accept(client, "edit", set=[[[11, 12], 7]])
                    status, words = server.terminate()
                now = content(folder + "/0,0.wend")
                new = new or now
                assert now in (old, new), (at, error)
                kills += status == 137
                refusals += status == 2 and "0,0.wend: cannot be" in words and "No space left on device" in words
                if at > 0 and status == 0:
                    break
                assert status == (0 if at == 0 else 2 if error else 137), (status, words)
        assert new != old and kills > 5 and refusals > 4, (kills, refusals)


def limit_files(server, size):
    most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, most))
    return most


@case()
def a_limit_of_file_sizes_is_a_full_disk():
    with tempfile.TemporaryDirectory() as own:
        folder = fill(own + "/land")
        with streamed(folder) as server, server.connect() as client:
            most = limit_files(server, 1000)
            wait_for(client, lambda chunks: chunks[0] == "loaded")
            accept(client, "edit", set=[[[11, 12], 7]])
            accept(client, "go", names=["a"], to=[120, 10])
            server.say_of(r"(0,0\.wend: cannot be written: File too large)")
            assert land(client)[0] == "loaded"
            limit_files(server, most)
            wait_for(client, lambda chunks: chunks[0] == "known")


@case()
def a_history_of_marks_without_a_file_in_memory_says_that_it_has_no_room():
    with Server("--history", "5", "--hz", "100") as server, server.connect() as client:
        limit_files(server, 1 << 16)  # its messages are in a file
        server.say_of(r"(no checkpoint is made)")
        accept(client, "stats")


@case()
def clients_unload_no_land_and_load_none_over_a_file():
    with tempfile.TemporaryDirectory() as own:
        folder = fill(own + "/land")
        os.remove(folder + "/4,2.wend")
        with streamed(folder) as server, server.connect() as client:
            wait_for(client, lambda chunks: chunks[0] == "loaded")
            accept(client, "edit", set=[[[11, 12], 7]])
            for told in (refuse(client, "bad_argument", "unload", chunk=[0, 0], forget=True),
                         refuse(client, "bad_argument", "edit", set=[[[11, 13], 7]], unloads=[[[0, 0], False]])):
                assert told["text"] == "with --stream the server alone unloads land", told
            assert accept(client, "map", box=[[11, 12], [11, 13]])["classes"] == [7, 1]
            told = refuse(client, "bad_argument", "load", chunk=[4, 1])
            assert told["text"] == "the chunk 4,1 is in a file of --stream", told
            accept(client, "load", chunk=[4, 2])  # land without a file
            wait_for(client, lambda chunks: chunks[14] == "known")
            assert os.path.exists(folder + "/4,2.wend")


@case()
def a_reset_writes_land_first_and_the_files_are_newer_than_the_world():
    with tempfile.TemporaryDirectory() as own:
        folder = fill(own + "/land")
        with streamed(folder, folder=own) as server, server.connect() as client:
            wait_for(client, lambda chunks: chunks[0] == "loaded")
            accept(client, "edit", set=[[[11, 12], 7]])
            os.rename(folder, own + "/away")
            told = refuse(client, "busy", "reset")
            assert told["text"] == "changed land cannot be written", told
            os.rename(own + "/away", folder)
            accept(client, "reset")
            assert accept(client, "map", box=[[11, 12], [11, 12]])["classes"] == [7]
            assert server.terminate()[0] == 0
        with streamed(folder, folder=own) as server, server.connect() as client:
            assert accept(client, "map", box=[[11, 12], [11, 12]])["classes"] == [7]


def says(*options, world=WORLD):
    with tempfile.TemporaryDirectory() as own:
        with open(own + "/world.wend", "w") as out:
            out.write(world)
        done = subprocess.run(["./wend", "serve", own + "/world.wend", "--listen", "127.0.0.1:0", *options],
                              stderr=subprocess.PIPE, check=False, timeout=PATIENCE)
        assert done.returncode == 2, done
        return done.stderr.decode()


@case()
def other_worlds_and_no_folder_are_refused():
    with tempfile.TemporaryDirectory() as own:
        assert "grid W H streamed" in says("--stream", own, world="grid 10 10\n")
        assert "no folder" in says("--stream", own + "/none")
        assert "--journal do not go together" in says("--stream", own, "--journal", own + "/journal")
