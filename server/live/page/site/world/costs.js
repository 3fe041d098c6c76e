// SPDX-License-Identifier: MIT
// Costs by place: the map's layers, the values of the one that is shown, asked for again and again, and a brush.
const LEAST_MS = 250; // between two questions
const SHARE = 4; // a question waits so many times as long as the answer before took
const FIRST = { kind: 'values', half_life: 90 }; // the layer of a world that has none

const MOST_STROKES = 200; // that are kept
const AT_ONCE = 32; // messages of an undone stroke that wait for their answers

// Runs: a value, how many cells have it, and so on.
function valuesOf(runs, count) {
    const values = new Uint8Array(count);
    for (let i = 0, at = 0; i < runs.length; i += 2) values.fill(runs[i], at, at += runs[i + 1]);
    return values;
}

// What another storey covers has no values to see.
function hideCovered(world, part, z) {
    const { x0, x1, y0, values } = part;
    values.forEach((value, i) => {
        if (value > 0 && !world.isSeen(x0 + i % (x1 - x0), y0 + Math.floor(i / (x1 - x0)), part, z)) values[i] = 0;
    });
}

// Boxes of one value, [x0, x1, y0, y1, z, value], that together are some cells: [x, y, z, value] of each.
function boxesOf(cells) {
    cells.sort((a, b) => a[2] - b[2] || a[1] - b[1] || a[0] - b[0]);
    const rows = [], open = new Map();
    for (const [x, y, z, value] of cells) {
        const last = rows.at(-1);
        if (last && last[1] === x - 1 && last[3] === y && last[4] === z && last[5] === value) last[1] = x;
        else rows.push([x, x, y, y, z, value]);
    }
    return rows.filter(row => {
        const [x0, x1, y, , z, value] = row, key = [x0, x1, z, value].join(), above = open.get(key);
        if (above?.[3] === y - 1) above[3] = y;
        else open.set(key, row);
        return open.get(key) === row;
    });
}

// Events: 'change' (the layers, or which one is shown).
export class Costs extends EventTarget {
    constructor({ connection, world, camera, show, stage, actions }) {
        super();
        Object.assign(this, { connection, world, camera, show, stage, actions });
        this.layers = []; // {name, kind, half_life, within}
        this.shown = null; // a name
        this.brush = { radius: 6, peak: 200 };
        this.strokes = []; // of the brush: {layer, frame, at, before: Map of cell key to [x, y, z, value]}
        this.weight = 32; // by which agents mind the layer that is shown
        this.frame = 0;
        world.addEventListener('shape', () => this.take(world.shape.layers));
        connection.addEventListener('frame', ({ detail }) => (this.frame = detail.number));
    }

    take(layers = []) {
        this.layers = this.world.isGrid ? layers : [];
        if (!this.layers.some(layer => layer.name === this.shown)) this.choose(null);
        else this.dispatchEvent(new Event('change'));
    }

    choose(name) {
        this.shown = name;
        this.show.heat = null;
        this.stage.touch();
        this.dispatchEvent(new Event('change'));
        if (name !== null) this.ask();
    }

    // What agents mind from now on, as orders have it.
    get weights() {
        return this.shown !== null && this.weight > 0 ? { [this.shown]: this.weight } : {};
    }

    async ask() {
        if (this.asking || this.shown === null) return;
        this.asking = true;
        const begun = performance.now();
        if (this.connection.state === 'open' && !document.hidden && this.world.shape) await this.fetch(this.shown);
        setTimeout(() => {
            this.asking = false;
            this.ask();
        }, Math.max(LEAST_MS, SHARE * (performance.now() - begun)));
    }

    async fetch(name) {
        const { world, show } = this, { z } = show, parts = world.partsIn(this.camera, z);
        const cellsOf = ({ x0, y0, x1, y1 }) => (x1 - x0) * (y1 - y0);
        if (parts.some(part => cellsOf(part) > (this.connection.server.limits?.answer_cells ?? Infinity))) {
            if (show.heat) this.actions.notice('', 'Zoom in to see the values of the layer.');
            show.heat = null;
            return;
        }
        try {
            for (const part of parts) {
                const box = [world.written(part.x0, part.y0, part.z), world.written(part.x1 - 1, part.y1 - 1, part.z)];
                const { runs, layers } = await this.connection.send('map', { layer: name, box, runs: true });
                part.values = valuesOf(runs, cellsOf(part));
                if (layers.length !== this.layers.length) this.take(layers);
            }
            for (const part of world.sheets ? parts : []) hideCovered(world, part, z);
            if (name === this.shown) show.heat = { parts, z };
        } catch (problem) {
            if (problem.error === 'unknown') this.choose(null);
        }
        this.stage.touch();
    }

    // An event: somebody, perhaps this page, has added a layer or painted one.
    hear({ event, layer, name, kind, half_life, within }) {
        if (event === 'paint' && layer === this.shown && this.world.shape) this.fetch(layer);
        if (event === 'layer' && !this.layers.some(known => known.name === name))
            this.take([...this.layers, { name, kind, half_life, within }]);
    }

