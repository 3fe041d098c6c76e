# SPDX-License-Identifier: MIT
"""A client of `wend serve` for asyncio, over its lines (--lines). Needs Python 3.9 and nothing else.

    async with await Client.connect("127.0.0.1", 7781) as town:
        await town.agent("bob", [1, 1])
        await town.go(["bob"], [9, 9])
        async for event in town.events():
            ...
Cells are lists. A request's answer is its completion. With a session, a client that has lost its connection connects
again by itself, and asks again for what it waits for: each request has one completion."""
import asyncio
import json

from wend_orders import Orders

FIRST_WAIT_S, LONGEST_WAIT_S = 0.1, 4.0


class Refused(Exception):
    """The server's error: `error` is its word, for programs."""

    def __init__(self, error, text):
        super().__init__(f"{error}: {text}")
        self.error, self.text = error, text


class Lost(Exception):
    """The connection ended before the answer came: an order may have been done."""


_SIDES = {"N": (0, -1, 0), "S": (0, 1, 0), "E": (1, 0, 0), "W": (-1, 0, 0), "U": (0, 0, 1), "D": (0, 0, -1)}


def _cells_of(runs):
    """The cells of a path that came as runs: [cell, "E12", "SE3", …]."""
    cells = []
    for run in runs:
        if not isinstance(run, str):
            cells.append(run)
            continue
        count = run.lstrip("NSEWUD")
        sides = [_SIDES[side] for side in run[:len(run) - len(count)]]
        step = [sum(axis) for axis in zip(*sides)]
        for _ in range(int(count)):
            cells.append([at + part for at, part in zip(cells[-1], step)])
    return cells


class Speaker(Orders):
    """What may be said of a map."""

    async def subscribe(self, *what, every=1):
        """what: frames, agents, edits, queue, completions. They come by events(), with their `type`."""
        return await self.ask("subscribe", {"what": list(what), "every": every})

    async def map(self, **fields):
        """box, runs, features: docs/protocol.md."""
        return await self.ask("map", fields)

    async def classes(self, low, high):
        """The classes of a box's cells, both corners in, row by row: bytes. They come as runs."""
        runs = (await self.map(box=[low, high], runs=True))["runs"]
        return b"".join(bytes([ground]) * count for ground, count in zip(runs[::2], runs[1::2]))


class OtherMap(Speaker):
    """Another map than the server's own, as Client.on_map() gives it."""

    def __init__(self, client, name):
        self._client, self._name = client, name

    async def ask(self, op, fields=None):
        return await self._client.ask(op, {**(fields or {}), "map": self._name})

    async def _request(self, op, fields):
        return await self._client._request(op, {**fields, "map": self._name})


class Client(Speaker):
    def __init__(self, addresses, session, token):
        self._addresses, self._session, self._token = addresses, session, token
        self._answers, self._requests, self._kept = {}, {}, asyncio.Queue()
        self._id, self._secret, self._closing = 0, None, False
        self.server = None  # the answer to hello

    @classmethod
    async def connect(cls, *where, session=None, token=None, others=()):
        """where: HOST, PORT, or the path of a Unix socket. others: such tuples, of other nodes of a cluster."""
        client = cls([where, *others], session, token)
        await client._open()
        return client

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()

    async def close(self):
        self._closing = True
        self._writer.close()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _open(self):
        where = self._addresses[0]
        open_to = asyncio.open_unix_connection if len(where) == 1 else asyncio.open_connection
        self._reader, self._writer = await open_to(*where, limit=1 << 26)
        self._reading = asyncio.ensure_future(self._read())
        hello = {"protocol": 1, "paths": "runs", "session": self._session, "token": self._token, "secret": self._secret}
        if self._session:
            hello["waiting"] = list(self._requests)
        self.server = await self.ask("hello", hello)
        self._secret = self.server.get("secret")
        for id_, (fields, _) in self._requests.items():
            self._send({"op": "request", "id": id_, **fields})

    async def _open_again(self):
        wait = FIRST_WAIT_S
        while not self._closing:
            self._addresses.append(self._addresses.pop(0))
            self._secret = self._secret if len(self._addresses) == 1 else None
            try:
                return await self._open()
            except (OSError, Lost):
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT_S)

    def _send(self, message):
        self._writer.write(json.dumps(message).encode() + b"\n")

    def _next(self):
        self._id += 1
        return self._id

    async def ask(self, op, fields=None):
        """Send any message, and return its answer. Fields that are None are left out."""
        id_ = self._next()
        future = self._answers[id_] = asyncio.get_running_loop().create_future()
        self._send({"op": op, "id": id_, **{name: one for name, one in (fields or {}).items() if one is not None}})
        return await future

    async def _request(self, op, fields):
        assert op == "request"
        id_, fields = self._next(), {name: one for name, one in fields.items() if one is not None}
        future = asyncio.get_running_loop().create_future()
        self._requests[id_] = (fields, future)
        self._send({"op": op, "id": id_, **fields})
        return await future

    def on_map(self, name):
        """Another map of a cluster, with the same methods. What comes unasked of it comes by events(), with its name as
        `map`."""
        return OtherMap(self, name)

    async def events(self):
        """What comes unasked: messages with a `type`."""
        while True:
            message = await self._kept.get()
            if message is None:
                return
            yield message

    async def _read(self):
        while line := await self._next_line():
            message = json.loads(line)
            id_ = message.get("id")
            if message.get("type") == "done" or "lost" in message:
                self._complete(id_, message)
            elif "type" in message:
                self._kept.put_nowait(message)
            else:
                self._settle(id_, message)
        for future in self._answers.values():
            if not future.done():
                future.set_exception(Lost())
        self._answers.clear()
        if self._session and not self._closing:
            asyncio.ensure_future(self._open_again())
            return
        for _, future in self._requests.values():
            if not future.done():
                future.set_exception(Lost())
        self._kept.put_nowait(None)

    async def _next_line(self):
        try:
            return await self._reader.readline()
        except OSError:
            return b""

    def _settle(self, id_, message):
        future = self._answers.pop(id_, None)
        if future is None and "error" in message and id_ in self._requests:
            future = self._requests.pop(id_)[1]
        if future is None or future.done():
            return
        if "ok" in message:
            future.set_result(message)
        else:
            future.set_exception(Refused(message["error"], message.get("text", "")))

    def _complete(self, id_, message):
        if id_ not in self._requests:
            return
        fields, future = self._requests[id_]
        if "lost" in message:  # the server knows nothing of it: asked again
            self._send({"op": "request", "id": id_, **fields})
            return
        del self._requests[id_]
        if not future.done():
            done = message["done"]
            if "runs" in done:
                done["cells"] = _cells_of(done.pop("runs"))
            future.set_result(done)
