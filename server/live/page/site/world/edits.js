// SPDX-License-Identifier: MIT
// Edits by this page: strokes of a brush are sent in batches, and can be undone one stroke at a time.
const BATCH_MS = 60;
const MOST_CELLS = 512; // in a batch
const MOST_STROKES = 200; // that are kept

export class Edits extends EventTarget {
    constructor(connection, world) {
        super();
        this.connection = connection;
        this.world = world;
        this.strokes = []; // each: Map of cell key to {cell, before}, with the time `at` which it ended
        this.stroke = null;
        this.queue = []; // [key, cell, class] to send
        this.timer = 0;
        this.pending = new Map(); // cells under way: key to terrain
    }

    begin() {
        this.stroke = new Map();
    }

    // Paint a cell as part of the stroke that was begun.
    paint(x, y, z, terrain) {
        if (!this.world.has(x, y, z)) return;
        z = this.world.levelAt(x, y, z);
        const before = this.world.classAt(x, y, z);
        const key = this.world.isGrid ? `${x},${y},${z}` : `node ${this.world.cell(x, y, z)}`;
        const now = this.pending.get(key) ?? before;
        const wanted = terrain === 'blocked' ? 0 : terrain === 'open' ? 1 : terrain;
        if (before === undefined || now === wanted) return;
        const cell = this.world.cell(x, y, z);
        if (!this.stroke.has(key)) this.stroke.set(key, { cell, before: now });
        this.put(key, cell, wanted);
    }

    put(key, cell, terrainClass) {
        this.pending.set(key, terrainClass);
        this.queue.push([key, cell, terrainClass]);
        this.timer ||= setTimeout(() => this.flush(), BATCH_MS);
        this.tell();
    }

    end() {
        if (this.stroke?.size) this.strokes.push(Object.assign(this.stroke, { at: performance.now() }));
        if (this.strokes.length > MOST_STROKES) this.strokes.shift();
        this.stroke = null;
        this.tell();
    }

    undo() {
        const stroke = this.strokes.pop();
        if (!stroke) return false;
        for (const [key, { cell, before }] of stroke) this.put(key, cell, before);
        return true;
    }

    async flush() {
        this.timer = 0;
        const sent = this.queue.splice(0, MOST_CELLS);
        const set = sent.map(([, cell, terrain]) => [cell, terrain === 0 ? 'blocked' : terrain === 1 ? 'open' : terrain]);
        if (this.queue.length) this.timer = setTimeout(() => this.flush(), BATCH_MS);
        if (!set.length) return;
        try {
            await this.connection.send('edit', { set });
            this.world.apply({ set });
        } catch (problem) {
            this.dispatchEvent(new CustomEvent('refused', { detail: problem }));
        }
        for (const [key, , terrain] of sent) if (this.pending.get(key) === terrain) this.pending.delete(key);
        this.tell();
    }

    // Resolves when the server has published, or refused, all that was painted.
    settled() {
        if (this.pending.size === 0 && this.queue.length === 0) return Promise.resolve();
        return new Promise(resolve => {
            const look = () => {
                if (this.pending.size > 0 || this.queue.length > 0) return;
                this.removeEventListener('change', look);
                resolve();
            };
            this.addEventListener('change', look);
        });
    }

    tell() {
        this.dispatchEvent(new Event('change'));
    }
}
