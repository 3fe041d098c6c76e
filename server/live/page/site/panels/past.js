// SPDX-License-Identifier: MIT
// The last minute, which a server keeps on request: a slider over its seconds, and the way back to each of them.
import { number, plural } from './words.js';

const SECONDS = 60;
const REFRESH_MS = 1000;

export class Past {
    constructor(page, actions, time) {
        this.actions = actions;
        this.time = time;
        this.on = id => page.getElementById(id);
        this.frames = []; // one of each second that is kept
        this.frame = 0;
        this.asked = 0;
        this.on('keep').addEventListener('change', event => this.keep(event.target.checked));
        this.on('back').addEventListener('input', () => this.show(true));
        this.on('back').addEventListener('change', () => this.goBack());
    }

    allow(allowed) {
        this.on('past').hidden = !allowed;
    }

    // What the server says about its clock.
    take({ history }) {
        if (history === undefined) return;
        this.on('keep').checked = history > 0;
        this.on('back-label').hidden = history === 0;
        if (history > 0) this.refresh();
    }

    // A frame of the server.
    count(frame) {
        this.frame = frame;
        if (this.on('keep').checked && performance.now() - this.asked > REFRESH_MS) this.refresh();
    }

    async refresh() {
        this.asked = performance.now();
        const answer = await this.actions.ask('checkpoints');
        if (!answer || this.held) return;
        this.frames = answer.checkpoints.filter(kept => kept.name === undefined).map(kept => kept.frame).sort((a, b) => a - b);
        this.on('back').max = Math.max(0, this.frames.length - 1);
        this.on('back').value = Math.max(0, this.frames.filter(frame => frame <= this.frame).length - 1);
        this.show(false);
    }

    // A slider that is held keeps its second while others come and go.
    show(held) {
        this.held = held;
        this.on('back').disabled = this.frames.length === 0;
        this.on('back-text').textContent = held
            ? `frame ${number(this.frames[this.on('back').value])}`
            : `${plural(this.frames.length, 'second')} kept`;
    }

    // The world stands still there, until one lets it go on.
    async goBack() {
        const at = this.frames[this.on('back').value];
        if (!this.time.paused) await this.time.toggle();
        const answer = await this.actions.ask('restore', { at });
        if (answer) this.frame = at;
        this.held = false;
        await this.refresh();
    }

    async keep(wanted) {
        const answer = await this.actions.ask('pace', { history: wanted ? SECONDS : 0 });
        if (answer) this.take(answer);
    }
}
