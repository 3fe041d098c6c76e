# SPDX-License-Identifier: MIT
"""nats-server processes for tests, one or three, which are killed, stopped and started again; and a client that knows
the protocol alone."""
import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from nats import PATIENCE, free_port

ROLES = ("operator", "node", "replica", "client")


def version_of(server):
    said = subprocess.run([server, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in re.search(r"v(\d+)\.(\d+)\.(\d+)", said).groups())


def is_fit(version):
    """Fit for three replicas, as docs/nats.md says."""
    lines = {(2, 12): 15, (2, 14): 5, (2, 15): 1}
    return version[2] >= lines[version[:2]] if version[:2] in lines else version >= (2, 16)


def supported():
    """The program of WEND_NATS_SERVER, or that of PATH where it is fit; None: there is none."""
    named = os.environ.get("WEND_NATS_SERVER")
    assert not named or is_fit(version_of(named)), f"{named} is not fit for three replicas"
    plain = shutil.which("nats-server")
    return named or (plain if plain and is_fit(version_of(plain)) else None)


class Raw:
    def __init__(self, port, user=None):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.file = self.sock.makefile("rb")
        hello = {"verbose": False, "headers": True, "no_responders": True}
        if user:
            hello |= {"user": user, "pass": f"{user}-password"}
        inbox = f"_WEND.raw.{os.getpid()}-{self.sock.fileno()}-{time.monotonic_ns()}"
        self.inbox = inbox
        self.sock.sendall(f"CONNECT {json.dumps(hello)}\r\n".encode())
        if user != "client":
            self.sock.sendall(f"SUB {inbox} 1\r\n".encode())

    def publish(self, subject, payload, reply=""):
        self.sock.sendall(f"PUB {subject} {reply} {len(payload)}\r\n".encode() + payload + b"\r\n")

    def messages(self):
        """Payloads that come; "" for PONG, a text that begins with -ERR for an error."""
        while line := self.file.readline():
            words = line.split()
            if words[0] in (b"MSG", b"HMSG"):
                whole = self.file.read(int(words[-1]) + 2)[:-2]
                yield whole[int(words[-2]) if words[0] == b"HMSG" else 0:]
            elif words[0] == b"PING":
                self.sock.sendall(b"PONG\r\n")
            elif words[0] == b"PONG":
                yield ""
            elif words[0] == b"-ERR":
                yield line.decode()

    def ask(self, subject, payload=b""):
        self.publish(subject, payload, self.inbox)
        return next(self.messages())

    def api(self, what, body=None):
        answer = self.ask(f"$JS.API.{what}", json.dumps(body).encode() if body else b"")
        return json.loads(answer) if answer else {"error": {"description": "no responders"}}

    @staticmethod
    def decode(answer):
        return base64.b64decode(answer["message"]["data"])

    def entry(self, stream, sequence):
        return self.decode(self.api(f"STREAM.MSG.GET.{stream}", {"seq": sequence}))

    def subscribe(self, subject):
        self.sock.sendall(f"SUB {subject} 2\r\n".encode())

    def deliveries(self):
        """Subjects and payloads of what was subscribed to."""
        while line := self.file.readline():
            words = line.split()
            if words[0] == b"MSG":
                yield words[1].decode(), self.file.read(int(words[-1]) + 2)[:-2]
            elif words[0] == b"PING":
                self.sock.sendall(b"PONG\r\n")

    def is_refused(self, subject, reply=""):
        self.publish(subject, b"x", reply)
        self.sock.sendall(b"PING\r\n")
        said = []
        for message in self.messages():
            if message == "":
                return any("Permissions Violation" in line for line in said)
            said.append(str(message))
        return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()


class Disk:
    """A small disk in memory, which can be full; a mere folder where none can be mounted."""

    def __init__(self, path, mib):
        self.path, self.ballast = path, os.path.join(path, "ballast")
        os.makedirs(path)
        self.mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mib}m", "tmpfs", path], check=False,
                                      capture_output=True).returncode == 0

    @staticmethod
    def can_be_made():
        with tempfile.TemporaryDirectory() as folder:
            disk = Disk(os.path.join(folder, "disk"), 1)
            disk.close()
            return disk.mounted

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            while True:
                try:
                    file.write(bytes(1 << 12))
                except OSError:
                    return

    def free(self):
        os.remove(self.ballast)

    def close(self):
        if self.mounted:
            subprocess.run(["umount", "-l", self.path], check=False)


