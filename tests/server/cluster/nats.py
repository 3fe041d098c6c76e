# SPDX-License-Identifier: MIT
"""nats-server for tests, and a client of its protocol, which is lines of text."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

PATIENCE = 600  # seconds that a test waits for what has to come, on a machine of any speed


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def is_here():
    """Is there a server, and can wend reach one?"""
    done = subprocess.run(["./wend", "cluster", "nats://127.0.0.1:1", "status"], capture_output=True, check=False)
    return shutil.which("nats-server") is not None and b"without libnats" not in done.stderr


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

    def delete_bucket(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as sock:
            sock.sendall(b'CONNECT {"verbose":false}\r\nPUB $JS.API.STREAM.DELETE.KV_wend 0\r\n\r\nPING\r\n')
            time.sleep(0.2)

    def entry(self, name, sequence):
        """The first entry of a map's log from a sequence on, and its sequence; None: there is none."""
        ask = json.dumps({"seq": sequence, "next_by_subj": f"wend.log.{name}"}).encode()
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as sock:
            sock.sendall(b'CONNECT {"verbose":false}\r\nSUB answer 1\r\nPUB $JS.API.STREAM.MSG.GET.WEND_LOG answer '
                         + str(len(ask)).encode() + b"\r\n" + ask + b"\r\n")
            file = sock.makefile("rb")
            while not (line := file.readline()).startswith(b"MSG "):
                assert line, "nats-server does not answer"
            found = json.loads(file.read(int(line.split()[-1]))).get("message")
            return found and (base64.b64decode(found["data"]), found["seq"])


class NatsServer(Nats):
    """One in a folder of its own, for a block of statements."""

    def __init__(self):
        self.own = tempfile.mkdtemp(prefix="wend-nats-")
        super().__init__(self.own)
        self.url = f"nats://127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.own, ignore_errors=True)


class NatsClient:
    def __init__(self, port):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
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

    def take(self, subject, seconds=PATIENCE):
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
