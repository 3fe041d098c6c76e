// SPDX-License-Identifier: MIT
// Buttons that put load on the server: everybody at once, one goal for all, walls that close, more than the budget holds.
import { number, plural } from './words.js';

const MOST_NAMES = 1000; // in a message
const OVERLOAD_MS = 4000;
const IN_FLIGHT = 64;

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
        this.note.textContent = hint + '.';
        await scenario();
        button.disabled = false;
    }

    allow(orders) {
        for (const button of this.buttons) button.disabled = !orders;
    }

    // An open cell anywhere, as far as the page has seen the map.
    randomCell() {
        const { width, height } = this.world.shape;
        for (let tries = 0; tries < 200; tries++) {
            const x = Math.floor(Math.random() * width), y = Math.floor(Math.random() * height);
            if (this.world.isOpen(x, y, this.show.z)) return this.world.cell(x, y, this.show.z);
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
        this.note.textContent = `${plural(done, 'agent')} set off.`;
    }

    async horde() {
        const to = this.randomCell();
        if (!to) return;
        const groups = [];
        for (let i = 0; i < this.agents.count; i += MOST_NAMES) groups.push(this.agents.names.slice(i, i + MOST_NAMES));
        this.show.goals = [to];
        await this.each(groups, names => this.connection.send('go', { names, to }));
    }

    async siege() {
        const { width, height } = this.world.shape, z = this.show.z;
        const radius = Math.max(2, Math.floor(Math.min(width, height) / 5));
        const x = Math.floor(width / 2), y = Math.floor(height / 2);
        this.edits.begin();
        for (let i = -radius; i <= radius; i++)
            for (const [dx, dy] of [[i, -radius], [i, radius], [-radius, i], [radius, i]])
                if (this.world.isOpen(x + dx, y + dy, z)) this.edits.paint(x + dx, y + dy, z, 'blocked');
        this.edits.end();
        await new Promise(resolve => setTimeout(resolve, OVERLOAD_MS));
        this.edits.undo();
    }

    async overload() {
        const end = performance.now() + OVERLOAD_MS;
        let asked = 0, answered = 0;
        const ask = async () => {
            while (performance.now() < end) {
                const from = this.randomCell(), to = this.randomCell();
                if (!from || !to) return;
                asked++;
                await new Promise(resolve => this.connection.send('request', { from, to, cells: false },
                    () => resolve(answered++)).catch(() => setTimeout(resolve, 50)));
                this.note.textContent = `${number(asked)} asked, ${number(answered)} answered.`;
            }
        };
        await Promise.all(Array.from({ length: IN_FLIGHT }, ask));
    }
}
