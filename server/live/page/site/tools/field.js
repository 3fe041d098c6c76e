// SPDX-License-Identifier: MIT
// A flow field to a cell: the arrows of all cells in sight, asked for again when the map or the view has changed.
const WAIT_MS = 200;
const LEAST_SCALE = 5; // CSS pixels a cell from which arrows can be seen
const HERE = 13;
const LINK = 27;

export class Field {
    constructor({ connection, world, camera, show, stage, actions }) {
        Object.assign(this, { connection, world, camera, show, stage, actions });
        this.goal = null; // a cell as the protocol has it
        for (const type of ['cells', 'change']) world.addEventListener(type, () => this.soon());
        world.addEventListener('shape', () => this.off());
        camera.addEventListener('change', () => this.soon());
    }

    toggle(cell) {
        if (String(cell) === String(this.goal)) {
            this.off();
            return;
        }
        this.goal = cell;
        this.show.fieldGoal = cell;
        if (this.world.isGrid && this.camera.scale < LEAST_SCALE) this.actions.notice('', 'Zoom in to see the arrows.');
        this.ask();
    }

    off() {
        this.goal = this.show.arrows = this.show.fieldGoal = null;
        this.stage.touch();
    }

    soon() {
        if (this.goal === null || this.timer) return;
        this.timer = setTimeout(() => {
            this.timer = 0;
            this.ask();
        }, WAIT_MS);
    }

    async ask() {
        const { world, goal } = this;
        if (goal === null || this.asking) return;
        if (world.isGrid && this.camera.scale < LEAST_SCALE) {
            this.show.arrows = null;
            return;
        }
        const mover = this.show.inspected?.mover ?? this.actions.options.mover;
        const stepsIn = async box => (await this.connection.send('field', { cells: [goal], box, ...(mover ? { mover } : {}) })).steps;
        this.asking = true;
        try {
            const arrows = world.isGrid ? await this.arrowsInSight(stepsIn) : this.between(await stepsIn([0, world.network.count - 1]));
            if (String(goal) === String(this.goal)) this.show.arrows = arrows;
        } catch (problem) {
            this.failed(problem);
        }
        this.asking = false;
        if (String(goal) !== String(this.goal)) this.soon();
        this.stage.touch();
    }

    // Storey by storey; what is covered has none.
    async arrowsInSight(stepsIn) {
        const { world } = this, { z } = this.show, arrows = [];
        for (const part of world.partsIn(this.camera, z)) {
            const { x0, y0, x1, y1, dx, dy } = part;
            const steps = await stepsIn([world.written(x0, y0, part.z), world.written(x1 - 1, y1 - 1, part.z)]);
            for (const [x, y, ...step] of arrowsOf(steps, [x0, y0, x1 - 1]))
                if (world.isSeen(x, y, part, z)) arrows.push([x + dx, y + dy, ...step]);
        }
        return arrows;
    }

    failed(problem) {
        if (problem.error === 'busy') {
            this.soon();
            return;
        }
        this.off();
        if (problem.error !== 'lost') this.actions.notice('bad', `There is no field: ${problem.text ?? problem.error}`);
    }

    // On a graph: from each node toward the next.
    between(steps) {
        const { network } = this.world;
        return steps.map((next, node) => [network.x[node], network.y[node], next < 0 ? 0 : network.x[next] - network.x[node],
            next < 0 ? 0 : network.y[next] - network.y[node]]).filter(([, , dx, dy]) => dx || dy);
    }
}

// Steps of a box as arrows [x, y, dx, dy]; cells without one, at the goal, at a link or under a step up or down are left out.
export function arrowsOf(steps, [x0, y0, x1]) {
    const width = x1 - x0 + 1, arrows = [];
    steps.forEach((step, i) => {
        if (step < 0 || step === LINK || step === HERE) return;
        const dx = (step % 3) - 1, dy = (Math.floor(step / 3) % 3) - 1;
        if (dx || dy) arrows.push([x0 + (i % width), y0 + Math.floor(i / width), dx, dy]);
    });
    return arrows;
}
