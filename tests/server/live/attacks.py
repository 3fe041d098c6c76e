# SPDX-License-Identifier: MIT
"""Clients that mean harm, or do what nobody expects: the server goes on, and ends when it is told to."""
import json
import os
import random
import re
import resource
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from client import Closed, connect_socket, frame, http, Lines, PATIENCE, Refused, WebSocket
from server import Server, case, stop_or_fail

BUSY = """grid 10 10
neighbours 8
corners never
cost 10 14
"""


def ends_in_time(server, seconds=PATIENCE):
    """SIGTERM ends it, whatever its clients do."""
    server.process.send_signal(signal.SIGTERM)
    stop_or_fail(server, seconds)


@case("lines", "ws")
def a_client_that_reads_nothing_does_not_hold_the_end(kind):
    with Server("--hz", "200", "--max-queue-bytes", "4096") as server:
        client = server.connect(kind)
        client.sock.settimeout(2)
        ask = {"op": "map", "box": [[0, 0], [9, 9]]}
        try:
            for name in range(200000):
                client.send({**ask, "id": name})
        except (TimeoutError, ConnectionError):
            pass
        ends_in_time(server)
        client.close()


@case("lines", "ws")
def words_about_foreign_text_are_utf8(kind):
    with Server() as server:
        with server.connect(kind) as client:
            for shift in range(4):
                word = "x" * shift + "\U0001F980" * 40
                client.send({"op": word, "id": 1})
                assert client.answer(1)["error"] == "unknown"
                client.send({"op": "stats", "id": 2, word: 1})
                assert client.answer(2)["error"] == "bad_argument"
        for shift in range(4):
            with server.connect(kind) as client:
                try:
                    client.send_text('{"id":1,"op":' + "x" * shift + "\U0001F980" * 60)
                    while True:
                        client.receive()
                except Closed as end:
                    assert kind == "lines" or end.code == 1007, end


@case("lines", "ws")
def names_of_a_world_that_are_no_utf8_do_not_go_out(kind):
    """Of movers, agents, routes and the file itself: browsers close on such a frame."""
    with Server("--hz", "200") as server:
        path = os.path.join(os.fsencode(server.folder), b"w\xffrld.wend")
        with open(path, "wb") as out:
            out.write(b"grid 10 10\nmover caf\xe9 size=2\nroute r\xe9 loop 1,1 8,8\nroute long once 1,1 8,8\n"
                      b"agent \xf0\x9f\xa6 1,1 mover=caf\xe9\nagent \xed\xa0\x80 5,5\nagent \xc3\xa9 7,7\n")
        server.kill()
        server.world = path
        server.start()
        with server.connect(kind) as client:
            names = {"\ufffd" * 3, "\u00e9"}
            client.send({"op": "subscribe", "id": "s", "what": ["frames", "agents", "edits", "completions", "queue"]})
            assert set(client.wait(lambda m: "agents" in m)["agents"]) == names
            assert set(client.ask("positions")["agents"]) == names
            assert client.ask("inspect", name="\u00e9", trace=False)["ok"]
            assert "caf\ufffd" in json.dumps(client.ask("map", features=True), ensure_ascii=False)
            assert "UTF-8" in client.ask("save")["text"], "it would be another world"
            assert client.ask("agent", name="\u00e9\u00e9", cell=[2, 8], mover="caf\u00e9")["error"] == "unknown"


@case()
def units_off_the_map_take_no_memory():
    with Server("--max-messages", "1000000", "--max-edits", "1000000") as server, server.connect("lines") as client:
        def attempts(first, count):
            text = "".join(json.dumps({"op": "occupy", "id": 1, "cells": [[100 + i, 5]]}) + "\n"
                           for i in range(first, first + count))
            client.sock.sendall(text.encode())
            for _ in range(count):
                assert client.receive()["error"] == "out_of_range"
        attempts(0, 2000)
        before = server.resident()
        for part in range(20):
            attempts(2000 + part * 2000, 2000)
        assert server.resident() - before < 1 << 20


