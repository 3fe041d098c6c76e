# SPDX-License-Identifier: MIT
"""Happenings of the table as orders to a server; what has no order is named with the reason."""
from worlds import NODES

BUSY = frozenset({"busy"})
# What orders to agents may be refused for: no room, no such agent any more, a place where it cannot be.
PLACED = frozenset({"busy", "unknown", "bad_argument", "out_of_range"})


class Order:
    """One message: `may` has the errors with which it may be refused, on_ok what it does to what is known."""

    def __init__(self, op, may=frozenset(), on_ok=None, **fields):
        self.op, self.may, self.on_ok, self.fields = op, may, on_ok, fields


UNSAID = {
    "rules set": "costs and corners are of the world file",
    "mover added": "movers are of the world file",
    "node removed": "no order removes a node",
    "accelerated": "derived data is made for the world file",
    "derived dropped": "derived data is made for the world file",
    "maintained": "a server maintains by itself",
    "chunk gone under repair": "a server maintains by itself",
    "fork made": "no order copies a map",
    "map released first": "a server holds its map as long as its service",
    "hostile calls": "the fuzzers of messages and orders have hostile lines",
    "prefix asked": "no order shows a request's path so far",
    "explained": "no order asks for a request's engine: its completion states it",
    "callback submits": "no callbacks over the wire",
    "callback cancels": "no callbacks over the wire",
    "callback edits": "no callbacks over the wire",
    "callback closes": "no callbacks over the wire",
    "path found": "a path is found by a request",
    "places asked": "no order: `go` of several agents uses them",
    "line pulled": "hosts pull lines of paths; `inspect` has the line of an agent",
    "agent moved": "the cell of `adjust` is of scripts",
    "updated within": "the server's clock updates agents",
    "crowd destroyed": "`disband` is of scripts",
}


# ---- cells and ways ----

def edit(world, on_ok=None, may=frozenset(), **changes):
    return [Order("edit", may, on_ok, **changes)]


def set_cell(world, cell, ground):
    def done():
        world.classes[cell] = ground
    return edit(world, done, set=[[world.say(cell), ground]])


def toggle(world):
    cell = world.loaded_place()
    return set_cell(world, cell, 0 if world.classes.get(cell, 1) else 1)


def near(world):
    """Beside the request's start, or anywhere on a graph."""
    start = world.main["from"]
    if not world.is_graph():
        for _ in range(20):
            cell = tuple(at + world.random.randrange(-1, 2) for at in start)
            if cell in world.classes and list(cell) != start and world.is_loaded(cell):
                return cell
    return world.loaded_place()


def cell_of(said):
    return (said,) if isinstance(said, int) else tuple(said)


def build_over(world, said):
    cell = cell_of(said)
    return set_cell(world, cell if world.is_loaded(cell) else world.loaded_place(), 0)


def batch(world):
    cells = [world.loaded_place() for _ in range(12)]
    corner = world.say(cells[0])
    changes = {"set": [[world.say(cell), world.random.randrange(2)] for cell in cells[1:]]}
    if not world.is_graph():
        changes["fill"] = [[corner, corner, world.random.choice(["open", "blocked"])]]
    return edit(world, **changes)


def batch_discarded(world):
    beyond = 1 << 20 if world.is_graph() else [1 << 20] * len(world.places[0])
    return edit(world, may=MUST, set=[[world.say(world.loaded_place()), 0], [beyond, 0]])


MUST = frozenset({"out_of_range", "MUST"})  # it has to be refused


def add_link(world):
    for _ in range(40):
        one, other = world.loaded_place(), world.loaded_place()
        if world.links_to(one, other):
            break
    return one, other, edit(world, links=[[world.say(one), world.say(other), world.random.randrange(3, 43)]])


def link_for_some(world):
    one, other, orders = add_link(world)
    movers = world.random.choice([[world.mover], ["default"], [world.mover, "default"]])
    return orders + edit(world, links=[[world.say(one), world.say(other), world.random.randrange(3, 43), movers]])


def link_removed(world):
    one, other, orders = add_link(world)
    return orders + edit(world, unlinks=[[world.say(one), world.say(other)]])


def step(state):
    def say(world):
        one = world.loaded_place()
        other = (one[0] + 1, *one[1:])
        if other not in world.classes or not world.is_loaded(other):
            other = (one[0] - 1, *one[1:])
        if other not in world.classes or not world.is_loaded(other):
            return say(world)
        pair = [world.say(one), world.say(other)]
        return edit(world, steps=[[*pair, state], [*pair[::-1], state]])
    return say


