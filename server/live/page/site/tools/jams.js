// SPDX-License-Identifier: MIT
// Where agents were blocked lately: while this is switched on, the server is asked for all cells with a count.
import { cell as cellWords, plural } from '../panels/words.js';

const ASK_MS = 500;
const MOST = 4096;

export class Jams {
    constructor(button, note, { connection, world, show, stage, actions }) {
        Object.assign(this, { button, note, connection, world, show, stage, actions });
        this.isOn = false;
        button.addEventListener('click', () => this.toggle());
        world.addEventListener('shape', () => this.take(null));
        setInterval(() => this.ask(), ASK_MS);
    }

    toggle() {
        if (this.button.disabled) return;
        this.isOn = !this.isOn;
        this.button.setAttribute('aria-pressed', String(this.isOn));
        this.take(null);
        this.ask();
    }

    // looks: the host answers what only looks.
    allow(looks) {
        if (!looks && this.isOn) this.toggle();
        this.button.disabled = !looks;
    }

    async ask() {
        if (!this.isOn || this.asking || document.hidden || this.connection.state !== 'open') return;
        this.asking = true;
        try {
            const answer = await this.connection.send('jams', { count: MOST, within: 0 });
            if (this.isOn) this.take(answer);
        } catch (problem) {
            if (this.isOn && problem.error !== 'lost' && problem.error !== 'busy') {
                this.toggle();
                this.actions.notice('bad', `There are no counts: ${problem.text ?? problem.error}`);
            }
        }
        this.asking = false;
    }

    // Each cell with its share of the updates in which an agent was blocked there.
    take(answer) {
        const updates = Math.max(answer?.updates ?? 0, 1);
        this.show.jams = answer && answer.jams.map(({ cell, waits }) => {
            const [x, y, z = 0] = this.world.placeOf(cell);
            return [x, y, z, Math.min(waits / updates, 1)];
        });
        this.note.hidden = !answer;
        if (answer) this.note.textContent = answer.jams.length === 0 ? 'Nobody was blocked.'
            : `${plural(Math.round(answer.waits / updates), 'agent')} blocked on average, most at ${cellWords(answer.jams[0].cell)}.`;
        this.stage.touch();
    }
}
