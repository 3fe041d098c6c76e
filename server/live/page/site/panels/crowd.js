// SPDX-License-Identifier: MIT
// Adds agents anywhere, and lets those without a wish wander.
import { plural } from './words.js';

const ADDED = 100;

export class Crowd {
    constructor(page, { actions, agents, connection, stress, costs }) {
        Object.assign(this, { actions, agents, connection, stress, costs });
        this.add = page.getElementById('scatter'), this.button = page.getElementById('wander');
        this.add.addEventListener('click', () => this.scatter());
        this.button.addEventListener('click', () => this.toggle());
    }

    allow(orders, control) {
        this.add.disabled = !orders;
        this.button.disabled = !control;
        this.orders = orders;
    }

    // What the server says about its clock says whether agents wander, too; a host that knows nothing of it says nothing.
    take({ wander }) {
        if (wander === undefined) return;
        this.wander = wander;
        this.button.hidden = false;
        this.button.setAttribute('aria-pressed', String(wander));
    }

    async toggle() {
        if (!this.wander && this.agents.count === 0 && this.orders) await this.scatter();
        const answer = await this.actions.ask('pace', { wander: !this.wander });
        if (answer) this.take(answer);
    }

    async scatter() {
        const { speed, urgency, mover } = this.actions.options, { weights } = this.costs, messages = [];
        const more = { ...(mover ? { mover } : {}), ...(Object.keys(weights).length ? { layers: weights } : {}) };
        for (let i = 0; i < ADDED; i++) {
            const cell = this.stress.randomCell();
            if (cell === null) break;
            const name = this.actions.newName();
            messages.push(this.connection.send('agent', { name, cell, speed, urgency, ...more }).then(() => 1, () => 0));
        }
        const added = (await Promise.all(messages)).reduce((sum, one) => sum + one, 0);
        this.actions.notice(added ? 'good' : 'bad', `${plural(added, 'agent')} added.`);
    }
}
