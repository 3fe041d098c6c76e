// SPDX-License-Identifier: MIT
// Keys: a cursor on the map, zoom, tools and time. Everything that the mouse does can be done with them.
import { TOOLS } from './tools.js';

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export const KEYS = [
    ['Arrow keys', 'move the cursor; with Shift ten cells'],
    ['Enter', 'use the tool at the cursor'],
    ['B', 'begin a box at the cursor; Enter ends it'],
    ['+ and −', 'zoom'],
    ['0', 'see the whole map'],
    ['Space', 'pause or go on'],
    ['. [ ]', 'one frame, slower, faster'],
    ['Page Up, Page Down', 'layers, or up to which storey is drawn'],
    ['Esc', 'select nothing'],
    ['Delete', 'remove what is selected'],
    ['H', 'halt what is selected'],
    ['C', 'keep the selected agent in the middle, or no longer'],
    ['T', 'steer the selected agent with the arrow keys, or no longer'],
    ['J', 'show where agents were blocked, or no longer'],
    ['I', 'show pictures of the map, or its cells'],
    ['Wheel, two fingers', 'zoom'],
    ['Right button', 'a click sends what is selected, a drag moves the map'],
    ['Shift and click', 'select one more'],
];

export class Keyboard {
    // page: {camera, actions, show, stage, time, follow, steer, jams, layer(change), pictures(), help()}
    constructor(canvas, page) {
        Object.assign(this, page);
        this.canvas = canvas;
        this.tools = new Map(TOOLS.filter(Boolean).map(tool => [tool.key.toLowerCase(), tool.id]));
        document.addEventListener('keydown', event => this.press(event));
    }

    press(event) {
        const inField = event.target.closest?.('input, select, textarea, dialog');
        if (inField) return;
        const onButton = event.target.closest?.('button');
        if (onButton && (event.key === ' ' || event.key === 'Enter')) return;
        if (event.altKey || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() !== 'z')) return;
        if (this.command(event)) event.preventDefault();
    }

    command(event) {
        const { camera, actions, time } = this;
        const key = event.key;
        if (ARROWS[key] && this.steer.press(key, ARROWS[key])) return true;
        if (ARROWS[key]) return this.step(ARROWS[key], event.shiftKey ? 10 : 1);
        if (key === 'Enter') return this.enter(event.shiftKey);
        if (key === '+' || key === '=') return camera.zoom(1.4), true;
        if (key === '-' || key === '−') return camera.zoom(1 / 1.4), true;
        if (key === '0') return this.follow.set(null), camera.fit(), true;
        if (key === ' ') return time.toggle(), true;
        if (key === '.') return time.step(), true;
        if (key === '[') return time.slower(), true;
        if (key === ']') return time.faster(), true;
        if (key === 'PageUp') return this.layer(1), true;
        if (key === 'PageDown') return this.layer(-1), true;
        if (key === 'Escape') return (this.corner = null), actions.select([]), true;
        if (key === 'Delete') return actions.remove(), true;
        if (key === '?') return this.help(), true;
        if (key.toLowerCase() === 'h') return actions.halt(), true;
        if (key.toLowerCase() === 'b') return this.begin();
        if (key.toLowerCase() === 'c') return this.follow.toggle(), true;
        if (key.toLowerCase() === 't') return this.steer.toggle(), true;
        if (key.toLowerCase() === 'j') return this.jams.toggle(), true;
        if (key.toLowerCase() === 'i') return this.pictures(), true;
        const tool = this.tools.get(key.toLowerCase());
        if (tool) actions.use(tool);
        return Boolean(tool);
    }

    step([dx, dy], cells) {
        const { cursor } = this.show, { shape } = this.camera;
        if (!cursor.visible) [cursor.x, cursor.y] = this.camera.toCell(this.camera.width / 2, this.camera.height / 2).map(Math.floor);
        cursor.visible = true;
        cursor.x = Math.min(Math.max(cursor.x + dx * cells, 0), shape.width - 1);
        cursor.y = Math.min(Math.max(cursor.y + dy * cells, 0), shape.height - 1);
        this.camera.show(cursor.x, cursor.y);
        this.over([cursor.x, cursor.y]);
        this.stage.touch();
        return true;
    }

    begin() {
        const { cursor } = this.show;
        if (!cursor.visible) return false;
        this.corner = [cursor.x, cursor.y];
        return true;
    }

    enter(more) {
        const { cursor, levels } = this.show, { actions } = this;
        if (!cursor.visible) return false;
        if (this.corner) {
            const [x, y] = this.corner;
            const box = [Math.min(x, cursor.x), Math.min(y, cursor.y), Math.max(x, cursor.x) + 1, Math.max(y, cursor.y) + 1];
            actions.select(actions.agents.inBox(...box, levels, performance.now()));
            this.corner = null;
        } else if (actions.paints) {
            actions.beginStroke(cursor.x, cursor.y);
            actions.endStroke();
        } else {
            actions.click([cursor.x + 0.5, cursor.y + 0.5], 0.75, more);
        }
        return true;
    }
}
