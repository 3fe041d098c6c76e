// SPDX-License-Identifier: MIT
// The bar of tools.
import { TOOLS } from './tools.js';

const SVG = 'http://www.w3.org/2000/svg';

function iconOf(path) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 18 18');
    svg.setAttribute('aria-hidden', 'true');
    const line = document.createElementNS(SVG, 'path');
    for (const [name, value] of Object.entries({ d: path, fill: 'none', stroke: 'currentColor', 'stroke-width': '1.6',
        'stroke-linecap': 'round', 'stroke-linejoin': 'round' }))
        line.setAttribute(name, value);
    svg.append(line);
    return svg;
}

export class Toolbar {
    constructor(bar, canvas, actions) {
        this.actions = actions;
        this.canvas = canvas;
        this.buttons = new Map();
        for (const tool of TOOLS) bar.append(tool ? this.button(tool) : document.createElement('hr'));
        actions.addEventListener('tool', () => this.update());
        this.update();
    }

    button(tool) {
        const button = document.createElement('button');
        const word = document.createElement('span'), key = document.createElement('kbd');
        word.textContent = tool.word;
        key.textContent = tool.key;
        button.append(iconOf(tool.icon), word, key);
        button.title = tool.hint;
        button.setAttribute('aria-label', tool.word); // where there is no room, its word is not shown
        button.dataset.tool = tool.id;
        button.addEventListener('click', () => this.actions.use(tool.id));
        this.buttons.set(tool.id, button);
        return button;
    }

    // Without the right to change the world the brushes are off.
    // looks: the host answers what only looks.
    allow(orders, isGrid, looks) {
        for (const id of ['agent', 'go', 'door', 'undo']) this.buttons.get(id).disabled = !orders;
        for (const id of ['wall', 'dig', 'swamp', 'slow', 'danger']) this.buttons.get(id).disabled = !orders || !isGrid;
        this.buttons.get('field').disabled = !looks;
    }

    update() {
        for (const [id, button] of this.buttons)
            if (id !== 'undo') button.setAttribute('aria-pressed', String(id === this.actions.tool));
        this.canvas.dataset.tool = this.actions.tool;
    }
}
