# SPDX-License-Identifier: MIT
"""Worlds of the table: for each value of each factor the lines of a world file, the options and the fields that say it."""

NODES, MOST_NODES = 150, 199  # the highest node of the file gives room for others
PAGE_NODES = 4096
WATER = 255

# A value that the line protocol cannot say, and why.
DERIVED = "a server makes its derived data by itself"
UNSAID = {("derived", value): DERIVED for value in ("none", "tables", "landmarks", "far", "later")}
UNSAID_MOMENTS = {"finished": "a server delivers each answer in the frame that finds it"}


class World:
    """What is known of a world: its file, the fields of its requests, its places, and what orders did to it."""

    def __init__(self, values, random):
        self.values, self.random = values, random
        self.options, self.fields, self.agent_fields = [], {}, {}
        self.head, self.limits, self.later = [], [], []
        self.mover, self.layer = "default", None
        self.agents, self.routes, self.names, self.links, self.cleared = [], [], 0, [], []
        self.loaded = {(x, y) for x in range(2) for y in range(2)}
        self.next_node = NODES
        self.boxes = patches_of(values["ground"])
        self.places = [cell for box in self.boxes for cell in cells_of(*box)]
        self.classes = {}
        self.blocking = {0, 2} if values["mover"] == "swimmer" else {0, WATER}

    def has(self, factor, *values):
        return self.values[factor] in values

    def is_graph(self):
        return self.has("ground", "graph", "placed graph")

    def name(self):
        self.names += 1
        return f"n{self.names}"

    def people(self):
        """Names of its agents: of those that a flow field leads many, as `crowd` lines are of `wend run`."""
        count = 0 if self.has("crowd", "none") else 70 if self.has("crowd", "field") else 8
        return [f"a{i}" for i in range(count)]

    # ---- places ----

    def is_loaded(self, cell):
        return not self.has("ground", "streamed") or (cell[0] // 64, cell[1] // 64) in self.loaded

    def place(self):
        return self.random.choice(self.places)

    def loaded_place(self):
        known = [cell for cell in self.places if self.is_loaded(cell)]
        return self.random.choice(known or self.places)

    def is_open(self, cell):
        """Can the world's mover stand there, as far as is known?"""
        if not self.is_loaded(cell) or self.classes.get(cell, 0) in self.blocking:
            return False
        if self.has("mover", "walker"):
            x, y, z = cell
            return (z == 0 or self.classes.get((x, y, z - 1), 0) == 0) and self.classes.get((x, y, z + 1), 1) != 0
        if self.has("mover", "large"):
            return all(self.classes.get((cell[0] + dx, cell[1] + dy, *cell[2:]), 0) not in self.blocking
                       for dx in (0, 1) for dy in (0, 1))
        return True

    def open_place(self):
        for _ in range(40):
            cell = self.place()
            if self.is_open(cell):
                return cell
        return cell

    def say(self, cell):
        """A cell of a message."""
        return cell[0] if self.is_graph() else list(cell)

    def write(self, cell):
        """A cell of a line."""
        return str(cell[0]) if self.is_graph() else ",".join(map(str, cell))

    def links_to(self, one, other):
        """Does the map take a link between them? Over the rim of a map that wraps there are neighbours."""
        dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1]) if len(one) > 1 else 0
        if self.has("ground", "round"):
            return 1 < dx < 19 or 1 < dy < 15
        return one != other

    # ---- the file ----

    def text(self):
        for factor in self.values:
            FEATURES[factor, self.values[factor]](self)
        if not self.is_graph():
            self.head.append(f"corners {self.values['corners']}")
        return "\n".join(self.head + self.ground() + self.limits + self.ways() + self.later) + "\n"

    def draw_class(self):
        roll = self.random.randrange(100)
        if roll < 20:
            return 0
        if self.has("terrain", "even"):
            return 1
        return 3 if roll < 40 else 2 if roll < 50 else WATER if roll < 54 else 1

    def ground(self):
        self.classes = {cell: self.draw_class() for cell in self.places}
        lines = self.made_graph() if self.is_graph() else self.made_grid()
        for cell, ground in self.classes.items():
            if ground != 1 or not self.is_graph():
                lines.append(f"set {self.write(cell)} {ground}")
        return lines

    def made_graph(self):
        lines = []
        for i in range(NODES):
            at = f" {i % 15 * 10 + self.random.randrange(5)} {i // 15 * 10}"
            lines.append(f"node {i}" + (at if self.has("ground", "placed graph") else ""))
        lines.append(f"node {MOST_NODES}" + (" 200 200" if self.has("ground", "placed graph") else ""))
        for i in range(NODES):
            for k in range(4):
                to = (i + 1 + (self.random.randrange(20) if k else 0)) % NODES
                lines.append(f"edge {i} {to} {10 + self.random.randrange(30)}")
        return lines

    def made_grid(self):
        size = SIZES[self.values["ground"]]
        if self.has("ground", "streamed"):
            return [f"load {x},{y} blocked" for x, y in sorted(self.loaded)]
        lines = [f"fill {','.join('0' * len(size))} {','.join(str(side - 1) for side in size)} blocked"]
        if self.has("ground", "sheets"):
            lines += [f"link {a} {b} seam" for y in range(4, 18) for d in (-1, 0, 1) if 4 <= y + d <= 17
                      for a, b in ((f"15,{y}", f"80,{y + d}"), (f"80,{y + d}", f"15,{y}"))]
        return lines

    def ways(self):
        lines = []
        if self.has("ways", "links", "links and walls"):
            for _ in range(6):
                one, other = self.open_place(), self.open_place()
                if self.links_to(one, other):
                    lines.append(f"link {self.write(one)} {self.write(other)} {5 + self.random.randrange(60)}")
                    self.links.append((one, other))
        if self.has("ways", "ledges", "links and walls"):
            for _ in range(20):
                one = self.place()
                other = (one[0] + 1, *one[1:])
                if other not in self.classes:
                    continue
                lines.append(f"step {self.write(one)} {self.write(other)} blocked")
                if self.has("ways", "links and walls"):
                    lines.append(f"step {self.write(other)} {self.write(one)} blocked")
        return lines

    # ---- requests ----

    def request(self, **more):
        """The fields of a request between two places."""
        start = goal = self.open_place()
        for _ in range(12):
            goal = self.open_place()
            if sum(abs(a - b) for a, b in zip(start, goal)) > 6:
                break
        fields = {"from": self.say(start), "to": self.say(goal), **self.fields, **more}
        if self.has("mover", "swimmer", "large", "walker", "shy"):
            fields["mover"] = self.mover
        if self.has("goals", "reach", "several in reach"):
            fields["reach"] = self.random.randrange(1, 3)
        if self.has("goals", "several", "several in reach"):
            fields["goals"] = [self.say(self.open_place()) for _ in range(self.random.randrange(1, 4))]
        if self.has("option", "agent") and "agent" not in fields:
            fields["agent"] = self.random.randrange(1, 1 << 40)
        return fields


