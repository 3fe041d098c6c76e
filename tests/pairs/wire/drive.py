# SPDX-License-Identifier: MIT
"""Every two features in a world of `wend serve`, and each with each happening at each moment, over lines.

The table is that of check_pairs; worlds.py and orders.py say it in lines. Each request has one completion, each refusal
a name, and each server ends with status 0 whatever is pending. An argument is the seed."""
import json
import os
import random
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "server", "live")]

import orders
import worlds
from client import Closed
from orders import Order
from server import Folder, Server

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 1
MOST_WORLDS = 600
HAPPENINGS_OF_A_WORLD = 24
JOURNAL_EVERY = 8
CLOCK_EVERY = 3  # worlds whose clock runs while something happens before the search
ERRORS = {"bad_message", "bad_argument", "out_of_range", "busy", "too_large", "too_fast", "denied", "unknown", "moved",
          "unavailable", "uncertain", "too_old", "forgotten"}
STATUSES = {"found", "partial", "no_path", "start_blocked", "goal_blocked", "cancelled", "expired", "limit",
            "out_of_nodes", "stale", "too_long", "replaced", "displaced"}


# ---- the table ----

class Table:
    def __init__(self):
        lines = subprocess.run(["./check_pairs", "--table"], check=True, capture_output=True, text=True).stdout
        rows = [json.loads(line) for line in lines.splitlines()]
        self.factors = {row["factor"]: row["values"] for row in rows if set(row) == {"factor", "values"}}
        self.moments = [row["moment"] for row in rows if "moment" in row]
        self.happenings = {row["happening"]: row for row in rows if "happening" in row}
        self.forbidden = [row for row in rows if "forbidden" in row]
        self.refusals = [row for row in rows if "refused" in row]
        self.names = set(self.factors)

    def check_said(self):
        """A row without lines, and lines without a row, fail."""
        features = {(factor, value) for factor, values in self.factors.items() for value in values}
        compare("features", features, set(worlds.FEATURES), set(worlds.UNSAID))
        compare("happenings", set(self.happenings), set(orders.HAPPENINGS) | orders.ENDS, set(orders.UNSAID))
        compare("moments", set(self.moments), set(DRIVEN), set(worlds.UNSAID_MOMENTS))
        for factor, value in worlds.UNSAID:
            self.factors[factor].remove(value)
        self.factors = {factor: values for factor, values in self.factors.items() if values}

    def allows(self, values):
        return not any(all(values.get(has["factor"]) in has["values"] for has in row["forbidden"])
                       for row in self.forbidden)

    def is_refused(self, values, happening, may=False):
        return any(row["refused"] == happening and values.get(row["factor"]) in row["values"] and (may or not row["may"])
                   for row in self.refusals)

    def complete(self, values, order, weigh):
        """Values of the other factors, those of most weight first; None where none goes together."""
        if not order:
            return values
        factor, *rest = order
        for value in sorted(self.factors[factor], key=lambda value: -weigh(values, factor, value)):
            more = {**values, factor: value}
            if self.allows(more):
                found = self.complete(more, rest, weigh)
                if found:
                    return found
        return None

    def can_be(self, values):
        if not self.allows(values):
            return False
        tied = {has["factor"] for row in self.forbidden for has in row["forbidden"]} & set(self.factors)
        return self.complete(values, sorted(tied - set(values)), lambda *_: 0) is not None


def compare(what, of_table, said, unsaid):
    assert not said & unsaid, f"{what} said and unsaid: {said & unsaid}"
    assert said | unsaid == of_table, \
        f"{what} of the table without lines: {of_table - said - unsaid}; without a row: {(said | unsaid) - of_table}"


# ---- what has met ----

