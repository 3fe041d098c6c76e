// SPDX-License-Identifier: MIT
// Keeps the agent that is selected in the middle of the map, until the map is moved by hand or another is selected.
const LEAST_SCALE = 6, CLOSE_SCALE = 14; // CSS pixels a cell

// Events: 'change'.
export class Follow extends EventTarget {
    // layer(change): shows another layer.
    constructor({ camera, agents, show, stage, actions, layer }) {
        super();
        Object.assign(this, { camera, agents, show, stage, layer });
        this.name = null;
        stage.before = nowMs => this.move(nowMs);
        camera.addEventListener('hand', () => this.set(null));
        actions.addEventListener('selection', () => !show.selected.has(this.name) && this.set(null));
    }

    toggle() {
        const [name] = this.show.selected;
        this.set(this.name === null && this.show.selected.size === 1 ? name : null);
        if (this.name !== null && this.camera.scale < LEAST_SCALE) this.camera.zoom(CLOSE_SCALE / this.camera.scale);
    }

    set(name) {
        if (name === this.name) return;
        this.name = name;
        this.stage.touch();
        this.dispatchEvent(new Event('change'));
    }

    // Before a frame is drawn.
    move(nowMs) {
        if (this.name === null) return;
        const row = this.agents.rows.get(this.name);
        if (row === undefined) {
            this.set(null);
            return;
        }
        const z = this.agents.z[row], [least, below] = this.show.levels;
        if (z < least || z >= below) this.layer(Math.round(z) - this.show.z);
        this.camera.centre(...this.agents.placeOf(row, nowMs));
    }
}
