// SPDX-License-Identifier: MIT
// The world inside the page: it answers the messages that `wend serve` answers (docs/protocol.md), as far as the page
// sends them. It runs in a worker.
import { load } from '../js/wend.js';

const MOST_AGENTS = 20000, MOST_REST = 40;
const ERRORS = { WEND_OUT_OF_RANGE: 'out_of_range', WEND_BUSY: 'busy', WEND_BAD_ARGUMENT: 'bad_argument', WEND_BAD_FORMAT: 'bad_argument' };

class Refused extends Error {
    constructor(error, text) {
        super(text);
        this.error = error;
    }
}

const groundOf = word => {
    const ground = word === 'open' ? 1 : word === 'blocked' ? 0 : word;
    if (!Number.isInteger(ground) || ground < 0 || ground > 255) throw new Refused('bad_argument', 'ground is open, blocked or 0 to 255');
    return ground;
};

// Classes and how many cells one after another have each.
function runsOf(classes) {
    const runs = [];
    for (let i = 0, end; i < classes.length; i = end) {
        for (end = i + 1; end < classes.length && classes[end] === classes[i]; ) end++;
        runs.push(classes[i], end - i);
    }
    return runs;
}

export class Host {
    // send: takes a text, or an ArrayBuffer.
    constructor(wend, send) {
        Object.assign(this, { wend, send, hz: 20, budget: 20000, paused: false, wander: true, watches: new Set(), seed: 1 });
        this.beat = 0;
    }

    // world: a map (text or bytes), its name, how many agents.
    open(world) {
        const map = this.wend.parse(world.map); // before the old one goes
        if (this.map) this.close();
        Object.assign(this, { world, map, agents: new Map(), byIndex: [], rests: new Map(), epoch: 0, last: null });
        const { width, height, depth, kind } = map.info;
        this.size = depth > 1 ? [width, height, depth] : [width, height];
        this.flat = depth === 1;
        if (kind !== 0 && kind !== 1) throw new Refused('bad_argument', 'the playground shows grids and worlds of cubes');
        try {
            map.accelerate();
        } catch {
            // searches are slower
        }
        this.budget = world.budget ?? 20000;
        this.service = new this.wend.Service();
        this.crowd = new this.wend.Crowd(this.service, map, { agents: MOST_AGENTS, onEvent: event => this.hear(event) });
        this.populate(world.agents);
        this.pace();
    }

    close() {
        this.crowd.destroy();
        this.service.destroy();
        this.map.release();
    }

    // ---- agents ----

    cellOf(cell) {
        return this.flat ? [cell[0], cell[1]] : [cell[0], cell[1], cell[2]];
    }

    populate(count) {
        const [width, height] = this.size, most = Math.min(count, MOST_AGENTS);
        for (let tries = 0; this.agents.size < most && tries < 30 * most; tries++) {
            const cell = [Math.floor(Math.random() * width), Math.floor(Math.random() * height), 0];
            if (this.map.terrain(cell) === 0 || this.map.occupants(cell) > 0) continue;
            this.add({ name: `a${this.agents.size + 1}`, cell, speed: 150 + Math.floor(Math.random() * 250) });
        }
        this.tellNames();
    }

    add({ name, cell, speed = 250, urgency = 0 }) {
        if (typeof name !== 'string' || name.length > 71 || name === '') throw new Refused('bad_argument', 'name is a text of up to 71 bytes');
        if (this.agents.has(name)) throw new Refused('bad_argument', `there is an agent '${name}' already`);
        const id = this.crowd.add({ cell, speed_milli: speed, urgency });
        const agent = { name, id, goal: false };
        this.agents.set(name, agent);
        this.byIndex[id.index] = agent;
        this.rest(agent);
    }

    find(name) {
        const agent = this.agents.get(name);
        if (!agent) throw new Refused('unknown', `there is no agent '${name}'`);
        return agent;
    }

    rest(agent) {
        this.rests.set(agent, this.beat + 1 + Math.floor(Math.random() * MOST_REST));
    }

    hear({ event, agent: id, cell, endsGoal }) {
        const agent = this.byIndex[id.index];
        if (!agent) return;
        if (endsGoal && event !== 'replaced') {
            agent.goal = false;
            this.rest(agent);
        }
        if (this.watches.has('agents'))
            this.tell('event', { frame: this.beat, agent: agent.name, event, cell: this.cellOf(cell) });
    }

    // Those that have rested go somewhere.
    stroll() {
        for (const [agent, until] of this.rests) {
            if (until > this.beat) continue;
            this.rests.delete(agent);
            if (agent.goal || agent.halted) continue;
            try {
                this.crowd.go(agent.id, this.map.randomCell(this.crowd.cellOf(agent.id), this.seed++));
                agent.goal = true;
            } catch {
                this.rest(agent);
            }
        }
    }

