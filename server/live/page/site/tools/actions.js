// SPDX-License-Identifier: MIT
// What people do with the tools: select, send, add agents, paint, open doors, undo.
import { BLOCKED, OPEN } from '../world/rules.js';
import { cell } from '../panels/words.js';
import { cellsBetween, toolById } from './tools.js';

const prefix = 'p' + Math.random().toString(36).slice(2, 6) + '-';

// Events: 'tool', 'selection', 'notice' with {kind, text}.
export class Actions extends EventTarget {
    constructor({ connection, world, agents, edits, show }) {
        super();
        Object.assign(this, { connection, world, agents, edits, show });
        this.tool = 'select';
        this.options = { speed: 250, urgency: 0, mover: '' };
        this.added = 0;
        this.sent = new Set(); // agents that this page sent somewhere
    }

    use(tool) {
        if (tool === 'undo') {
            this.undo();
            return;
        }
        this.tool = tool;
        this.dispatchEvent(new Event('tool'));
    }

    // Takes back the last stroke, be it of an edit or of danger.
    undo() {
        const [edited, painted] = [this.edits, this.costs].map(({ strokes }) => strokes.at(-1)?.at ?? -1);
        if (painted > edited) this.costs.undo();
        else if (!this.edits.undo()) this.notice('', 'There is nothing to undo.');
    }

    notice(kind, text) {
        this.dispatchEvent(new CustomEvent('notice', { detail: { kind, text } }));
    }

    select(names) {
        this.show.selected = new Set(names);
        this.show.goals = [];
        this.dispatchEvent(new Event('selection'));
    }

    // A click, or Enter at the cursor. place: fractions of cells; within: how near an agent counts as hit.
    click(place, within, more = false) {
        const [x, y] = this.world.aimAt(place);
        if (!this.world.has(x, y, this.show.z)) return;
        if (this.tool === 'select') this.pick(place, within, more);
        else if (this.tool === 'go') this.go(x, y);
        else if (this.tool === 'agent') this.add(x, y);
        else if (this.tool === 'door') this.door(x, y);
        else if (this.tool === 'field') this.field.toggle(this.world.cell(x, y, this.show.z));
    }

    pick(place, within, more) {
        const row = this.agents.nearest(place[0], place[1], this.show.levels, within, performance.now());
        if (row >= 0) {
            const name = this.agents.names[row];
            const kept = more ? [...this.show.selected].filter(other => other !== name) : [];
            this.select([...kept, name]);
        } else if (this.show.selected.size) {
            if (this.show.orders) this.go(...this.world.aimAt(place));
            else this.select([]);
        }
    }

    // A click with the right button, whatever the tool.
    send(place) {
        const [x, y] = this.world.aimAt(place);
        if (this.show.orders && this.world.has(x, y, this.show.z)) this.go(x, y);
    }

    async go(x, y) {
        const names = [...this.show.selected];
        if (!names.length) {
            this.notice('', 'Select agents first: click one, or drag a box round many.');
            return;
        }
        const to = this.world.cell(x, y, this.show.z);
        this.show.goals = [to];
        for (const name of names) this.sent.add(name);
        const isWall = this.world.classAt(x, y, this.show.z) === BLOCKED;
        if (await this.ask('go', { names, to }) && isWall && names.length > 1)
            this.notice('', `${cell(to)} is a wall: each agent will stop at its own place as near as it gets.`);
    }

    // A name that no other page gives.
    newName() {
        return prefix + ++this.added;
    }

    async add(x, y) {
        const { speed, urgency, mover } = this.options;
        const agent = { name: this.newName(), cell: this.world.cell(x, y, this.show.z), speed, urgency };
        if (mover) agent.mover = mover;
        if (Object.keys(this.costs.weights).length) agent.layers = this.costs.weights;
        if (await this.ask('agent', agent, 'No agent can stand there')) this.select([agent.name]);
    }

    door(x, y) {
        const terrainClass = this.world.classAt(x, y, this.show.z);
        if (terrainClass === undefined) return;
        if (this.world.isGrid) this.show.doors.add(`${x},${y},${this.world.levelAt(x, y, this.show.z)}`);
        this.edits.begin();
        this.edits.paint(x, y, this.show.z, terrainClass === BLOCKED ? OPEN : BLOCKED);
        this.edits.end();
    }

    get brush() {
        return toolById.get(this.tool)?.terrain;
    }

    // Do drags paint?
    get paints() {
        return this.brush !== undefined || this.tool === 'danger';
    }

    paintTo(x, y) {
        if (this.tool === 'danger') {
            this.costs.paintTo(x, y);
            return;
        }
        const [fromX, fromY] = this.brushAt ?? [x, y];
        for (const [cx, cy] of cellsBetween(fromX, fromY, x, y)) this.edits.paint(cx, cy, this.show.z, this.brush);
        this.brushAt = [x, y];
    }

    beginStroke(x, y) {
        this.brushAt = null;
        this.costs.begin();
        this.edits.begin();
        this.paintTo(x, y);
    }

    endStroke() {
        this.brushAt = null;
        this.edits.end();
    }

    async remove() {
        const names = [...this.show.selected];
        this.select([]);
        if (names.length) await this.ask('remove', { names });
    }

    async halt() {
        const names = [...this.show.selected];
        this.show.goals = [];
        if (names.length) await this.ask('halt', { names });
    }

    // Send a message; a refusal is shown. True: it was done.
    async ask(op, fields = {}, words = 'The server refused') {
        try {
            return await this.connection.send(op, fields);
        } catch (problem) {
            this.notice('bad', `${words}: ${problem.text ?? problem.error}`);
            return null;
        }
    }
}
