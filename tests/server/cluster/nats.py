# SPDX-License-Identifier: MIT
"""nats-server for tests, and a client of its protocol, which is lines of text."""
import base64
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import time

PATIENCE = 600  # seconds that a test waits for what has to come, on a machine of any speed


def stand_still(process):
    """SIGSTOP, and a wait until no thread of the process runs: the signal alone comes back before they have stopped."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)


GIVEN = set()


def free_port():
    """@return a port below those that a system gives to outgoing connections, so that none of them takes it meanwhile"""
    while True:
        port = random.SystemRandom().randrange(10000, 32000)
        if port in GIVEN:
            continue
        try:
            with socket.socket() as sock:
                sock.bind(("127.0.0.1", port))
        except OSError:
            continue
        GIVEN.add(port)
        return port


def can_reach():
    """@return whether wend was built with libnats"""
    done = subprocess.run(["./wend", "cluster", "nats://127.0.0.1:1", "status"], capture_output=True, check=False)
    return b"without libnats" not in done.stderr


def is_here():
    """@return whether there is a server in PATH, and wend can reach one"""
    return shutil.which("nats-server") is not None and can_reach()


class Nats:
    """A server with its files below a folder, which may be killed and started again."""

    def __init__(self, folder, address="127.0.0.1"):
        self.folder, self.port, self.address = os.path.join(folder, "nats"), free_port(), address
        self.start()

    def start(self):
        self.process = subprocess.Popen(["nats-server", "-js", "-sd", self.folder, "-a", self.address, "-p",
                                         str(self.port)], stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("nats-server does not listen")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def publish(self, subject, payload):
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as sock:
            sock.sendall(b'CONNECT {"verbose":false}\r\nPUB %s %d\r\n%s\r\nPING\r\n'
                         % (subject.encode(), len(payload), payload))
            while b"PONG" not in sock.recv(1 << 16):
                pass
