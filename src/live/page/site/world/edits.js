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
        this.strokes = []; // each: Map of cell key to {cell, before}
        this.stroke = null;
        this.queue = []; // [cell, terrain] to send
        this.timer = 0;
        this.pending = new Map(); // cells under way: key to terrain
    }

    begin() {
        this.stroke = new Map();
    }

    // Paint a cell as part of the stroke that was begun.
    paint(x, y, z, terrain) {
        if (!this.world.has(x, y)) return;
        const before = this.world.classAt(x, y, z);
        const key = `${x},${y},${z}`;
        const now = this.pending.get(key) ?? before;
        const wanted = terrain === 'blocked' ? 0 : terrain === 'open' ? 1 : terrain;
        if (before === undefined || now === wanted) return;
        const cell = this.world.cell(x, y, z);
        if (!this.stroke.has(key)) this.stroke.set(key, { cell, before: now });
        this.put(key, cell, wanted);
    }

    put(key, cell, terrainClass) {
        this.pending.set(key, terrainClass);
        this.queue.push([cell, terrainClass === 0 ? 'blocked' : terrainClass === 1 ? 'open' : terrainClass]);
        this.timer ||= setTimeout(() => this.flush(), BATCH_MS);
        this.tell();
    }

    end() {
        if (this.stroke?.size) this.strokes.push(this.stroke);
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
        const set = this.queue.splice(0, MOST_CELLS);
        if (this.queue.length) this.timer = setTimeout(() => this.flush(), BATCH_MS);
        if (!set.length) return;
        try {
            await this.connection.send('edit', { set });
            this.world.apply({ set });
        } catch (problem) {
            this.dispatchEvent(new CustomEvent('refused', { detail: problem }));
        }
        for (const [[x, y, z = 0], terrain] of set) {
            const key = `${x},${y},${z}`;
            const sent = terrain === 'blocked' ? 0 : terrain === 'open' ? 1 : terrain;
            if (this.pending.get(key) === sent) this.pending.delete(key);
        }
        this.tell();
    }

    tell() {
        this.dispatchEvent(new Event('change'));
    }
}
