// SPDX-License-Identifier: MIT
// Made by bindings/clients/make.py from the catalogue of orders: a method for each order.

// Each returns a promise of the answer.
export class Orders extends EventTarget {
    // Loads a chunk of a streamed grid. fields:
    //   chunk: which chunk: x and y of its cells ÷ 64 (cell)
    //   ground: the class of all its cells; FROM, only in scripts: a file has them (`open`, `blocked`, `FROM`)
    //   classes?: an array of classes for each row of its cells, in place of `ground` (changes)
    load(fields = {}) {
        return this.ask('load', fields);
    }

    // Unloads a chunk: its cells are blocked. fields:
    //   chunk: which chunk: x and y of its cells ÷ 64 (cell)
    //   forget?: nothing is kept of it (true)
    unload(fields = {}) {
        return this.ask('unload', fields);
    }

    // Changes that are published as one version. fields:
    //   nodes?: changes of this kind: docs/protocol.md
    //   edges?: changes of this kind: docs/protocol.md
    //   set?: changes of this kind: docs/protocol.md
    //   fill?: changes of this kind: docs/protocol.md
    //   steps?: changes of this kind: docs/protocol.md
    //   links?: changes of this kind: docs/protocol.md
    //   unlinks?: changes of this kind: docs/protocol.md
    //   loads?: changes of this kind: docs/protocol.md
    //   unloads?: changes of this kind: docs/protocol.md
    edit(fields = {}) {
        return this.ask('edit', fields);
    }

    // Adds units. fields:
    //   cells: a unit for each (cells)
    occupy(fields = {}) {
        return this.ask('occupy', fields);
    }

    // Removes units. fields:
    //   cells: a unit for each (cells)
    vacate(fields = {}) {
        return this.ask('vacate', fields);
    }

    // Adds a layer: a step into a cell costs weight × value ÷ 16 more. fields:
    //   name: unique among layers (name)
    //   kind: what it holds (`values`, `walls`)
    //   half_life?: frames after which its values halve, rounded down; 0: never (0 to 4294967295)
    //   within?: of walls: how far from blocked cells its values reach (0 to 31)
    layer(fields = {}) {
        return this.ask('layer', fields);
    }

    // Adds a disc to a layer, or sets its values in a box. fields:
    //   layer: which layer (name)
    //   cells: a centre, or two corners of a box (cells)
    //   radius?: of a disc that fades to its rim (0 to 255)
    //   peak?: what is added to its centre (1 to 255)
    //   value?: of all cells in the box (0 to 255)
    paint(fields = {}) {
        return this.ask('paint', fields);
    }

    // Asks for a path. fields:
    //   from: the start (cell)
    //   to: the goal (cell)
    //   id?: a name or a whole number, unique among pending requests (name or number)
    //   goals?: further goals; the cheapest of all wins (cells)
    //   engine?: which search (`auto`, `astar`, `jump`)
    //   heuristic?: its heuristic (`exact`, `manhattan`, `euclid`, `zero`)
    //   weight?: the cost is at most so many times the lowest (1 to 100)
    //   mode?: nearest: as near as can be reached; far: a route (`exact`, `nearest`, `far`)
    //   reach?: cells from the goal; not on graphs (0 to 255)
    //   mover?: kind of agent (name)
    //   leave_blocked_start?: the start may be blocked (true)
    //   far_begin?: far: the beginning of the route alone is worked out (true)
    //   occupied?: what units on a cell mean: ignore, block or a cost (`ignore`, `block`; 0 to 1000000)
    //   occupied_within?: units count within so many cells of the start; not on graphs (0 to 255)
    //   urgency?: higher goes first (-1000 to 1000)
    //   deadline?: it ends as expired by that frame after submission (from 1)
    //   max?: it ends as limit after so many expansions (from 0)
    //   on_stale?: deliver: no restart, but the part that can be walked (`restart`, `deliver`)
    //   unloaded?: known: ways through known land, too; wait: it waits for land that might matter (`block`, `known`, `wait`)
    //   agent?: a newer request of the same number replaces it (from 0)
    //   cells?: false: the completion leaves the cells out (true, false)
    //   at_least?: the answer comes once the map has this epoch, or after 10 s as `busy` (0 to 9223372036854775807)
    //   layers?: costs by place (weights of layers)
    //   avoid?: terrain classes that it never enters, besides those that are blocked for its mover (`open`, `blocked`; classes)
    //   shun?: terrain classes that it enters only where nothing else leads to its goal (`open`, `blocked`; classes)
    request(fields = {}) {
        return this.completed('request', fields);
    }