class Cover:
    """Pairs of features, and of a feature with a happening at a moment."""

    def __init__(self, table):
        self.table, self.forbidden, self.refused = table, 0, 0
        features = [(factor, value) for factor, values in table.factors.items() for value in values]
        pairs = {frozenset((a, b)) for a in features for b in features if a[0] != b[0]}
        self.pairs = {pair for pair in pairs if table.can_be(dict(pair))}
        self.chances = {(name, moment): {f for f in features if self.can_happen(f, name)}
                        for name in list(orders.HAPPENINGS) + sorted(orders.ENDS) for moment in DRIVEN}
        self.possible = len(self.pairs) + sum(map(len, self.chances.values()))
        self.forbidden = len(pairs) + len(features) * len(self.chances) - self.possible

    def can_happen(self, feature, name):
        row = self.table.happenings[name]
        needs = ["bodies"] if row["bodies"] else [v for v in self.table.factors["crowd"] if v != "none"] \
            if row["crowd"] else [None]
        if feature[0] == "crowd":
            return needs == [None] or feature[1] in needs
        return any(self.table.can_be({feature[0]: feature[1], **({"crowd": v} if v else {})}) for v in needs)

    def lacking(self):
        return len(self.pairs) + sum(map(len, self.chances.values()))

    def draw(self, rng):
        """Values of a world for something that lacks, with much else that does."""
        counts = {}
        for features in self.chances.values():
            for feature in features:
                counts[feature] = counts.get(feature, 0) + 1
        lacking = [(key, features) for key, features in self.chances.items() if features]
        if self.pairs and (not lacking or rng.randrange(2)):
            first = dict(rng.choice(sorted(map(sorted, self.pairs))))
        else:
            (name, _), features = rng.choice(lacking)
            feature = rng.choice(sorted(features))
            row = self.table.happenings[name]
            first = {feature[0]: feature[1]}
            if row["bodies"]:
                first["crowd"] = "bodies"
            elif row["crowd"] and feature[0] != "crowd":
                can = [v for v in self.table.factors["crowd"] if v != "none" and self.table.can_be({**first, "crowd": v})]
                first["crowd"] = rng.choice(can)

        def weigh(values, factor, value):
            new = sum(frozenset(((factor, value), other)) in self.pairs for other in values.items())
            return 20 * new + counts.get((factor, value), 0) + rng.random()
        rest = [factor for factor in self.table.factors if factor not in first]
        rng.shuffle(rest)
        # factors tied by what is forbidden come first, so that a dead end is found at once
        rest.sort(key=lambda factor: not any(factor == has["factor"] for row in self.table.forbidden
                                             for has in row["forbidden"]))
        values = self.table.complete(first, rest, weigh)
        return {factor: values[factor] for factor in self.table.factors}

    def choose(self, values, names, rng, most):
        """Happenings and moments of names that lack these features, those that lack the most first."""
        own = set(values.items())
        left = [(len(self.chances[name, moment] & own), rng.random(), name, moment) for name in names for moment in DRIVEN
                if self.fits(values, name)]
        return [(name, moment) for count, _, name, moment in sorted(left, reverse=True)[:most] if count]

    def fits(self, values, name):
        row = self.table.happenings[name]
        return (values["crowd"] == "bodies" or not row["bodies"]) and (values["crowd"] != "none" or not row["crowd"])

    def met(self, values, name, moment, refused):
        own = self.chances[name, moment] & set(values.items())
        self.refused += len(own) if refused else 0
        self.chances[name, moment] -= own

    def met_world(self, values):
        self.pairs -= {frozenset((a, b)) for a in values.items() for b in values.items() if a[0] != b[0]}


# ---- a world ----

