// SPDX-License-Identifier: MIT
// The world as the page knows it: size and rules, and the classes of cells in chunks, which are fetched when they are
// seen: a block of them by one message.
import { Network } from './network.js';
import { BLOCKED, OPEN } from './rules.js';
import { Sheets } from './sheets.js';

export const CHUNK = 64; // cells a side
const BLOCK = 4; // chunks a side of a block
const STOREY_LEVELS = 3;
const MOST_FETCHES = 16; // blocks asked for at a time
const FEATURES_MS = 150;
const SEAM = 0; // the cost of a link that is a step between sheets

const indexOf = (x, y) => (y % CHUNK) * CHUNK + (x % CHUNK); // of a cell in its chunk

// Whether a step between two places is a link that leads farther than to the next ones.
export const isJump = (a, b) => Math.abs(a[0] - b[0]) > 1 || Math.abs(a[1] - b[1]) > 1;

// Runs are a class, how many cells one after another have it, and so on.
function classesOf(runs, count) {
    const classes = new Uint8Array(count);
    for (let i = 0, at = 0; i < runs.length; i += 2) classes.fill(runs[i], at, at += runs[i + 1]);
    return classes;
}

// A chunk's part of a block, and the edits that came meanwhile.
function fill(chunk, { classes, x, y, width, height }) {
    const left = chunk.x - x, wide = Math.min(CHUNK, width - left), high = Math.min(CHUNK, y + height - chunk.y);
    for (let row = 0; row < high; row++) {
        const from = (chunk.y - y + row) * width + left;
        chunk.classes.set(classes.subarray(from, from + wide), row * CHUNK);
    }
    const { late } = chunk;
    chunk.late = null;
    if (chunk.floor) chunk.classes.forEach((terrainClass, index) => note(chunk, index, terrainClass));
    for (const [index, terrainClass] of late) chunk.classes[index] = terrainClass, note(chunk, index, terrainClass);
}

// Of sheets: a wall where a floor was stays a part of its storey.
function note(chunk, index, terrainClass) {
    if (chunk.floor && terrainClass !== BLOCKED) chunk.floor[index] = 1;
}

// Events: 'shape' (another map), 'cells' with the chunk that changed, 'change' (features, or a map is asked for).
export class World extends EventTarget {
    constructor(connection) {
        super();
        this.connection = connection;
        this.shape = null; // {kind, width, height, depth, …} once it is known; of sheets as they lie on the ground
        this.size = null; // the width and height of the map in cells
        this.sheets = null; // of a map that has some: places then differ from cells
        this.features = {}; // places: links and closed steps [from, to], seams between sheets, units; ends A and B
        this.network = null; // of a graph
        this.chunks = new Map(); // by key: {classes, land, x, y, z, version}; land: loaded, known or absent;
        // floor, of sheets: cells that are, or were, no walls
        this.wanted = new Map(); // blocks to fetch, by key: {cx, cy, z} in chunks; the first are fetched first
        this.fetching = 0;
        this.opening = null; // what is asked for its size last, until it has it
        this.generation = 0; // of the map: answers to older questions are dropped
    }

    // False: it was asked for once more meanwhile.
    async load() {
        const load = this.opening = Symbol('load');
        this.dispatchEvent(new Event('change'));
        try {
            const answer = await this.connection.send('map');
            const network = answer.kind === 'graph' ? await this.loadNetwork(answer.size[0]) : null;
            const sheets = answer.sheets ? await this.loadSheets(answer) : null;
            if (load !== this.opening) return false;
            this.begin(answer, network, sheets);
            return true;
        } finally {
            if (load === this.opening) this.opening = null;
            this.dispatchEvent(new Event('change'));
        }
    }

