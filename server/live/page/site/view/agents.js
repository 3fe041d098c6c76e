// SPDX-License-Identifier: MIT
// Draws the agents: a sprite for each state, or small squares where cells are small.
import { STATES, TRAIL_POINTS } from '../world/agents.js';

const SPRITE_FROM = 5; // CSS pixels a cell
const LARGE_SPRITE = 128; // pixels of the sprites of agents that cover more than a cell
const PALE = 0.4; // how dense agents under a storey are
const MOST_SPRITES = 4000; // more in sight are squares, which cost a tenth

// Each state has a shape of its own besides its colour.
function paintSprite(context, state, colours, size, share) {
    const middle = size / 2, radius = size * share;
    context.clearRect(0, 0, size, size);
    context.beginPath();
    if (state === 'blocked') {
        context.moveTo(middle, middle - radius * 1.15);
        context.lineTo(middle + radius * 1.15, middle);
        context.lineTo(middle, middle + radius * 1.15);
        context.lineTo(middle - radius * 1.15, middle);
        context.closePath();
    } else {
        context.arc(middle, middle, state === 'idle' ? radius * 0.85 : state === 'away' ? radius * 0.6 : radius, 0, 2 * Math.PI);
    }
    context.fillStyle = colours.agents[state];
    context.fill();
    context.lineWidth = Math.max(1, size * 0.06);
    context.strokeStyle = colours.halo;
    context.stroke();
    if (state === 'waiting' || state === 'arrived') {
        context.beginPath();
        context.arc(middle, middle, radius * 0.38, 0, 2 * Math.PI);
        context.fillStyle = state === 'waiting' ? '#343c48' : colours.halo;
        context.fill();
    } else if (state === 'aside') {
        context.fillStyle = colours.halo;
        context.fillRect(middle - radius * 0.55, middle - radius * 0.14, radius * 1.1, radius * 0.28);
    }
}

function makeSprites(size, share, colours) {
    return STATES.map(state => {
        const canvas = new OffscreenCanvas(size, size);
        paintSprite(canvas.getContext('2d'), state, colours, size, share);
        return canvas.transferToImageBitmap(); // drawing a canvas many times costs more
    });
}

export class AgentLayer {
    constructor(agents, palette) {
        this.agents = agents;
        this.palette = palette;
        this.sprites = [];
        this.spriteSize = 0;
        palette.addEventListener('change', () => {
            this.spriteSize = 0;
            this.largeSprites = null;
        });
    }

    prepare(size) {
        if (this.spriteSize === size) return;
        const share = size < 14 ? 0.45 : 0.38; // of the cell, the radius
        this.spriteSize = size;
        this.sprites = makeSprites(size, share, this.palette.colours);
    }

    // isCovered: tells of a row whether a storey above hides it; null: there are none. Such agents are pale.
    draw(context, camera, levels, nowMs, selected, isCovered = null) {
        const size = Math.max(4, camera.scale);
        if (isCovered) {
            context.globalAlpha = PALE;
            this.drawSome(context, camera, levels, nowMs, size, isCovered);
            context.globalAlpha = 1;
        }
        this.drawSome(context, camera, levels, nowMs, size, isCovered && (row => !isCovered(row)));
        if (selected.size) this.drawRings(context, camera, levels, nowMs, selected, size);
    }

    drawSome(context, camera, levels, nowMs, size, isWanted) {
        const ratio = context.getTransform().a;
        const drawn = this.collect(camera, levels, nowMs, size, isWanted);
        if (camera.scale >= SPRITE_FROM && drawn.inSight <= MOST_SPRITES) {
            this.prepare(Math.max(6, Math.round(size * ratio)));
            this.drawSprites(context, drawn, size);
        } else {
            this.drawSquares(context, drawn, camera.scale >= SPRITE_FROM ? 0.7 * size : size);
        }
        if (drawn.bodies.length) this.drawBodies(context, drawn, camera);
        if (drawn.large.length) this.drawLarge(context, drawn, size);
    }

    // The rows in sight, by state, with their pixels. isWanted: null, all.
    collect(camera, [least, below], nowMs, size, isWanted) {
        const { agents } = this;
        const { fromX, fromY, toX, toY, times, glides, states, sizes, radii, count } = agents;
        const { scale } = camera;
        const [ax, ay, bx, by] = camera.axes, [shiftX, shiftY] = camera.toPixel(0.5, 0.5);
        if (!this.pixels || this.pixels.length < 2 * count) {
            this.pixels = new Float32Array(2 * agents.capacity);
            this.byState = STATES.map(() => new Uint32Array(agents.capacity));
            this.counts = new Uint32Array(STATES.length);
        }
        const { pixels, byState, counts } = this;
        counts.fill(0);
        this.large = []; // rows that cover more than a cell
        this.bodies = []; // rows that have bodies
        this.inSight = 0;
        const right = camera.width + size, bottom = camera.height + size;
        for (let row = 0; row < count; row++) {
            if (agents.z[row] < least || agents.z[row] >= below || (isWanted && !isWanted(row))) continue;
            const glide = glides[row];
            let part = 1;
            if (glide > 0) {
                part = (nowMs - times[row]) / glide;
                if (part > 1) part = 1;
            }
            const column = fromX[row] + (toX[row] - fromX[row]) * part, line = fromY[row] + (toY[row] - fromY[row]) * part;
            const x = (column * ax + line * bx) * scale + shiftX, y = (column * ay + line * by) * scale + shiftY;
            if (x < -size * sizes[row] || y < -size * sizes[row] || x > right || y > bottom) continue;
            pixels[2 * row] = x, pixels[2 * row + 1] = y;
            if (radii[row] > 0) {
                const half = (sizes[row] - 1) / 2 * scale; // its disc is in the middle of all its cells
                pixels[2 * row] += half, pixels[2 * row + 1] += half;
                this.bodies.push(row);
                this.inSight++;
                continue;
            }
            if (sizes[row] > 1) {
                this.large.push(row);
                continue;
            }
            const state = states[row];
            byState[state][counts[state]++] = row;
            this.inSight++;
        }
        return this;
    }

