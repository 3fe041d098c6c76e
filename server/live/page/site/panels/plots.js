// SPDX-License-Identifier: MIT
// Running plots of the last frames: work and time against the budget, on axes with numbers.
import { number, short, time } from './words.js';

const KEPT = 240; // frames
const USUAL_SHARE = 0.95; // of the frames that did something: the highest of these are cut off at the top
const HEADROOM = 1.25;
const FAR_LIMIT = 3; // a limit so many times above the usual is not drawn: it would flatten the plot
const FOOT = 15; // pixels below the plot, for the words of its axis
const FONT = '10px system-ui, "Noto Sans", "DejaVu Sans", sans-serif';

// The least of 2, 4, 10, 20, 50, 100, 200, 250, 500, 1000 and so on that is no less than a value.
function roundUp(value) {
    if (value <= 4) return value <= 2 ? 2 : 4;
    const decade = 10 ** Math.floor(Math.log10(value));
    return [1, 2, decade > 10 ? 2.5 : 5, 5, 10].map(n => n * decade).find(n => n >= value);
}

// Where most values lie, so that a single high one does not flatten the others.
export function usualOf(values) {
    const sorted = values.filter(value => value > 0).sort((a, b) => a - b);
    return sorted.length ? sorted[Math.ceil(sorted.length * USUAL_SHARE) - 1] : 0;
}

// A plot of stacked areas, a value a frame, with a line for a limit. words: a value on the axis.
export class Plot {
    constructor(canvas, { bars, limit = () => null, words = short }) {
        Object.assign(this, { canvas, bars, limit, words });
        this.rows = [];
        this.top = 0; // of the axis
    }

    add(row) {
        this.rows.push(row);
        if (this.rows.length > KEPT) this.rows.shift();
    }

    // The axis grows at once, and shrinks when it is far too high.
    scale(stacks) {
        const sums = stacks.map(stack => stack.reduce((sum, [value]) => sum + value, 0));
        const usual = usualOf(sums), limit = this.limit(this.rows.at(-1) ?? {}) ?? 0;
        const wanted = Math.max(usual * HEADROOM, limit <= usual * FAR_LIMIT ? limit * 1.1 : 0, 1);
        if (wanted > this.top || wanted < this.top / 4) this.top = roundUp(wanted);
        this.peak = Math.max(0, ...sums);
        return limit > 0 && limit < this.top ? limit : null;
    }

    draw(colours) {
        const { width, height } = this.canvas.getBoundingClientRect();
        if (!width) return;
        const ratio = devicePixelRatio || 1;
        if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
        if (this.canvas.height !== Math.round(height * ratio)) this.canvas.height = Math.round(height * ratio);
        const context = this.canvas.getContext('2d');
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        const stacks = this.rows.map(row => this.bars(row)), limit = this.scale(stacks), floor = height - FOOT;
        this.drawGrid(context, colours, width, floor);
        this.drawBars(context, colours, stacks, width, floor);
        if (limit) this.drawLimit(context, colours, floor * (1 - limit / this.top), width);
        this.drawWords(context, colours, width, height);
    }

    drawGrid(context, colours, width, floor) {
        context.fillStyle = colours.line;
        for (const part of [0, 0.5, 1]) context.fillRect(0, Math.round((floor - 1) * (1 - part)), width, 1);
    }

    // One area for each kind of bar, the first at the bottom. What is above the axis is cut off, with a mark.
    drawBars(context, colours, stacks, width, floor) {
        const step = width / (KEPT - 1), left = width - (stacks.length - 1) * step;
        const sums = new Array(stacks.length).fill(0);
        const y = sum => floor * (1 - Math.min(1, sum / this.top));
        for (let kind = 0; kind < (stacks[0]?.length ?? 0); kind++) {
            context.fillStyle = colours[stacks[0][kind][1]];
            context.beginPath();
            sums.forEach((sum, i) => context.lineTo(left + i * step, y(sum)));
            for (let i = sums.length - 1; i >= 0; i--) {
                sums[i] += stacks[i][kind][0];
                context.lineTo(left + i * step, y(sums[i]));
            }
            context.fill();
        }
        context.fillStyle = colours.goal;
        sums.forEach((sum, i) => sum > this.top && context.fillRect(left + i * step - 1, 0, 2, 3));
    }

    drawLimit(context, colours, y, width) {
        context.strokeStyle = colours.goal;
        context.lineWidth = 1.5;
        context.setLineDash([5, 4]);
        context.beginPath();
        context.moveTo(0, y), context.lineTo(width, y);
        context.stroke();
        context.setLineDash([]);
    }

    drawWords(context, colours, width, height) {
        const floor = height - FOOT, say = (text, x, y, align) => {
            context.textAlign = align;
            context.strokeText(text, x, y);
            context.fillText(text, x, y);
        };
        context.font = FONT;
        context.lineWidth = 3;
        context.lineJoin = 'round';
        context.strokeStyle = colours.plot;
        context.fillStyle = colours.ink;
        say(this.words(this.top), 3, 11, 'left');
        say(this.words(this.top / 2), 3, floor / 2 + 11, 'left');
        if (this.peak > this.top) say(`peak ${this.words(this.peak)}`, width - 3, 14, 'right');
        say(`${KEPT} frames ago`, 3, height - 4, 'left');
        say('now', width - 3, height - 4, 'right');
    }
}

export class Plots {
    constructor(page, palette) {
        this.palette = palette;
        this.out = id => page.getElementById(id);
        this.work = new Plot(this.out('work-plot'), { bars: row => [[row.expansions, 'path']], limit: row => row.budget });
        this.time = new Plot(this.out('time-plot'), { bars: row => [[row.us, 'field']], limit: row => row.budget_us, words: time });
        this.pending = false;
        palette.addEventListener('change', () => this.soon());
    }

    add(row) {
        for (const plot of [this.work, this.time]) plot.add(row);
        this.last = row;
        this.soon();
    }

    soon() {
        if (this.pending) return;
        this.pending = true;
        requestAnimationFrame(() => this.draw());
    }

    draw() {
        this.pending = false;
        const { last, palette } = this;
        for (const plot of [this.work, this.time]) plot.draw(palette.colours);
        if (!last) return;
        const budget = last.budget ? ` of ${number(last.budget)}` : '';
        this.out('work-text').textContent = `${number(last.expansions)}${budget}`;
        this.out('time-text').textContent = time(last.us) + (last.budget_us ? ` of ${time(last.budget_us)}` : '');
    }
}
