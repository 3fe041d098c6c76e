// SPDX-License-Identifier: MIT
// Time controls: pause, one frame, slower and faster, and the budget of a frame.
import { number, plural, time } from './words.js';

const LEAST_BUDGET = 10, MOST_BUDGET = 1000000; // of the slider, whatever the server began with
const STEPS = 100; // of the slider

export class Time {
    constructor(page, actions) {
        this.actions = actions;
        this.on = id => page.getElementById(id);
        this.paused = false;
        this.hz = null, this.budget = null;
        this.pending = false;
        this.on('pause').addEventListener('click', () => this.toggle());
        this.on('step').addEventListener('click', () => this.step());
        this.on('slower').addEventListener('click', () => this.slower());
        this.on('faster').addEventListener('click', () => this.faster());
        this.on('budget').addEventListener('change', event => this.setBudget(Number(event.target.value)));
    }

    // A frame of the server. There may be more of them than the page draws.
    count(frame) {
        this.frame = frame;
        if (this.pending) return;
        this.pending = true;
        requestAnimationFrame(() => this.update());
    }

    // What the server says about its clock.
    take({ paused, hz, budget, budget_us: budgetUs }) {
        if (paused !== undefined) this.paused = paused;
        if (hz) this.hz = hz;
        if (budget || budgetUs) this.budgetUs = budgetUs, this.budget = budget;
        this.update();
    }

    allow(control, pace) {
        for (const id of ['pause', 'step']) this.on(id).disabled = !control;
        for (const id of ['slower', 'faster', 'budget']) this.on(id).disabled = !(control && pace);
    }

    update() {
        this.pending = false;
        const pace = this.paused ? 'paused' : this.hz ? `${this.hz} a second` : '';
        if (this.frame !== undefined) this.on('clock-text').textContent = `frame ${number(this.frame)}${pace && ', '}${pace}`;
        this.on('pause').textContent = this.paused ? 'Go on' : 'Pause';
        this.on('pause').setAttribute('aria-pressed', String(this.paused));
        if (this.budget)
            this.on('budget').value = Math.round(Math.log(this.budget / LEAST_BUDGET) / Math.log(MOST_BUDGET / LEAST_BUDGET) * STEPS);
        this.on('budget-text').textContent = this.budgetWords;
    }

    get budgetWords() {
        const parts = [this.budget && plural(this.budget, 'expansion'), this.budgetUs && time(this.budgetUs)].filter(Boolean);
        return parts.length ? `${parts.join(' or ')} a frame` : '';
    }

    async toggle() {
        if (await this.actions.ask(this.paused ? 'resume' : 'pause')) this.take({ paused: !this.paused });
    }

    async step() {
        if (!this.paused) await this.toggle();
        await this.actions.ask('step', { frames: 1 });
    }

    slower() {
        return this.setPace({ hz: Math.max(1, Math.round((this.hz ?? 20) / 2)) });
    }

    faster() {
        return this.setPace({ hz: Math.min(1000, (this.hz ?? 20) * 2) });
    }

    setBudget(position) {
        return this.setPace({ budget: Math.round(LEAST_BUDGET * (MOST_BUDGET / LEAST_BUDGET) ** (position / STEPS)) });
    }

    async setPace(pace) {
        this.take(pace); // a second click goes on from here
        const answer = await this.actions.ask('pace', pace);
        if (answer) this.take(answer);
    }
}
