# SPDX-License-Identifier: MIT
"""Each reason for which an agent does not go on: a small world makes it, `inspect` has it, and the page has words for it."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from messages import accept
from server import Server, case

ROOT = os.environ.get("WEND_SRCDIR", ".")
CORRIDOR = "grid 12 3\nfill 0,0 11,0 blocked\nfill 0,2 11,2 blocked\n"
GO = CORRIDOR + "agent a 0,1 speed=1000\ngo a to 10,1\n"
FIELD = "grid 60 60\nfill 10,10 50,50 9\n"
CROWD = "".join(f"agent a{i} {i % 60},{i // 60}\n" for i in range(2400)) # more searches than an update begins
LINE = "grid 48 5\nfill 0,0 47,0 blocked\nfill 0,4 47,4 blocked\nagent a 2,2 speed=1000\nagent b 1,1 speed=50\nagent c 0,3\n"
DEAD_END = ("grid 9 3\nfill 3,0 8,0 blocked\nfill 3,2 8,2 blocked\n" +
            "".join(f"agent {name} {3 + k},1 speed=1000\n" for k, name in enumerate("abcde")) +
            "".join(f"go {name} to {7 - k},1\n" for k, name in enumerate("abcde")))
SLOW = FIELD + "agent a 0,0\nagent b 0,2\ngo a to 59,59\ngo b to 59,50\n"

# With --stream an agent waits for a way that is closed; LAND is an empty folder.
# Reason: the world, options of the server, the agent, messages before the frames, the page's words.
SCENES = {
    "none": (CORRIDOR + "agent a 0,1\n", (), "a", (), r"stands; it has no wish"),
    "search": (SLOW, ("--budget", "20"), "a", (("step", {"frames": 3}),), r"searching: \d+ expanded so far; 1 as urgent"),
    "queue": (SLOW.replace("agent a", "limit queue 1\nagent a"), ("--budget", "1"), "b", (), r"waits: the server has no room for its search"),
    "work": (FIELD + CROWD + "".join(f"go a{i} to {59 - i % 60},59\n" for i in range(2400)),
             ("--budget", "1", "--max-agents", "2400"), "a2399", (), r"waits: the work of this frame is used up"),
    "time": (FIELD + "limit queue 1\nlimit displace 1\n" "agent a 0,0\ngo a to 59,59\n", ("--budget", "20"), "a",
             (("step", {}), ("request", {"id": "r", "urgency": 5, "from": [0, 9], "to": [59, 0]}),
              ("step", {}), ("cancel", {"request": "r"})), r"waits for its next try, in \d+ frames?"),
    "field": (FIELD + CROWD + "go " + " ".join(f"a{i}" for i in range(100)) + " to 59,59\n", ("--budget", "1"), "a0", (),
              r"waits for the flow field of its group"),
    "group": (LINE + "go a b c to 44,2 as=line\n", (), "a", (), r"waits for its group"),
    "target": (CORRIDOR + "agent b 8,1\nagent a 0,1 speed=1000\nfollow a b reach=2\n", (), "a", (), r"is with b"),
    "way": ("grid 64 64 streamed\nload 0,0 open\nfill 8,0 8,63 blocked\nagent a 5,1\ngo a to 10,1\n", ("--stream", "LAND"), "a",
            (), r"waits: its way is closed, at 7, 1"),
    "land": ("grid 64 64 streamed\nload 0,0 open\nagent a 5,5\n", (), "a", (("unload", {"chunk": [0, 0]}),),
             r"waits for land to load"),
    "agent": (GO + "agent b 5,1\nadjust a waits_for=b\n", (), "a", (), r"waits for b, at 5, 1"),
    "player": (GO + "agent b 5,1\nsteer b 5,1\n", (), "a", (), r"waits for the player b, at 5, 1"),
    "parked": (GO + "agent b 5,1 parked\n", (), "a", (), r"waits behind the parked b, at 5, 1"),
    "unit": (GO + "occupy 5,1\n", (), "a", (), r"waits: a unit of the game stands in the way, at 5, 1"),
    "box": (GO + "clear 5,1 5,1\n", (), "a", (), r"waits: what is ahead is being cleared, at 5, 1"),
    "window": (DEAD_END, (), "a", (), r"waits: a jam around it is being sorted out, at \d, 1"),
}
MOST_FRAMES = 400


def text(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def page_words(answers):
    """The page's words for answers to `inspect`, from the page's own code."""
    folder = os.path.abspath(os.path.join(ROOT, "server/live/page/site/panels"))
    code = (f"import {{ statusWords }} from {json.dumps('file://' + folder + '/words.js')};"
            "let all = ''; process.stdin.on('data', data => all += data).on('end', () =>"
            " console.log(JSON.stringify(JSON.parse(all).map(statusWords))));")
    done = subprocess.run(["node", "--no-warnings", "--input-type=module", "--eval", code], input=json.dumps(answers),
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@case()
def each_reason_has_a_scene_and_words():
    names = [name.lower() for name in re.findall(r"\bWEND_WAIT_([A-Z]+) = \d+,", text("include/wend/crowd.h"))]
    assert len(names) >= 16 and list(SCENES) == names, (names, list(SCENES))
    words = text("server/live/page/site/panels/words.js").partition("const waits = {")[2].partition("};")[0]
    assert re.findall(r"(\w+): '", words) == names[1:], words


@case("lines")
def inspect_and_the_page_have_each_reason(kind):
    answers = []
    for reason, (world, options, agent, before, _) in SCENES.items():
        with tempfile.TemporaryDirectory() as land, Server(
                "--lanes", "1", *[option.replace("LAND", land) for option in options],
                world=world) as server, server.connect(kind) as client:
            accept(client, "pause")
            accept(client, "reset")
            for op, fields in before:
                accept(client, op, **fields)
            for _ in range(MOST_FRAMES):
                answer = accept(client, "inspect", name=agent)
                if answer["waits"] == reason:
                    break
                accept(client, "step")
            assert answer["waits"] == reason, (reason, answer)
            assert (answer.get("search") == "none") == (reason == "queue"), answer
            answers.append(answer)
    if not shutil.which("node"):
        return
    for reason, words in zip(SCENES, page_words(answers)):
        assert re.fullmatch(SCENES[reason][4], words), (reason, words)
