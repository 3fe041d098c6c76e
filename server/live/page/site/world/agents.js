// SPDX-License-Identifier: MIT
// The agents: where each is, where it was, and where it is shown between two of the server's frames.
export const STATES = ['none', 'idle', 'waiting', 'walking', 'blocked', 'arrived', 'aside', 'away'];
const LONGEST_GLIDE_MS = 1000;
export const TRAIL_POINTS = 16; // places that a body was at last

export class Agents {
    constructor() {
        this.grow(1024);
        this.names = []; // by row
        this.dropped = []; // names of those that the last message did not have any more
        this.clear();
    }

    // What comes next is another world. Those that are not in it are dropped then.
    clear() {
        this.before = this.names;
        this.names = [];
        this.rows = new Map(); // by name
        this.count = 0;
        this.lastMs = 0;
    }

    grow(capacity) {
        const wider = old => {
            const array = new Float32Array(capacity);
            if (old) array.set(old);
            return array;
        };
        this.capacity = capacity;
        this.fromX = wider(this.fromX), this.fromY = wider(this.fromY);
        this.toX = wider(this.toX), this.toY = wider(this.toY);
        this.z = wider(this.z);
        const times = new Float64Array(capacity), glides = new Float64Array(capacity), states = new Uint8Array(capacity);
        this.radii = wider(this.radii); // of bodies, in cells; 0: it has none
        this.headings = wider(this.headings); // of bodies, where they last went: radians
        const trails = new Float32Array(2 * TRAIL_POINTS * capacity), trailCounts = new Uint32Array(capacity);
        if (this.trails) trails.set(this.trails), trailCounts.set(this.trailCounts);
        this.trails = trails; // x, y of each point, in a ring
        this.trailCounts = trailCounts; // how many points there were
        const sizes = new Uint8Array(capacity).fill(1);
        if (this.times) times.set(this.times), glides.set(this.glides), states.set(this.states), sizes.set(this.sizes);
        this.sizes = sizes; // cells along a side
        this.times = times; // when the glide began
        this.glides = glides; // how long it takes
        this.states = states;
        this.seen = new Uint32Array(capacity);
    }

    // Take in what the server says about all agents: {named: {name: [x, y, z?]}} or arrays {names, x, y, z, states, sizes,
    // radii}.
    take(message, nowMs) {
        const frameMs = this.lastMs ? Math.min(nowMs - this.lastMs, LONGEST_GLIDE_MS) : 0;
        this.lastMs = nowMs;
        this.pass = (this.pass ?? 0) + 1;
        if (message.named) {
            for (const [name, cell] of Object.entries(message.named))
                this.put(name, cell[0], cell[1] ?? 0, cell[2] ?? 0, cell[3] ?? 0, nowMs, 0);
        } else {
            for (let i = 0; i < message.count; i++)
                this.put(message.names[i], message.x[i], message.y[i], message.z[i], message.states[i], nowMs, frameMs,
                    message.sizes?.[i], message.radii?.[i]);
        }
        this.dropUnseen();
    }

    // glideMs: how long the agent takes to its new place; 0: as long as it stayed at the one before, as only cells are known.
    put(name, x, y, z, state, nowMs, glideMs, size = 1, radius = 0) {
        let row = this.rows.get(name);
        if (row === undefined) {
            row = this.count++;
            if (row === this.capacity) this.grow(2 * this.capacity);
            this.names[row] = name;
            this.rows.set(name, row);
            this.fromX[row] = this.toX[row] = x;
            this.fromY[row] = this.toY[row] = y;
            this.times[row] = nowMs;
            this.glides[row] = 0;
            this.trailCounts[row] = this.headings[row] = 0;
        }
        this.seen[row] = this.pass;
        this.z[row] = z;
        this.sizes[row] = size;
        this.radii[row] = radius;
        if (radius > 0) this.leaveTrail(row, x, y);
        if (x !== this.toX[row] || y !== this.toY[row]) {
            const part = this.partAt(row, nowMs);
            this.fromX[row] += (this.toX[row] - this.fromX[row]) * part;
            this.fromY[row] += (this.toY[row] - this.fromY[row]) * part;
            this.glides[row] = glideMs || Math.min(nowMs - this.times[row], LONGEST_GLIDE_MS);
            this.times[row] = nowMs;
            this.toX[row] = x;
            this.toY[row] = y;
            if (!glideMs && !state) state = 3;
        } else if (!glideMs && !state) {
            state = nowMs - this.times[row] > 2 * LONGEST_GLIDE_MS ? 1 : this.states[row];
        }
        this.states[row] = state;
    }

