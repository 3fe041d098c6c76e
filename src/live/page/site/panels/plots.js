// SPDX-License-Identifier: MIT
// Running plots of the last frames: work and time against the budget.
import { number, time } from './words.js';

const KEPT = 240;

// A plot of stacked areas, a value a frame, with a line for a limit.
export class Plot {
    constructor(canvas, { bars, limit = () => null }) {
        Object.assign(this, { canvas, bars, limit });
        this.rows = [];
        this.top = 1;
    }

    add(row) {
        this.rows.push(row);
        if (this.rows.length > KEPT) this.rows.shift();
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
        const limit = this.limit(this.rows.at(-1) ?? {});
        const highest = Math.max(1, limit ?? 0, ...this.rows.map(row => this.bars(row).reduce((sum, bar) => sum + bar[0], 0)));
        this.top = highest * 1.12;
        this.drawBars(context, colours, width, height);
        if (limit) this.drawLimit(context, colours, height * (1 - limit / this.top), width);
    }

    // One area for each kind of bar, the first at the bottom.
    drawBars(context, colours, width, height) {
        const step = width / (KEPT - 1), left = width - (this.rows.length - 1) * step;
        const floor = new Array(this.rows.length).fill(height);
        const stacks = this.rows.map(row => this.bars(row));
        for (let kind = 0; kind < (stacks[0]?.length ?? 0); kind++) {
            context.fillStyle = colours[stacks[0][kind][1]];
            context.beginPath();
            floor.forEach((y, i) => context.lineTo(left + i * step, y));
            for (let i = floor.length - 1; i >= 0; i--) {
                floor[i] -= (stacks[i][kind][0] / this.top) * height;
                context.lineTo(left + i * step, floor[i]);
            }
            context.fill();
        }
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
}

export class Plots {
    constructor(page, palette) {
        this.palette = palette;
        this.out = id => page.getElementById(id);
        this.work = new Plot(this.out('work-plot'), { bars: row => [[row.expansions, 'path']], limit: row => row.budget });
        this.time = new Plot(this.out('time-plot'), { bars: row => [[row.us, 'field']], limit: row => row.budget_us });
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
