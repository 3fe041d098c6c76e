// SPDX-License-Identifier: MIT
// Asks about the agent under the pointer, and about some of those selected: their paths, pulled lines and goals.
const ASK_MS = 200;
const MOST_LOOKED = 12; // of those selected; the others show none

export class Looks {
    constructor({ connection, world, agents, show, stage }) {
        Object.assign(this, { connection, world, agents, show, stage });
        this.hovered = null;
        show.looks = new Map(); // by name: what to draw
        setInterval(() => this.ask(), ASK_MS);
    }

    // The pointer is at a place; within: how near an agent counts as hit. null: it is elsewhere.
    over(place, within) {
        const row = place ? this.agents.nearest(place[0], place[1], this.show.levels, within, performance.now()) : -1;
        const name = row < 0 ? null : this.agents.names[row];
        if (name === this.hovered) return;
        this.hovered = name;
        this.stage.canvas.classList.toggle('over-agent', name !== null);
        this.keep();
        this.ask();
    }

    // One that is selected alone is inspected anyway.
    get wanted() {
        const { selected } = this.show;
        const names = selected.size > 1 ? [...selected].slice(0, MOST_LOOKED) : [];
        if (this.hovered && !names.includes(this.hovered) && !(selected.size === 1 && selected.has(this.hovered)))
            names.push(this.hovered);
        return names;
    }

    keep() {
        const wanted = new Set(this.wanted);
        for (const name of this.show.looks.keys()) if (!wanted.has(name)) this.show.looks.delete(name);
        this.stage.touch();
    }

    async ask() {
        if (this.asking || document.hidden || this.connection.state !== 'open') return;
        this.asking = true;
        for (const name of this.wanted) {
            const answer = await this.connection.send('inspect', { name, trace: false }).catch(() => null);
            if (!answer || !this.wanted.includes(name)) this.show.looks.delete(name);
            else this.show.looks.set(name, { name, state: answer.state, ...this.world.drawnOf(answer) });
        }
        this.keep();
        this.asking = false;
    }
}