def node_added(world):
    if not world.is_graph():
        return edit(world, nodes=[[NODES]])
    node = world.next_node
    at = [3, 4] if world.has("ground", "placed graph") else []

    def done():
        world.next_node += 1
    return edit(world, done, frozenset({"out_of_range", "too_large", "busy"}), nodes=[[node, *at]],
                edges=[[world.place()[0], node, 5], [node, world.place()[0], 5]])


def edge_set(world):
    return edit(world, edges=[[world.place()[0], world.place()[0], world.random.randrange(1, 50)]])


def edge_removed(world):
    if not world.is_graph():
        return edit(world, edges=[[0, 1, 5]])
    node = world.place()[0]
    pair = [node, (node + 7) % NODES]
    return edit(world, edges=[[*pair, 9]]) + edit(world, unlinks=[pair])


# ---- layers, units, land ----

def layer_added(world):
    name = world.name()
    return [Order("layer", BUSY, name=name, kind="values", half_life=world.random.choice([0, 5]))]


def own_layer(world):
    """A layer of values: the world's own, or a new one."""
    if world.has("layers", "values", "fading"):
        return "l", []
    if not hasattr(world, "further_layer"):
        world.further_layer = world.name()
        return world.further_layer, [Order("layer", name=world.further_layer, kind="values")]
    return world.further_layer, []


def disc_painted(world):
    layer, orders = own_layer(world)
    radius = 0 if world.is_graph() else world.random.randrange(6)
    return orders + [Order("paint", layer=layer, cells=[world.say(world.place())], radius=radius, peak=255)]


def box_painted(world):
    layer, orders = own_layer(world)
    cell = world.say(world.place())
    return orders + [Order("paint", layer=layer, cells=[cell, cell], value=world.random.choice([0, 90, 200, 255]))]


def profile_added(world):
    layer, orders = own_layer(world)
    return orders + [Order("request", BUSY, **world.request(layers={layer: world.random.randrange(1, 21)}))]


def danger(ground):
    """What the shy shun comes over the ground round the request's start, or over some node's, or goes away."""
    def happen(world):
        start = world.main["from"]
        cells = [cell for cell in world.places if world.is_loaded(cell) and
                 (world.is_graph() or max(abs(a - b) for a, b in zip(cell, start)) <= 2)][:60]

        def done():
            for cell in cells:
                world.classes[cell] = ground
        return edit(world, done, set=[[world.say(cell), ground] for cell in cells])
    return happen


def mover_avoids(world):
    """Lists of classes are few, as a map has at most 64 movers."""
    avoid = world.random.choice([[2], [3], [2, 3]])
    orders = [Order("request", BUSY, **world.request(avoid=avoid))]
    if world.agents:
        orders.append(Order("adjust", PLACED, names=[agent(world)], avoid=avoid))
        orders.append(add(world, world.name(), avoid=avoid))
    return orders + nearest_found(world, avoid=avoid)


def unit_came(world):
    return [Order("occupy", cells=[world.say(world.loaded_place())])]


def unit_went(world):
    cell = world.say(world.loaded_place())
    return [Order("occupy", cells=[cell]), Order("vacate", cells=[cell])]


def chunk(world):
    return world.random.randrange(2), world.random.randrange(2)