class Drive:
    """A connection to a paused server, and what came of each message."""

    def __init__(self, server, world, table):
        self.world, self.table, self.sent, self.said = world, table, {}, []
        self.client = server.connect()
        self.answers, self.done, self.doing = {}, {}, "the making of the world"

    def claim(self, holds, *what):
        assert holds, (self.doing, *what)

    def send(self, orders_now):
        """All of them in one write; returns their ids."""
        names = []
        text = []
        for order in orders_now:
            names.append(self.client.next_id())
            self.sent[names[-1]] = order
            text.append(json.dumps({"op": order.op, "id": names[-1], **order.fields}))
        if text:
            self.client.send_text("\n".join(text))
        return names

    def receive(self):
        message = self.client.receive()
        name = message.get("id")
        if "done" in message:
            self.claim(name not in self.done, "answered twice", message)
            self.claim(message["done"]["status"] in STATUSES, "status", message)
            self.claim(self.sent[name].op == "request" and self.answers.get(name, {}).get("ok"), "no request", message)
            self.done[name] = message["done"]
        elif "type" not in message:
            self.claim(name in self.sent and name not in self.answers, "an answer too many", message)
            self.answers[name] = message
            self.claim(message.get("ok") is True or message.get("error") in ERRORS, "no name of an error", message)
            if "ok" in message and self.sent[name].on_ok:
                self.sent[name].on_ok()

    def wait(self, names):
        for name in names:
            while name not in self.answers:
                self.receive()
        return [self.answers[name] for name in names]

    def accept(self, op, **fields):
        answer, = self.wait(self.send([Order(op, **fields)]))
        self.claim("ok" in answer, op, fields, answer)
        return answer

    def pending(self):
        return [name for name, order in self.sent.items() if order.op == "request" and name not in self.done and
                "error" not in self.answers.get(name, {})]

    def do(self, orders_now):
        """In one write, but for what follows an order that is done later: after its frames, or when it is on disk."""
        names, part = [], []
        for order in orders_now:
            part.append(order)
            if order.op in ("step", "layer", "reset", "restore"):
                names += self.send(part)
                self.wait(names)
                part = []
        names += self.send(part)
        self.wait(names)
        return names

    # ---- moments ----

    def ask(self):
        """Three requests: the happening is about the first."""
        world = self.world
        asked = [Order("request", orders.BUSY, **world.request(**({"urgency": 900} if i == 0 else {}))) for i in range(3)]
        world.main, world.main_id = asked[0].fields, self.client.last_id + 1
        world.pending = [world.main_id + i for i in range(3)]
        return asked

    def begin(self):
        """The crowd is sent; in worlds with one, some frames pass, so that it is on its way."""
        if self.world.values["crowd"] == "none":
            return
        self.do(orders.crowd_sent(self.world))
        self.accept("step", frames=3)

    def run(self, name, moment):
        """Returns whether it met: it was done at the moment, or refused as it should be."""
        self.begin()
        runs = self.world.runs and moment == "before"
        self.world.frame = None if runs else self.accept("stats")["frames"]
        asked = self.ask()
        if moment != "before":
            self.wait(self.send(asked))
            asked = []
            if not self.reach_under_way():
                return False
            self.world.frame = self.accept("stats")["frames"]
            if moment == "edited":
                asked = orders.toggle(self.world)
        happening = orders.HAPPENINGS[name](self.world)
        if runs:
            self.accept("pace", budget=1)
            self.accept("resume")
            happening = [order for order in happening if order.op != "step"]
        names = self.do(asked + happening)
        if runs:
            self.accept("pause")
        if "error" in self.answers[self.world.main_id]:  # the queue was full
            return False
        self.check(name, names[len(asked):], {"unknown"} if runs else set())
        return True

    def reach_under_way(self):
        """Tiny frames, until the main search has spent something and is not over."""
        main = self.world.main_id
        if "error" in self.answers[main]:
            return False
        self.accept("pace", budget=1)
        before = self.accept("stats")["expansions"]
        for _ in range(8):
            self.accept("step", frames=2)
            if main in self.done:
                return False
            if self.accept("stats")["expansions"] > before:
                return True
        return False

    def check(self, name, names, more):
        """`more` has errors of requests that may have been completed meanwhile."""
        answers = [self.answers[one] for one in names]
        refused = [one for one in names if "error" in self.answers[one]]
        if self.table.is_refused(self.world.values, name):
            self.claim(refused, "not refused", answers)
            return
        may = self.table.is_refused(self.world.values, name, may=True)
        for one, answer in zip(names, answers):
            order = self.sent[one]
            if "MUST" in order.may:
                self.claim(answer.get("error") in order.may, "not refused", order.op, order.fields, answer)
            self.claim("ok" in answer or may or answer["error"] in order.may | more, "refused", order.op, order.fields, answer)

    def finish(self):
        """Frames until all requests are answered; those that wait for land are called back."""
        self.accept("pace", budget=4000)
        for turn in range(200):
            names = self.pending()
            if not names and turn:
                return
            self.accept("step", frames=4)
            if turn >= 3 and self.world.has("land", "wait"):
                self.do([Order("cancel", request=name) for name in self.pending()])
        self.claim(False, "no answers for", self.pending())

    def people(self):
        """Those who found no place try again; not all may find one."""
        bodies, left = {}, list(self.world.people())
        for i, name in enumerate(left):
            if self.world.has("crowd", "bodies") and i % 2 == 0:
                bodies[name] = {"radius": 700 if self.world.has("mover", "large") else 250 if i % 4 else 400}
        for _ in range(20 if len(left) < 10 else 3):
            self.do([orders.add(self.world, name, **bodies.get(name, {})) for name in left])
            left = [name for name in left if name not in self.world.agents]

    def end(self, server, name, moment):
        """SIGTERM with requests pending: all are answered, or their client is gone."""
        self.doing = f"{name}, {moment}"
        self.begin()
        if moment == "before":
            self.send(self.ask() + [Order("stats")])
        else:
            self.wait(self.send(self.ask()))
            if not self.reach_under_way():
                return False
            if moment == "edited":
                self.do(orders.toggle(self.world))
        self.wait(list(self.sent))
        self.kept = self.picture()
        if name == "service destroyed":
            self.client.close()
        status, words = server.terminate()
        self.claim(status == 0, f"the server ended with {status}: {words[-2000:]}")
        if name == "service closed":
            self.read_on()
            self.claim(not self.pending(), "no completions for", self.pending())
        return True

    def read_on(self):
        try:
            while True:
                self.receive()
        except Closed:
            pass

    def picture(self):
        """What a journal keeps of a map."""
        box = [[self.world.say(cell) for cell in box] for box in self.world.boxes]
        told = [self.accept("map", box=own) for own in box] if not self.world.is_graph() else []
        features = self.accept("map", features=True)
        return {"classes": [answer["classes"] for answer in told],
                **{key: features.get(key) for key in ("link_list", "closed", "nodes", "edges", "units")}}