class Cluster:
    """Servers in folders of their own, for a block of statements."""

    def __init__(self, server, count=1, with_roles=False, sync="always", disk_mib=0, extra=""):
        self.server, self.count, self.with_roles = server, count, with_roles
        version = version_of(server)
        self.version = ".".join(map(str, version))
        self.first_seq = version >= (2, 10, 27)  # it knows first sequences and sync_interval
        self.extra = extra  # settings of its users, whom Raw does not know
        self.sync = sync if self.first_seq else None
        self.ports, self.routes = [free_port() for _ in range(count)], [free_port() for _ in range(count)]
        self.monitors = [free_port() for _ in range(count)]
        self.processes = [None] * count
        self.folder = tempfile.mkdtemp(prefix="wend-nats-")
        self.disks = [Disk(os.path.join(self.folder, f"d{i}"), disk_mib) for i in range(count if disk_mib else 0)]
        self.url = ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)

    def port(self, i=0):
        return self.ports[i]

    def raw(self, user=None, i=0):
        return Raw(self.ports[i], user or ("operator" if self.with_roles else None))

    def config(self, i):
        """That of this repository with roles, or a plain one."""
        folder, path = os.path.join(self.folder, f"d{i}"), os.path.join(self.folder, f"{i}.conf")
        if self.with_roles:
            name = os.path.join(os.environ.get("WEND_SRCDIR", "."), "server/deploy/nats-server.conf")
            with open(name, encoding="utf-8") as file:
                text = file.read().replace("0.0.0.0:4222", f"127.0.0.1:{self.ports[i]}")
            text = text.replace("/var/lib/nats", folder)
            text = re.sub(r"(?ms)^cluster \{.*?^\}\n", "", text)
            if not self.sync:
                text = re.sub(r"sync_interval.*", "", text)
        else:
            sync = f"sync_interval: {self.sync}" if self.sync else ""
            text = (f"server_name: n{i}\nlisten: \"127.0.0.1:{self.ports[i]}\"\n"
                    f"http: \"127.0.0.1:{self.monitors[i]}\"\n"
                    f"jetstream {{ store_dir: \"{folder}\"\n{sync}\nmax_file_store: 1GB }}\n{self.extra}")
        if self.count > 1:
            routes = ", ".join(f"nats-route://127.0.0.1:{port}" for port in self.routes)
            text += f"cluster {{ name: wend, listen: \"127.0.0.1:{self.routes[i]}\", routes: [{routes}] }}\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def start(self, i):
        secrets = {f"WEND_{role.upper()}_PASSWORD": f"{role}-password" for role in ROLES}
        with open(os.path.join(self.folder, f"{i}.log"), "ab") as log:
            self.processes[i] = subprocess.Popen([self.server, "-c", self.config(i)], stdout=log, stderr=log,
                                                 env={**os.environ, **secrets, "WEND_NATS_NAME": f"n{i}"})
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.ports[i]), timeout=1).close()
                return
            except OSError:
                assert self.processes[i].poll() is None, open(f"{self.folder}/{i}.log", encoding="utf-8").read()
                time.sleep(0.05)
        raise AssertionError("nats-server does not listen")

    def wait_for_all(self):
        """Until JetStream answers at each server, and each stream has a leader with all its replicas up to date."""
        end = time.monotonic() + PATIENCE
        for i in range(self.count):
            while not self.is_ready(i):
                assert time.monotonic() < end, f"server {i} is not ready"
                time.sleep(0.2)

    def is_ready(self, i):
        try:
            with self.raw(i=i) as raw:
                raw.sock.settimeout(3)
                names = raw.api("STREAM.NAMES")
                if "error" in names:
                    return False
                for name in names.get("streams") or []:
                    info = raw.api(f"STREAM.INFO.{name}")
                    replicas = info.get("cluster", {}).get("replicas") or []
                    if "error" in info or not all(peer.get("current") for peer in replicas):
                        return False
                return True
        except (OSError, StopIteration, TypeError, ValueError):
            return False

    def kill(self, i):
        self.processes[i].kill()
        self.processes[i].wait()

    def signal(self, i, number):
        self.processes[i].send_signal(number)

    def state(self, stream):
        with self.raw() as raw:
            return raw.api(f"STREAM.INFO.{stream}")["state"]

    def first(self, stream):
        return self.state(stream)["first_seq"]

    def last(self, stream):
        return self.state(stream)["last_seq"]

    def __enter__(self):
        for i in range(self.count):
            self.start(i)
        if not self.extra:
            self.wait_for_all()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()
        for disk in self.disks:
            disk.close()
        shutil.rmtree(self.folder, ignore_errors=True)