def chunk_loaded(world):
    at = chunk(world)
    if not world.has("ground", "streamed"):
        return [Order("load", chunk=list(at))]
    opened = [[world.say(cell), 1] for cell in world.places if (cell[0] // 64, cell[1] // 64) == at]
    world.loaded.add(at)
    return [Order("load", chunk=list(at), ground="blocked"), Order("edit", set=opened)]


def unloaded(forget):
    def say(world):
        at = chunk(world)
        if not world.has("ground", "streamed"):
            return [Order("unload", chunk=list(at), **forget)]
        if at not in world.loaded:
            return chunk_loaded(world) + say(world)
        world.loaded.discard(at)
        return [Order("unload", chunk=list(at), **forget)]
    return say


# ---- requests and the service ----

def replaced(world):
    return [Order("request", BUSY, **world.request(agent=77)), Order("request", BUSY, **world.request(agent=77))]


def goal_moved(world):
    return [Order("goal", request=world.main_id, to=world.say(world.open_place()))]


def deadline_passed(world):
    return [Order("request", BUSY, **world.request(deadline=1)), Order("step", frames=3)]


def more_submitted(world):
    orders = []
    for i in range(10):
        fields = world.request(urgency=world.random.randrange(-100, 100))
        if i % 3 == 0:
            fields["to"] = world.main["to"]
        orders.append(Order("request", BUSY, **fields))
    return orders


def nearest_found(world, **fields):
    cells = [world.say(world.place()) for _ in range(4)]
    if world.mover != "default":
        fields["mover"] = world.mover
    if world.layer:
        fields["layers"], fields["score"] = {world.layer: 20}, {world.layer: 3}
    nowhere = frozenset({"bad_argument"})  # the mover cannot stand where it begins
    return [Order("nearest", nowhere, **{"from": world.say(world.open_place())}, cells=cells, k=3, free=True, **fields)]


def field_made(world):
    low, high = world.boxes[0]
    fields = {"mover": world.mover} if world.mover != "default" else {}
    return [Order("field", cells=[world.say(world.open_place())], box=[world.say(low), world.say(high)], **fields)]


def searched_alone(world):
    """A search outside the service is made for those who ask what an agent does."""
    return [Order("inspect", PLACED, name=agent(world))]


def forget_edits(world):
    """The world is as its file has it."""
    def done():
        world.loaded = {(x, y) for x in range(2) for y in range(2)}
        world.agents.clear(), world.routes.clear()
        world.next_node = NODES
        if hasattr(world, "further_layer"):
            del world.further_layer
    return done


def map_cancelled(world):
    return [Order("reset", on_ok=forget_edits(world))]


def map_restored(world):
    name = world.name()
    return [Order("checkpoint", name=name), *edit_unknown(world), Order("restore", name=name),
            Order("checkpoint", name=name, drop=True)]


def edit_unknown(world):
    """An edit that a restore undoes: nothing is remembered of it."""
    return edit(world, set=[[world.say(world.loaded_place()), world.random.randrange(2)]])


def world_restored(world):
    name = world.name()
    return [Order("checkpoint", name=name), Order("step", frames=3), Order("restore", name=name),
            Order("checkpoint", name=name, drop=True)]


def went_back(world):
    """To a mark, over an edit; while the clock runs, to one of the present. Without a history there is none."""
    may = frozenset() if world.has("memory", "arena") else frozenset({"unknown"})
    if world.frame is None or may:
        return [Order("restore", may, at=2**40)]
    return [Order("step", frames=1), Order("restore", at=world.frame + 1), *edit_unknown(world), Order("step", frames=3),
            Order("restore", at=world.frame + 1)]


# ---- agents ----

def agent(world):
    return world.random.choice(world.agents) if world.agents else "nobody"


def two_agents(world):
    if len(world.agents) < 2:
        return "nobody", "noone"
    return world.random.sample(world.agents, 2)


def add(world, name, **fields):
    fields = {**world.agent_fields, "speed": 400, **fields}
    if world.mover != "default":
        fields["mover"] = world.mover
    return Order("agent", PLACED, lambda: world.agents.append(name), name=name, cell=world.say(world.open_place()), **fields)


def agent_added(world):
    orders = remove(world, agent(world)) if len(world.agents) > 10 else []
    return orders + [add(world, world.name(), ghost=world.random.randrange(4) == 0) if world.random.randrange(2) else
                     add(world, world.name())]


def remove(world, name):
    def done():
        if name in world.agents:
            world.agents.remove(name)
    return [Order("remove", PLACED, done, names=[name])]


def agent_removed(world):
    return remove(world, agent(world))


def agent_sent(world):
    return [Order("go", PLACED, names=[agent(world)], to=world.say(world.open_place()))]


def crowd_sent(world):
    names, to = list(world.agents), world.say(world.open_place())
    if not names:
        return [Order("go", PLACED, names=["nobody"], to=to)]
    kind = world.values["crowd"]
    if kind == "patrol":
        return patrol(world, names)
    if kind == "formation":
        return [Order("go", PLACED, names=names, to=to, **{"as": "line"})]
    if kind == "followers":
        return [Order("go", PLACED, names=names[:1], to=to)] + \
            [Order("follow", PLACED, name=name, target=names[0]) for name in names[1:]]
    if kind in ("group", "field"):
        return [Order("go", PLACED, names=names, to=to)]
    return [Order("go", PLACED, names=[name], to=world.say(world.open_place())) for name in names]


def patrol(world, names):
    orders = []
    if not world.routes:
        name = world.name()
        corners = [world.say(world.open_place()) for _ in range(3)]
        world.routes.append(name)
        orders.append(Order("route", PLACED, name=name, mode=world.random.choice(["loop", "back"]), cells=corners))
    return orders + [Order("take", PLACED, name=name, route=world.routes[0]) for name in names]


def agent_follows(world):
    one, other = two_agents(world)
    return [Order("follow", PLACED, name=one, target=other)]


def agent_flees(world):
    one, other = two_agents(world)
    return [Order("flee", PLACED, name=one, target=other, keep=True)]


def agent_stepped(world):
    return [Order("steer", PLACED, name=agent(world), cell=world.say(world.open_place()))]


def agent_changed(world):
    one, other = two_agents(world)
    orders = [Order("adjust", PLACED, names=[one], speed=900, urgency=50)]
    orders.append(Order("adjust", PLACED, names=[one], waits_for=[other]))
    orders.append(Order("adjust", PLACED, names=[one], layers=world.random.choice([world.agent_fields.get("layers", {}), {}])))
    return orders


def mover_changed(world):
    return [Order("adjust", PLACED, names=[agent(world)], mover=world.random.choice([world.mover, "default"]))]


def box(world):
    cell = world.say(world.place())
    return [cell, cell]


def box_cleared(world):
    return [Order("clear", PLACED, box=box(world))]


def box_released(world):
    own = box(world)
    return [Order("clear", PLACED, box=own), Order("step", frames=1), Order("release", PLACED, box=own)]


def crowd_asked(world):
    return [Order("positions"), Order("inspect", PLACED, name=agent(world)), Order("jams")]


def body_added(world):
    radius = 800 if world.has("mover", "large") else 300
    return [Order("body", PLACED, name=agent(world), radius=radius)]


def body_removed(world):
    return [Order("body", PLACED, name=agent(world), radius=0)]


def body_set(world):
    x, y = (at * 16384 + world.random.randrange(16384) for at in world.open_place())
    return [Order("place", PLACED, name=agent(world), x=x, y=y, vx=0, vy=0)]


ENDS = {"service closed", "service destroyed"}  # drive.py ends the server
HAPPENINGS = {
    "wall near": lambda world: set_cell(world, near(world), 0),
    "wall far": lambda world: set_cell(world, world.loaded_place(), 0),
    "cell opened": lambda world: set_cell(world, world.loaded_place(), 1),
    "ground slowed": lambda world: set_cell(world, world.loaded_place(), 3),
    "danger spread": danger(3),
    "danger gone": danger(1),
    "start built over": lambda world: build_over(world, world.main["from"]),
    "goal built over": lambda world: build_over(world, world.main["to"]),
    "batch": batch,
    "batch discarded": batch_discarded,
    "versions used up": lambda world: [order for _ in range(6) for order in toggle(world)],
    "link added": lambda world: add_link(world)[2],
    "link for some": link_for_some,
    "link removed": link_removed,
    "mover avoids": mover_avoids,
    "step closed": step("blocked"),
    "step opened": step("open"),
    "node added": node_added,
    "edge set": edge_set,
    "edge removed": edge_removed,
    "layer added": layer_added,
    "disc painted": disc_painted,
    "box painted": box_painted,
    "layers faded": lambda world: [Order("step", frames=world.random.randrange(1, 4))],
    "profile added": profile_added,
    "unit came": unit_came,
    "unit went": unit_went,
    "chunk loaded": chunk_loaded,
    "chunk known": unloaded({}),
    "chunk gone": unloaded({"forget": True}),
    "map restored": map_restored,
    "cancelled": lambda world: [Order("cancel", request=world.main_id)],
    "map cancelled": map_cancelled,
    "replaced": replaced,
    "goal moved": goal_moved,
    "urgency set": lambda world: [Order("urgency", request=world.main_id, urgency=-500)],
    "deadline passed": deadline_passed,
    "more submitted": more_submitted,
    "counted": lambda world: [Order("stats")],
    "nearest found": nearest_found,
    "searched alone": searched_alone,
    "field made": field_made,
    "world restored": world_restored,
    "went back": went_back,
    "agent added": agent_added,
    "agent removed": agent_removed,
    "agent sent": agent_sent,
    "crowd sent": crowd_sent,
    "agent follows": agent_follows,
    "agent flees": agent_flees,
    "agent patrols": lambda world: patrol(world, [agent(world)]),
    "agent halted": lambda world: [Order("halt", PLACED, names=[agent(world)])],
    "agent stepped": agent_stepped,
    "agent changed": agent_changed,
    "mover changed": mover_changed,
    "box cleared": box_cleared,
    "box released": box_released,
    "crowd asked": crowd_asked,
    "body added": body_added,
    "body removed": body_removed,
    "body set": body_set,
}