    // A body has come to a place: how it is turned, and the end of its trail.
    leaveTrail(row, x, y) {
        const dx = x - this.toX[row], dy = y - this.toY[row];
        if (dx === 0 && dy === 0) return;
        this.headings[row] = Math.atan2(dy, dx);
        const at = 2 * (row * TRAIL_POINTS + (this.trailCounts[row]++ % TRAIL_POINTS));
        this.trails[at] = this.toX[row], this.trails[at + 1] = this.toY[row];
    }

    dropUnseen() {
        this.dropped = this.before.filter(name => !this.rows.has(name));
        this.before = [];
        for (let row = 0; row < this.count; )
            if (this.seen[row] === this.pass) row++;
            else this.drop(row);
    }

    // The last agent takes the row of the one that is gone.
    drop(row) {
        this.dropped.push(this.names[row]);
        this.rows.delete(this.names[row]);
        const last = --this.count;
        if (row !== last) {
            for (const array of [this.fromX, this.fromY, this.toX, this.toY, this.z, this.times, this.glides, this.states,
                this.sizes, this.radii, this.headings, this.trailCounts, this.seen])
                array[row] = array[last];
            const length = 2 * TRAIL_POINTS;
            this.trails.copyWithin(row * length, last * length, (last + 1) * length);
            this.names[row] = this.names[last];
            this.rows.set(this.names[row], row);
        }
        this.names.length = last;
    }

    // The share of its glide that an agent has done, 0 to 1.
    partAt(row, nowMs) {
        const glide = this.glides[row];
        const part = glide > 0 ? (nowMs - this.times[row]) / glide : 1;
        return part < 1 ? part : 1;
    }

    // Where the middle of an agent is shown: of its cell it is .5. A large one covers cells to the right and below.
    placeOf(row, nowMs) {
        const part = this.partAt(row, nowMs), half = this.sizes[row] / 2;
        return [
            this.fromX[row] + (this.toX[row] - this.fromX[row]) * part + half,
            this.fromY[row] + (this.toY[row] - this.fromY[row]) * part + half,
        ];
    }

    isMoving(nowMs) {
        for (let row = 0; row < this.count; row++) if (nowMs - this.times[row] < this.glides[row]) return true;
        return false;
    }

    // The row of the agent nearest to a place in some layers, from the first to below the second, at most `within` cells away; −1: none.
    nearest(x, y, [least, below], within, nowMs) {
        let best = -1, nearest = Infinity;
        for (let row = 0; row < this.count; row++) {
            if (this.z[row] < least || this.z[row] >= below) continue;
            const [ax, ay] = this.placeOf(row, nowMs), reach = within + (this.sizes[row] - 1) / 2;
            const distance = (ax - x) ** 2 + (ay - y) ** 2;
            if (distance <= reach * reach && distance < nearest) best = row, nearest = distance;
        }
        return best;
    }

    // The layer with the most agents.
    fullestLayer() {
        const counts = new Map();
        for (let row = 0; row < this.count; row++) {
            const z = Math.round(this.z[row]);
            counts.set(z, (counts.get(z) ?? 0) + 1);
        }
        return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
    }

    // The names of all agents in a box.
    inBox(x0, y0, x1, y1, [least, below], nowMs) {
        const found = [];
        for (let row = 0; row < this.count; row++) {
            const [x, y] = this.placeOf(row, nowMs);
            if (x >= x0 && x <= x1 && y >= y0 && y <= y1 && this.z[row] >= least && this.z[row] < below) found.push(this.names[row]);
        }
        return found;
    }
}