    // Cancels a request. fields:
    //   request: the latest of that name (name or number)
    cancel(fields = {}) {
        return this.ask('cancel', fields);
    }

    // Changes a request's urgency. fields:
    //   request: the latest of that name (name or number)
    //   urgency: higher goes first (-1000 to 1000)
    urgency(fields = {}) {
        return this.ask('urgency', fields);
    }

    // Moves a request's goal. fields:
    //   request: the latest of that name (name or number)
    //   to: the new goal (cell)
    goal(fields = {}) {
        return this.ask('goal', fields);
    }

    // Asks for the nearest places, by what the way costs. fields:
    //   from: where the ways begin (cell)
    //   id?: its name (name or number)
    //   class?: places of this terrain class (0 to 255)
    //   cells?: or these places (cells)
    //   k?: how many (1 to 4096)
    //   free?: only places where no unit stands (true)
    //   mover?: kind of agent (name)
    //   layers?: costs by place (weights of layers)
    //   score?: costs of the places themselves, whatever is on the way (weights of layers)
    //   avoid?: terrain classes that it never enters, besides those that are blocked for its mover (`open`, `blocked`; classes)
    nearest(fields = {}) {
        return this.ask('nearest', fields);
    }

    // Adds an agent. fields:
    //   name: unique among agents (name)
    //   cell: where it stands (cell)
    //   speed?: thousandths of a straight step in a frame (1 to 1000000)
    //   mover?: kind of agent (name)
    //   urgency?: higher goes first (-1000 to 1000)
    //   ghost?: it holds no cell (true)
    //   parked?: nobody pushes it aside (true)
    //   radius?: thousandths of a cell, from 100, below half its side; 0: no body (0 to 7999)
    //   accel?: thousandths of a cell; 0: top speed in 3 frames (0 to 1000000)
    //   turn?: degrees that it turns in a frame at most; 0: smooth (0 to 180)
    //   turning?: its least circle: it never turns on the spot; 0: none (0 to 64000)
    //   waits_for?: agents never asked to step aside; players: none further (names)
    //   layers?: costs by place (weights of layers)
    //   avoid?: terrain classes that it never enters, besides those that are blocked for its mover (`open`, `blocked`; classes)
    //   shun?: terrain classes that it enters only where nothing else leads to its goal (`open`, `blocked`; classes)
    agent(fields = {}) {
        return this.ask('agent', fields);
    }

    // Gives an agent a body, or takes it away. fields:
    //   name: which agent (name)
    //   radius?: thousandths of a cell, from 100, below half its side; 0: no body (0 to 7999)
    //   accel?: thousandths of a cell; 0: top speed in 3 frames (0 to 1000000)
    //   turn?: degrees that it turns in a frame at most; 0: smooth (0 to 180)
    //   turning?: its least circle: it never turns on the spot; 0: none (0 to 64000)
    body(fields = {}) {
        return this.ask('body', fields);
    }

    // Puts an agent's body where the host has moved it. fields:
    //   name: which agent (name)
    //   x?: where its body is, in 1/16384 of a cell (-2147483648 to 2147483647)
    //   y?: the same (-2147483648 to 2147483647)
    //   vx?: its velocity a frame, in the same (-2147483648 to 2147483647)
    //   vy?: the same (-2147483648 to 2147483647)
    place(fields = {}) {
        return this.ask('place', fields);
    }

    // Sends agents to a cell. fields:
    //   names: agents (names)
    //   to: where to; several agents get places beside it (cell)
    //   reach?: near enough is so many cells away (0 to 255)
    //   as?: how several agents stand, turned the way they go (`crowd`, `line`, `column`, `wedge`, `box`)
    //   spacing?: cells from one agent of a formation to the next (1 to 64)
    //   pace?: each at its own speed, or all at that of the slowest (`own`, `slowest`)
    //   near?: where the cell is taken, so many cells away count as arrived (0 to 255)
    go(fields = {}) {
        return this.ask('go', fields);
    }

    // Follows another agent. fields:
    //   name: who follows (name)
    //   target: whom (name)
    //   reach?: near enough is so many cells away (0 to 255)
    follow(fields = {}) {
        return this.ask('follow', fields);
    }

