// SPDX-License-Identifier: MIT
// The panel about what is selected: one agent in detail, asked for a few times a second, or how many there are.
import { Adjust } from './adjust.js';
import { STATES } from '../world/agents.js';
import { cell, eventWords, number, plural, stateWord, statusWords } from './words.js';

const ASK_MS = 200;
const NOTHING = 'Click an agent, or drag a box round many. Then click where they should go.';
const NOBODY = 'There is no agent yet. Add some, or choose the tool Agent and click the map.';
const ONLY_LOOK = 'This server is read-only. Click an agent to see where it goes.';

function element(tag, text, className = '') {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) made.className = className;
    return made;
}

// Its own search as far as it is; or one from where it stands, made for the page.
function expandedWords({ trace, expanded, live }) {
    if (!trace) return undefined;
    return live ? `${number(expanded)} so far` : `${number(expanded ?? trace.length)} in a search to show it`;
}

// The layers that it minds, with their weights.
function mindWords(layers) {
    return layers && Object.entries(layers).map(([name, weight]) => `${name} × ${weight}`).join(', ');
}

export class Inspector {
    constructor(body, { connection, actions, agents, show, stage, world, follow, steer }) {
        Object.assign(this, { body, connection, actions, agents, show, stage, world, follow, steer });
        this.facts = element('div', '');
        this.adjust = new Adjust(actions, world);
        this.controls = element('div', '');
        this.lastEvents = new Map(); // by agent: its last event that ended a wish
        this.adjust.row.classList.add('orders');
        this.controls.append(this.adjust.row, this.makeButtons());
        body.replaceChildren(this.facts, this.controls);
        this.update();
        actions.addEventListener('selection', () => this.choose());
        setInterval(() => this.ask(), ASK_MS);
    }

    makeButtons() {
        const row = element('div', '', 'row quarters');
        const button = (word, run) => {
            const made = element('button', word);
            made.addEventListener('click', run);
            row.append(made);
            return made;
        };
        this.followButton = button('Follow', () => this.follow.toggle());
        this.followButton.title = 'Keep this agent in the middle of the map (C)';
        this.steerButton = button('Steer', () => this.steer.toggle());
        this.steerButton.title = 'The arrow keys move this agent (T)';
        this.steerButton.className = 'orders';
        for (const source of [this.follow, this.steer]) source.addEventListener('change', () => this.update());
        for (const [word, run] of [['Halt', () => this.actions.halt()], ['Remove', () => this.actions.remove()]])
            button(word, run).className = 'orders';
        return row;
    }

    choose() {
        this.show.inspected = null;
        this.stage.touch();
        this.update();
        this.ask();
    }

    // Events of agents: the last one is the reason where a wish failed.
    hear(event) {
        const isStep = event.agent === this.steer.name && event.event === 'gave_up'; // it is steered, and somebody is in the way
        if (event.agent === undefined || ['rerouted', 'link_ahead'].includes(event.event) || isStep) return;
        this.lastEvents.set(event.agent, event);
        const failed = event.event === 'gave_up' || event.event === 'partial';
        const isOwn = !['replaced', 'displaced', 'away', 'back'].includes(event.event) && this.actions.sent.delete(event.agent);
        if (!this.show.selected.has(event.agent)) return;
        if (failed && isOwn) this.actions.notice('bad', `${event.agent}: ${eventWords(event)}.`);
        if (event.event !== 'replaced' && this.show.selected.size === 1) this.show.goals = [];
        this.stage.touch();
        this.update();
    }

    async ask() {
        const { selected } = this.show;
        if (selected.size !== 1 || this.asking || document.hidden) {
            if (selected.size > 1) this.update();
            return;
        }
        const [name] = selected;
        this.asking = true;
        try {
            const answer = await this.connection.send('inspect', { name });
            this.tellStop(name, answer);
            if (this.show.selected.has(name)) this.show.inspected = { ...answer, name, drawn: this.world.drawnOf(answer) };
        } catch {
            this.show.inspected = null;
        }
        this.asking = false;
        this.stage.touch();
        this.update();
    }

    // Where an agent stops that this page sent to what it cannot reach. Two answers must agree: a path that is about to be
    // searched again leads to the goal before.
    tellStop(name, { goal, stops }) {
        const heard = stops !== undefined && this.actions.sent.has(name) ? `${name} ${goal} ${stops}` : null;
        if (heard !== null && heard === this.heardStop && heard !== this.toldStop) {
            this.toldStop = heard;
            this.actions.notice('', `${name} cannot get to ${cell(goal)}. It will stop at ${cell(stops)}.`);
        }
        this.heardStop = heard;
    }

    get hint() {
        return !this.show.orders ? ONLY_LOOK : this.agents.count ? NOTHING : NOBODY;
    }

    update() {
        const { selected } = this.show;
        this.controls.hidden = selected.size === 0;
        this.followButton.disabled = selected.size !== 1;
        this.followButton.setAttribute('aria-pressed', String(this.follow.name !== null));
        this.steerButton.disabled = !this.steer.isPossible;
        this.steerButton.setAttribute('aria-pressed', String(this.steer.name !== null));
        if (selected.size === 0) this.facts.replaceChildren(element('p', this.hint, 'small'));
        else if (selected.size > 1) this.facts.replaceChildren(...this.many(selected));
        else this.facts.replaceChildren(...this.one([...selected][0]));
        if (selected.size > 0) this.adjust.take(selected.size === 1 ? this.show.inspected : null);
    }

    many(selected) {
        const counts = new Array(STATES.length).fill(0);
        for (const name of selected) counts[this.agents.states[this.agents.rows.get(name)]]++;
        const list = document.createElement('dl');
        counts.forEach((n, state) => n && list.append(element('dt', stateWord(STATES[state])), element('dd', number(n))));
        return [element('p', plural(selected.size, 'agent'), 'status'), list];
    }

    one(name) {
        const row = this.agents.rows.get(name);
        const known = { name, state: STATES[this.agents.states[row]] ?? 'none', last: this.lastEvents.get(name) };
        const agent = { ...known, ...this.show.inspected };
        const list = document.createElement('dl');
        const facts = [['Name', name], ['Cell', cell(agent.cell ?? (row >= 0 ? [this.agents.toX[row], this.agents.toY[row]].map(Math.round) : null))],
            ['Goal', agent.goal === undefined ? undefined : cell(agent.goal)], ['Size', agent.size > 1 ? `${agent.size} × ${agent.size} cells` : undefined],
            ['Minds', mindWords(agent.layers)], ['Tries', agent.tries || undefined], ['Waits', agent.frames && plural(agent.frames, 'frame')],
            ['Expanded', expandedWords(agent)]];
        for (const [word, value] of facts)
            if (value !== undefined && value !== null) list.append(element('dt', word), element('dd', String(value)));
        return [element('p', statusWords(agent), 'status'), list];
    }
}