@case()
def a_session_ends_while_the_world_is_paused():
    with Server("--max-session-seconds", "1") as server, server.connect("lines") as owner:
        owner.ask("pause")
        for i in range(2):
            server.connect("lines", {"session": f"away{i}"}).close()
        end = time.monotonic() + PATIENCE
        while owner.ask("stats")["sessions"] > 0 and time.monotonic() < end:
            time.sleep(0.1)
            server.connect("lines").close()
        assert owner.ask("stats")["sessions"] == 0


@case("lines", "ws")
def a_paused_world_takes_edits_second_by_second(kind):
    with Server("--max-edits", "2") as server, server.connect(kind) as client:
        client.ask("pause")
        done, end = 0, time.monotonic() + PATIENCE
        while done < 6 and time.monotonic() < end:
            answer = client.ask("edit", set=[[[done, 0], "blocked"]])
            assert answer.get("ok") or answer["error"] == "too_fast", answer
            done += answer.get("ok") is True
            time.sleep(0.1)
        assert done == 6


@case()
def a_websocket_that_comes_at_the_end_is_turned_away():
    """The server drains for as long as a request waits."""
    with Server("--hz", "1000", "--budget", "0", "--max-clients", "50") as server:
        client = server.connect("lines")
        assert client.ask("request", id="long", **{"from": [0, 0], "to": [9, 9]})["ok"]
        server.process.send_signal(signal.SIGTERM)
        turned, end = 0, time.monotonic() + PATIENCE
        while server.process.poll() is None and time.monotonic() < end:
            try:
                WebSocket(server.web).close()
                assert turned == 0
            except Refused as answer:
                assert answer.status == 503, answer.head
                turned += 1
            except (Closed, OSError):
                pass
            time.sleep(0.005)
        stop_or_fail(server, PATIENCE)
        assert turned > 0


