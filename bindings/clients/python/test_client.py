# SPDX-License-Identifier: MIT
"""test_client.py PORT SOCKET MAP: a server of a grid of 32 × 32 cells, which is called so, with lines at both."""
import asyncio
import json
import sys

from wend_client import Client, Refused


def expect(good, what):
    print("ok" if good else "not ok", what, flush=True)


async def refused(awaitable):
    try:
        await awaitable
    except Refused as problem:
        return problem.error
    return None


async def follow(reader, writer):
    """A node that owns no map: it sends orders to the server, and has lost each request that comes the first time."""
    known = set()
    while line := await reader.readline():
        message = json.loads(line)
        answer = {"id": message["id"], "ok": True}
        if message["op"] not in ("hello", "request"):
            answer = {"id": message["id"], "error": "moved", "text": "", "address": f"127.0.0.1:{sys.argv[1]}"}
        writer.write(json.dumps(answer).encode() + b"\n")
        if message["op"] == "request":
            again = {"type": "event", "event": "again"} if message["id"] in known else {"id": message["id"], "lost": True}
            known.add(message["id"])
            writer.write(json.dumps(again).encode() + b"\n")
    writer.close()


async def follow_the_owner():
    follower = await asyncio.start_server(follow, "127.0.0.1", 0)
    async with await Client.connect(*follower.sockets[0].getsockname()) as town:
        asked = asyncio.ensure_future(town.request([0, 0], [31, 0]))
        async for message in town.events():
            break
        expect(message["event"] == "again", "a request whose completion is lost comes again")
        await asyncio.gather(*(town.edit(set=[[[x, 10], 3]]) for x in range(3)))
        expect(await town.classes([0, 10], [3, 10]) == bytes([3, 3, 3, 1]), "orders go to the node that owns the map")
        expect((await asyncio.wait_for(asked, 20))["cost"] == 310, "what was asked of the node before comes, too")
    follower.close()


async def main():
    async with await Client.connect("127.0.0.1", int(sys.argv[1])) as town:
        expect(town.server["protocol"] == 1, "hello")
        await town.agent("bob", [1, 1], speed=1000)
        await town.go(["bob"], [9, 1])
        async for message in town.events():
            if message.get("event", {}).get("event") == "arrived":
                break
        expect((await town.positions())["agents"]["bob"] == [9, 1], "an agent goes, and its event comes")
        answers = await asyncio.gather(*(town.request([0, y], [31, y]) for y in range(20)))
        expect([one["cost"] for one in answers] == [310] * 20, "twenty requests at a time")
        cells = (await town.request([0, 31], [20, 12]))["cells"]
        near = all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in zip(cells, cells[1:]))
        expect(near and len(cells) == 21 and cells[0] == [0, 31] and cells[-1] == [20, 12], "a path comes as runs")
        expect(await refused(town.go(["nobody"], [1, 1])) == "unknown", "an order that is refused")
        expect(await refused(town.request([0, 0], [99, 0])) == "out_of_range", "a request that is refused")
        await town.pause()
        asked = asyncio.ensure_future(town.request([0, 0], [31, 31], id="far", deadline=1000))
        await asyncio.sleep(0)
        expect(await refused(town.request([0, 0], [1, 1], id="far")) == "bad_argument", "an id that is in use")
        await town.cancel("far")
        await town.resume()
        expect((await asked)["status"] == "cancelled", "a request is cancelled by its id")
        epoch = (await town.edit(set=[[[5, 5], "blocked"]], fill=[[[7, 7], [8, 8], 3]]))["epoch"]
        expect((await town.map(box=[[5, 5], [8, 8]]))["classes"][0] == 0 and epoch == 1, "an edit")
        expect(await town.classes([4, 5], [7, 7]) == bytes([1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3]), "the classes of a box")
        expect((await town.ask("map", {"map": sys.argv[3]}))["size"] == [32, 32], "a map by its name")
        expect(await refused(town.ask("map", {"map": "nowhere"})) == "unknown", "a map that is not there")
        await town.subscribe("frames")
        async for message in town.events():
            if message["type"] == "frame":
                break
        expect(message["frame"]["number"] > 0, "frames are watched")
    # A session outlives its connection.
    town = await Client.connect(sys.argv[2], session="bob")
    await town.pause()
    asked = asyncio.ensure_future(town.request([0, 0], [31, 31]))
    await asyncio.sleep(0.1)
    town._writer.transport.abort()
    await asyncio.sleep(0.5)
    await town.resume()
    expect((await asyncio.wait_for(asked, 20))["status"] == "found", "a connection is lost, the completion comes")
    await town.close()
    await follow_the_owner()


asyncio.run(main())
