# SPDX-License-Identifier: MIT
"""A map's log over NATS: the fence, reading over faults, what is refused by name, rights, and the operator's commands.
Usage: log.py [CASE...]. It needs ./check_log and ./wend. nats-server of PATH is for the protocol alone, whatever its
version; WEND_NATS_SERVER names a supported one. Cases that need that one fail without it; where there is no nats-server
at all, or wend was built without libnats, the others are skipped (77)."""
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from keys import Nkey, make_certificate, with_creds
from nats import PATIENCE, can_reach, stand_still
from servers import Cluster, Raw, supported

STREAM = {"retention": "limits", "storage": "file", "discard": "new", "max_age": 0, "max_msgs": -1, "max_bytes": -1,
          "max_msgs_per_subject": -1, "max_msg_size": -1, "num_replicas": 1, "deny_delete": True}


class Tool:
    """A process with one log."""

    def __init__(self, url, *options):
        self.process = subprocess.Popen(["./check_log", "-u", url, *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines, self.errors, self.kept = queue.Queue(), [], []
        threading.Thread(target=self.read, args=(self.process.stdout, self.lines.put), daemon=True).start()
        threading.Thread(target=self.read, args=(self.process.stderr, self.errors.append), daemon=True).start()

    @staticmethod
    def read(file, take):
        for line in file:
            take(line.rstrip("\n"))

    def wait(self, pattern, seconds=PATIENCE):
        """The first line that fits; those before it are kept for later calls."""
        end = time.monotonic() + seconds
        for at, line in enumerate(self.kept):
            if found := re.match(pattern, line):
                del self.kept[at]
                return found
        while True:
            line = self.lines.get(timeout=max(end - time.monotonic(), 0.001))
            if found := re.match(pattern, line):
                return found
            self.kept.append(line)

    def tell(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise AssertionError(f"check_log ended with {self.process.wait()}: {self.errors}") from error

    def append(self, expected, word, size=200):
        self.tell(f"append {expected} {size} {word}")
        answer = self.wait(r"append (\w+) (\d+) ?(.*)")
        return answer[1], int(answer[2]), answer[3]

    def usable(self):
        return self.wait(r"state usable")

    def why(self):
        return self.wait(r"state unusable .*? \| (.+)")[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        assert code == 0, f"check_log ended with {code}"


def wend(url, *words, want=0, cwd=None):
    done = subprocess.run([os.path.abspath("wend"), "cluster", url, *words, "--nats-any-version"], capture_output=True,
                          text=True, check=False, cwd=cwd)
    assert want in (done.returncode, None), f"{words}: {done.returncode}, {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def entries(url, count, first=1):
    """The first words of the log's entries, as one more reader sees them."""
    with Tool(url, "-v", "-n", "reader") as tool:
        tool.tell(f"follow {first}")
        found = [tool.wait(rf"entry {first + i} \d+ (\S*)")[1] for i in range(count)]
        assert not [line for line in tool.kept if line.startswith("entry")]
        return found


def make(raw, name, subject, **changes):
    assert "error" not in raw.api(f"STREAM.CREATE.{name}", {**STREAM, "name": name, "subjects": [subject], **changes})


def make_both(raw, **changes):
    make(raw, "WEND_town", "wend.log.town", **changes)
    make(raw, "WENDS_town", "wend.snap.town")


# ---- cases of one server

def fence(nats):
    make_both(nats.raw())
    with Tool(nats.url, "-v") as a, Tool(nats.url, "-v", "-n", "n2") as b:
        a.tell("follow 1")
        a.usable(), b.usable()
        assert a.append(0, "a1") == ("done", 1, "")
        assert b.append(1, "b2") == ("done", 2, "")
        refused = a.append(1, "a2")
        assert refused[0] == "refused" and "last sequence" in refused[2], refused
        assert a.append(2, "a3")[:2] == ("done", 3)
        assert a.append(3, "large", 1 << 20)[0] == "too_large"
        a.tell("most")
        assert a.wait(r"most (\d+)")[1] == str((1 << 20) - 4096)
        largest = (1 << 20) - 4096
        assert a.append(3, "largest", largest)[:2] == ("done", 4)
        for i, word in enumerate(("a1", "b2", "a3", "largest")):
            assert a.wait(rf"entry {i + 1} \d+ (\w+)")[1] == word
    with Tool(nats.url, "-v", "-r") as reader:
        reader.usable()
        assert reader.append(4, "x")[0] == "failed"
    with Tool(nats.url, "-v") as a, Tool(nats.url, "-v", "-n", "n2") as b:
        a.usable(), b.usable()
        b.tell("publish 1 me")
        assert a.wait(r"message 1 n2 (\w+)")[1] == "me"
        b.tell("publish 0 beat")
        assert a.wait(r"message 0  (\w+)")[1] == "beat"


def writers(nats, seconds=3):
    """Two writers that know nothing of each other: each entry names the one that its writer knew."""
    make_both(nats.raw())
    total = race(nats, seconds)
    found = entries(nats.url, total)
    assert all(int(word.split("-")[1]) == i for i, word in enumerate(found)), found


def race(nats, seconds, disturb=None):
    """Returns how many entries there are; each acknowledged one is there, at its place."""
    acknowledged, lock, end = {}, threading.Lock(), time.monotonic() + seconds

    def write(name):
        with Tool(nats.url, "-v", "-n", name) as tool:
            tool.usable()
            tool.tell("follow 1")
            last, number = 0, 0
            while time.monotonic() < end:
                word = f"{name}{number}-{last}"
                outcome, sequence, _ = tool.append(last, word)
                if outcome == "done":
                    with lock:
                        assert sequence not in acknowledged and sequence == last + 1
                        acknowledged[sequence] = word
                    last, number = sequence, number + 1
                elif outcome == "refused":
                    last, number = max(last, follow_to_end(tool, last)), number + 1
                else:
                    time.sleep(0.02)  # the same bytes again, with the same expectation

    threads = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    failures = []
    threading.excepthook = lambda failed: failures.append(failed.exc_value)
    for thread in threads:
        thread.start()
    while disturb and time.monotonic() < end:
        disturb()
    for thread in threads:
        thread.join()
    assert not failures, failures
    nats.wait_for_all()
    total = nats.last("WEND_town")
    found = entries(nats.url, total)
    lost = {s: w for s, w in acknowledged.items() if s > total or found[s - 1] != w}
    assert not lost, f"of {len(acknowledged)} acknowledged entries these are lost: {lost}"
    unfenced = [word for i, word in enumerate(found) if int(word.split("-")[1]) != i]
    assert not unfenced, unfenced
    assert len(acknowledged) > 10, f"only {len(acknowledged)} entries"
    return total


def follow_to_end(tool, last):
    """The sequence of the newest entry that came, which the writer has now read."""
    while True:
        try:
            last = max(last, int(tool.wait(r"entry (\d+)", 0.3)[1]))
        except queue.Empty:
            return last


def killed(nats):
    """kill -9 of the server: none is delivered twice, none is left out."""
    make_both(nats.raw())
    with Tool(nats.url, "-v") as tool:
        tool.usable()
        tool.tell("follow 1")
        for i in range(40):
            if i % 8 == 5:
                nats.kill(0)
                tool.kept = [line for line in tool.kept if not line.startswith("state")]
                assert "lost" in tool.why()
                assert tool.append(i, "nobody")[0] == "failed"
                nats.start(0)
                tool.usable()
            assert tool.append(i, f"e{i}")[:2] == ("done", i + 1)
        for i in range(40):
            assert tool.wait(rf"entry {i + 1} \d+ (\w+)")[1] == f"e{i}"
        assert not [line for line in tool.kept if line.startswith("entry")]


def stopped(nats):
    """A server that stands still: unknown within its time, and the same bytes again have one place."""
    make_both(nats.raw())
    with Tool(nats.url, "-v") as tool:
        tool.usable()
        tool.tell("follow 1")
        assert tool.append(0, "first")[0] == "done"
        stand_still(nats.processes[0])
        begin = time.monotonic()
        answer = tool.append(1, "second")
        assert answer[0] == "unknown", answer
        assert time.monotonic() - begin < 5
        nats.signal(0, signal.SIGCONT)
        while (outcome := tool.append(1, "second")[0]) not in ("done", "refused"):
            time.sleep(0.1)
        assert tool.wait(r"entry 2 \d+ (\w+)")[1] == "second"
        assert entries(nats.url, 2) == ["first", "second"], outcome


def settings(nats):
    """What is wrong with a stream is said by name, and it is used as soon as it is right."""
    raw = nats.raw()
    with Tool(nats.url, "-v") as tool:
        assert "WEND_town: stream not found" in tool.why()
        assert tool.append(0, "x")[0] == "failed"
        make_both(raw)
        tool.usable()
        make(raw, "WEND_LOG", "wend.old")
    with Tool(nats.url, "-v") as tool:
        assert "WEND_LOG is of an older wend" in tool.why()
    raw.api("STREAM.DELETE.WEND_LOG")
    wrong = {"storage": "memory", "retention": "interest", "discard": "old", "max_age": 10 ** 12, "max_msgs": 10,
             "max_msgs_per_subject": 5, "deny_delete": False, "deny_purge": True, "allow_rollup_hdrs": True,
             "no_ack": True, "max_msg_size": 60000, "sealed": None, "subjects": ["wend.log.town", "more"],
             "republish": {"src": ">", "dest": "copy.>"}}
    for name, value in wrong.items():
        raw.api("STREAM.DELETE.WEND_town")
        if name == "sealed":
            make(raw, "WEND_town", "wend.log.town")
            raw.api("STREAM.UPDATE.WEND_town", {**STREAM, "name": "WEND_town", "subjects": ["wend.log.town"],
                                                "sealed": True})
        else:
            make(raw, "WEND_town", "wend.log.town", **{name: value})
        with Tool(nats.url, "-v") as tool:
            why = tool.why()
            assert ("subject" if name == "subjects" else name) in why and "WEND_town" in why, f"{name}: {why}"
            assert tool.append(0, "x")[0] == "failed"
    raw.api("STREAM.DELETE.WEND_town")
    make(raw, "WEND_town", "wend.log.town")
    with Tool(nats.url, "-v") as tool:
        tool.usable()
        tool.append(0, "x")
        raw.api("STREAM.DELETE.WEND_town")  # under the feet of a node
        assert tool.append(1, "y")[0] == "failed"
        assert "WEND_town: stream not found" in tool.why()


def snapshots(nats):
    make_both(nats.raw())
    with Tool(nats.url, "-v") as tool:
        tool.usable()
        tool.tell("get 1000000")
        tool.wait(r"get refused")
        for entry, size in ((10, 0), (20, 1), (30, 300000)):
            tool.tell(f"put {entry} {size}")
            tool.wait(r"put done")
            tool.tell("get 1000000")
            assert tool.wait(r"snapshot (\d+) (\d+) (\w+)").groups() == (str(entry), str(size), "same")
        first, last = map(int, tool.wait(r"pieces (4|5) (\d+)").groups())
        tool.tell(f"get {last}")  # the newest one ends there: the one before it
        assert tool.wait(r"snapshot (\d+)")[1] == "20"
        raw = nats.raw()
        raw.publish("wend.snap.town", b"piece 1 of entry 40\nhalf of it")  # its writer was killed
        tool.tell("get 1000000")
        assert tool.wait(r"snapshot (\d+)")[1] == "30"
        raw.publish("wend.snap.town", b"end entry 40 term 3 after 0000000000000004 state 0000000000000005 pieces 1 "
                                      b"bytes 10 sum 0000000000000000\n")  # and damaged
        tool.tell("get 1000000")
        assert tool.wait(r"snapshot (\d+)")[1] == "30"
        for i in range(5):
            tool.append(i, f"e{i}")
        tool.tell(f"purge 4 {first}")
        tool.wait(r"purge done")
        assert nats.first("WEND_town") == 4 and nats.first("WENDS_town") == first
        tool.tell("follow 1")
        assert tool.wait(r"entry (\d+)")[1] == "4"


def secrets(nats):
    """A user and its password come from a file, and no message has them."""
    said = wend("nats://me:hidden@127.0.0.1:1", "status", want=2)
    assert "hidden" not in said and "--nats-auth" in said
    path = os.path.join(nats.folder, "auth")
    with open(path, "w", encoding="utf-8") as file:
        file.write("me hidden\n")
    said = wend(nats.url, "status", "--nats-auth", path)
    assert "hidden" not in said


def rights(nats):
    """Roles of the documented configuration: each may do what it needs, and no more."""
    admin = nats.raw("operator")
    make_both(admin)
    files = {}
    for role in ("node", "replica", "operator", "client"):
        files[role] = os.path.join(nats.folder, role)
        with open(files[role], "w", encoding="utf-8") as file:
            file.write(f"{role} {role}-password\n")
    with Tool(nats.url, "-v", "-a", files["node"]) as node, \
            Tool(nats.url, "-v", "-r", "-n", "n2", "-a", files["replica"]) as replica:
        node.usable(), replica.usable()
        replica.tell("follow 1")
        assert node.append(0, "first")[0] == "done"
        assert replica.wait(r"entry 1 \d+ (\w+)")[1] == "first"
        node.tell("publish 0 beat")
        replica.wait(r"message 0  beat")
        replica.tell("publish 1 seen")
        node.wait(r"message 1 n2 seen")
        node.tell("put 1 1000")
        node.wait(r"put done")
        replica.tell("get 1000000")
        replica.wait(r"snapshot 1 1000 same")
        node.tell("purge 1 1")
        node.wait(r"purge done")
        assert not any("may delete" in line for line in node.errors + replica.errors)
    with Tool(nats.url, "-v", "-a", files["replica"]) as thief:  # a replica that says it is a node
        thief.usable()
        assert thief.append(1, "stolen")[0] == "unknown"
        deadline = time.monotonic() + PATIENCE
        while not any("Permissions Violation" in line for line in thief.errors) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert any(re.match(r"\d{4}-\d\d-\d\dT.*Permissions Violation", line, re.I) for line in thief.errors)
    forbidden = {
        "client": ["wend.log.town", "wend.snap.town", "wend.beat.town", "wend.ask.town", "$JS.API.STREAM.PURGE.WEND_town",
                   "$JS.API.STREAM.DELETE.WEND_town", "$JS.API.STREAM.INFO.WEND_town", "_WEND.n1.r.1"],
        "replica": ["wend.log.town", "wend.snap.town", "wend.beat.town", "$JS.API.STREAM.PURGE.WEND_town",
                    "$JS.API.STREAM.DELETE.WEND_town", "$JS.API.STREAM.CREATE.WEND_x", "_WEND.n1.r.1"],
        "node": ["$JS.API.STREAM.DELETE.WEND_town", "$JS.API.STREAM.CREATE.WEND_x", "$JS.API.STREAM.UPDATE.WEND_town",
                 "$JS.API.STREAM.MSG.DELETE.WEND_town", "$JS.API.STREAM.RESTORE.WEND_town", "_WEND.n1.r.1"]}
    assert not nats.raw("node").is_refused("wend.seen.town.x")
    for role, subjects in forbidden.items():
        raw = nats.raw(role)
        for subject in subjects:
            assert raw.is_refused(subject), f"{role} may publish to {subject}"
            # A client's message with a reply subject: nothing answers it, so nothing is published there.
            assert raw.is_refused(subject, "wend.log.town")
    assert entries_of(nats, files["operator"]) == 1


def entries_of(nats, auth):
    with Tool(nats.url, "-v", "-a", auth) as tool:
        return int(tool.wait(r"state usable \d+ (\d+)")[1])


def commands(nats):
    """What an operator does from the beginning on."""
    folder, url = nats.folder, nats.url
    world, other, backup = (os.path.join(folder, name) for name in ("town.wend", "other.wend", "town.backup"))
    for name, width in ((world, 8), (other, 9)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(f"grid {width} 8\n")
    assert "stream not found" in wend(url, "check", "town", want=2)
    wend(url, "init", "town", os.path.join(folder, "nothing"), want=2)
    assert "entry 1," in wend(url, "init", "town", world)
    assert "is there already" in wend(url, "init", "town", world, want=2)
    assert "entry 2," in wend(url, "world", "town", other, "--max-agents", "8")
    assert "entry 3," in wend(url, "format", "town", "1")
    wend(url, "format", "town", "2", want=2)
    assert "entries 1 to 3: whole" in wend(url, "check", "town")
    with Tool(url, "-v") as tool:
        tool.usable()
        tool.tell("put 3 200000")
        tool.wait(r"put done")
        tool.tell("purge 2 0")
        tool.wait(r"purge done")
    assert "2 entries, and a snapshot" in wend(url, "backup", "town", backup)
    wend(url, "backup", "town", backup, want=2)  # it is there
    assert "is there already" in wend(url, "restore", "town", backup, want=2)
    before = entries(url, 2, 2)
    raw = nats.raw()
    for stream in ("WEND_town", "WENDS_town"):
        raw.api(f"STREAM.DELETE.{stream}")
    damage(backup, wend, url)
    if nats.first_seq:
        assert "2 entries, and a snapshot" in wend(url, "restore", "town", backup)
        assert "entries 2 to 3: whole" in wend(url, "check", "town")
        assert entries(url, 2, 2) == before
        with Tool(url, "-v") as tool:
            tool.usable()
            tool.tell("get 1000000")
            tool.wait(r"snapshot 3 200000 same")
    with Raw(nats.port()) as beats:  # an owner is heard
        stop = threading.Event()
        threading.Thread(target=beat, args=(beats, stop), daemon=True).start()
        assert "stop its nodes" in wend(url, "restore", "town", backup, want=2)
        assert "owner\":\"n7" in wend(url, "status", "--json")
        status = json.loads(wend(url, "status", "--json"))
        assert status["maps"][0]["term"] == 12 and status["maps"][0]["address"] == "h:1"
        assert "stays with n7" in wend(url, "move", "town", "n8", want=1)
        stop.set()


def beat(raw, stop):
    while not stop.wait(0.25):
        raw.publish("wend.beat.town", b"node n7 role owner address h:1 page - term 12 sequence 17 epoch 40 "
                    b"lag 0 checked 0 state 0000000000000000 purged 0 version 1\n")


def damage(path, run, url):
    """No byte of a backup may be another one."""
    with open(path, "rb") as file:
        whole = file.read()
    for at in (0, 30, len(whole) // 3, len(whole) // 2, len(whole) - 3):
        with open(path + ".bad", "wb") as file:
            file.write(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        run(url, "restore", "town", path + ".bad", want=2)


def repair(nats):
    """A journal that is longer than the log, one that parts from it, one that begins too late."""
    folder, url, raw = nats.folder, nats.url, nats.raw()
    world, journal = os.path.join(folder, "town.wend"), os.path.join(folder, "journal")
    with open(world, "w", encoding="utf-8") as file:
        file.write("grid 8 8\n")
    wend(url, "init", "town", world)
    for _ in range(3):
        wend(url, "format", "town", "1")
    text = [raw.entry("WEND_town", i) for i in range(1, 5)]
    with open(journal, "wb") as file:
        file.write(b"".join(text))
    assert "lacks nothing" in wend(url, "repair", "town", "--journal", journal)
    short = journal + ".short"  # its node was killed while it wrote
    for end in (b"".join(text)[:-9], b"".join(text) + text[3].replace(b"entry 4", b"entry 5")[:-40]):
        with open(short, "wb") as file:
            file.write(end)
        assert "left out" in (said := wend(url, "repair", "town", "--journal", short)) and "lacks nothing" in said
    for stream in ("WEND_town", "WENDS_town"):
        raw.api(f"STREAM.DELETE.{stream}")
    make_both(raw)
    for entry in text[:2]:
        raw.publish("wend.log.town", entry)
    assert "2 entries appended" in wend(url, "repair", "town", "--journal", journal)
    assert [raw.entry("WEND_town", i) for i in range(1, 5)] == text
    for stream in ("WEND_town", "WENDS_town"):
        raw.api(f"STREAM.DELETE.{stream}")
    make_both(raw)
    raw.publish("wend.log.town", text[0])
    wend(url, "world", "town", world, "--max-agents", "7")  # parts from the journal at entry 2
    said = wend(url, "repair", "town", "--journal", journal, want=1)
    assert "part at entry 2" in said and "--keep" in said
    assert "the log stays" in wend(url, "repair", "town", "--journal", journal, "--keep", "log")
    wend(url, "repair", "town", "--journal", journal, "--keep", "journal", cwd=folder)  # where its backup goes
    assert [raw.entry("WEND_town", i) for i in range(1, 5)] == text
    assert len([name for name in os.listdir(folder) if re.match(r"town-\d+\.backup", name)]) == 1
    with open(journal, "wb") as file:
        file.write(text[0].replace(b"operator", b"operatos"))
    assert "damaged" in wend(url, "repair", "town", "--journal", journal, want=2)


def logins(nats):
    """TLS with certificates of both sides, an nkey, credentials: with the right files, and without."""
    folder = nats.folder

    def path(name):
        return os.path.join(folder, name)

    make_certificate(folder, "ca", "ca", "basicConstraints=critical,CA:TRUE")
    make_certificate(folder, "other", "other", "basicConstraints=critical,CA:TRUE")
    for name in ("server", "client"):
        make_certificate(folder, name, "ca", "subjectAltName=IP:127.0.0.1")
    tls = f"cert_file: \"{path('server.pem')}\", key_file: \"{path('server.key')}\", ca_file: \"{path('ca.pem')}\""
    user = Nkey(folder, "nkey", 20)
    for name, seed in (("nkey", user.seed), ("thief", Nkey(folder, "another", 20).seed)):
        with open(path(name), "w", encoding="utf-8") as file:
            file.write(f"{user.public}\n{seed}\n")
    certificate = ["--nats-certificate", path("client.pem"), "--nats-key", path("client.key")]
    settings, creds = with_creds(folder)
    with open(path("town.wend"), "w", encoding="utf-8") as file:
        file.write("grid 8 8\n")
    for scheme, extra, good, bad in (
            ("tls", f"tls {{ {tls}, verify: true }}\n", ["--nats-ca", path("ca.pem"), *certificate],
             [[], ["--nats-ca", path("other.pem"), *certificate], ["--nats-ca", path("ca.pem")]]),
            ("nats", f"authorization {{ users: [ {{ nkey: {user.public} }} ] }}\n", ["--nats-nkey", path("nkey")],
             [["--nats-nkey", path("thief")]]),
            ("nats", settings, creds, [["--nats-nkey", path("nkey")]])):
        with Cluster(nats.server, extra=extra) as server:
            url = server.url.replace("nats:", f"{scheme}:")
            assert "entry 1," in wend(url, "init", "town", path("town.wend"), *good)
            assert "whole" in wend(url, "check", "town", *good)
            for options in bad:
                said = wend(url, "check", "town", *options, want=None)
                assert "whole" not in said and user.seed not in said, (options, said)


# ---- cases of supported servers

def versions(nats):
    """Old servers are refused by name, unless a test says otherwise."""
    make_both(nats.raw())
    with Tool(nats.url) as tool:
        if nats.first_seq:
            tool.usable()
        else:
            assert "too old" in tool.why()


def three(nats):
    """Three replicas; servers are killed one after another, two, and all."""
    folder = nats.folder
    world = os.path.join(folder, "town.wend")
    with open(world, "w", encoding="utf-8") as file:
        file.write("grid 8 8\n")
    done = subprocess.run(["./wend", "cluster", nats.url, "init", "town", world, "--replicas", "3"], check=False,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    raw = nats.raw()
    raw.api("STREAM.PURGE.WEND_town")
    for stream in ("WEND_town", "WENDS_town"):
        raw.api(f"STREAM.DELETE.{stream}")
    make(raw, "WEND_town", "wend.log.town", num_replicas=3)
    make(raw, "WENDS_town", "wend.snap.town", num_replicas=3)
    turns = iter(range(1000))

    def disturb():
        victims = ([0], [1], [2], [0, 1], [0, 1, 2])[next(turns) % 5]
        time.sleep(1.5)
        for i in victims:
            nats.kill(i)
        time.sleep(0.5)
        for i in victims:
            nats.start(i)
        nats.wait_for_all()

    total = race(nats, 25, disturb)
    print(f"three: {total} entries, all fenced, {next(turns)} rounds of kills")


def check_all_servers(nats):
    make_both(nats.raw())
    gone = nats.url + ",nats://127.0.0.1:1"
    said = wend(gone, "check", "town", want=1)
    assert "No server" in said and "2." in said


PROTOCOL = [fence, writers, killed, stopped, settings, snapshots, secrets, rights, commands, repair, logins,
            versions]


def run(case, server, count=1):
    with Cluster(server, count, with_roles=case is rights) as nats:
        begin = time.monotonic()
        case(nats)
        print(f"{case.__name__}, nats-server {nats.version}: {time.monotonic() - begin:.1f} s", flush=True)


def main():
    wanted = sys.argv[1:]
    fit = supported()
    plain = shutil.which("nats-server")
    if not can_reach() or not (plain or fit):
        sys.exit(77)
    for server in {plain, fit} - {None}:
        for case in PROTOCOL:
            if not wanted or case.__name__ in wanted:
                run(case, server)
    for case, count in ((check_all_servers, 1), (three, 3)):
        if case.__name__ in wanted or (not wanted and fit):
            assert fit, f"{case.__name__} needs a supported nats-server: WEND_NATS_SERVER"
            run(case, fit, count)


if __name__ == "__main__":
    main()