    drawSprites(context, { pixels, byState, counts }, size) {
        for (let state = 0; state < STATES.length; state++)
            for (let i = 0; i < counts[state]; i++) {
                const row = byState[state][i];
                context.drawImage(this.sprites[state], pixels[2 * row] - size / 2, pixels[2 * row + 1] - size / 2, size, size);
            }
    }

    // Discs at their sizes, with where they were and the way they are turned.
    drawBodies(context, { pixels, bodies }, camera) {
        const { radii, headings, states } = this.agents, { colours } = this.palette, { scale } = camera;
        this.drawTrails(context, pixels, bodies, camera);
        context.lineWidth = Math.max(1, scale * 0.05);
        context.strokeStyle = colours.halo;
        for (let state = 0; state < STATES.length; state++) {
            context.beginPath();
            for (const row of bodies) {
                if (states[row] !== state) continue;
                const x = pixels[2 * row], y = pixels[2 * row + 1], radius = Math.max(radii[row] * scale, 1.5);
                context.moveTo(x + radius, y);
                context.arc(x, y, radius, 0, 2 * Math.PI);
            }
            context.fillStyle = colours.agents[STATES[state]];
            context.fill();
            context.stroke();
        }
        context.beginPath();
        for (const row of bodies) {
            const x = pixels[2 * row], y = pixels[2 * row + 1], radius = radii[row] * scale;
            if (radius < 4) continue;
            context.moveTo(x, y);
            context.lineTo(x + radius * Math.cos(headings[row]), y + radius * Math.sin(headings[row]));
        }
        context.strokeStyle = '#343c48';
        context.stroke();
    }

    drawTrails(context, pixels, bodies, camera) {
        const { trails, trailCounts } = this.agents, { scale } = camera;
        const shiftX = camera.width / 2 + (0.5 - camera.x) * scale, shiftY = camera.height / 2 + (0.5 - camera.y) * scale;
        context.beginPath();
        for (const row of bodies) {
            const count = trailCounts[row], from = Math.max(0, count - TRAIL_POINTS);
            for (let i = from; i < count; i++) {
                const at = 2 * (row * TRAIL_POINTS + (i % TRAIL_POINTS));
                const x = trails[at] * scale + shiftX, y = trails[at + 1] * scale + shiftY;
                if (i === from) context.moveTo(x, y);
                else context.lineTo(x, y);
            }
            if (count > from) context.lineTo(pixels[2 * row], pixels[2 * row + 1]);
        }
        const before = context.globalAlpha;
        context.globalAlpha = 0.35 * before;
        context.lineWidth = Math.max(1, scale * 0.08);
        context.strokeStyle = this.palette.colours.agents.walking;
        context.stroke();
        context.globalAlpha = before;
    }

    // Pixels are of the cell that they hold, which is the first of those that they cover.
    drawLarge(context, { pixels, large }, size) {
        this.largeSprites ??= makeSprites(LARGE_SPRITE, 0.46, this.palette.colours);
        context.imageSmoothingEnabled = true;
        for (const row of large) {
            const cells = this.agents.sizes[row], wide = size * cells;
            context.drawImage(this.largeSprites[this.agents.states[row]], pixels[2 * row] - size / 2, pixels[2 * row + 1] - size / 2,
                wide, wide);
        }
    }

    drawSquares(context, { pixels, byState, counts }, size) {
        for (let state = 0; state < STATES.length; state++) {
            context.fillStyle = this.palette.colours.agents[STATES[state]];
            for (let i = 0; i < counts[state]; i++) {
                const row = byState[state][i];
                context.fillRect(pixels[2 * row] - size / 2, pixels[2 * row + 1] - size / 2, size, size);
            }
        }
    }

    drawRings(context, camera, [least, below], nowMs, selected, size) {
        context.strokeStyle = this.palette.colours.ink;
        context.lineWidth = 2;
        context.beginPath();
        for (const name of selected) {
            const row = this.agents.rows.get(name);
            if (row === undefined || this.agents.z[row] < least || this.agents.z[row] >= below) continue;
            const [x, y] = camera.toPixel(...this.agents.placeOf(row, nowMs));
            const body = this.agents.radii[row];
            const radius = Math.max(body ? size * body * 1.4 : size * 0.55 * this.agents.sizes[row], 6);
            context.moveTo(x + radius, y);
            context.arc(x, y, radius, 0, 2 * Math.PI);
        }
        context.stroke();
    }
}