def patches_of(ground):
    """Where things happen: over the rims of chunks, sheets and the map."""
    return {
        "round": [((0, 0), (19, 15))],
        "sheets": [((4, 4), (15, 17)), ((80, 4), (91, 17))],
        "streamed": [((55, 55), (73, 73))],
        "voxels": [((0, 0, 0), (9, 8, 3))],
        "graph": [((0,), (NODES - 1,))],
        "placed graph": [((0,), (NODES - 1,))],
    }.get(ground, [((55, 4), (73, 22))])


def cells_of(low, high):
    cells = [()]
    for a, b in zip(low, high):
        cells = [(*cell, at) for cell in cells for at in range(a, b + 1)]
    return cells


SIZES = {"grid of 8": (80, 40), "grid of 4": (80, 40), "hexagons": (80, 40), "round": (20, 16), "sheets": (128, 64),
         "streamed": (192, 192), "voxels": (10, 9, 4)}


# ---- what says a feature ----

def nothing(world):
    """It is so where nothing is said, or world.text() has it."""


def head(*lines):
    return lambda world: world.head.extend(lines)


def limits(*lines):
    return lambda world: world.limits.extend(lines)


def options(*words):
    return lambda world: world.options.extend(words)


def asks(**fields):
    return lambda world: world.fields.update(fields)


def mover(line):
    def say(world):
        world.mover = "m"
        world.limits.append(f"mover m {line}")
    return say


def layer(line):
    def say(world):
        world.layer, world.fields["layers"] = "l", {"l": 20}
        world.agent_fields["layers"] = {"l": 20}
        world.later.append(f"layer l {line}")
        for _ in range(0 if "walls" in line else 3):
            radius = 0 if world.is_graph() else world.random.randrange(5)
            world.later.append(f"paint l {world.write(world.place())} radius={radius} peak=200")
    return say


