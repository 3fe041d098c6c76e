// SPDX-License-Identifier: MIT
// The world as the page knows it: size and rules, and the classes of cells in chunks that are fetched when they are seen.
import { Network } from './network.js';
import { BLOCKED, OPEN } from './rules.js';

export const CHUNK = 64; // cells a side
const MOST_FETCHES = 4; // at a time
const FEATURES_MS = 150;

const isJump = (a, b) => a.some((part, i) => Math.abs(part - b[i]) > 1);

// Events: 'shape' (another map), 'cells' with the chunk that changed.
export class World extends EventTarget {
    constructor(connection) {
        super();
        this.connection = connection;
        this.shape = null; // {kind, width, height, depth, …} once it is known
        this.features = {}; // links: [from, to, cost], closed steps: [from, to], units: cells
        this.network = null; // of a graph
        this.chunks = new Map(); // by key: {classes, land, x, y, z, version}; land: loaded, known or absent
        this.wanted = new Map(); // keys to fetch: chunk places, the last asked for last
        this.fetching = 0;
        this.generation = 0; // of the map: answers to older questions are dropped
    }

    async load() {
        const answer = await this.connection.send('map');
        this.network = answer.kind === 'graph' ? await this.loadNetwork(answer.size[0]) : null;
        const [width, height = 1, depth = 1] = this.network ? [this.network.width, this.network.height] : answer.size ?? [];
        this.generation++;
        this.shape = { ...answer, width, height, depth };
        this.chunks.clear();
        this.wanted.clear();
        this.fetching = 0;
        this.dispatchEvent(new CustomEvent('shape', { detail: this.shape }));
        this.loadFeatures();
    }

    // The nodes of a graph, its edges, and which nodes are closed.
    async loadNetwork(count) {
        const found = await this.connection.send('map', { features: true, box: [0, count - 1] });
        const network = new Network(found);
        network.classes.set(found.classes.flat());
        return network;
    }

    // Links, closed steps and units. Asked for again when some change, at most a few times a second.
    async loadFeatures() {
        if (this.featuresDue) return;
        this.featuresDue = true;
        await new Promise(resolve => setTimeout(resolve, FEATURES_MS));
        this.featuresDue = false;
        const found = await this.connection.send('map', { features: true }).catch(() => null);
        if (!found) return;
        this.features = { links: found.link_list, closed: found.closed, units: found.units };
        this.dispatchEvent(new Event('change'));
    }

    // The cell at a place; on a graph the place that its nearest node has.
    aimAt([x, y]) {
        return this.network ? [x - 0.5, y - 0.5] : [Math.floor(x), Math.floor(y)];
    }

    // Where a cell of the protocol is drawn.
    placeOf(cell) {
        return Array.isArray(cell) || !this.network ? cell : this.network.placeOf(cell);
    }

    // What an answer to `inspect` says, as places; those of a large agent are in the middle of what it covers.
    drawnOf({ path, line, goal, trace, size = 1 }) {
        const shift = (size - 1) / 2;
        const middle = cell => {
            const [x, y, z] = this.placeOf(cell);
            return [x + shift, y + shift, z];
        };
        // The pulled line is drawn in parts: a link is none of it.
        const jumps = new Set(path?.flatMap((cell, i) => i > 0 && this.isGrid && isJump(path[i - 1], cell) ? [`${path[i - 1]}>${cell}`] : []));
        const lines = line && [[]];
        line?.forEach((turn, i) => {
            if (i > 0 && jumps.has(`${line[i - 1]}>${turn}`)) lines.push([]);
            lines.at(-1).push(middle(turn));
        });
        return { path: path?.map(middle), lines, goal: goal === undefined ? undefined : middle(goal),
            trace: trace?.map(cell => this.placeOf(cell)) };
    }

    get isGrid() {
        return this.shape !== null && this.shape.kind !== 'graph';
    }

    has(x, y) {
        if (this.network) return x > -2 && y > -2 && x < this.network.width + 2 && y < this.network.height + 2;
        return this.shape !== null && x >= 0 && y >= 0 && x < this.shape.width && y < this.shape.height;
    }

    // A cell as the protocol writes it.
    cell(x, y, z) {
        if (this.network) return this.network.nearest(x, y);
        return this.shape.depth > 1 ? [x, y, z] : [x, y];
    }

    key(cx, cy, z) {
        return (z * 65536 + cy) * 65536 + cx;
    }

    // The chunk at a place, or null: it is then fetched.
    chunk(cx, cy, z) {
        const key = this.key(cx, cy, z);
        const chunk = this.chunks.get(key);
        if (chunk) return chunk;
        if (!this.wanted.has(key)) {
            this.wanted.set(key, { cx, cy, z });
            this.fetchMore();
        }
        return null;
    }

    // The class of a cell; undefined where its chunk is not here yet.
    classAt(x, y, z) {
        if (this.network) return this.network.classes[this.network.nearest(x, y)];
        const chunk = this.chunks.get(this.key(Math.floor(x / CHUNK), Math.floor(y / CHUNK), z));
        return chunk?.classes[(y % CHUNK) * CHUNK + (x % CHUNK)];
    }