def start(world, text, folder):
    options = ["--hz", "1000", "--max-edits", "100000", "--budget", "4000", *world.options]
    if folder:
        return folder.server(*options)
    return Server(*options, world=text, lines="unix")


def run_world(number, values, cover, table):
    rng = random.Random(f"{SEED} {number}")
    world = worlds.World(values, rng)
    text = world.text()
    world.runs = number % CLOCK_EVERY == 0
    if number % JOURNAL_EVERY:
        with start(world, text, None) as server:
            play(server, world, cover, table, rng)
        return
    with Folder(text) as folder:
        with start(world, text, folder) as server:
            before = play(server, world, cover, table, rng)
        with start(world, text, folder) as server:
            again = Drive(server, world, table)
            again.doing = "after a restart"
            after = again.picture()
            for key, kept in before.items():
                again.claim(kept == after[key], f"the journal has other {key}", kept, after[key])


def play(server, world, cover, table, rng):
    drive, values = Drive(server, world, table), world.values
    drive.accept("pause")
    drive.people()
    cover.met_world(values)
    for name, moment in cover.choose(values, list(orders.HAPPENINGS), rng, HAPPENINGS_OF_A_WORLD):
        drive.doing = f"{name}, {moment}"
        for _ in range(12):
            met = drive.run(name, moment)
            if met:
                cover.met(values, name, moment, table.is_refused(values, name))
            drive.finish()
            if met:
                break
    drive.doing = "the end"
    drive.accept("subscribe", what=[])
    drive.accept("stats")
    some_end = [(rng.choice(sorted(orders.ENDS)), "before")]
    (name, moment), = cover.choose(values, sorted(orders.ENDS), rng, 1) or some_end
    tries = 12
    while not drive.end(server, name, moment if tries else "before"):
        drive.finish()
        tries -= 1
    if tries:
        cover.met(values, name, moment, False)
    drive.client.close()
    return drive.kept


# ---- what is forbidden ----

def try_forbidden(row, table):
    """Returns whether the lines can say it; then it has to be refused by name, and the server goes on."""
    chosen = {has["factor"]: has["values"] for has in row["forbidden"]}
    if any(factor not in table.factors for factor in chosen):
        return False
    for own in combinations(chosen):
        values = {factor: own.get(factor, said[0]) for factor, said in table.factors.items()}
        world = worlds.World(values, random.Random(SEED))
        text = world.text()
        if row["call"] in ("wend_map_add_mover", "wend_edit_set_step", "wend_map_add_layer"):
            refuse_world(text, row)
            continue
        with Server(world=text, lines="unix") as server:
            drive = Drive(server, world, table)
            drive.doing = row
            order = Order("agent", name="a", cell=world.say(world.open_place()), radius=300) \
                if row["call"] == "wend_crowd_set_body" else Order("request", **world.request())
            answer, = drive.wait(drive.send([order]))
            drive.claim("error" in answer, "not refused", order.fields)
            drive.accept("stats")
            drive.client.close()
    return True


def combinations(chosen):
    found = [{}]
    for factor, values in chosen.items():
        found = [{**one, factor: value} for one in found for value in values]
    return found


def refuse_world(text, row):
    with Folder(text) as folder:
        try:
            server = folder.server()
        except AssertionError as ended:
            assert "ended with 2" in str(ended), (row, ended)
            return
        server.remove()
    raise AssertionError(f"served: {row}")


def main():
    table = Table()
    table.check_said()
    tried = sum(try_forbidden(row, table) for row in table.forbidden)
    cover, rng, number = Cover(table), random.Random(SEED), 0
    while cover.lacking() and number < MOST_WORLDS:
        values = cover.draw(rng)
        try:
            run_world(number, values, cover, table)
        except BaseException:
            print(f"seed {SEED}, world {number}: {values}")
            raise
        number += 1
    left = cover.lacking()
    for (name, moment), features in cover.chances.items():
        if features:
            print(f"never met: {name}; {moment}; {sorted(features)}")
    for pair in cover.pairs:
        print(f"never met: {sorted(pair)}")
    spent = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"{cover.possible} pairs possible, {cover.possible - left} met, {cover.refused} of them as refusals by name, "
          f"{cover.forbidden} forbidden: {100 * (cover.possible - left) / cover.possible:.2f} %")
    print(f"{tried} of {len(table.forbidden)} rows that are forbidden tried; the others are of what lines cannot say")
    print(f"{number} worlds, {len(orders.HAPPENINGS) + len(orders.ENDS)} happenings, {spent:.1f} s of processor time")
    return 1 if left else 0


DRIVEN = ("before", "under way", "edited")

if __name__ == "__main__":
    sys.exit(main())
