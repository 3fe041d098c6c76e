// SPDX-License-Identifier: MIT
// Arrow keys that are held steer one agent: whenever it stands, it is ordered one step.
const NEAR = 0.001; // an agent stands where its place is a whole cell

// Events: 'change'.
export class Steer extends EventTarget {
    constructor({ connection, world, agents, show, actions, follow }) {
        super();
        Object.assign(this, { connection, world, agents, show, actions, follow });
        this.name = null;
        this.held = new Map(); // directions of the keys that are down, by key
        connection.addEventListener('agents', () => this.go());
        world.addEventListener('shape', () => this.set(null));
        actions.addEventListener('selection', () => !show.selected.has(this.name) && this.set(null));
        globalThis.addEventListener('blur', () => this.held.clear());
        document.addEventListener('keyup', event => this.held.delete(event.key));
    }

    // Graphs have no directions.
    get isPossible() {
        return this.show.selected.size === 1 && this.world.isGrid && this.show.orders;
    }

    toggle() {
        const [name] = this.show.selected;
        this.set(this.name === null && this.isPossible ? name : null);
        if (this.name === null) return;
        this.show.cursor.visible = false;
        if (this.follow.name === null) this.follow.toggle();
    }

    set(name) {
        if (name === this.name) return;
        this.name = name;
        this.held.clear();
        this.dispatchEvent(new Event('change'));
    }

    // An arrow key. True: it steers.
    press(key, direction) {
        if (this.name === null) return false;
        this.held.set(key, direction);
        this.go();
        return true;
    }

    // The place to step to from another, or null: straight on where the diagonal step cannot be made.
    next(x, y, z) {
        const sum = i => Math.sign([...this.held.values()].reduce((total, direction) => total + direction[i], 0));
        const dx = sum(0), dy = sum(1), levelOf = (cx, cy) => this.world.levelBeside([x, y, z], cx, cy);
        const isOpen = (cx, cy) => this.world.has(cx, cy, levelOf(cx, cy)) && this.world.isOpen(cx, cy, levelOf(cx, cy));
        const { kind, neighbours } = this.world.shape, diagonals = ![4, 6].includes(neighbours);
        if (kind === 'grid' && neighbours === 6 && dx === -dy && isOpen(x + dx, y + dy)) return [x + dx, y + dy];
        if (dx && dy && diagonals && isOpen(x + dx, y + dy) && isOpen(x + dx, y) && isOpen(x, y + dy)) return [x + dx, y + dy];
        if (dx && isOpen(x + dx, y)) return [x + dx, y];
        return dy && isOpen(x, y + dy) ? [x, y + dy] : null;
    }

    async go() {
        const row = this.agents.rows.get(this.name);
        if (this.name === null || row === undefined || this.held.size === 0 || this.asking) return;
        const place = [this.agents.toX[row], this.agents.toY[row], this.agents.z[row]], at = place.map(Math.round);
        if (place.some((part, i) => Math.abs(part - at[i]) > NEAR)) return; // a step is under way
        const to = this.next(...at);
        if (!to) return;
        this.asking = true;
        await this.actions.ask('steer', { name: this.name, cell: this.world.cell(...to, this.world.levelBeside(at, ...to)) });
        this.asking = false;
    }
}
