# SPDX-License-Identifier: MIT
"""every_reply.py ROWS ORDERS OPERATIONS PORT REPLIES: sends each order of ROWS through the client to a server of its
own, and prints a case for each. ORDERS is what `wend orders` prints, OPERATIONS the source that names messages in no
catalogue: each of both needs a row. REPLIES is what every_reply.mjs printed, which must be the
same, or empty."""
import asyncio
import json
import keyword
import re
import sys

from wend_client import Client, Refused

LIMIT_S = 60
WITHOUT_METHOD = ("stats", "subscribe")  # no method takes their fields by name
VARIES = ("id", "frame", "frames", "hash", "us", "bytes", "secret")  # from run to run


def in_messages(orders, operations):
    """The names of all orders that a server takes."""
    with open(orders, encoding="utf-8") as file:
        parts = re.split(r"^## ", file.read(), flags=re.M)[1:]
    with open(operations, encoding="utf-8") as file:
        named = re.findall(r'\[LIVE_OP_[A-Z]+\] = "(\w+)"', file.read())
    return {part.split()[0] for part in parts if re.search(r" In .*\bmessages\b.*\.$", part, re.M)} | set(named)


async def reply(asked):
    try:
        return await asyncio.wait_for(asked, LIMIT_S)
    except asyncio.TimeoutError:
        return "hangs"
    except Refused as problem:
        return str(problem)


async def by_method(town, op, fields):
    if op == "hello":
        return town.server  # the client has said it
    if op in WITHOUT_METHOD:
        return await town.ask(op, fields)
    return await getattr(town, op)(**{name + "_" * keyword.iskeyword(name): one for name, one in fields.items()})


def plain(answer):
    if isinstance(answer, list):
        return [plain(one) for one in answer]
    if isinstance(answer, dict):
        return {name: type(one).__name__ if name in VARIES else plain(one) for name, one in answer.items()}
    return answer


async def main():
    rows_file, orders, operations, port, replies = sys.argv[1:]
    with open(rows_file, encoding="utf-8") as file:
        rows = json.load(file)
    odd = in_messages(orders, operations) ^ {op for op, *_ in rows}
    print("not ok" if odd else "ok", f"each order has a row, and each row an order: {sorted(odd)}", flush=True)
    theirs = [None] * len(rows)
    if replies:
        with open(replies, encoding="utf-8") as file:
            theirs = [json.loads(line) for line in file]
        print("ok" if len(theirs) == len(rows) else "not ok", f"the other client has {len(theirs)} replies", flush=True)
    town = await Client.connect("127.0.0.1", int(port))
    for (op, good, bad, error), other in zip(rows, theirs):
        ours = [await reply(by_method(town, op, good)), await reply(town.ask(op, bad))]
        is_good = isinstance(ours[0], dict) and str(ours[1]).startswith(error + ": ")
        same = other is None or plain(ours) == plain(other)
        print("ok" if is_good and same else "not ok", op, "" if is_good and same else [ours, other], flush=True)
    await town.close()


asyncio.run(main())