def units(**fields):
    def say(world):
        world.fields.update(fields)
        for _ in range(12):
            world.later.append(f"occupy {world.write(world.place())}")
    return say


FEATURES = {
    ("ground", "grid of 8"): head("grid 80 40"),
    ("ground", "grid of 4"): head("grid 80 40", "neighbours 4"),
    ("ground", "hexagons"): head("grid 80 40", "neighbours 6"),
    ("ground", "round"): head("grid 20 16 wrap=xy"),
    ("ground", "sheets"): head("grid 128 64 sheets=0,0;63,63;0,0;64,0;127,63;0,0"),
    ("ground", "streamed"): head("grid 192 192 streamed"),
    ("ground", "voxels"): head("voxels 10 9 4"),
    ("ground", "graph"): head("graph"),
    ("ground", "placed graph"): head("graph"),
    ("corners", "never"): nothing,
    ("corners", "one"): nothing,
    ("corners", "always"): nothing,
    ("terrain", "even"): nothing,
    ("terrain", "slow"): nothing,
    ("mover", "default"): nothing,
    ("mover", "swimmer"): mover(f"{WATER}=1 2=blocked"),
    ("mover", "large"): mover("size=2"),
    ("mover", "walker"): mover("walker drop=2"),
    ("mover", "shy"): mover("3=shunned"),
    ("ways", "none"): nothing,
    ("ways", "links"): nothing,
    ("ways", "ledges"): nothing,
    ("ways", "links and walls"): nothing,
    ("units", "ignored"): nothing,
    ("units", "block"): units(occupied="block"),
    ("units", "price"): units(occupied=25),
    ("units", "within"): units(occupied="block", occupied_within=5),
    ("layers", "none"): nothing,
    ("layers", "values"): layer("values"),
    ("layers", "fading"): layer("values half_life=3"),
    ("layers", "walls"): layer("walls within=2"),
    ("mode", "exact"): nothing,
    ("mode", "nearest"): asks(mode="nearest"),
    ("mode", "far"): asks(mode="far"),
    ("goals", "one"): nothing,
    ("goals", "several"): nothing,
    ("goals", "reach"): nothing,
    ("goals", "several in reach"): nothing,
    ("engine", "auto"): nothing,
    ("engine", "astar"): asks(engine="astar"),
    ("engine", "jump"): asks(engine="jump"),
    ("estimate", "exact"): nothing,
    ("estimate", "manhattan"): asks(heuristic="manhattan"),
    ("estimate", "euclid"): asks(heuristic="euclid"),
    ("estimate", "zero"): asks(heuristic="zero"),
    ("estimate", "weight"): asks(weight=1.5),
    ("land", "block"): nothing,
    ("land", "wait"): asks(unloaded="wait"),
    ("land", "known"): asks(unloaded="known"),
    ("option", "none"): nothing,
    ("option", "agent"): nothing,
    ("option", "deadline"): asks(deadline=30),
    ("option", "maximum"): asks(max=90),
    ("option", "leaves its start"): asks(leave_blocked_start=True),
    ("option", "delivers stale"): asks(on_stale="deliver"),
    ("lanes", "one"): limits("limit lanes 1"),
    ("lanes", "four"): limits("limit lanes 4"),
    ("memory", "blocks"): nothing,
    ("memory", "arena"): options("--history", "4"),
    ("lanes", "workers"): options("--workers", "3"),
    ("sharing", "alone"): nothing,
    ("sharing", "share"): limits("limit share 1", "limit sharecells 16384"),
    ("pool", "ample"): nothing,
    ("pool", "small"): limits(f"limit nodes {16 * PAGE_NODES}", "limit paths 1"),
    ("queue", "ample"): nothing,
    ("queue", "small"): limits("limit queue 6", "limit reserve 2", "limit goals 16"),
    ("queue", "displace"): limits("limit queue 6", "limit reserve 2", "limit goals 16", "limit displace 1"),
    ("crowd", "none"): nothing,
    ("crowd", "cells"): nothing,
    ("crowd", "bodies"): nothing,
    ("crowd", "group"): nothing,
    ("crowd", "field"): nothing,
    ("crowd", "formation"): nothing,
    ("crowd", "patrol"): nothing,
    ("crowd", "followers"): nothing,
}