    // ---- frames ----

    pace() {
        clearInterval(this.timer);
        this.timer = this.paused ? null : setInterval(() => this.frame(), 1000 / this.hz);
    }

    frame() {
        if (this.wander) this.stroll();
        const begun = performance.now(), counts = this.service.tick({ expansions: this.budget });
        this.crowd.update();
        this.beat++;
        const us = Math.round((performance.now() - begun) * 1000);
        this.last = { number: this.beat, expansions: counts.expansions, us, waiting: counts.waiting, running: counts.running, delivered: counts.deliveries };
        this.tellFrame();
    }

    tell(type, what) {
        this.send(JSON.stringify({ type, [type]: what }));
    }

    tellFrame() {
        if (this.watches.has('frames') && this.last) this.tell('frame', this.last);
        if (this.watches.has('queue')) this.tellQueue();
        if (this.watches.has('agents')) this.tellAgents();
    }

    tellQueue() {
        const { bands, lanes, ...queue } = this.service.queue;
        this.tell('queue', { ...queue, frame: this.beat, general: {}, lane_count: lanes, lanes: [],
            bands: bands.map(({ oldest_frames: oldest, ...band }) => ({ ...band, oldest })) });
    }

    tellNames() {
        if (this.watches.has('agents')) this.tell('names', Array.from(this.agents.values(), agent => [agent.id.index, agent.name]));
    }

    tellAgents() {
        const { points, states } = this.crowd.view, out = new DataView(new ArrayBuffer(16 + 20 * this.agents.size));
        out.setUint8(0, 1);
        out.setUint32(4, this.agents.size, true);
        out.setBigUint64(8, BigInt(this.beat), true);
        let at = 16;
        for (const { id: { index } } of this.agents.values()) {
            out.setUint32(at, index, true);
            for (let part = 0; part < 3; part++) out.setInt32(at + 4 + 4 * part, points[3 * index + part], true);
            out.setUint32(at + 16, states[index], true);
            at += 20;
        }
        this.send(out.buffer);
    }

    // ---- messages ----

    take(text) {
        const { op, id, ...fields } = JSON.parse(text);
        const answer = more => this.send(JSON.stringify({ id, ...more }));
        try {
            const does = Object.hasOwn(OPS, op) ? OPS[op] : null;
            if (!does) throw new Refused('unknown', `the world in this page has no ${op}`);
            const more = does(this, fields, id);
            answer({ ok: true, ...more });
        } catch (problem) {
            answer({ error: problem.error ?? ERRORS[problem.code] ?? 'bad_argument', text: problem.message });
            return;
        }
        if (op === 'subscribe') this.tellNames(), this.tellFrame();
    }

    each(names, work) {
        const agents = names.map(name => this.find(name));
        agents.forEach(work);
        return { frame: this.beat };
    }
}

const clock = host => ({ frame: host.beat, hz: host.hz, paused: host.paused, budget: host.budget, wander: host.wander });

function hold(host, paused) {
    host.paused = paused;
    host.pace();
    host.tell('event', { event: paused ? 'pause' : 'resume', frame: host.beat });
    return { frame: host.beat };
}