    // Discs along a stroke: as near to each other as makes one band of them.
    begin() {
        this.last = null;
        this.stroke = null;
    }

    paintTo(x, y) {
        const apart = this.last ? Math.hypot(x - this.last[0], y - this.last[1]) : Infinity;
        if (!this.world.has(x, y, this.show.z) || apart < 1 + this.brush.radius / 2) return;
        this.last = [x, y];
        this.paint(x, y, this.show.z);
    }

    async paint(x, y, z) {
        const cells = [this.world.cell(x, y, z)], name = await (this.naming ??= this.findLayer().finally(() => (this.naming = null)));
        if (name === null) return;
        const stroke = (this.stroke ??= this.beginStroke(name));
        stroke.sent.push(this.paintDisc(stroke, cells));
        await stroke.sent.at(-1);
    }

    beginStroke(layer) {
        const stroke = { layer, frame: this.frame, at: performance.now(), before: new Map(), sent: [] };
        this.strokes.push(stroke);
        if (this.strokes.length > MOST_STROKES) this.strokes.shift();
        return stroke;
    }

    // The values that the disc changes are asked for first: the server answers in order.
    async paintDisc(stroke, cells) {
        const [x, y, z = 0] = cells[0], { width, height } = this.world.size, depth = this.world.sheets ? 1 : this.world.shape.depth;
        const { radius, peak } = this.brush, high = depth > 1 ? radius : 0;
        const [x0, x1] = [Math.max(x - radius, 0), Math.min(x + radius, width - 1)];
        const [y0, y1] = [Math.max(y - radius, 0), Math.min(y + radius, height - 1)];
        const [z0, z1] = [Math.max(z - high, 0), Math.min(z + high, depth - 1)];
        const ends = [this.world.written(x0, y0, z0), this.world.written(x1, y1, z1)];
        const known = this.connection.send('map', { layer: stroke.layer, box: ends, runs: true }).catch(() => null);
        await this.actions.ask('paint', { layer: stroke.layer, cells, radius, peak }, 'Nothing was painted');
        const answer = await known, wide = x1 - x0 + 1, tall = y1 - y0 + 1;
        if (!answer) return;
        const values = valuesOf(answer.runs, wide * tall * (z1 - z0 + 1));
        values.forEach((value, i) => {
            const cell = [x0 + i % wide, y0 + Math.floor(i / wide) % tall, z0 + Math.floor(i / wide / tall)];
            if (!stroke.before.has(cell.join())) stroke.before.set(cell.join(), [...cell, value]);
        });
    }

    // Gives the cells of the last stroke the values that they had before, less what has faded since: a frame more or less.
    async undo() {
        const stroke = this.strokes.pop();
        this.stroke = null;
        await Promise.all(stroke.sent);
        const { half_life: halfLife } = this.layers.find(({ name }) => name === stroke.layer) ?? {};
        const halvings = halfLife ? Math.floor((this.frame - stroke.frame) / halfLife) : 0;
        const cells = [...stroke.before.values()].map(([x, y, z, value]) => [x, y, z, halvings < 8 ? value >> halvings : 0]);
        const boxes = boxesOf(cells);
        for (let i = 0; i < boxes.length; i += AT_ONCE)
            await Promise.all(boxes.slice(i, i + AT_ONCE).map(([x0, x1, y0, y1, z, value]) => this.actions.ask('paint',
                { layer: stroke.layer, cells: [this.world.written(x0, y0, z), this.world.written(x1, y1, z)], value })));
        if (stroke.layer === this.shown) await this.fetch(stroke.layer);
    }

    // The layer that the brush paints: the shown one, or the first one of values, or a new one.
    async findLayer() {
        const painted = this.layers.filter(layer => layer.kind === 'values').map(layer => layer.name);
        let name = painted.includes(this.shown) ? this.shown : painted[0];
        if (name === undefined) {
            name = this.layers.some(layer => layer.name === 'danger') ? 'painted' : 'danger';
            if (!(await this.actions.ask('layer', { name, ...FIRST }, 'There is no layer to paint'))) return null;
            this.layers = [...this.layers, { name, ...FIRST }];
        }
        if (name !== this.shown) this.choose(name);
        return name;
    }

    // The selected agents mind the layer that is shown, and what else this page knows that they mind.
    async mind() {
        const names = [...this.show.selected], { inspected } = this.show;
        if (this.shown === null || !names.length) {
            this.actions.notice('', this.shown === null ? 'Choose a layer first.' : 'Select agents first.');
            return;
        }
        const others = names.length === 1 && inspected?.name === names[0] ? { ...inspected.layers } : {};
        delete others[this.shown];
        await this.actions.ask('adjust', { names, layers: { ...others, ...this.weights } });
    }
}
