// SPDX-License-Identifier: MIT
// Costs by place: the map's layers, the values of the one that is shown, asked for again and again, and a brush.
const LEAST_MS = 250; // between two questions
const SHARE = 4; // a question waits so many times as long as the answer before took
const FIRST = { kind: 'values', half_life: 90 }; // the layer of a world that has none

// Layers are 0 where they have no run: a value, how many cells have it, and so on.
function valuesOf(runs, count) {
    const values = new Uint8Array(count);
    for (let i = 0, at = 0; i < runs.length; i += 2) values.fill(runs[i], at, at += runs[i + 1]);
    return values;
}

// Events: 'change' (the layers, or which one is shown).
export class Costs extends EventTarget {
    constructor({ connection, world, camera, show, stage, actions }) {
        super();
        Object.assign(this, { connection, world, camera, show, stage, actions });
        this.layers = []; // {name, kind, half_life, within}
        this.shown = null; // a name
        this.brush = { radius: 6, peak: 200 };
        this.weight = 32; // by which agents mind the layer that is shown
        world.addEventListener('shape', () => this.take(world.shape.layers));
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

    // The cells in sight, as [x0, y0, x1, y1].
    get box() {
        const { width, height } = this.world.shape, [left, top, right, bottom] = this.camera.sight;
        const clamp = (value, most) => Math.min(Math.max(Math.floor(value), 0), most - 1);
        return [clamp(left, width), clamp(top, height), clamp(right, width), clamp(bottom, height)];
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
        const { world, show } = this, box = this.box, z = show.z;
        const count = (box[2] - box[0] + 1) * (box[3] - box[1] + 1);
        if (count > (this.connection.server.limits?.answer_cells ?? Infinity)) {
            if (show.heat) this.actions.notice('', 'Zoom in to see the values of the layer.');
            show.heat = null;
            return;
        }
        try {
            const ends = [world.cell(box[0], box[1], z), world.cell(box[2], box[3], z)];
            const { runs, layers } = await this.connection.send('map', { layer: name, box: ends, runs: true });
            if (name === this.shown) show.heat = { box, z, values: valuesOf(runs, count) };
            if (layers.length !== this.layers.length) this.take(layers);
        } catch (problem) {
            if (problem.error === 'unknown') this.choose(null);
        }
        this.stage.touch();
    }

    // Discs along a stroke: as near to each other as makes one band of them.
    begin() {
        this.last = null;
    }

    paintTo(x, y) {
        const apart = this.last ? Math.hypot(x - this.last[0], y - this.last[1]) : Infinity;
        if (!this.world.has(x, y) || apart < 1 + this.brush.radius / 2) return;
        this.last = [x, y];
        this.paint(x, y, this.show.z);
    }

    async paint(x, y, z) {
        const cells = [this.world.cell(x, y, z)], name = await (this.naming ??= this.findLayer().finally(() => (this.naming = null)));
        if (name !== null) await this.actions.ask('paint', { layer: name, cells, ...this.brush }, 'Nothing was painted');
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