@case()
def any_name_survives_the_journal():
    names = ['a b', 'a"b', "#a", "a=b", "\\", "\u00e9\U0001F980", "-", "--", "0", "'", "a,b", "\x7f", "\u2028", "a" * 64]
    with tempfile.TemporaryDirectory() as folder, Server("--journal", folder + "/journal") as server:
        with server.connect("lines") as client:
            for i, name in enumerate(names):
                assert client.ask("agent", name=name, cell=[i % 10, i // 10 * 5])["ok"], name
                assert client.ask("route", name=name, cells=[[0, 9], [9, 9]])["ok"], name
            assert client.ask("agent", name="line\nbreak", cell=[9, 9])["error"] == "bad_argument"
        status, words = server.terminate()
        assert status == 0, words
        server.start()
        with server.connect("lines") as client:
            assert sorted(client.ask("positions")["agents"]) == sorted(names)
            for name in names:
                assert client.ask("route", name=name, cells=[[0, 9]])["error"] == "bad_argument", name
                assert client.ask("remove", names=[name])["ok"], name


OPERATIONS = ("hello request cancel urgency goal subscribe map stats positions edit occupy vacate agent go follow flee "
              "halt remove route take steer pause resume step reset inspect pace save jams nothing").split()
FIELDS = ("from to request urgency deadline max mode reach goals mover occupied occupied_within on_stale weight agent "
          "engine heuristic cells set fill steps links unlinks name names cell speed ghost target distance route "
          "what every binary box features session secret token waiting protocol frames hz budget").split()
WORDS = ("frames agents edits completions queue open blocked loop once back exact nearest block ignore a b c s1 s2 cart "
         "default astar jump").split()


def any_value(chance, depth=0):
    kind = chance.randrange(11 if depth < 3 else 8)
    if kind == 0:
        return chance.choice([None, True, False, "", "\u0000", "\ud800", "\U0001F980" * 30, {}, []])
    if kind == 1:
        return chance.choice([-1, 2**31, -2**31, 2**32, 2**53, 2**63 - 1, -2**63, 2**64, 0.5, 1e300, 1e-300])
    if kind <= 3:
        return chance.choice(WORDS)
    if kind <= 5:
        return chance.randrange(-1, 12)
    if kind <= 7:
        return [chance.randrange(-1, 11) for _ in range(chance.choice((1, 2, 2, 2, 2, 3)))]
    if kind == 8:
        return {chance.choice(FIELDS): any_value(chance, depth + 1) for _ in range(2)}
    return [any_value(chance, depth + 1) for _ in range(chance.randrange(4))]


def right_value(chance, field):
    cell = [chance.randrange(10), chance.randrange(10)]
    values = {"name": chance.choice("abc"), "names": [chance.choice("abc")], "target": chance.choice("abc"), "cell": cell,
              "from": cell, "to": cell, "request": chance.randrange(40), "frames": chance.randrange(1, 30),
              "set": [[cell, chance.choice(["open", "blocked", 3])]], "cells": [cell], "route": chance.choice("abc"),
              "what": chance.sample(WORDS[:4], 2), "box": [[0, 0], cell], "fill": [[cell, [9, 9], "open"]],
              "links": [[cell, [1, 1], 5]], "unlinks": [[cell, [1, 1]]], "session": chance.choice(["s1", "s2"])}
    return values[field] if field in values else any_value(chance)


NEEDED = {"request": ("from", "to"), "cancel": ("request",), "urgency": ("request", "urgency"), "goal": ("request", "to"),
          "subscribe": ("what",), "map": ("box",), "occupy": ("cells",), "vacate": ("cells",), "agent": ("name", "cell"),
          "go": ("names", "to"), "follow": ("name", "target"), "flee": ("name", "target"), "halt": ("names",),
          "remove": ("names",), "steer": ("name", "cell"), "route": ("name", "cells"), "take": ("name", "route"), "step": ("frames",),
          "inspect": ("name",), "hello": ("session",), "edit": ("set",)}


def any_message(chance):
    op = chance.choice(OPERATIONS)
    message = {"op": op, "id": chance.randrange(40)}
    for field in NEEDED.get(op, ()):
        message[field] = right_value(chance, field)
    if chance.random() < 0.3:
        field = chance.choice(FIELDS)
        message[field] = right_value(chance, field) if chance.random() < 0.5 else any_value(chance)
    if chance.random() < 0.05:
        message["id"] = any_value(chance)
    text = json.dumps(message, ensure_ascii=chance.random() < 0.9)
    if "\ud800" in text:
        text = json.dumps(message)
    if chance.random() < 0.03:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", "\0", "NaN", "{", "\\", '"', "1e999", "9" * 400, "[" * 3000]) + text[at + 1:]
    return text.encode("utf-8", "replace").replace(b"\n", b" ")


def attack(server, chance, messages):
    """A few clients at once; each ends anywhere, also in the middle of a message."""
    clients = []
    for _ in range(messages):
        if len(clients) < 6 and chance.random() < 0.2:
            clients.append(server.connect(chance.choice(["lines", "ws"])))
        if not clients:
            continue
        client = chance.choice(clients)
        ws = isinstance(client, WebSocket)
        text = any_message(chance)
        data = frame(1, text) if ws else text + b"\n"
        fate = chance.random()
        try:
            if fate < 0.02:
                data = data[:chance.randrange(len(data))]
            client.sock.sendall(data)
            if 0.04 < fate < 0.5 and client.ready(0):
                client.sock.recv(1 << 16)
        except (ConnectionError, BrokenPipeError, TimeoutError):
            fate = 0
        if fate < 0.03:
            if chance.random() < 0.5:
                client.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
            clients.remove(client)
    return clients


WORLDS = {"small": "grid 1 1\n", "grid": BUSY + "mover cart size=2\nroute a loop 1,1 8,8\n",
          "graph": "graph\n" + "".join(f"node {i}\n" for i in range(12)) +
          "".join(f"edge {i} {i + 1} 10\nedge {i + 1} {i} 10\n" for i in range(11)),
          "voxels": "voxels 6 6 3\n"}


def attack_world(name, seed, messages, *options):
    chance = random.Random(seed)
    with Server("--hz", "500", *options, world=WORLDS[name]) as server:
        clients = attack(server, chance, messages)
        with server.connect("lines") as last:
            assert last.ask("stats").get("ok"), "it goes on"
            assert http(server.web, "/healthz")[0] == 200 and http(server.web, "/metrics")[0] == 200
        ends_in_time(server)
        for client in clients:
            client.close()


@case("small", "grid", "graph", "voxels")
def anything_may_come(name):
    for seed in range(3):
        attack_world(name, seed, 700)


@case()
def anything_may_come_with_a_journal():
    with tempfile.TemporaryDirectory() as folder:
        attack_world("grid", 7, 700, "--journal", folder + "/one", "--record", folder + "/record")
        attack_world("voxels", 8, 300, "--journal", folder + "/two", "--agents", "5")


@case()
def anything_may_come_where_little_is_allowed():
    attack_world("grid", 9, 500, "--read-only")
    attack_world("grid", 10, 500, "--owner-token", "owner", "--max-sessions", "1", "--max-kept-bytes", "100")


@case()
def an_answer_that_looks_outlives_a_reset():
    with Server() as server, server.connect("lines") as client:
        for _ in range(3):
            for op in ("pace", "save", "reset", "save", "reset"):
                assert client.ask(op)["ok"]


def head_of(server, method="GET", path="/", fields=(), host=None):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or '%s:%d' % server.web}", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def read_until_end(sock, most=1 << 24):
    data = b""
    while len(data) < most:
        try:
            more = sock.recv(4096)
        except ConnectionError:
            break
        if not more:
            break
        data += more
    return data


@case()
def a_request_with_a_body_holds_nothing():
    """A body that comes in one packet with a head, behind another request: libwebsockets 4.1.6 span for ever."""
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
               "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
    with Server() as server:
        for method in ("GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE"):
            for length, body in ((5, b"abcde"), (5, b"ab"), (2, b"abcde"), (0, b""), (1 << 40, b"a"), (-1, b"a")):
                for host, fields in ((None, ()), ("evil.example", ()), (None, upgrade), ("evil.example", upgrade)):
                    bad = head_of(server, method, "/ws" if fields else "/", (f"Content-Length: {length}", *fields), host)
                    with connect_socket(server.web) as sock:
                        sock.sendall(head_of(server, path="/healthz") + bad + body + bad + body)
                        sock.settimeout(PATIENCE)
                        assert read_until_end(sock).startswith(b"HTTP/1.1 200"), (method, length, host)
            with server.connect("lines") as client:
                client.sock.settimeout(PATIENCE)
                assert client.ask("stats").get("ok"), method
        ends_in_time(server)


def slow_socket(address):
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 256)
    sock.settimeout(PATIENCE)
    sock.connect(address)
    return sock


@case()
def a_slow_reader_gets_whole_files():
    """Each file of the page, a few bytes at a time, also where its client sent more than its request."""
    with Server() as server:
        asked = []
        for path in ("/", "/main.js", "/page.css", "/metrics"):
            for more in (b"", b"x" * 10, head_of(server), head_of(server, "POST", fields=("Content-Length: 3",)) + b"abc"):
                asked.append((path, slow_socket(server.web)))
                asked[-1][1].sendall(head_of(server, path=path) + more)
        time.sleep(0.3)
        whole = {path: http(server.web, path)[2] for path, _ in asked}
        for path, sock in asked:
            data = b""
            while part := sock.recv(700):
                data += part
                time.sleep(0.001)
            sock.close()
            head, _, body = data.partition(b"\r\n\r\n")
            assert b"connection: close" in head.lower(), head
            assert len(body) == int(head.lower().split(b"content-length:")[1].split()[0]), (path, len(body))
            assert path == "/metrics" or body == whole[path], path


def flood(socks, text):
    """Another process sends small messages as fast as they are taken, and reads the answers, until end_flood()."""
    parent, process = os.getpid(), os.fork()
    if process > 0:
        return process
    data = {sock: (frame(1, text) if kind == "ws" else text + b"\n") * 1000 for sock, kind in socks}
    at = dict.fromkeys(data, 0)
    for sock in data:
        sock.setblocking(False)
    while os.getppid() == parent:
        for sock in select.select(list(data), list(data), [], 0.1)[0]:
            try:
                sock.recv(1 << 16)
            except OSError:
                pass
        for sock in data:
            try:
                at[sock] = (at[sock] + sock.send(data[sock][at[sock]:])) % len(data[sock])
            except OSError:
                pass
    os._exit(1)


def end_flood(process):
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def messages_between(client):
    """How many messages the server reads before it answers, at least; and how many in a second. Not how long it takes:
    that is a question of the machine."""
    first, began = client.ask("stats")["messages"], time.monotonic()
    last, least = first, 1 << 30
    for _ in range(100):
        messages = client.ask("stats")["messages"]
        last, least = messages, min(least, messages - last)
        time.sleep(0.01)
    return least, (last - first) / (time.monotonic() - began)


@case("lines", "ws")
def strangers_do_not_delay_others(kind):
    """48 connections without the token flood the server; they took all of its time."""
    with Server("--token", "secret") as server, server.connect("lines", {"token": "secret"}) as client:
        strangers = [server.connect(kind) for _ in range(48)]
        process = flood([(stranger.sock, kind) for stranger in strangers], b'{"op":"stats","id":1}')
        time.sleep(0.3)
        least, a_second = messages_between(client)
        server.connect("lines", {"token": "secret"}).close()  # who has the token comes in
        end_flood(process)
        assert least < 200 and a_second < 6000, (least, a_second)


@case("lines", "ws")
def many_clients_share_the_time(kind):
    """Small messages have a price, and each client a piece of each turn: one that asks little waits for a piece each."""
    with Server() as server, server.connect("lines") as client:
        others = [server.connect(kind) for _ in range(24)]
        process = flood([(other.sock, kind) for other in others], b'{"op":"stats","id":1}')
        time.sleep(0.3)
        least, _ = messages_between(client)
        end_flood(process)
        assert least < 8000, least  # 24 clients, each with a piece of some turns; one turn had 70,000


def ends_within(client, seconds=PATIENCE):
    """What the server says before it closes the connection, and after how long."""
    began, told = time.monotonic(), []
    client.sock.settimeout(seconds)
    try:
        while True:
            told.append(client.receive())
    except Closed as closed:
        return time.monotonic() - began, told, closed
    except TimeoutError:
        raise AssertionError(f"still open after {seconds} s") from None


def silent_clients_make_room(kind, options):
    with Server("--max-clients", "4", "--max-hello-seconds", "1", *options) as server:
        began = time.monotonic()
        silent = [server.connect(kind) for _ in range(4)]
        if kind == "lines":
            silent[0].sock.sendall(b'{"op":')  # a line without an end is no message
            if options:
                silent[1].send({"op": "stats", "id": 1})  # nor is one that is denied
        for client in silent:
            _, told, closed = ends_within(client)
            client.close()
            assert time.monotonic() - began > 0.9, "too early"
            assert kind == "ws" and closed.code == 1008 or told[-1]["error"] == "denied", (told, closed)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                client = server.connect(kind, {"token": "secret"} if options else None)
                assert client.ask("stats").get("ok")
                break
            except (Refused, Closed, ConnectionError):
                assert time.monotonic() < end
                time.sleep(0.05)
        with client:
            time.sleep(1.2)
            assert client.ask("stats").get("ok"), "who has said hello stays"


@case("lines", "ws")
def who_says_nothing_makes_room(kind):
    with ThreadPoolExecutor() as pool:
        list(pool.map(silent_clients_make_room, (kind, kind), (("--token", "secret"), ())))


@case("lines", "ws")
def who_reads_nothing_makes_room(kind):
    """A stranger that does not read its answers is closed in time, too."""
    with Server("--token", "secret", "--max-clients", "1", "--max-hello-seconds", "1") as server:
        rude = server.connect(kind)
        rude.sock.settimeout(0.3)
        text = b'{"op":"stats","id":1}'
        try:
            while True:
                rude.sock.sendall((frame(1, text) if kind == "ws" else text + b"\n") * 100)
        except OSError:
            pass
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with server.connect(kind, {"token": "secret"}):
                    break
            except (Refused, Closed, ConnectionError):
                assert time.monotonic() < end, "it holds its place"
                time.sleep(0.1)
        rude.close()


@case("lines", "ws")
def a_stranger_has_a_short_message(kind):
    """At the limit, and one more; who has said hello has the longer one."""
    def hello(size, **fields):
        text = json.dumps({"op": "hello", "id": 1, "protocol": 1, **fields})
        return text[:-1] + " " * (size - len(text)) + "}"
    with Server("--token", "secret", "--max-hello-bytes", "1000") as server:
        with server.connect(kind) as client:
            client.send_text(hello(1000, token="secret"))
            assert client.answer(1).get("ok")
            client.send_text(hello(100000).replace("hello", "stats"))
            assert client.answer(1).get("error") == "bad_argument"  # it has no field "protocol"
        for text in (hello(1001, token="secret"), "x" * 1000000):
            with server.connect(kind) as client:
                try:
                    client.send_text(text)
                except ConnectionError:
                    pass
                took, told, closed = ends_within(client)
                assert closed.code in (None, 1009) and (kind == "ws" or told[-1]["error"] == "too_large"), (told, closed)
        with server.connect(kind) as client:  # without an end
            client.sock.sendall(frame(1, b"x" * 900, fin=False) if kind == "ws" else b"x" * 900)
            time.sleep(0.1)
            client.sock.sendall(frame(0, b"x" * 200, fin=False) if kind == "ws" else b"x" * 200)
            ends_within(client)


def guess(client, token):
    return client.ask("hello", protocol=1, token=token).get("error")


@case()
def tokens_cannot_be_guessed_for_long():
    """100,000 guesses a second were answered. With 6 in a minute, one is forgotten after 10 s: a slow run is the same."""
    with Server("--token", "secret", "--owner-token", "boss", "--max-guesses", "6") as server:
        with server.connect("lines") as client, server.connect("ws") as other:
            assert [guess(client, f"guess {i}") for i in range(4)] == ["denied"] * 4
            assert guess(client, None) == "bad_argument"
            assert client.ask("hello", protocol=1)["error"] == "denied"  # no token is no guess
            assert guess(other, "guess") == "denied"
            assert http(server.web, "/metrics", headers=["Authorization: Bearer no"])[0] == 401
            assert guess(client, "guess") == "too_fast"
            assert guess(other, "secret") == "too_fast", "the right one tells no more than a wrong one"
            assert http(server.web, "/metrics", headers=["Authorization: Bearer secret"])[0] == 429
            assert http(server.web, "/metrics")[0] == 401
    with Server("--token", "secret", "--max-guesses", "600") as server, server.connect("lines") as client:
        for i in range(700):
            client.send({"op": "hello", "id": i, "protocol": 1, "token": "guess"})
        assert "too_fast" in [client.answer(i)["error"] for i in range(700)]
        end = time.monotonic() + PATIENCE
        while guess(client, "secret") is not None:  # one is forgotten each tenth of a second
            assert time.monotonic() < end
            time.sleep(0.05)


@case("lines", "ws")
def a_client_waits_for_so_many(kind):
    """Each id that is waited for may be answered with 86 bytes; there were as many as fit a message."""
    with Server("--max-requests", "100") as server:
        for count, ok in ((100, True), (101, False), (100000, False)):
            with server.connect(kind) as client:
                answer = client.ask("hello", protocol=1, session=f"s{count}", waiting=list(range(count)))
                assert (answer.get("ok") is True) == ok and answer.get("error") == (None if ok else "too_large"), answer
                for i in range(count if ok else 0):
                    assert client.receive() == {"id": i, "lost": True}


def fails(*options, world="grid 3 3\n"):
    """What `wend serve` says where it does not begin."""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/world.wend", "w") as out:
            out.write(world)
        ended = subprocess.run(["./wend", "serve", folder + "/world.wend", "--listen", "127.0.0.1:0", *options],
                               capture_output=True, text=True, timeout=PATIENCE)
        assert ended.returncode == 2, ended
        return ended.stderr


@case()
def a_token_has_1_to_256_bytes():
    for option in ("--token", "--owner-token"):
        for bad in ("", "x" * 257, "a\tb", "a\nb"):
            assert "1 to 256 bytes" in fails(option, bad), (option, bad)
    for good in ("x", "x" * 256):
        with Server("--token", good, "--owner-token", good) as server:
            server.connect("lines", {"token": good}).close()
            assert http(server.web, "/metrics", headers=["Authorization: Bearer " + good])[0] == 200


@case()
def tokens_may_stand_in_files():
    with tempfile.TemporaryDirectory() as folder:
        def put(data):
            with open(folder + "/token", "wb") as out:
                out.write(data)
            return folder + "/token"
        for end in (b"", b"\n", b"\r\n"):
            with Server("--token-file", put(b"a secret" + end), "--owner-token-file", put(b"a secret" + end)) as server:
                answer = server.connect("lines").ask("hello", protocol=1, token="a secret")
                assert answer["owner"] is True, answer
                with open(f"/proc/{server.process.pid}/cmdline") as words:
                    assert "a secret" not in words.read()
        for bad in (b"", b"\n", b"\nsecret", b"one\ntwo\n", b"x" * 257, b"x" * 5000, b"a\0b"):
            told = fails("--token-file", put(bad))
            assert told.startswith(folder + "/token:") and "256 bytes" in told, (bad, told)
        assert "No such file" in fails("--token-file", folder + "/none")
        assert "--token-file" in fails("--token-file", put(b"x"), "--token", "x")
        assert "--owner-token-file" in fails("--owner-token-file", put(b"x"), "--owner-token", "x")


@case()
def the_path_of_a_socket_has_at_most_107_bytes():
    """A longer one was cut, and the socket was made elsewhere."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        path = folder + "/" + "x" * (107 - len(folder) - 1)
        assert "107 bytes" in fails("--lines", path + "x")
        assert os.listdir(folder) == []
        process = subprocess.Popen(["./wend", "serve", "-", "--listen", "127.0.0.1:0", "--lines", path],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdin.write("grid 3 3\n")
        process.stdin.close()
        while "lines at" not in process.stderr.readline():
            assert process.poll() is None
        with Lines(path) as client:
            assert client.ask("stats").get("ok")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


@case()
def few_descriptors_are_said_at_the_start():
    def limit(count):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/world.wend", "w") as out:
            out.write("grid 3 3\n")
        words = ["./wend", "serve", folder + "/world.wend", "--listen", "127.0.0.1:0", "--lines", folder + "/lines"]
        for count in (12, 31, 32, 33, 34, 40):
            process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, preexec_fn=limit(count))
            told = process.stderr.readline()
            while process.poll() is None and "lines at" not in told:
                told += process.stderr.readline()
            if process.poll() is not None:
                assert process.returncode == 2 and "descriptors" in told + process.stderr.read(), (count, told)
                continue
            room = int(re.search(r"room for (\d+) client", told).group(1))
            clients = []
            try:  # as many as were said fit, and one more does not
                for _ in range(room):
                    clients.append(Lines(folder + "/lines"))
                    assert clients[-1].ask("stats").get("ok")
                with Lines(folder + "/lines") as last:
                    assert last.receive()["error"] == "busy"
            finally:
                process.send_signal(signal.SIGTERM)
                assert process.wait(PATIENCE) == 0
            if room >= 3:
                return
        raise AssertionError("it never begins")
