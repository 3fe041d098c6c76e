# SPDX-License-Identifier: MIT
"""Limits at one less, exactly, and one more; broken frames, noise, slow readers, many connections."""
import json
import os
import random
import re
import resource
import select
import socket
import struct
import threading
import time

from client import BINARY, CLOSE, Closed, connect_socket, frame, http, PATIENCE, PING, PONG, Refused, TEXT, WebSocket
from messages import BOTH, accept, refuse, search
from server import Server, case

MIB = 1 << 20


def padded(size, **fields):
    """A message of so many bytes."""
    text = json.dumps(fields)
    return text[:-1] + " " * (size - len(text)) + "}"


def must_close(client, codes=None):
    """Reads until the server closes the connection; its messages until then."""
    told = []  # a reset may take the closing frame with it where bytes of the client were not read
    try:
        while True:
            told.append(client.receive())
    except Closed as closed:
        if isinstance(client, WebSocket) and codes is not None:
            assert closed.code in codes, (closed, told)
        if isinstance(client, WebSocket) and closed.code is not None:
            assert closed.reason, "closed without a reason"
        return told


def still_serves(server):
    with server.connect("lines") as client:
        assert search(client)["status"] == "found"


@case(*BOTH)
def a_message_has_at_most_a_mebibyte(kind):
    with Server() as server:
        for size in (MIB - 1, MIB):
            with server.connect(kind) as client:
                client.send_text(padded(size, op="stats", id=5))
                assert client.answer(5).get("ok") is True
        with server.connect(kind) as client:
            try:
                client.send_text(padded(MIB + 1, op="stats", id=5))
            except ConnectionError:
                pass
            told = must_close(client, (1009,))
            assert not any(m.get("ok") for m in told), told
            assert kind == "ws" or told, "no reason"
        still_serves(server)


@case(*BOTH)
def what_is_no_object_closes(kind):
    with Server() as server:
        for text in ("[]", "5", "null", '"hello"', "nonsense", "{", '{"id":1', '{"id":1}}', '{"id":1,}', "{'id':1}",
                     '{"id":1,"op":"stats"} x', '{"id":1,"id":2,"op":"stats"}' if False else "[1,2", "\x01",
                     "[" * 100000, '{"a":' * 10000):
            with server.connect(kind) as client:
                client.send_text(text)
                told = must_close(client, (1002, 1003, 1007, 1008, 4000))
                assert kind == "ws" or (told and told[-1].get("error") == "bad_message"), (text[:30], told)
        still_serves(server)


@case()
def a_far_too_long_line_hears_why():
    with Server() as server:
        for _ in range(5):
            with server.connect("lines") as client:
                client.sock.sendall(b"x" * (3 * MIB))
                told = must_close(client)
                assert [m["error"] for m in told] == ["too_large"], told
        still_serves(server)


@case(*BOTH)
def a_client_has_so_much_work_a_second(kind):
    work, count, side = 1000000, 12, 256
    with Server("--max-work", str(work), world=f"grid {side} {side}\n") as server:
        with server.connect(kind) as client, server.connect("lines") as other:
            began = time.monotonic()
            sent = 0
            for i in range(count):
                client.send({"op": "map", "id": i, "box": [[0, 0], [side - 1, side - 1]]})
            for i in range(count):
                message = client.receive()
                assert message.get("ok") is True and message["id"] == i, "in the order in which they came"
                assert len(message["classes"]) == side * side
                sent += 2 * side * side
                accept(other, "stats")
            seconds = time.monotonic() - began
            # the last one may leave a debt, and a twentieth of a second was saved up
            least = sent * (count - 1) / count / work - 0.05
            assert seconds >= least * 0.95, (seconds, least)


@case()
def descriptors_may_run_out():
    with Server() as server:
        process = server.process.pid
        if server.has_valgrind():  # it has limits of its own
            return
        used = len(os.listdir(f"/proc/{process}/fd"))
        before = resource.prlimit(process, resource.RLIMIT_NOFILE)
        with server.connect("lines") as client, server.connect("ws") as browser:
            resource.prlimit(process, resource.RLIMIT_NOFILE, (used + 20, before[1]))
            for address in (server.line_address, server.web):
                socks = [connect_socket(address) for _ in range(40)]
                ended = 0
                end = time.monotonic() + PATIENCE
                while ended < 20 and time.monotonic() < end:  # those that get no place hear so
                    ready = select.select(socks, [], [], 1)[0]
                    for sock in ready:
                        try:
                            more = sock.recv(1 << 16)
                        except ConnectionError:
                            more = b""
                        if more:
                            assert b'"busy"' in more, more
                        else:
                            socks.remove(sock)
                            sock.close()
                            ended += 1
                assert ended >= 20, ended
                accept(client, "stats")  # those that are there go on
                accept(browser, "stats")
                for sock in socks:
                    sock.close()
            server.say_of(r"(no descriptors are left)")
            end = time.monotonic() + PATIENCE
            while True:  # and there is room again
                try:
                    with server.connect("lines") as again, server.connect("ws") as page:
                        accept(again, "stats")
                        accept(page, "stats")
                    body = http(server.web, "/metrics")[2].decode()
                    break
                except (Refused, Closed, OSError, AssertionError):
                    assert time.monotonic() < end
                    time.sleep(0.1)
            assert int(re.search(r"^wend_live_no_descriptors_total (\d+)$", body, re.M)[1]) >= 40, body


