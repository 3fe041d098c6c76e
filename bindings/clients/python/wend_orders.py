# SPDX-License-Identifier: MIT
"""Made by bindings/clients/make.py from the catalogue of orders: a method for each order."""
# pylint: disable=too-many-arguments,redefined-builtin


class Orders:
    """Each returns the answer, or raises Refused."""

    def load(self, chunk, ground, *, classes=None):
        """Loads a chunk of a streamed grid.
        chunk: which chunk: x and y of its cells ÷ 64 (cell)
        ground: the class of all its cells; FROM, only in scripts: a file has them (`open`, `blocked`, `FROM`)
        classes: an array of classes for each row of its cells, in place of `ground` (changes)
        """
        return self.ask("load", {"chunk": chunk, "ground": ground, "classes": classes})

    def unload(self, chunk, *, forget=None):
        """Unloads a chunk: its cells are blocked.
        chunk: which chunk: x and y of its cells ÷ 64 (cell)
        forget: nothing is kept of it (true)
        """
        return self.ask("unload", {"chunk": chunk, "forget": forget})

    def edit(self, *, nodes=None, edges=None, set=None, fill=None, steps=None, links=None, unlinks=None, loads=None, unloads=None):
        """Changes that are published as one version.
        nodes: changes of this kind: docs/protocol.md
        edges: changes of this kind: docs/protocol.md
        set: changes of this kind: docs/protocol.md
        fill: changes of this kind: docs/protocol.md
        steps: changes of this kind: docs/protocol.md
        links: changes of this kind: docs/protocol.md
        unlinks: changes of this kind: docs/protocol.md
        loads: changes of this kind: docs/protocol.md
        unloads: changes of this kind: docs/protocol.md
        """
        return self.ask("edit", {"nodes": nodes, "edges": edges, "set": set, "fill": fill, "steps": steps, "links": links, "unlinks": unlinks, "loads": loads, "unloads": unloads})

    def occupy(self, cells):
        """Adds units.
        cells: a unit for each (cells)
        """
        return self.ask("occupy", {"cells": cells})

    def vacate(self, cells):
        """Removes units.
        cells: a unit for each (cells)
        """
        return self.ask("vacate", {"cells": cells})

    def layer(self, name, kind, *, half_life=None, within=None):
        """Adds a layer: a step into a cell costs weight × value ÷ 16 more.
        name: unique among layers (name)
        kind: what it holds (`values`, `walls`)
        half_life: frames after which its values halve, rounded down; 0: never (0 to 4294967295)
        within: of walls: how far from blocked cells its values reach (0 to 31)
        """
        return self.ask("layer", {"name": name, "kind": kind, "half_life": half_life, "within": within})

    def paint(self, layer, cells, *, radius=None, peak=None, value=None):
        """Adds a disc to a layer, or sets its values in a box.
        layer: which layer (name)
        cells: a centre, or two corners of a box (cells)
        radius: of a disc that fades to its rim (0 to 255)
        peak: what is added to its centre (1 to 255)
        value: of all cells in the box (0 to 255)
        """
        return self.ask("paint", {"layer": layer, "cells": cells, "radius": radius, "peak": peak, "value": value})

    def request(self, from_, to, *, id=None, goals=None, engine=None, heuristic=None, weight=None, mode=None, reach=None, mover=None, leave_blocked_start=None, far_begin=None, occupied=None, occupied_within=None, urgency=None, deadline=None, max=None, on_stale=None, unloaded=None, agent=None, cells=None, at_least=None, layers=None, avoid=None, shun=None):
        """Asks for a path.
        from_: the start (cell)
        to: the goal (cell)
        id: a name or a whole number, unique among pending requests (name or number)
        goals: further goals; the cheapest of all wins (cells)
        engine: which search (`auto`, `astar`, `jump`)
        heuristic: its heuristic (`exact`, `manhattan`, `euclid`, `zero`)
        weight: the cost is at most so many times the lowest (1 to 100)
        mode: nearest: as near as can be reached; far: a route (`exact`, `nearest`, `far`)
        reach: cells from the goal; not on graphs (0 to 255)
        mover: kind of agent (name)
        leave_blocked_start: the start may be blocked (true)
        far_begin: far: the beginning of the route alone is worked out (true)
        occupied: what units on a cell mean: ignore, block or a cost (`ignore`, `block`; 0 to 1000000)
        occupied_within: units count within so many cells of the start; not on graphs (0 to 255)
        urgency: higher goes first (-1000 to 1000)
        deadline: it ends as expired by that frame after submission (from 1)
        max: it ends as limit after so many expansions (from 0)
        on_stale: deliver: no restart, but the part that can be walked (`restart`, `deliver`)
        unloaded: known: ways through known land, too; wait: it waits for land that might matter (`block`, `known`, `wait`)
        agent: a newer request of the same number replaces it (from 0)
        cells: false: the completion leaves the cells out (true, false)
        at_least: the answer comes once the map has this epoch, or after 10 s as `busy` (0 to 9223372036854775807)
        layers: costs by place (weights of layers)
        avoid: terrain classes that it never enters, besides those that are blocked for its mover (`open`, `blocked`; classes)
        shun: terrain classes that it enters only where nothing else leads to its goal (`open`, `blocked`; classes)
        """
        return self._request("request", {"from": from_, "to": to, "id": id, "goals": goals, "engine": engine, "heuristic": heuristic, "weight": weight, "mode": mode, "reach": reach, "mover": mover, "leave_blocked_start": leave_blocked_start, "far_begin": far_begin, "occupied": occupied, "occupied_within": occupied_within, "urgency": urgency, "deadline": deadline, "max": max, "on_stale": on_stale, "unloaded": unloaded, "agent": agent, "cells": cells, "at_least": at_least, "layers": layers, "avoid": avoid, "shun": shun})

    def cancel(self, request):
        """Cancels a request.
        request: the latest of that name (name or number)
        """
        return self.ask("cancel", {"request": request})

    def urgency(self, request, urgency):
        """Changes a request's urgency.
        request: the latest of that name (name or number)
        urgency: higher goes first (-1000 to 1000)
        """
        return self.ask("urgency", {"request": request, "urgency": urgency})

    def goal(self, request, to):
        """Moves a request's goal.
        request: the latest of that name (name or number)
        to: the new goal (cell)
        """
        return self.ask("goal", {"request": request, "to": to})

    def nearest(self, from_, *, id=None, class_=None, cells=None, k=None, free=None, mover=None, layers=None, score=None, avoid=None):
        """Asks for the nearest places, by what the way costs.
        from_: where the ways begin (cell)
        id: its name (name or number)
        class_: places of this terrain class (0 to 255)
        cells: or these places (cells)
        k: how many (1 to 4096)
        free: only places where no unit stands (true)
        mover: kind of agent (name)
        layers: costs by place (weights of layers)
        score: costs of the places themselves, whatever is on the way (weights of layers)
        avoid: terrain classes that it never enters, besides those that are blocked for its mover (`open`, `blocked`; classes)
        """
        return self.ask("nearest", {"from": from_, "id": id, "class": class_, "cells": cells, "k": k, "free": free, "mover": mover, "layers": layers, "score": score, "avoid": avoid})

    def agent(self, name, cell, *, speed=None, mover=None, urgency=None, ghost=None, parked=None, radius=None, accel=None, turn=None, turning=None, waits_for=None, layers=None, avoid=None, shun=None):
        """Adds an agent.
        name: unique among agents (name)
        cell: where it stands (cell)
        speed: thousandths of a straight step in a frame (1 to 1000000)
        mover: kind of agent (name)
        urgency: higher goes first (-1000 to 1000)
        ghost: it holds no cell (true)
        parked: nobody pushes it aside (true)
        radius: thousandths of a cell, from 100, below half its side; 0: no body (0 to 7999)
        accel: thousandths of a cell; 0: top speed in 3 frames (0 to 1000000)
        turn: degrees that it turns in a frame at most; 0: smooth (0 to 180)
        turning: its least circle: it never turns on the spot; 0: none (0 to 64000)
        waits_for: agents never asked to step aside; players: none further (names)
        layers: costs by place (weights of layers)
        avoid: terrain classes that it never enters, besides those that are blocked for its mover (`open`, `blocked`; classes)
        shun: terrain classes that it enters only where nothing else leads to its goal (`open`, `blocked`; classes)
        """
        return self.ask("agent", {"name": name, "cell": cell, "speed": speed, "mover": mover, "urgency": urgency, "ghost": ghost, "parked": parked, "radius": radius, "accel": accel, "turn": turn, "turning": turning, "waits_for": waits_for, "layers": layers, "avoid": avoid, "shun": shun})

    def body(self, name, *, radius=None, accel=None, turn=None, turning=None):
        """Gives an agent a body, or takes it away.
        name: which agent (name)
        radius: thousandths of a cell, from 100, below half its side; 0: no body (0 to 7999)
        accel: thousandths of a cell; 0: top speed in 3 frames (0 to 1000000)
        turn: degrees that it turns in a frame at most; 0: smooth (0 to 180)
        turning: its least circle: it never turns on the spot; 0: none (0 to 64000)
        """
        return self.ask("body", {"name": name, "radius": radius, "accel": accel, "turn": turn, "turning": turning})

    def place(self, name, *, x=None, y=None, vx=None, vy=None):
        """Puts an agent's body where the host has moved it.
        name: which agent (name)
        x: where its body is, in 1/16384 of a cell (-2147483648 to 2147483647)
        y: the same (-2147483648 to 2147483647)
        vx: its velocity a frame, in the same (-2147483648 to 2147483647)
        vy: the same (-2147483648 to 2147483647)
        """
        return self.ask("place", {"name": name, "x": x, "y": y, "vx": vx, "vy": vy})

    def go(self, names, to, *, reach=None, as_=None, spacing=None, pace=None, near=None):
        """Sends agents to a cell.
        names: agents (names)
        to: where to; several agents get places beside it (cell)
        reach: near enough is so many cells away (0 to 255)
        as_: how several agents stand, turned the way they go (`crowd`, `line`, `column`, `wedge`, `box`)
        spacing: cells from one agent of a formation to the next (1 to 64)
        pace: each at its own speed, or all at that of the slowest (`own`, `slowest`)
        near: where the cell is taken, so many cells away count as arrived (0 to 255)
        """
        return self.ask("go", {"names": names, "to": to, "reach": reach, "as": as_, "spacing": spacing, "pace": pace, "near": near})

    def follow(self, name, target, *, reach=None):
        """Follows another agent.
        name: who follows (name)
        target: whom (name)
        reach: near enough is so many cells away (0 to 255)
        """
        return self.ask("follow", {"name": name, "target": target, "reach": reach})

    def flee(self, name, target, *, distance=None, keep=None):
        """Flees from another agent.
        name: who flees (name)
        target: from whom (name)
        distance: far enough is so many cells away (1 to 255)
        keep: it goes on after that (true)
        """
        return self.ask("flee", {"name": name, "target": target, "distance": distance, "keep": keep})

    def steer(self, name, cell):
        """Begins one step of an agent in the next frame.
        name: which agent (name)
        cell: a neighbour of its cell, or its own (cell)
        """
        return self.ask("steer", {"name": name, "cell": cell})

    def clear(self, box):
        """Agents leave a box and do not enter it.
        box: two opposite corners, in the box (cells)
        """
        return self.ask("clear", {"box": box})

    def release(self, box):
        """Ends the clearing of a box.
        box: two opposite corners, in the box (cells)
        """
        return self.ask("release", {"box": box})

    def halt(self, names):
        """Ends agents' goals.
        names: agents (names)
        """
        return self.ask("halt", {"names": names})

    def remove(self, names):
        """Removes agents.
        names: agents (names)
        """
        return self.ask("remove", {"names": names})

    def route(self, name, mode, cells):
        """A pre-set path by its corners.
        name: unique among routes (name)
        mode: what comes at its end (`once`, `loop`, `back`)
        cells: its corners (cells)
        """
        return self.ask("route", {"name": name, "mode": mode, "cells": cells})

    def take(self, name, route):
        """Sends an agent along a route.
        name: which agent (name)
        route: which route (name)
        """
        return self.ask("take", {"name": name, "route": route})

    def adjust(self, names, *, speed=None, urgency=None, mover=None, waits_for=None, layers=None, avoid=None, shun=None):
        """Changes agents that are there.
        names: agents (names)
        speed: thousandths of a straight step in a frame (1 to 1000000)
        urgency: higher goes first (-1000 to 1000)
        mover: kind of agent (name)
        waits_for: agents never asked to step aside; players: none further (names)
        layers: costs by place (weights of layers)
        avoid: terrain classes that it never enters, besides those that are blocked for its mover (`open`, `blocked`; classes)
        shun: terrain classes that it enters only where nothing else leads to its goal (`open`, `blocked`; classes)
        """
        return self.ask("adjust", {"names": names, "speed": speed, "urgency": urgency, "mover": mover, "waits_for": waits_for, "layers": layers, "avoid": avoid, "shun": shun})

    def positions(self):
        """Where the agents are.
        """
        return self.ask("positions", {})

    def pause(self):
        """Stops the clock.
        """
        return self.ask("pause", {})

    def resume(self):
        """Starts it again.
        """
        return self.ask("resume", {})

    def step(self, *, frames=None):
        """Runs frames of a paused world.
        frames: how many frames (1 to 1000000)
        """
        return self.ask("step", {"frames": frames})

    def reset(self):
        """The world begins again.
        """
        return self.ask("reset", {})

    def inspect(self, name, *, trace=None):
        """What an agent does, and why.
        name: which agent (name)
        trace: false: without a search (true, false)
        """
        return self.ask("inspect", {"name": name, "trace": trace})

    def pace(self, *, hz=None, budget=None, wander=None, history=None):
        """How fast the world runs.
        hz: frames a second (1 to 1000)
        budget: expansions of a frame (1 to 1000000000)
        wander: idle agents get goals (true, false)
        history: seconds with checkpoints (0 to 3600)
        """
        return self.ask("pace", {"hz": hz, "budget": budget, "wander": wander, "history": history})

    def save(self):
        """The world as a script.
        """
        return self.ask("save", {})

    def field(self, cells, box, *, mover=None):
        """A flow field's next steps.
        cells: its goals (cells)
        box: two corners of the cells that are asked for (cells)
        mover: kind of agent (name)
        """
        return self.ask("field", {"cells": cells, "box": box, "mover": mover})

    def jams(self, *, count=None, within=None):
        """Where agents were blocked in the last 200 frames.
        count: the worst, so many (1 to 4096)
        within: cells that a jam reaches from its worst cell; 0: each cell is one (0 to 255)
        """
        return self.ask("jams", {"count": count, "within": within})

    def checkpoint(self, name, *, drop=None):
        """Keeps the world.
        name: its name (name)
        drop: it is kept no longer (true, false)
        """
        return self.ask("checkpoint", {"name": name, "drop": drop})

    def checkpoints(self):
        """Which are kept.
        """
        return self.ask("checkpoints", {})

    def restore(self, *, name=None, at=None):
        """Back to a checkpoint.
        name: of a checkpoint (name)
        at: a frame: the last one up to it (from 0)
        """
        return self.ask("restore", {"name": name, "at": at})
