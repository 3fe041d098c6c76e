// SPDX-License-Identifier: MIT
// Buttons that put load on the server: everybody at once, one goal for all, walls that close, more than the budget holds.
import { cell, number, plural } from './words.js';

const MOST_NAMES = 1000; // in a message
const OVERLOAD_MS = 4000;
const SIEGE_MS = 4000; // that the ring stays closed
const IN_FLIGHT = 64;
const OVERLOAD_IN_FLIGHT = 512; // the server's limit for a client is 1,024

export class Stress {
    constructor(row, note, { actions, agents, world, connection, edits, show }) {
        Object.assign(this, { note, actions, agents, world, connection, edits, show });
        const scenarios = [
            ['Burst', 'Every agent wants to go somewhere else, at once', () => this.burst()],
            ['Horde', 'All agents want to go to one cell', () => this.horde()],
            ['Siege', 'A ring of walls closes round the middle, and opens again', () => this.siege()],
            ['Overload', 'More requests than the budget holds, for some seconds', () => this.overload()],
        ];
        this.buttons = scenarios.map(([word, hint, run]) => {
            const button = document.createElement('button');
            button.textContent = word;
            button.title = hint;
            button.addEventListener('click', () => this.run(button, hint, run));
            return button;
        });
        row.append(...this.buttons);
    }

    async run(button, hint, scenario) {
        button.disabled = true;
        button.dataset.running = 'true';
        this.note.textContent = hint + '.';
        await scenario();
        delete button.dataset.running;
        button.disabled = !this.allowed;
    }

    // A siege needs walls, and so a grid.
    allow(orders) {
        this.allowed = orders;
        for (const button of this.buttons)
            button.disabled = !orders || 'running' in button.dataset || (button.textContent === 'Siege' && !this.world.isGrid);
    }

    // An open cell anywhere, as far as the page has seen the map.
    randomCell() {
        const { width, height } = this.world.shape, { network } = this.world;
        for (let tries = 0; network && tries < 200; tries++) {
            const node = Math.floor(Math.random() * network.count);
            if (network.exists[node] && network.classes[node] !== 0) return node;
        }
        if (network) return null;
        for (let tries = 0; tries < 200; tries++) {
            const x = Math.floor(Math.random() * width), y = Math.floor(Math.random() * height);
            const z = this.world.sheets ? Math.floor(Math.random() * (this.show.z + 1)) : this.show.z;
            if (this.world.isOpen(x, y, z)) return this.world.cell(x, y, z);
        }
        return null;
    }

    // Several messages at a time, never more than the server's limits like. A quiet word where one is refused.
    async each(items, send) {
        let refused = 0, next = 0;
        const worker = async () => {
            while (next < items.length) await send(items[next++]).catch(() => refused++);
        };
        await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, items.length) }, worker));
        if (refused) this.note.textContent = `${plural(refused, 'message')} of ${number(items.length)} refused.`;
        return items.length - refused;
    }

    async burst() {
        const names = [...this.agents.names];
        const done = await this.each(names, name => this.connection.send('go', { names: [name], to: this.randomCell() }));
        if (done === names.length) this.note.textContent = `${plural(done, 'agent')} set off.`;
    }

    async horde() {
        const to = this.randomCell();
        if (to === null) return;
        const groups = [];
        for (let i = 0; i < this.agents.count; i += MOST_NAMES) groups.push(this.agents.names.slice(i, i + MOST_NAMES));
        this.show.goals = [to];
        this.hordeGoal = to;
        const done = await this.each(groups, names => this.connection.send('go', { names, to }));
        if (done === groups.length) this.note.textContent = `All go to ${cell(to)}.`;
    }

    // The cells of a square ring round the middle.
    ring() {
        const { width, height } = this.world.shape, cells = [];
        const radius = Math.max(2, Math.floor(Math.min(width, height) / 5));
        const x = Math.floor(width / 2), y = Math.floor(height / 2);
        for (let i = -radius; i <= radius; i++)
            cells.push([x + i, y - radius], [x + i, y + radius], [x - radius, y + i], [x + radius, y + i]);
        return cells.filter(([cx, cy]) => this.world.has(cx, cy));
    }

    async siege() {
        const z = this.show.z;
        this.edits.begin();
        for (const [x, y] of this.ring()) if (this.world.isOpen(x, y, z)) this.edits.paint(x, y, z, 'blocked');
        this.edits.end();
        await this.edits.settled();
        this.note.textContent = 'The ring is closed. It opens again in some seconds.';
        await new Promise(resolve => setTimeout(resolve, SIEGE_MS));
        this.edits.undo();
        await this.edits.settled();
        this.note.textContent = 'The ring is open again.';
    }

    async overload() {
        const end = performance.now() + OVERLOAD_MS;
        let asked = 0, answered = 0;
        const tell = () => (this.note.textContent = `${number(asked)} asked, ${number(answered)} answered.`);
        const ask = async () => {
            while (performance.now() < end) {
                const from = this.randomCell(), to = this.randomCell();
                if (from === null || to === null) return;
                await new Promise(resolve => this.connection.send('request', { from, to, cells: false },
                    () => resolve(answered++)).then(() => asked++, () => setTimeout(resolve, 50)));
            }
        };
        const timer = setInterval(tell, 100);
        await Promise.all(Array.from({ length: OVERLOAD_IN_FLIGHT }, ask));
        clearInterval(timer);
        tell();
    }
}
