# SPDX-License-Identifier: MIT
"""Clients of `wend serve`, over lines and over WebSocket, written from the protocol and RFC 6455 alone."""
import base64
import hashlib
import json
import os
import select
import socket
import struct

PATIENCE = 600  # seconds that a test waits for what has to come, on a machine of any speed


class Closed(Exception):
    """The server closed the connection: a WebSocket's code (None over lines, or without a closing frame)."""

    def __init__(self, code=None, reason=""):
        super().__init__(f"closed {code} {reason}")
        self.code, self.reason = code, reason


class Refused(Exception):
    """The server answered the upgrade with another status than 101."""

    def __init__(self, status, head):
        super().__init__(f"HTTP {status}")
        self.status, self.head = status, head


def connect_socket(address):
    if isinstance(address, str):
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.settimeout(PATIENCE)
        sock.connect(address)
    else:
        sock = socket.create_connection(address, timeout=PATIENCE)
    sock.settimeout(PATIENCE)
    return sock


class Client:
    """What both kinds share: messages kept by kind until someone asks for them."""

    def __init__(self):
        self.kept = []
        self.last_id = 0

    def send(self, message):
        self.send_text(json.dumps(message))

    def next_id(self):
        self.last_id += 1
        return self.last_id

    def ask(self, op, **fields):
        """Send a message and wait for its `ok` or `error`; other messages are kept."""
        fields.setdefault("id", self.next_id())
        self.send({"op": op, **fields})
        return self.answer(fields["id"])

    def answer(self, name):
        return self.wait(lambda m: m.get("id") == name and type(m.get("id")) is type(name)
                         and ("ok" in m or "error" in m))

    def done(self, name):
        return self.wait(lambda m: m.get("id") == name and "done" in m)["done"]

    def event(self, **fields):
        return self.wait(lambda m: "event" in m and all(m["event"].get(k) == v for k, v in fields.items()))["event"]

    def wait(self, matches):
        for at, message in enumerate(self.kept):
            if matches(message):
                return self.kept.pop(at)
        while True:
            message = self.receive()
            if matches(message):
                return message
            self.kept.append(message)

    def receive(self):
        return json.loads(self.receive_text())

    def ready(self, seconds):
        """Is there a byte to read within that time?"""
        return bool(self.buffered()) or bool(select.select([self.sock], [], [], seconds)[0])

    def close(self):
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Lines(Client):
    def __init__(self, address):
        super().__init__()
        self.sock = connect_socket(address)
        self.bytes = bytearray()

    def buffered(self):
        return b"\n" in self.bytes

    def send_text(self, text):
        self.sock.sendall(text.encode() + b"\n")

    def receive_text(self):
        scanned = 0
        while True:
            end = self.bytes.find(b"\n", scanned)
            if end >= 0:
                line = bytes(self.bytes[:end])
                del self.bytes[:end + 1]
                return line.decode()
            scanned = len(self.bytes)
            try:
                more = self.sock.recv(1 << 16)
            except ConnectionError:
                more = b""
            if not more:
                raise Closed()
            self.bytes += more


TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def frame(opcode, payload, fin=True, masked=True, reserved=0, length_bytes=None):
    """The bytes of one frame; length_bytes forces 2 or 8 bytes of length."""
    head = bytearray([(0x80 if fin else 0) | reserved | opcode])
    size, mask_bit = len(payload), 0x80 if masked else 0
    if length_bytes == 8 or (length_bytes is None and size > 65535):
        head += bytes([mask_bit | 127]) + struct.pack(">Q", size)
    elif length_bytes == 2 or size > 125:
        head += bytes([mask_bit | 126]) + struct.pack(">H", size)
    else:
        head.append(mask_bit | size)
    if not masked:
        return bytes(head) + payload
    mask = os.urandom(4)
    whole = (mask * (size // 4 + 1))[:size]
    mixed = int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")
    return bytes(head) + mask + mixed.to_bytes(size, "big")


class WebSocket(Client):
    def __init__(self, address, path="/ws", origin=None, host=None, headers=()):
        super().__init__()
        self.sock = connect_socket(address)
        self.bytes = bytearray()
        self.binary = []  # binary messages, as they came
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'{address[0]}:{address[1]}'}", "Upgrade: websocket",
                 "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        if origin is not None:
            lines.append(f"Origin: {origin}")
        lines += headers
        self.sock.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = self.read_head()
        status = int(head.split()[1])
        if status != 101:
            self.sock.close()
            raise Refused(status, head)
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        fields = {k.strip().lower(): v.strip() for k, _, v in (l.partition(":") for l in head.split("\r\n")[1:])}
        assert fields["sec-websocket-accept"] == accept.decode(), "the handshake's answer is not of this key"

    def read_head(self):
        while b"\r\n\r\n" not in self.bytes:
            self.fill()
        head, _, rest = bytes(self.bytes).partition(b"\r\n\r\n")
        self.bytes = bytearray(rest)
        return head.decode("latin-1")

    def fill(self):
        try:
            more = self.sock.recv(1 << 16)
        except ConnectionError:
            more = b""
        if not more:
            raise Closed()
        self.bytes += more

    def take(self, count):
        while len(self.bytes) < count:
            self.fill()
        out = bytes(self.bytes[:count])
        del self.bytes[:count]
        return out

    def buffered(self):
        return self.bytes

    def send_text(self, text):
        self.sock.sendall(frame(TEXT, text.encode()))

    def read_frame(self):
        first, second = self.take(2)
        assert not second & 0x80, "a server's frame is not masked"
        assert not first & 0x70, "reserved bits"
        size = second & 0x7F
        if size == 126:
            size, = struct.unpack(">H", self.take(2))
        elif size == 127:
            size, = struct.unpack(">Q", self.take(8))
        return bool(first & 0x80), first & 0x0F, self.take(size)

    def receive_text(self):
        whole, kind = b"", None
        while True:
            fin, opcode, payload = self.read_frame()
            if opcode == PING:
                self.sock.sendall(frame(PONG, payload))
            elif opcode == CLOSE:
                code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else None
                raise Closed(code, payload[2:].decode())
            elif opcode != PONG:
                kind = opcode or kind
                whole += payload
                if fin and kind == BINARY:
                    self.binary.append(whole)
                    whole, kind = b"", None
                elif fin:
                    return whole.decode()


def http(address, path, method="GET", host=None, headers=()):
    """One request; status, fields by their lower-case name, body."""
    with connect_socket(address) as sock:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'{address[0]}:{address[1]}'}", "Connection: close",
                 *headers]
        sock.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        data = b""
        while True:
            try:
                more = sock.recv(1 << 16)
            except ConnectionError:
                break
            if not more:
                break
            data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    fields = {k.strip().lower(): v.strip() for k, _, v in (l.partition(":") for l in lines[1:])}
    return int(lines[0].split()[1]), fields, body
