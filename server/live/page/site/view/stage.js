// SPDX-License-Identifier: MIT
// The canvas and its frames: draws everything in order when something has changed, and measures what that costs.
import { AgentLayer } from './agents.js';
import { Heat } from './heat.js';
import { Marks } from './marks.js';
import { NetworkLayer } from './network.js';
import { Tiles } from './tiles.js';
import { ahead } from './way.js';

const KEPT_TIMES = 600;

export class Stage {
    // show: what the page wants drawn besides the world: z, selected, looks, inspected, cursor, box, pending,
    // arrows, doors, heat, jams.
    constructor(canvas, { world, agents, camera, palette, pictures, show }) {
        Object.assign(this, { canvas, world, agents, camera, palette, pictures, show });
        pictures.touch = () => this.touch();
        this.context = canvas.getContext('2d', { alpha: false });
        this.tiles = new Tiles(world, palette);
        this.networkLayer = new NetworkLayer(world, palette);
        this.agentLayer = new AgentLayer(agents, palette);
        this.marks = new Marks(palette);
        this.heat = new Heat(palette);
        this.scriptTimes = []; // milliseconds of script of the last frames that drew
        this.frames = 0;
        // Is an agent under a floor that one sees?
        this.isCovered = row => world.levelAt(Math.round(agents.toX[row]), Math.round(agents.toY[row]), show.z) > agents.z[row];
        this.before = () => {}; // what happens before a frame is drawn
        this.after = () => {}; // and after it
        this.dirty = true;
        for (const source of [camera, palette, world]) source.addEventListener('change', () => this.touch());
        for (const type of ['shape', 'cells']) world.addEventListener(type, () => this.touch());
        new ResizeObserver(() => this.resize()).observe(canvas);
        this.resize();
        requestAnimationFrame(() => this.tick());
    }

    touch() {
        this.dirty = true;
    }

    resize() {
        const { width, height } = this.canvas.getBoundingClientRect();
        this.ratio = devicePixelRatio || 1;
        this.canvas.width = Math.round(width * this.ratio);
        this.canvas.height = Math.round(height * this.ratio);
        this.camera.resize(width, height);
        this.touch();
    }

    tick() {
        const nowMs = performance.now();
        if (this.dirty || this.agents.isMoving(nowMs)) {
            this.before(nowMs);
            this.dirty = this.agents.isMoving(nowMs); // one frame more when the last glide has ended
            this.draw(nowMs);
            this.after();
            this.frames++;
            this.scriptTimes.push(performance.now() - nowMs);
            if (this.scriptTimes.length > KEPT_TIMES) this.scriptTimes.shift();
        }
        requestAnimationFrame(() => this.tick());
    }

    draw(nowMs) {
        const { context, camera, marks, show, world, palette } = this;
        context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        context.fillStyle = palette.colours.paper;
        context.fillRect(0, 0, camera.width, camera.height);
        if (!world.shape) return;
        if (world.isGrid) this.tiles.draw(context, camera, show.z);
        if (world.isGrid && this.pictures.draw(context, camera, world.storeyOf(show.z), this.ratio))
            this.tiles.draw(context, camera, show.z, true);
        if (!world.isGrid) this.networkLayer.draw(context, camera, this.ratio);
        this.marks.levels = show.levels;
        this.heat.draw(context, camera, show.heat, show.z);
        this.drawPending();
        const trace = show.inspected?.drawn?.trace;
        if (world.isGrid) marks.cells(context, camera, trace, palette.colours.expanded, 0.55);
        else marks.dots(context, camera, trace, palette.colours.expanded);
        marks.heat(context, camera, show.jams, !world.isGrid);
        marks.field(context, camera, show.arrows, !world.isGrid);
        this.drawFeatures();
        for (const look of show.looks.values()) this.drawWay(look, look.name, nowMs);
        if (show.inspected?.drawn) this.drawWay(show.inspected.drawn, show.inspected.name, nowMs);
        for (const goal of show.goals) marks.goal(context, camera, world.placeOf(goal));
        if (show.fieldGoal) marks.goal(context, camera, world.placeOf(show.fieldGoal));
        this.agentLayer.draw(context, camera, show.levels, nowMs, show.selected, world.sheets && this.isCovered);
        if (show.cursor.visible) marks.cursor(context, camera, show.cursor);
        marks.box(context, show.box);
    }

    drawFeatures() {
        const { context, camera, marks, show, world } = this, { features } = world;
        marks.stairs(context, camera, features.seams);
        marks.links(context, camera, features.links);
        marks.steps(context, camera, features.closed);
        marks.doors(context, camera, show.doors, world);
        marks.units(context, camera, features.units);
        for (const [name, cell] of Object.entries(features.ends ?? {}))
            if (cell !== undefined) marks.end(context, camera, cell, name);
    }

    // Where an agent goes: its path, its pulled line and its goal; and where it stops instead.
    drawWay(way, name, nowMs) {
        const { context, camera, marks, show, world } = this, { path, lines } = ahead(way, this.cellOf(name, nowMs), !world.isGrid);
        marks.path(context, camera, path, !world.isGrid);
        lines?.forEach(line => marks.line(context, camera, line));
        if (way.goal) marks.goal(context, camera, way.goal);
        if (way.stops) marks.stop(context, camera, way.stops);
    }

    // Where an agent is drawn, in cells; null: there is none.
    cellOf(name, nowMs) {
        const row = this.agents.rows.get(name);
        if (row === undefined) return null;
        const [x, y] = this.agents.placeOf(row, nowMs);
        return [x - 0.5, y - 0.5, this.agents.z[row]];
    }

    // Edits under way stand on the map at once, a little paler.
    drawPending() {
        const { context, camera, show, palette } = this;
        const size = camera.scale;
        context.globalAlpha = 0.7;
        for (const [key, terrainClass] of show.pending) {
            const [x, y, z] = key.split(',').map(Number);
            if (!this.world.isGrid || !this.marks.shows([x, y, z])) continue;
            context.fillStyle = palette.colours[this.tiles.looks[terrainClass]];
            context.fillRect(...camera.corner(x, y), size, size);
        }
        context.globalAlpha = 1;
    }
}