    begin(answer, network, sheets) {
        const [width, height = 1, depth = 1] = network ? [network.width, network.height] : answer.size ?? [];
        this.network = network;
        this.generation++;
        this.size = { width, height };
        this.sheets = sheets;
        this.shape = { ...answer, width, height, depth };
        if (sheets) Object.assign(this.shape, { width: sheets.width, height: sheets.height, depth: sheets.storeys.length });
        this.features = {};
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

    // Between sheets that were packed there is blocked land in none: no storey.
    async loadSheets({ sheets: list, size }) {
        const sheets = new Sheets(list, ...size);
        for (const box of sheets.bare) {
            const { runs } = await this.connection.send('map', { box, runs: true });
            if (runs.length === 2 && runs[0] === BLOCKED) continue;
            sheets.addBare();
            break;
        }
        return sheets;
    }

    // Links, closed steps and units. Asked for again when some change, at most a few times a second.
    async loadFeatures() {
        if (this.featuresDue) return;
        this.featuresDue = true;
        await new Promise(resolve => setTimeout(resolve, FEATURES_MS));
        this.featuresDue = false;
        const found = await this.connection.send('map', { features: true }).catch(() => null);
        if (!found) return;
        const place = cell => this.placeOf(cell), pairs = list => list?.map(([from, to, ...cost]) => [place(from), place(to), ...cost]);
        const end = cell => (cell === undefined ? undefined : place(cell));
        const isSeam = ([, , cost]) => this.sheets !== null && cost === SEAM;
        this.features = { links: pairs(found.link_list?.filter(link => !isSeam(link))), seams: pairs(found.link_list?.filter(isSeam)),
            closed: pairs(found.closed), units: found.units?.map(place),
            ends: { A: end(found.start), B: end(found.goal) } };
        this.dispatchEvent(new Event('change'));
    }

    // The cell at a place; on a graph the place that its nearest node has.
    aimAt([x, y]) {
        return this.network ? [x - 0.5, y - 0.5] : [Math.floor(x), Math.floor(y)];
    }

    // Where a cell of the protocol is drawn.
    placeOf(cell) {
        if (this.sheets) return this.sheets.placeOf(cell);
        return Array.isArray(cell) || !this.network ? cell : this.network.placeOf(cell);
    }

    // A message with the places of agents.
    locate(message) {
        return (this.network ?? this.sheets)?.locate(message) ?? message;
    }

    // What an answer to `inspect` says, as places; those of a large agent are in the middle of what it covers.
    drawnOf({ path, line, goal, stops, trace, size = 1 }) {
        const shift = (size - 1) / 2;
        const middle = cell => {
            const [x, y, z] = this.placeOf(cell);
            return [x + shift, y + shift, z];
        };
        // The pulled line is drawn in parts: a link is none of it.
        const isLink = (from, to) => this.isGrid && isJump(this.placeOf(from), this.placeOf(to));
        const jumps = new Set(path?.flatMap((cell, i) => i > 0 && isLink(path[i - 1], cell) ? [`${path[i - 1]}>${cell}`] : []));
        const lines = line && [[]];
        line?.forEach((turn, i) => {
            if (i > 0 && jumps.has(`${line[i - 1]}>${turn}`)) lines.push([]);
            lines.at(-1).push(middle(turn));
        });
        return { path: path?.map(middle), lines, goal: goal === undefined ? undefined : middle(goal),
            stops: stops === undefined ? undefined : middle(stops),
            trace: trace?.map(cell => this.placeOf(cell)) };
    }

    // The storey of a Tiled map that a layer is in.
    storeyOf(z) {
        return Math.floor(z / STOREY_LEVELS);
    }

    get isGrid() {
        return this.shape !== null && this.shape.kind !== 'graph';
    }

    // What layers are seen where z is shown: from the first to below the second. Of sheets all up to z.
    levels(z) {
        return [this.sheets ? -0.5 : z - 0.5, z + 0.5];
    }

    // The layer of what one sees at a place: z, or the highest storey up to it that has a floor there. Where none has, the
    // highest one with a floor next to it. −1: there is none.
    levelAt(x, y, z) {
        if (!this.sheets) return z;
        for (let level = z; level >= 0; level--) if (this.isFloor(x, y, level)) return level;
        const isBesideFloor = level => [-1, 0, 1].some(dy => [-1, 0, 1].some(dx => this.isFloor(x + dx, y + dy, level)));
        for (let level = z; level >= 0; level--) if (this.sheets.cellAt(x, y, level) && isBesideFloor(level)) return level;
        return -1;
    }

    // The layer to which a step leads from a place: its own, or another one over a seam. −1: there is none.
    levelBeside(from, x, y) {
        const seam = this.features.seams?.find(([a, b]) => String(a) === String(from) && b[0] === x && b[1] === y);
        return seam ? seam[1][2] : !this.sheets || this.isFloor(x, y, from[2]) ? from[2] : -1;
    }

    // Has a storey a floor, or a wall where one was?
    isFloor(x, y, z) {
        const cell = this.sheets.cellAt(x, y, z);
        return cell !== null && this.chunkOf(...cell, 0)?.floor[indexOf(...cell)] === 1;
    }

    // What of the map is in sight where z is shown, the lowest first: cells from x0, y0 to below x1, y1, all in layer z of
    // the map, and the camera that shows them at their places.
    partsIn(camera, z) {
        const { width, height } = this.size, whole = [{ x0: 0, y0: 0, x1: width, y1: height, dx: 0, dy: 0 }];
        const parts = this.sheets ? this.sheets.storeys.slice(0, z + 1) : whole;
        return parts.map((part, storey) => {
            const view = part.dx || part.dy ? camera.shifted(part.dx, part.dy) : camera, [left, top, right, bottom] = view.sight;
            return { storey, z: this.sheets ? 0 : z, camera: view, dx: part.dx, dy: part.dy,
                x0: Math.max(part.x0, Math.floor(left)), x1: Math.min(part.x1, Math.ceil(right)),
                y0: Math.max(part.y0, Math.floor(top)), y1: Math.min(part.y1, Math.ceil(bottom)) };
        }).filter(({ x0, y0, x1, y1 }) => x0 < x1 && y0 < y1);
    }

    // Is a cell of such a part what one sees at its place?
    isSeen(x, y, part, z) {
        return !this.sheets || this.levelAt(x + part.dx, y + part.dy, z) === part.storey;
    }

    has(x, y, z = 0) {
        if (this.network) return x > -2 && y > -2 && x < this.network.width + 2 && y < this.network.height + 2;
        const isIn = this.shape !== null && x >= 0 && y >= 0 && x < this.shape.width && y < this.shape.height;
        return isIn && this.levelAt(x, y, z) >= 0;
    }

    // The cell that one sees at a place, as the protocol writes it; of sheets null where there is none.
    cell(x, y, z) {
        if (this.network) return this.network.nearest(x, y);
        return this.sheets ? this.sheets.cellAt(x, y, this.levelAt(x, y, z)) : this.written(x, y, z);
    }

    written(x, y, z) {
        return this.shape.depth > 1 && !this.sheets ? [x, y, z] : [x, y];
    }

    key(cx, cy, z) {
        return (z * 65536 + cy) * 65536 + cx;
    }

    // Chunks a side of what one message asks for, as far as the server's limits go.
    get blockSide() {
        const most = this.connection.server?.limits?.answer_cells ?? (BLOCK * CHUNK) ** 2;
        return Math.min(Math.max(Math.floor(Math.sqrt(most) / CHUNK), 1), BLOCK);
    }

    // The chunk at a place, or null: its block is then fetched.
    chunk(cx, cy, z) {
        const chunk = this.chunks.get(this.key(cx, cy, z));
        if (!chunk) this.want(cx, cy, z);
        return chunk?.late ? null : chunk ?? null;
    }

    want(cx, cy, z) {
        const side = this.blockSide, left = cx - cx % side, top = cy - cy % side, key = this.key(left, top, z);
        if (this.wanted.has(key)) return;
        this.wanted.set(key, { cx: left, cy: top, z });
        if (this.isDue) return;
        this.isDue = true;
        queueMicrotask(() => this.fetchMore()); // all that a frame wants is asked for together
    }

    // Ask for what lies round a box of chunks, once nothing in it is waited for: a map that is moved is there already.
    askAhead(x0, y0, x1, y1, z) {
        if (this.wanted.size > 0 || this.fetching > 0) return;
        const side = this.blockSide, { width, height } = this.size;
        const right = Math.min(x1 + side, Math.ceil(width / CHUNK) - 1), bottom = Math.min(y1 + side, Math.ceil(height / CHUNK) - 1);
        for (let cy = Math.max(0, y0 - side); cy <= bottom; cy++)
            for (let cx = Math.max(0, x0 - side); cx <= right; cx++) if (!this.chunks.has(this.key(cx, cy, z))) this.want(cx, cy, z);
    }

    chunkOf(x, y, z) {
        return this.chunks.get(this.key(Math.floor(x / CHUNK), Math.floor(y / CHUNK), z));
    }

    // The class of the cell that one sees at a place; undefined where its chunk is not here yet, or there is none.
    classAt(x, y, z) {
        if (this.network) return this.network.classes[this.network.nearest(x, y)];
        const cell = this.cell(x, y, z), chunk = cell && this.chunkOf(cell[0], cell[1], cell[2] ?? 0);
        return chunk?.late ? undefined : chunk?.classes[indexOf(...cell)];
    }

    isOpen(x, y, z) {
        const terrainClass = this.classAt(x, y, z);
        return terrainClass !== undefined && terrainClass !== BLOCKED;
    }

    fetchMore() {
        this.isDue = false;
        for (const [key, place] of this.wanted) {
            if (this.fetching >= MOST_FETCHES || !this.isGrid) return;
            this.wanted.delete(key);
            this.fetching++;
            this.fetch(place, this.generation);
        }
    }

    async fetch({ cx, cy, z }, generation) {
        const side = this.blockSide * CHUNK, x = cx * CHUNK, y = cy * CHUNK, chunks = [];
        const right = Math.min(x + side, this.size.width), bottom = Math.min(y + side, this.size.height);
        for (let top = y; top < bottom; top += CHUNK)
            for (let left = x; left < right; left += CHUNK) {
                // Edits that are heard of while the answer is under way are put on top of it.
                const chunk = { classes: new Uint8Array(CHUNK * CHUNK), land: 'loaded', x: left, y: top, z, version: 1, late: [],
                    floor: this.sheets ? new Uint8Array(CHUNK * CHUNK) : null };
                this.chunks.set(this.key(left / CHUNK, top / CHUNK, z), chunk);
                chunks.push(chunk);
            }
        try {
            const box = [this.written(x, y, z), this.written(right - 1, bottom - 1, z)];
            const { runs, land } = await this.connection.send('map', { box, runs: true });
            if (generation !== this.generation) return;
            const block = { classes: classesOf(runs, (right - x) * (bottom - y)), x, y, width: right - x, height: bottom - y };
            chunks.forEach((chunk, i) => {
                chunk.land = chunk.lateLand ?? land?.[i] ?? 'loaded';
                fill(chunk, block);
                this.changed(chunk);
            });
        } catch {
            if (generation === this.generation)
                for (const chunk of chunks) this.chunks.delete(this.key(chunk.x / CHUNK, chunk.y / CHUNK, z));
        } finally {
            if (generation === this.generation) this.fetching--;
        }
        if (generation === this.generation) this.fetchMore();
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
        const chunk = this.chunkOf(x, y, z), index = indexOf(x, y);
        if (!chunk) return;
        const terrainClass = terrain === 'blocked' ? BLOCKED : terrain === 'open' ? OPEN : terrain;
        if (chunk.late) chunk.late.push([index, terrainClass]);
        if (chunk.classes[index] === terrainClass) return;
        chunk.classes[index] = terrainClass;
        note(chunk, index, terrainClass);
        touched.add(chunk);
    }
}