@case(*BOTH)
def requests_in_flight_are_limited(kind):
    with Server("--max-requests", "5") as server, server.connect(kind) as client:
        accept(client, "pause")
        for i in range(5):
            accept(client, "request", id=f"r{i}", **{"from": [0, 0], "to": [9, 9]})
        refuse(client, "busy", "request", id="r5", **{"from": [0, 0], "to": [9, 9]})
        with server.connect(kind) as other:
            accept(other, "request", id="r0", **{"from": [0, 0], "to": [9, 9]})
            accept(other, "step")
        for i in range(5):
            assert client.done(f"r{i}")["status"] == "found"
        accept(client, "request", id="r5", **{"from": [0, 0], "to": [9, 9]})


@case(*BOTH)
def messages_a_second_are_limited(kind):
    with Server("--max-messages", "20") as server, server.connect(kind) as client:
        began = time.monotonic()
        for i in range(200):
            client.send({"op": "stats", "id": i})
        answers = [client.answer(i) for i in range(200)]
        good = sum(a.get("ok") is True for a in answers)
        bad = sum(a.get("error") == "too_fast" for a in answers)
        most = 20 * (time.monotonic() - began + 2)
        assert good + bad == 200 and 20 <= good <= most, (good, bad)
        time.sleep(1.1)
        accept(client, "stats")


@case(*BOTH)
def edits_a_frame_are_limited(kind):
    with Server("--max-edits", "3", "--hz", "1") as server, server.connect(kind) as client:
        began = time.monotonic()
        for i in range(12):
            client.send({"op": "edit", "id": i, "set": [[[i % 10, 1], "blocked"]]})
        answers = [client.answer(i) for i in range(12)]
        good = sum(a.get("ok") is True for a in answers)
        bad = sum(a.get("error") in ("too_fast", "busy") for a in answers)
        assert good + bad == 12 and 3 <= good <= 3 * (time.monotonic() - began + 2), answers


