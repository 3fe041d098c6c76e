# SPDX-License-Identifier: MIT
"""A client of `wend serve` for asyncio, over its lines (--lines). Needs Python 3.9 and nothing else.

    async with await Client.connect("127.0.0.1", 7781) as town:
        await town.agent("bob", [1, 1])
        await town.go(["bob"], [9, 9])
        async for event in town.events():
            ...
Cells are lists. A request's answer is its completion; with an `id`, a text, it can be cancelled. With a session, a client
that has lost its connection connects again by itself, and asks again for what it waits for: each request has one
completion."""
import asyncio
import json

from wend_orders import Orders

FIRST_WAIT_S, LONGEST_WAIT_S, MOST_MOVES = 0.1, 4.0, 8


class Refused(Exception):
    """The server's error: `error` is its word, for programs."""

    def __init__(self, error, text, address=None):
        super().__init__(f"{error}: {text}")
        self.error, self.text, self.address = error, text, address


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


class Client(Speaker):
    def __init__(self, addresses, session, token):
        self._addresses, self._session, self._token = addresses, session, token
        self._answers, self._requests, self._kept = {}, {}, asyncio.Queue()
        self._id, self._secret, self._closing = 0, None, False
        self._moving = asyncio.Lock()
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
        self._reading = asyncio.ensure_future(self._read(self._reader, self._writer))
        hello = {"protocol": 1, "paths": "runs", "session": self._session, "token": self._token, "secret": self._secret}
        if self._session:
            hello["waiting"] = list(self._requests)
        self.server = await self._ask("hello", hello)
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

    async def _go_to(self, address):
        """Connect to the node that owns the map. The connection before is closed with its last answer."""
        host, _, port = address.rpartition(":")
        where = (host.strip("[]"), int(port))
        async with self._moving:
            if where == self._addresses[0]:
                return
            before, addresses, self._secret = self._writer, self._addresses, None
            self._addresses = [where, *(one for one in addresses if one != where)]
            try:
                await self._open()
            except OSError:
                self._addresses = addresses
                raise
            self._leave(before)

    def _send(self, message):
        self._writer.write(json.dumps(message).encode() + b"\n")

    def _next(self):
        self._id += 1
        return self._id

    async def ask(self, op, fields=None):
        """Send any message, and return its answer. Fields that are None are left out. Where another node owns the map,
        the client goes there and says it again."""
        for _ in range(MOST_MOVES):
            try:
                return await self._ask(op, fields)
            except Refused as refused:
                problem = refused
            if problem.address is None:
                break
            try:
                await self._go_to(problem.address)
            except OSError:
                break
        raise problem

    def _take(self, fields):
        """The id of a message, and its fields without those that are None."""
        fields = {name: one for name, one in (fields or {}).items() if one is not None}
        id_ = fields.pop("id", None) or self._next()
        if id_ in self._answers or id_ in self._requests:
            raise Refused("bad_argument", "the id is in use")
        return id_, fields

    async def _ask(self, op, fields):
        id_, fields = self._take(fields)
        future = asyncio.get_running_loop().create_future()
        self._answers[id_] = (future, self._writer)
        self._send({"op": op, "id": id_, **fields})
        return await future

    async def _request(self, op, fields):
        assert op == "request"
        id_, fields = self._take(fields)
        future = asyncio.get_running_loop().create_future()
        self._requests[id_] = (fields, future)
        self._send({"op": op, "id": id_, **fields})
        return await future

    async def events(self):
        """What comes unasked: messages with a `type`."""
        while True:
            message = await self._kept.get()
            if message is None:
                return
            yield message

    async def _read(self, reader, writer):
        while line := await self._next_line(reader):
            message = json.loads(line)
            id_ = message.get("id")
            if message.get("type") == "done" or message.get("lost") is True:
                self._complete(id_, message)
            elif "type" in message:
                self._kept.put_nowait(message)
            else:
                self._settle(id_, message)
                self._leave(writer)
        for future, asked in self._answers.values():
            if asked is writer and not future.done():
                future.set_exception(Lost())
        self._answers = {id_: one for id_, one in self._answers.items() if one[1] is not writer}
        if writer is not self._writer:
            return
        if self._session and not self._closing:
            asyncio.ensure_future(self._open_again())
            return
        for _, future in self._requests.values():
            if not future.done():
                future.set_exception(Lost())
        self._kept.put_nowait(None)

    def _leave(self, writer):
        if writer is not self._writer and all(asked is not writer for _, asked in self._answers.values()):
            writer.close()

    @staticmethod
    async def _next_line(reader):
        try:
            return await reader.readline()
        except OSError:
            return b""

    def _settle(self, id_, message):
        future = self._answers.pop(id_, (None,))[0]
        if future is None and "error" in message and id_ in self._requests:
            future = self._requests.pop(id_)[1]
        if future is None or future.done():
            return
        if "ok" in message:
            future.set_result(message)
        else:
            future.set_exception(Refused(message["error"], message.get("text", ""), message.get("address")))

    def _complete(self, id_, message):
        if id_ not in self._requests:
            return
        fields, future = self._requests[id_]
        if message.get("lost") is True:  # the server knows nothing of it: asked again
            self._send({"op": "request", "id": id_, **fields})
            return
        del self._requests[id_]
        if not future.done():
            done = message["done"]
            if "runs" in done:
                done["cells"] = _cells_of(done.pop("runs"))
            future.set_result(done)