    // Flees from another agent. fields:
    //   name: who flees (name)
    //   target: from whom (name)
    //   distance?: far enough is so many cells away (1 to 255)
    //   keep?: it goes on after that (true)
    flee(fields = {}) {
        return this.ask('flee', fields);
    }

    // Begins one step of an agent in the next frame. fields:
    //   name: which agent (name)
    //   cell: a neighbour of its cell, or its own (cell)
    steer(fields = {}) {
        return this.ask('steer', fields);
    }

    // Agents leave a box and do not enter it. fields:
    //   box: two opposite corners, in the box (cells)
    clear(fields = {}) {
        return this.ask('clear', fields);
    }

    // Ends the clearing of a box. fields:
    //   box: two opposite corners, in the box (cells)
    release(fields = {}) {
        return this.ask('release', fields);
    }

    // Ends agents' goals. fields:
    //   names: agents (names)
    halt(fields = {}) {
        return this.ask('halt', fields);
    }

    // Removes agents. fields:
    //   names: agents (names)
    remove(fields = {}) {
        return this.ask('remove', fields);
    }

    // A pre-set path by its corners. fields:
    //   name: unique among routes (name)
    //   mode: what comes at its end (`once`, `loop`, `back`)
    //   cells: its corners (cells)
    route(fields = {}) {
        return this.ask('route', fields);
    }

    // Sends an agent along a route. fields:
    //   name: which agent (name)
    //   route: which route (name)
    take(fields = {}) {
        return this.ask('take', fields);
    }

    // Changes agents that are there. fields:
    //   names: agents (names)
    //   speed?: thousandths of a straight step in a frame (1 to 1000000)
    //   urgency?: higher goes first (-1000 to 1000)
    //   mover?: kind of agent (name)
    //   waits_for?: agents never asked to step aside; players: none further (names)
    //   layers?: costs by place (weights of layers)
    //   avoid?: terrain classes that it never enters, besides those that are blocked for its mover (`open`, `blocked`; classes)
    //   shun?: terrain classes that it enters only where nothing else leads to its goal (`open`, `blocked`; classes)
    adjust(fields = {}) {
        return this.ask('adjust', fields);
    }

    // Where the agents are. fields:
    positions(fields = {}) {
        return this.ask('positions', fields);
    }

    // Stops the clock. fields:
    pause(fields = {}) {
        return this.ask('pause', fields);
    }

    // Starts it again. fields:
    resume(fields = {}) {
        return this.ask('resume', fields);
    }

    // Runs frames of a paused world. fields:
    //   frames?: how many frames (1 to 1000000)
    step(fields = {}) {
        return this.ask('step', fields);
    }

    // The world begins again. fields:
    reset(fields = {}) {
        return this.ask('reset', fields);
    }

    // What an agent does, and why. fields:
    //   name: which agent (name)
    //   trace?: false: without a search (true, false)
    inspect(fields = {}) {
        return this.ask('inspect', fields);
    }

    // How fast the world runs. fields:
    //   hz?: frames a second (1 to 1000)
    //   budget?: expansions of a frame (1 to 1000000000)
    //   wander?: idle agents get goals (true, false)
    //   history?: seconds with checkpoints (0 to 3600)
    pace(fields = {}) {
        return this.ask('pace', fields);
    }

    // The world as a script. fields:
    save(fields = {}) {
        return this.ask('save', fields);
    }

    // A flow field's next steps. fields:
    //   cells: its goals (cells)
    //   box: two corners of the cells that are asked for (cells)
    //   mover?: kind of agent (name)
    field(fields = {}) {
        return this.ask('field', fields);
    }

    // Where agents were blocked in the last 200 frames. fields:
    //   count?: the worst, so many (1 to 4096)
    //   within?: cells that a jam reaches from its worst cell; 0: each cell is one (0 to 255)
    jams(fields = {}) {
        return this.ask('jams', fields);
    }

    // Keeps the world. fields:
    //   name: its name (name)
    //   drop?: it is kept no longer (true, false)
    checkpoint(fields = {}) {
        return this.ask('checkpoint', fields);
    }

    // Which are kept. fields:
    checkpoints(fields = {}) {
        return this.ask('checkpoints', fields);
    }

    // Back to a checkpoint. fields:
    //   name?: of a checkpoint (name)
    //   at?: a frame: the last one up to it (from 0)
    restore(fields = {}) {
        return this.ask('restore', fields);
    }
}