@case(*BOTH)
def cells_of_an_edit_are_limited(kind):
    with Server("--max-edit-cells", "10") as server, server.connect(kind) as client:
        for cells, ok in ((9, True), (10, True), (11, False)):
            answer = client.ask("edit", set=[[[i % 10, i // 10], 2] for i in range(cells)])
            assert (answer.get("ok") is True) == ok and answer.get("error") == (None if ok else "too_large"), answer
        refuse(client, "too_large", "edit", fill=[[[0, 0], [9, 1], 2]])
        accept(client, "edit", fill=[[[0, 0], [9, 0], 2]])


@case(*BOTH)
def clients_are_limited(kind):
    with Server("--max-clients", "4") as server:
        clients = [server.connect(kind) for _ in range(4)]
        for client in clients:
            accept(client, "stats")
        try:
            fifth = server.connect(kind)
            fifth.send({"op": "stats", "id": 1})
            told = must_close(fifth)
            assert not any(m.get("ok") for m in told), told
        except (Refused, Closed, ConnectionError):
            pass
        clients.pop().close()
        end = time.monotonic() + PATIENCE
        while True:  # the place is free once the server saw the end of the connection
            try:
                with server.connect(kind) as again:
                    accept(again, "stats")
                    break
            except (Refused, Closed, ConnectionError):
                assert time.monotonic() < end
                time.sleep(0.05)
        for client in clients:
            accept(client, "stats")
            client.close()


@case(*BOTH)
def messages_come_byte_by_byte(kind):
    with Server() as server, server.connect(kind) as client:
        text = json.dumps({"op": "stats", "id": 1}).encode()
        for byte in frame(TEXT, text) if kind == "ws" else text + b"\n":
            client.sock.sendall(bytes([byte]))
            time.sleep(0.001)
        assert client.answer(1).get("ok") is True
        many = b"".join(frame(TEXT, m) if kind == "ws" else m + b"\n"
                        for m in (json.dumps({"op": "stats", "id": i}).encode() for i in range(2, 300)))
        client.sock.sendall(many)  # many in one piece
        for i in range(2, 300):
            assert client.answer(i).get("ok") is True


@case(*BOTH)
def connections_end_anywhere(kind):
    with Server() as server:
        text = json.dumps({"op": "request", "id": 1, "from": [0, 0], "to": [9, 9]}).encode()
        data = frame(TEXT, text) if kind == "ws" else text + b"\n"
        for cut in range(len(data) + 1):
            with server.connect(kind) as client:
                client.sock.sendall(data[:cut])
                if cut % 2:  # with a reset instead of an end
                    client.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        still_serves(server)


@case()
def lines_may_end_with_a_return():
    with Server() as server, server.connect("lines") as client:
        client.sock.sendall(b'{"op":"stats","id":1}\r\n\n\r\n{"op":"stats","id":2}\n')
        assert client.answer(1).get("ok") is True and client.answer(2).get("ok") is True


@case()
def fragments_make_one_message():
    with Server() as server, server.connect("ws") as client:
        text = json.dumps({"op": "stats", "id": "\u00e9"}, ensure_ascii=False).encode()
        cut = text.index(b"\xc3") + 1  # in the middle of a character
        client.sock.sendall(frame(TEXT, text[:5], fin=False) + frame(PING, b"now") + frame(0, text[5:cut], fin=False) +
                            frame(0, b"", fin=False) + frame(0, text[cut:]))
        assert client.answer("\u00e9").get("ok") is True
        client.sock.sendall(frame(TEXT, b"", fin=False) + frame(0, text))  # the first one is empty
        assert client.answer("\u00e9").get("ok") is True
        for size in (1, 2, 3):
            pieces = [text[i:i + size] for i in range(0, len(text), size)]
            for i, piece in enumerate(pieces):
                client.sock.sendall(frame(TEXT if i == 0 else 0, piece, fin=i == len(pieces) - 1))
            assert client.answer("\u00e9").get("ok") is True
        for length_bytes in (2, 8):
            client.sock.sendall(frame(TEXT, text, length_bytes=length_bytes))


@case()
def pings_are_answered():
    with Server() as server, server.connect("ws") as client:
        client.sock.sendall(frame(PING, b"payload"))
        while True:
            fin, opcode, payload = client.read_frame()
            if opcode == PONG:
                break
        assert payload == b"payload"
        client.sock.sendall(frame(CLOSE, struct.pack(">H", 1000) + b"bye"))
        try:
            client.receive()
            raise AssertionError("still open")
        except Closed as closed:
            assert closed.code == 1000, closed


@case()
def broken_frames_close():
    good = json.dumps({"op": "stats", "id": 1}).encode()
    bad = {"reserved bit": frame(TEXT, good, reserved=0x40),
           "unknown opcode": frame(3, good), "unknown control": frame(11, b""), "binary": frame(BINARY, good),
           "not UTF-8": frame(TEXT, b'{"op":"stats","id":"\xff\xfe"}'), "long ping": frame(PING, b"a" * 126),
           "cut ping": frame(PING, b"a", fin=False), "continuation of nothing": frame(0, good),
           "text in a text": frame(TEXT, good[:5], fin=False) + frame(TEXT, good),
           "endless length": b"\x81\xff" + b"\xff" * 8 + b"aaaa",
           "huge": b"\x81\xff" + struct.pack(">Q", 1 << 40) + b"aaaa" + b"a" * (MIB + (1 << 16))}
    with Server() as server:
        for name, data in bad.items():
            with server.connect("ws") as client:
                try:
                    client.sock.sendall(data)
                    while True:
                        message = client.receive()
                        assert not message.get("ok"), (name, message)
                except (Closed, ConnectionError):
                    pass
                except socket.timeout:
                    raise AssertionError(f"{name}: the connection stays open")
        still_serves(server)


@case()
def a_megabyte_of_noise():
    noise = random.Random(20)
    with Server() as server:
        before = server.resident()
        for address in (server.line_address, server.web):
            for lead in (b"", b"GET /ws HTTP/1.1\r\n", b'{"op":'):
                with connect_socket(address) as sock:
                    try:
                        sock.sendall(lead + noise.randbytes(MIB))
                        sock.shutdown(socket.SHUT_WR)
                        while sock.recv(1 << 16):
                            pass
                    except OSError:
                        pass
        with server.connect("ws") as client:
            try:
                client.sock.sendall(noise.randbytes(MIB))
                must_close(client)
            except ConnectionError:
                pass
        for _ in range(300):  # noise in the right frames
            with server.connect("ws") as client:
                client.sock.sendall(frame(TEXT, noise.randbytes(noise.randrange(300))))
        still_serves(server)
        assert server.resident() - before < 64 * MIB


@case(*BOTH)
def a_slow_watcher_gets_fewer_frames(kind):
    world = "grid 100 100\n"
    with Server("--hz", "200", "--agents", "3000", "--max-queue-bytes", "65536", world=world) as server:
        slow = server.connect(kind)
        accept(slow, "subscribe", what=["frames", "agents", "edits", "completions"])
        with server.connect("lines") as client:
            accept(client, "stats")
            before = server.resident()
            for i in range(30):
                for j in range(40):
                    client.send({"op": "request", "id": f"{i}.{j}", "from": [0, 0], "to": [9, 9]})
                for j in range(40):
                    client.answer(f"{i}.{j}")
                    client.kept.clear()
                time.sleep(0.05)
            assert server.resident() - before < 16 * MIB, (before, server.resident())
            end = time.monotonic() + PATIENCE
            while accept(client, "stats")["skipped"] == 0:
                assert time.monotonic() < end
                time.sleep(0.1)
        slow.send({"op": "stats", "id": "end"})
        last, skipped = 0, 0
        while True:
            message = slow.receive()
            if message.get("id") == "end":
                break
            if "frame" in message:
                skipped += message["frame"]["number"] - last - 1 if last else 0
                assert message["frame"]["number"] > last
                last = message["frame"]["number"]
        slow.close()
        assert skipped > 0


@case(*BOTH)
def who_does_not_read_is_not_read_from(kind):
    with Server("--max-queue-bytes", "65536", "--max-requests", "100000", "--hz", "1000") as server:
        rude = server.connect(kind)
        with server.connect("lines") as client:
            before = server.resident()
            rude.sock.settimeout(1)
            sent, data = 0, b""
            try:
                while sent < 200000:
                    text = json.dumps({"op": "map", "id": sent, "box": [[0, 0], [9, 9]]}).encode()
                    data = frame(TEXT, text) if kind == "ws" else text + b"\n"
                    rude.sock.sendall(data)
                    sent += 1
            except (socket.timeout, BlockingIOError):
                pass
            assert sent < 200000, "the server reads on"
            assert server.resident() - before < 32 * MIB, (before, server.resident())
            assert search(client)["status"] == "found"
            rude.sock.settimeout(PATIENCE)
            for i in range(sent):  # every message that went out whole is answered
                assert rude.answer(i).get("ok") is True
        rude.close()


@case(*BOTH)
def a_thousand_reconnects(kind):
    with Server() as server:
        with server.connect(kind, {"session": "s"}) as client:
            pass
        for _ in range(50):
            server.connect(kind).close()
        before, files = server.resident(), len(os.listdir(f"/proc/{server.process.pid}/fd"))
        for i in range(1000):
            client = server.connect(kind)
            client.send({"op": "request", "id": i, "from": [0, 0], "to": [9, 9]})
            if i % 3:
                accept(client, "stats")
            client.close()
        still_serves(server)
        end = time.monotonic() + PATIENCE
        while len(os.listdir(f"/proc/{server.process.pid}/fd")) > files + 3:
            assert time.monotonic() < end, "connections stay open"
            time.sleep(0.1)
        assert server.resident() - before < 8 * MIB, (before, server.resident())


@case()
def a_stale_socket_is_replaced():
    with Server(lines="unix") as server:
        still_serves(server)
        path = server.line_address
        server.kill()
        assert os.path.exists(path)
        server.start()
        still_serves(server)


@case()
def binary_positions_are_asked_for():
    with Server("--hz", "100") as server, server.connect("ws") as client:
        accept(client, "agent", name="a", cell=[3, 4])
        accept(client, "subscribe", what=["agents"])
        client.wait(lambda m: "agents" in m)
        assert not client.binary
        accept(client, "subscribe", what=["agents", "frames"], binary=True)
        client.kept.clear()
        end = time.monotonic() + PATIENCE
        while not client.binary:
            assert time.monotonic() < end
            client.kept.clear()
            client.wait(lambda m: "frame" in m)
        assert len(client.binary[0]) > 8


@case()
def half_requests_of_http_do_not_hold_the_server():
    with Server() as server:
        held = [connect_socket(server.web) for _ in range(50)]
        for sock in held:
            sock.sendall(b"GET / HTTP/1.1\r\nHost: 127")
        still_serves(server)
        assert http(server.web, "/healthz")[0] == 200
        for sock in held:
            sock.close()
