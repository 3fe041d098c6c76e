# SPDX-License-Identifier: MIT
"""What a checkpoint costs `wend serve`: bench/checkpoints.py [WEND...]. Prints CSV: program, agents, bytes, and the median
of the server's processor time and of the answer's time, both in ms. Agents wander on data/caves512.map; the
server stands while checkpoints are made, in its loop. Several programs take turns."""
import json
import os
import socket
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
WORLD = os.path.join(HERE, "..", "data", "caves512.map")
FRAMES, ROUNDS, MADE, BUDGET = 100, 5, 20, "1000000"


class Server:
    def __init__(self, wend, agents):
        self.process = subprocess.Popen([wend, "serve", WORLD, "--agents", str(agents), "--wander", "--budget", BUDGET, "--listen",
                                         "127.0.0.1:0", "--lines", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
        address = None
        while not address:
            line = self.process.stderr.readline()
            if not line:
                raise SystemExit("the server does not start")
            if "lines" in line:
                address = line.split()[-1].rsplit(":", 1)
        self.lines = socket.create_connection((address[0].split("/")[-1], int(address[1]))).makefile("rw")
        self.number = 0
        self.ask("pause")
        self.ask("step", frames=FRAMES)

    def ask(self, op, **fields):
        """Send a message; return its answer."""
        self.number += 1
        self.lines.write(json.dumps({"op": op, "id": self.number, **fields}) + "\n")
        self.lines.flush()
        while True:
            line = self.lines.readline()
            if not line:
                raise SystemExit("the server has closed the connection")
            answer = json.loads(line)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{op}: {answer}")
                return answer

    def cpu_ms(self):
        """Processor time of all threads so far, in nanoseconds exact."""
        total = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{thread}/schedstat", encoding="ascii") as file:
                total += int(file.read().split()[0])
        return total / 1e6

    def stop(self):
        self.process.kill()
        self.process.wait()


def measure(server):
    """Returns the bytes, and the times of some checkpoints under one name."""
    answers, before = [], server.cpu_ms()
    for _ in range(MADE):
        begun = time.monotonic()
        size = server.ask("checkpoint", name="bench")["bytes"]
        answers.append(1000 * (time.monotonic() - begun))
    return size, (server.cpu_ms() - before) / MADE, answers


def main():
    programs = sys.argv[1:] or ["build/wend"]
    print("program,agents,bytes,processor_ms,answer_ms", flush=True)
    for agents in 1000, 2000, 10000:
        servers = [Server(wend, agents) for wend in programs]
        got = [[measure(server) for server in servers] for _ in range(ROUNDS)]
        for number, wend in enumerate(programs):
            mine = [turn[number] for turn in got]
            answers = [answer for one in mine for answer in one[2]]
            print(f"{wend},{agents},{mine[0][0]},{statistics.median(one[1] for one in mine):.3g},"
                  f"{statistics.median(answers):.3g}", flush=True)
            servers[number].stop()


main()
