// SPDX-License-Identifier: MIT
// What waits and runs in the service: by urgency, and what each lane runs now.
import { STATES } from '../world/agents.js';
import { Fold } from './fold.js';
import { Plot } from './plots.js';
import { cell, number, plural } from './words.js';

const WAITING = STATES.indexOf('waiting');
const REDRAW_MS = 100; // numbers that change faster cannot be read

// Why the general A*, the slowest engine, answered.
const REASONS = { engine: 'A* was asked for', heuristic: 'another heuristic was asked for', start: 'the start was blocked',
    tables: 'the map has no jump tables', rules: "of the map's rules, size or costs", units: 'of units without marks',
    kind: 'of what its A* in space or on a graph does not serve', again: 'another engine could not end the search' };

// One hue, the more urgent the further from the ground: they differ by lightness, for all eyes.
const BAND_COLOURS = {
    light: ['#cdd8ea', '#a3bce0', '#7297d2', '#3767b5', '#10337a'],
    dark: ['#2d3d58', '#3f5f93', '#5b8ad0', '#8fb8f0', '#d8e8ff'],
};

function element(tag, text, className = '') {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) made.className = className;
    return made;
}

function range({ least, most }) {
    const sign = value => (value < 0 ? `−${-value}` : String(value));
    return `${sign(least)} to ${sign(most)}`;
}

function ends({ from, to, number: request }) {
    return from === undefined ? `request ${number(request)}` : `${cell([from].flat())} → ${cell([to].flat())}`;
}

export class Queue {
    constructor(page, { palette, agents, actions }) {
        Object.assign(this, { palette, agents, actions });
        this.out = id => page.getElementById(id);
        this.plot = new Plot(this.out('queue-plot'), {
            bars: row => row.bands.map((band, i) => [band.waiting + band.running, `band${i}`]).reverse() });
        this.fold = new Fold(this.out('queue'));
        this.drawnAt = 0;
        palette.addEventListener('change', () => this.soon());
        this.out('lanes').addEventListener('click', event => this.select(event.target.closest('button')?.dataset.agent));
    }

    // A message about the queue after a frame.
    take(queue) {
        this.last = queue;
        this.plot.add(queue);
        this.fold.set(queue.bands.some(band => band.oldest > 0)); // what is asked for after the frame has not waited
        this.soon();
    }

    soon() {
        if (this.pending || !this.last) return;
        this.pending = true;
        setTimeout(() => requestAnimationFrame(() => this.draw()), Math.max(0, this.drawnAt + REDRAW_MS - performance.now()));
    }

    get colours() {
        const bands = BAND_COLOURS[this.palette.isDark ? 'dark' : 'light'];
        return { ...this.palette.colours, ...Object.fromEntries(bands.map((colour, i) => [`band${i}`, colour])) };
    }

    draw() {
        this.pending = false;
        this.drawnAt = performance.now();
        const { last, colours } = this;
        this.plot.draw(colours);
        this.out('queue-text').textContent = `${number(last.waiting)} wait, ${number(last.running)} begun`;
        this.out('bands').replaceChildren(...last.bands.map((band, i) => this.bandRow(band, colours[`band${i}`])).reverse());
        const reasons = Object.entries(last.general ?? {}).map(([name, count]) => `${number(count)} because ${REASONS[name] ?? name}`);
        this.out('general').hidden = reasons.length === 0;
        this.out('general').textContent = `Answered by A*: ${reasons.join('; ')}`;
        this.out('lanes-text').textContent = `${number(last.lanes.length)} of ${number(last.lane_count)} at work`;
        this.standing = this.waitingByCell();
        this.out('lanes').replaceChildren(...this.laneRows(last));
    }

    bandRow(band, colour) {
        const row = document.createElement('tr'), head = document.createElement('th'), swatch = element('span', '', 'swatch');
        swatch.style.background = colour;
        head.scope = 'row';
        head.append(swatch, range(band));
        const empty = band.waiting + band.running === 0;
        if (empty) row.className = 'empty';
        row.append(head, ...[number(band.waiting), number(band.running), empty ? '–' : number(band.oldest)].map(text => element('td', text)));
        return row;
    }

    // All lanes, so that rows stay where they are.
    laneRows({ lanes, lane_count: count, frame }) {
        const rows = Array.from({ length: Math.min(count, 64) }, (_, lane) => [element('span', String(lane + 1), 'lane'), element('span', 'idle', 'soft')]);
        for (const lane of lanes) rows[lane.lane].splice(1, 1, ...this.laneWords(lane, frame));
        return rows.map((parts, lane) => {
            const item = document.createElement('li');
            item.dataset.number = lanes.find(one => one.lane === lane)?.number ?? '';
            item.append(...parts);
            return item;
        });
    }

    laneWords(lane, frame) {
        const name = this.agentAt(lane.from), who = element(name ? 'button' : 'span', name ?? ends(lane), 'who');
        if (name) {
            who.dataset.agent = name;
            who.title = 'Select this agent';
        }
        const words = `${number(lane.expansions)} expanded in ${plural(frame - lane.since + 1, 'frame')}`, what = element('span', words, 'soft');
        what.title = `${words}, by ${lane.engine === 'jump' ? 'jump search' : 'A*'}; urgency ${lane.urgency}`;
        return [who, what];
    }

    // The search of an agent that waits begins where it stands.
    waitingByCell() {
        const { agents } = this, found = new Map();
        for (let row = 0; row < agents.count; row++)
            if (agents.states[row] === WAITING) found.set(`${Math.round(agents.toX[row])},${Math.round(agents.toY[row])}`, agents.names[row]);
        return found;
    }

    agentAt(from) {
        return Array.isArray(from) ? this.standing.get(`${from[0]},${from[1]}`) : undefined;
    }

    select(name) {
        if (name === undefined) return;
        this.actions.select([name]);
    }
}
