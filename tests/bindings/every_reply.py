# SPDX-License-Identifier: MIT
"""every_reply.py ROWS ORDERS OPERATIONS PORT [REPLIES]: sends each order of ROWS (every_reply.json) through the client to a
server of its own, and prints a case for each. ORDERS is what `wend orders` prints, OPERATIONS the source that names the
messages that are in no catalogue: each of both needs a row. REPLIES is what every_reply.mjs got from its server."""
import asyncio
import json
import keyword
import re
import sys

from wend_client import Client, Refused

LIMIT_S = 60
UNCATALOGUED = ("hello", "stats", "subscribe")  # these have no method that takes fields by their names


def in_messages(orders, operations):
    """The names of all orders that a server takes."""
    with open(orders, encoding="utf-8") as file:
        parts = re.split(r"^## ", file.read(), flags=re.M)[1:]
    with open(operations, encoding="utf-8") as file:
        named = re.findall(r'\[LIVE_OP_[A-Z]+\] = "(\w+)"', file.read())
    return {part.split()[0] for part in parts if re.search(r"In [\w, ]*\bmessages\b[\w, ]*\.$", part, re.M)} | set(named)


async def reply(asked):
    try:
        return await asyncio.wait_for(asked, LIMIT_S)
    except asyncio.TimeoutError:
        return "hangs"
    except Refused as problem:
        return str(problem)


def by_method(town, op, fields):
    if op in UNCATALOGUED:
        return town.ask(op, fields)
    return getattr(town, op)(**{name + "_" * keyword.iskeyword(name): one for name, one in fields.items()})


def plain(answer):
    """Without what is another one in each run."""
    if isinstance(answer, dict):
        return {name: type(one).__name__ if name in ("id", "us", "secret") else plain(one) for name, one in answer.items()}
    return answer


async def main():
    rows_file, orders, operations, port, *replies = sys.argv[1:]
    with open(rows_file, encoding="utf-8") as file:
        rows = json.load(file)
    absent = in_messages(orders, operations) ^ {op for op, *_ in rows}
    print("not ok" if absent else "ok", f"each order has a row, and each row an order; not so: {sorted(absent)}", flush=True)
    theirs = [None] * len(rows)
    if replies:
        with open(replies[0], encoding="utf-8") as file:
            theirs = [json.loads(line) for line in file]
        print("ok" if len(theirs) == len(rows) else "not ok", f"the other client has {len(theirs)} replies", flush=True)
    town = await Client.connect("127.0.0.1", int(port))
    for (op, good, bad, error), other in zip(rows, theirs):
        ours = [await reply(by_method(town, op, good)), await reply(town.ask(op, bad))]
        is_good = isinstance(ours[0], dict) and str(ours[1]).startswith(error + ": ")
        same = other is None or [plain(one) for one in ours] == [plain(one) for one in other]
        print("ok" if is_good and same else "not ok", op, "" if is_good and same else [ours, other], flush=True)
    await town.close()


asyncio.run(main())
