# SPDX-License-Identifier: MIT
"""nats-server for tests, and a client of its protocol, which is lines of text."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

TIMEOUT = 60.0


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def is_here():
    """Is there a server, and can wend reach one?"""
    done = subprocess.run(["./wend", "cluster", "nats://127.0.0.1:1", "status"], capture_output=True, check=False)
    return shutil.which("nats-server") is not None and b"without libnats" not in done.stderr


class NatsServer:
    def __init__(self):
        self.folder, self.port = tempfile.mkdtemp(prefix="wend-nats-"), free_port()
        self.url = f"nats://127.0.0.1:{self.port}"

    def __enter__(self):
        self.process = subprocess.Popen(["nats-server", "-js", "-sd", self.folder, "-a", "127.0.0.1", "-p",
                                         str(self.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                time.sleep(0.02)
        raise AssertionError("nats-server does not listen")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class NatsClient:
    def __init__(self, port):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.bytes = b""
        self.inbox = f"inbox.{os.getpid()}.{id(self)}"
        self.count = 0
        self.kept = []  # (subject, text) that nobody asked for yet
        self.send("CONNECT " + json.dumps({"verbose": False, "headers": True, "no_responders": True}))
        self.subscribe(self.inbox + ".*")

    def send(self, line, payload=None):
        self.sock.sendall(line.encode() + b"\r\n" + (payload + b"\r\n" if payload is not None else b""))

    def subscribe(self, subject):
        self.count += 1
        self.send(f"SUB {subject} {self.count}")

    def publish(self, subject, *messages):
        """Returns the subject of the reply."""
        self.count += 1
        reply = f"{self.inbox}.{self.count}"
        payload = "\n".join(m if isinstance(m, str) else json.dumps(m) for m in messages).encode()
        self.send(f"PUB {subject} {reply} {len(payload)}", payload)
        return reply

    def read(self, end):
        """The next message: its subject, and its lines as JSON; None where nobody listens to what was published.
        Raises TimeoutError; what came so far is kept."""
        while True:
            head, line_feed, rest = self.bytes.partition(b"\r\n")
            words = head.split()
            size = int(words[-1]) + 2 if line_feed and words and words[0] in (b"MSG", b"HMSG") else 0
            if not line_feed or len(rest) < size:
                self.sock.settimeout(max(end - time.monotonic(), 0.001))
                more = self.sock.recv(1 << 16)
                assert more, "nats-server is gone"
                self.bytes += more
                continue
            payload, self.bytes = rest[:max(size - 2, 0)], rest[size:]
            if words and words[0] == b"PING":
                self.send("PONG")
            if size > 0 and words[0] == b"HMSG":
                return words[1].decode(), None
            if size > 0:
                return words[1].decode(), [json.loads(line) for line in payload.decode().splitlines()]

    def take(self, subject, seconds=TIMEOUT):
        """The next message of a subject; None where none comes in that time, or nobody listened."""
        end = time.monotonic() + seconds
        while True:
            for at, (where, lines) in enumerate(self.kept):
                if where == subject:
                    del self.kept[at]
                    return lines
            try:
                self.kept.append(self.read(end))
            except TimeoutError:
                return None

    def ask(self, subject, *messages):
        return self.take(self.publish(subject, *messages))

    def close(self):
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
