// SPDX-License-Identifier: MIT
// The legend: what the colours and shapes on the map mean.
import { AgentLayer } from '../view/agents.js';
import { Marks } from '../view/marks.js';
import { hatch } from '../view/tiles.js';
import { STATES } from '../world/agents.js';
import { stateWord } from './words.js';

const SIZE = 18;
const GROUNDS = [['open', 'open ground'], ['blocked', 'wall'], ['swamp', 'swamp'], ['water', 'water'],
    ['slow3', 'slow ground'], ['expanded', 'cell expanded'],
    ['heat', 'cost of a layer']];
// Marks are drawn as on the map, by a camera that sees one cell.
const toPixel = (x, y) => [x * SIZE, y * SIZE];
const camera = { scale: SIZE, width: SIZE, height: SIZE, toPixel, corner: toPixel, fromCell: (x, y) => [x, y] };

export class Legend {
    constructor(list, palette) {
        this.list = list;
        this.palette = palette;
        this.marks = new Marks(palette);
        this.layer = new AgentLayer(null, palette);
        palette.addEventListener('change', () => this.draw());
        this.draw();
    }

    draw() {
        const { colours } = this.palette;
        const entries = GROUNDS.map(([look, word]) => this.entry(word, context => {
            context.fillStyle = colours[look];
            context.fillRect(1, 1, SIZE - 2, SIZE - 2);
            context.strokeStyle = colours.edge;
            context.strokeRect(1.5, 1.5, SIZE - 3, SIZE - 3);
        }));
        entries.push(this.entry('land not loaded', context => {
            context.rect(1, 1, SIZE - 2, SIZE - 2);
            context.clip();
            hatch(context, 1, 1, SIZE - 1, SIZE - 1, colours.edge);
        }));
        this.layer.spriteSize = 0;
        this.layer.prepare(2 * SIZE);
        STATES.forEach((state, i) => i && entries.push(this.entry(stateWord(state), context =>
            context.drawImage(this.layer.sprites[i], 0, 0, SIZE, SIZE))));
        entries.push(this.entry('goal', context => {
            context.scale(0.75, 0.75), context.translate(3, 3);
            this.marks.goal(context, camera, [0, 0], 0);
        }));
        entries.push(this.entry('path', context => this.marks.path(context, camera, [[-0.4, 0.2], [0, -0.2], [0.4, 0]], 0)));
        entries.push(this.entry('link, door', context => this.marks.links(context, camera, [[[0, 0], [9, 0, 1]]], 0)));
        entries.push(this.entry('pulled line', context => this.marks.line(context, camera, [[-0.4, 0.3], [0.4, -0.3]], 0)));
        entries.push(this.entry('step closed', context => this.marks.steps(context, camera, [[[-0.5, 0], [0.5, 0]]], 0)));
        entries.push(this.entry('unit', context => this.marks.units(context, camera, [[0, 0]], 0)));
        entries.push(this.entry('way of a field', context => this.marks.field(context, camera, [[0, 0, 1, -0.4]])));
        entries.push(this.entry('agents were blocked', context => this.marks.heat(context, camera, [[0, 0, 0, 0.7]], 0)));
        this.list.replaceChildren(...entries);
    }

    entry(word, paint) {
        const item = document.createElement('li'), canvas = document.createElement('canvas');
        canvas.width = canvas.height = 2 * SIZE;
        const context = canvas.getContext('2d');
        context.scale(2, 2);
        paint(context);
        item.append(canvas, word);
        return item;
    }
}