const OPS = {
    hello: host => ({ protocol: 1, server: `wend ${host.wend.version}`, owner: true, read_only: false,
        limits: { requests: 1024, message_bytes: 1048576 } }),
    map: (host, { box, features, runs }) => {
        const info = host.map.info;
        const found = { kind: host.flat ? 'grid' : 'voxels', name: host.world.name, size: host.size, neighbours: 8, corners: 'never',
            cost: [10, 14], epoch: host.epoch, links: info.links, closed_steps: info.closed_steps, movers: ['default'] };
        if (box && runs) found.runs = runsOf(host.map.box(...box));
        else if (box) found.classes = Array.from(host.map.box(...box));
        if (features) Object.assign(found, { link_list: [], closed: [], units: [] });
        return found;
    },
    subscribe: (host, { what }) => {
        host.watches = new Set(what);
    },
    pace: (host, { hz, budget, wander }) => {
        if (hz !== undefined) host.hz = Math.min(Math.max(Number(hz) || 20, 1), 1000);
        if (budget !== undefined) host.budget = Math.max(Number(budget) || 1, 1);
        if (wander !== undefined) host.wander = Boolean(wander);
        if (host.wander) for (const agent of host.agents.values()) if (!agent.goal) host.rest(agent);
        host.pace();
        return clock(host);
    },
    pause: host => hold(host, true),
    resume: host => hold(host, false),
    step: (host, { frames = 1 }) => {
        for (let i = 0; i < Math.min(frames, 1000); i++) host.frame();
        return { frame: host.beat };
    },
    reset: host => {
        host.open(host.world);
        host.tell('event', { event: 'reset', frame: host.beat });
        return { frame: host.beat };
    },
    agent: (host, fields) => {
        host.add(fields);
        host.tellNames();
        return { frame: host.beat };
    },
    go: (host, { names, to }) => {
        const agents = names.map(name => host.find(name));
        host.crowd.go(agents.map(agent => agent.id), to);
        for (const agent of agents) Object.assign(agent, { goal: true, halted: false });
        return { frame: host.beat };
    },
    steer: (host, { name, cell }) => {
        const agent = host.find(name);
        host.crowd.step(agent.id, cell);
        Object.assign(agent, { goal: false, halted: true });
        return { frame: host.beat };
    },
    halt: (host, { names }) => host.each(names, agent => {
        host.crowd.halt(agent.id);
        Object.assign(agent, { goal: false, halted: true });
    }),
    remove: (host, { names }) => {
        host.each(names, agent => {
            host.crowd.remove(agent.id);
            host.agents.delete(agent.name);
            host.rests.delete(agent);
            host.byIndex[agent.id.index] = null;
        });
        host.tellNames();
        if (host.paused) host.tellFrame();
        return { frame: host.beat };
    },
    adjust: (host, { names, speed, urgency }) => host.each(names, agent => {
        if (speed !== undefined) host.crowd.setSpeed(agent.id, speed);
        if (urgency !== undefined) host.crowd.setUrgency(agent.id, urgency);
    }),
    edit: (host, { set = [], fill = [], ...others }) => {
        if (Object.keys(others).length) throw new Refused('bad_argument', 'the world in this page takes set and fill alone');
        host.map.edit(edit => {
            for (const [cell, ground] of set) edit.set(cell, groundOf(ground));
            for (const [min, max, ground] of fill) edit.fill(min, max, groundOf(ground));
        });
        host.epoch++;
        host.tell('event', { event: 'edit', epoch: host.epoch, ...(set.length && { set }), ...(fill.length && { fill }) });
        return { epoch: host.epoch };
    },
    request: (host, { from, to, cells = true, urgency = 0 }, id) => {
        host.service.submit(host.map, from, to, answer => {
            const done = { frame: host.beat, id, status: answer.status, cost: answer.cost, expansions: answer.expansions, frames: answer.frames };
            host.send(JSON.stringify({ type: 'done', id, done: cells ? { ...done, cells: answer.cells.map(cell => host.cellOf(cell)) } : done }));
        }, { urgency });
    },
    inspect: (host, { name }) => {
        const { goal, path, cell, ...found } = host.crowd.inspect(host.find(name).id);
        const end = path.at(-1), stops = goal && end && host.map.terrain(goal) === 0 && String(end) !== String(goal);
        return { frame: host.beat, ...found, cell: host.cellOf(cell), path: path.map(one => host.cellOf(one)), mover: 'default', size: 1,
            ...(goal && { wish: 'go', goal: host.cellOf(goal) }), ...(stops && { stops: host.cellOf(end) }) };
    },
    positions: host => {
        const { cells } = host.crowd.view;
        return { frame: host.beat, agents: Object.fromEntries(Array.from(host.agents.values(), ({ name, id }) =>
            [name, host.cellOf(cells.subarray(3 * id.index, 3 * id.index + 3))])) };
    },
    save: host => ({ script: script(host) }),
};

// The map as `wend serve` reads it: what is not open.
function script(host) {
    const [width, height] = host.size;
    if (!host.flat) throw new Refused('bad_argument', 'only flat grids are saved here');
    const lines = [`grid ${width} ${height}`], classes = host.map.box([0, 0], [width - 1, height - 1]);
    for (let y = 0; y < height; y++)
        for (let x = 0, end; x < width; x = end) {
            end = x + 1;
            const ground = classes[y * width + x];
            while (end < width && classes[y * width + end] === ground) end++;
            if (ground !== 1) lines.push(`fill ${x},${y} ${end - 1},${y} ${ground === 0 ? 'blocked' : ground}`);
        }
    const { cells } = host.crowd.view;
    for (const { name, id } of host.agents.values()) lines.push(`agent ${name} ${cells[3 * id.index]},${cells[3 * id.index + 1]}`);
    return lines.join('\n') + '\n';
}

// In the worker: {wasm} first, then {world}, {text}.
export function serve(port) {
    let host = null;
    const waiting = [];
    const send = what => (typeof what === 'string' ? port.postMessage(what) : port.postMessage(what, [what]));
    async function take({ data }) {
        if (data.wasm) {
            host = new Host(await load(data.wasm), send);
            waiting.splice(0).forEach(one => take({ data: one }));
        } else if (!host) {
            waiting.push(data);
        } else if (data.world) {
            try {
                host.open(data.world);
                port.postMessage({ opened: data.world.name });
            } catch (problem) {
                port.postMessage({ refused: problem.message });
            }
        } else {
            host.take(data.text);
        }
    }
    port.onmessage = take;
}
