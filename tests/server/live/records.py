# SPDX-License-Identifier: MIT
"""What `wend serve --record` wrote plays back: `wend run` gives each request the answer that its client got."""
import json
import os
import random
import subprocess
import tempfile

from messages import accept
from server import Server, case

SIDE = 40
WORLD = f"grid {SIDE} {SIDE}\nmover cart size=2\n"
KEPT = ("status", "cost", "cells", "expansions", "epoch", "checked", "exact", "engine")


def any_cell(chance):
    x = chance.randrange(SIDE)
    return [x, chance.randrange(SIDE)]


def any_request(chance):
    fields = {"from": any_cell(chance), "to": any_cell(chance), "urgency": chance.randrange(-3, 4)}
    if chance.random() < 0.2:
        fields["mode"] = "nearest"
    if chance.random() < 0.2:
        fields["reach"] = chance.randrange(4)
    if chance.random() < 0.2:
        fields["occupied"] = "block"
    if chance.random() < 0.1:
        fields["max"] = chance.randrange(1, 200)
    return fields


def any_order(client, chance, agents, requests):
    fate = chance.random()
    if fate < 0.55:
        answer = client.ask("request", **any_request(chance))
        requests.append(answer["id"])
    elif fate < 0.7:
        client.ask("edit", fill=[[any_cell(chance), any_cell(chance), "open"]] if chance.random() < 0.2 else [],
                   set=[[any_cell(chance), chance.choice(("blocked", "open", 3))] for _ in range(3)])
    elif fate < 0.75:
        client.ask(chance.choice(("occupy", "vacate")), cells=[any_cell(chance)])
    elif fate < 0.8 and requests:
        client.ask("cancel", request=requests[-1])
    elif fate < 0.85 and requests:
        client.ask("goal", request=requests[-1], to=any_cell(chance))
    elif fate < 0.9 and agents is not None:
        name = f"a{len(agents)}"
        if client.ask("agent", name=name, cell=any_cell(chance)).get("ok"):
            agents.append(name)
    elif agents:
        client.ask("go", names=[chance.choice(agents)], to=any_cell(chance))


def session(seed, moves, *options, agents):
    """Returns the answers of a session in the order of its requests, and what its recording plays back."""
    chance = random.Random(seed)
    requests = []
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "recording")
        with Server("--hz", "1000", "--budget", "400", "--record", recording, *options, world=WORLD) as server:
            with server.connect("lines") as client:
                accept(client, "hello", protocol=1, session="one")
                for _ in range(moves):
                    any_order(client, chance, agents, requests)
                answers = [client.done(name) for name in requests]
            status, words = server.terminate()
            assert status == 0, words
        played = subprocess.run(["./wend", "run", recording, "--hash"], capture_output=True, text=True)
        assert played.returncode == 0, played.stderr
        lines = [json.loads(line) for line in played.stdout.splitlines()]
    return answers, [line for line in lines if "status" in line]


def look_of(answer):
    return json.dumps({key: answer.get(key) for key in KEPT}, sort_keys=True)


@case()
def a_recorded_session_plays_back():
    for seed in range(3):
        answers, played = session(seed, 250, agents=None)
        played.sort(key=lambda line: int(line["id"]))
        assert [look_of(line) for line in played] == [look_of(line) for line in answers], seed
        assert len(answers) > 80


@case()
def a_recorded_session_with_agents_plays_back():
    for seed in range(3):
        answers, played = session(100 + seed, 250, agents=[])
        seen = [look_of(line) for line in played]
        for answer in answers:
            assert look_of(answer) in seen, (seed, answer)
            seen.remove(look_of(answer))
        assert len(answers) > 80