    isOpen(x, y, z) {
        const terrainClass = this.classAt(x, y, z);
        return terrainClass !== undefined && terrainClass !== BLOCKED;
    }

    fetchMore() {
        while (this.fetching < MOST_FETCHES && this.wanted.size > 0 && this.isGrid) {
            const [key, place] = [...this.wanted].at(-1);
            this.wanted.delete(key);
            this.fetching++;
            this.fetch(key, place, this.generation);
        }
    }

    async fetch(key, { cx, cy, z }, generation) {
        const x = cx * CHUNK, y = cy * CHUNK;
        const right = Math.min(x + CHUNK, this.shape.width) - 1, bottom = Math.min(y + CHUNK, this.shape.height) - 1;
        // Edits that are heard of while the answer is under way are put on top of it.
        const chunk = { classes: new Uint8Array(CHUNK * CHUNK), land: 'loaded', x, y, z, version: 1, late: [] };
        this.chunks.set(key, chunk);
        try {
            const box = [this.cell(x, y, z), this.cell(right, bottom, z)];
            const { classes, land } = await this.connection.send('map', { box });
            if (generation !== this.generation) return;
            chunk.land = chunk.lateLand ?? land?.[0] ?? 'loaded';
            this.fill(chunk, classes.flat(2), right - x + 1);
        } catch {
            if (generation === this.generation) this.chunks.delete(key);
            return;
        } finally {
            if (generation === this.generation) this.fetching--;
        }
        this.changed(chunk);
        this.fetchMore();
    }

    fill(chunk, classes, width) {
        for (let i = 0; i < classes.length; i++)
            chunk.classes[Math.floor(i / width) * CHUNK + (i % width)] = classes[i];
        const { late } = chunk;
        chunk.late = null;
        for (const [index, terrainClass] of late) chunk.classes[index] = terrainClass;
    }

    changed(chunk) {
        chunk.version++;
        this.dispatchEvent(new CustomEvent('cells', { detail: chunk }));
    }

    // Apply a batch of edits, as messages and edit events have it. Applying one twice does no harm.
    apply(batch) {
        if (this.network) {
            this.applyToNodes(batch);
            return;
        }
        const touched = new Set();
        for (const [place, ground] of batch.loads ?? []) this.putLand(place, 'loaded', ground, touched);
        for (const [place, forgotten] of batch.unloads ?? [])
            this.putLand(place, forgotten ? 'absent' : 'known', 'blocked', touched);
        for (const [cell, terrain] of batch.set ?? []) this.put(cell, terrain, touched);
        for (const [a, b, terrain] of batch.fill ?? []) {
            const [x0, x1] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
            const [y0, y1] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
            const [z0, z1] = [Math.min(a[2] ?? 0, b[2] ?? 0), Math.max(a[2] ?? 0, b[2] ?? 0)];
            for (const chunk of this.chunks.values())
                if (chunk.z >= z0 && chunk.z <= z1 && chunk.x <= x1 && chunk.x + CHUNK > x0 && chunk.y <= y1 &&
                    chunk.y + CHUNK > y0)
                    for (let y = Math.max(y0, chunk.y); y <= Math.min(y1, chunk.y + CHUNK - 1); y++)
                        for (let x = Math.max(x0, chunk.x); x <= Math.min(x1, chunk.x + CHUNK - 1); x++)
                            this.put([x, y, chunk.z], terrain, touched);
        }
        for (const chunk of touched) this.changed(chunk);
        if (batch.links || batch.unlinks || batch.steps || batch.cells) this.loadFeatures();
    }

    applyToNodes(batch) {
        const classOf = terrain => (terrain === 'blocked' ? BLOCKED : terrain === 'open' ? OPEN : terrain);
        for (const [node, terrain] of batch.set ?? []) this.network.put(node, classOf(terrain));
        for (const [a, b, terrain] of batch.fill ?? [])
            for (let node = Math.min(a, b); node <= Math.max(a, b); node++) this.network.put(node, classOf(terrain));
        if (batch.links || batch.unlinks || batch.cells) this.loadFeatures();
        this.dispatchEvent(new Event('change'));
    }

    // A chunk comes or goes; its cells come with the same batch.
    putLand([cx, cy], land, ground, touched) {
        const chunk = this.chunks.get(this.key(cx, cy, 0));
        if (!chunk) return;
        chunk.land = land;
        if (chunk.late) chunk.lateLand = land;
        for (let i = 0; i < CHUNK * CHUNK; i++)
            this.put([chunk.x + (i % CHUNK), chunk.y + Math.floor(i / CHUNK)], ground, touched);
        touched.add(chunk);
    }

    put([x, y, z = 0], terrain, touched) {
        const chunk = this.chunks.get(this.key(Math.floor(x / CHUNK), Math.floor(y / CHUNK), z));
        if (!chunk) return;
        const index = (y % CHUNK) * CHUNK + (x % CHUNK);
        const terrainClass = terrain === 'blocked' ? BLOCKED : terrain === 'open' ? OPEN : terrain;
        if (chunk.late) chunk.late.push([index, terrainClass]);
        if (chunk.classes[index] === terrainClass) return;
        chunk.classes[index] = terrainClass;
        touched.add(chunk);
    }
}
