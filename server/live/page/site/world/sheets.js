// SPDX-License-Identifier: MIT
// The sheets of a map: boxes of its cells that lie elsewhere on the ground. Each is a storey; later ones lie above. A
// cell [x, y] of the map has the place [x, y, storey] on the ground. Cells in chunks that are in no sheet have none.
const CHUNK_BITS = 6; // boxes are whole chunks

export class Sheets {
    // list: of each sheet two corners, and where the first lies.
    constructor(list, width, height) {
        this.size = [width, height];
        this.columns = ((width - 1) >> CHUNK_BITS) + 1;
        this.chunks = new Uint16Array(this.columns * (((height - 1) >> CHUNK_BITS) + 1)); // the storey of each, + 1
        this.storeys = list.map(([min, max, at]) => ({ x0: min[0], y0: min[1], x1: max[0] + 1, y1: max[1] + 1, dx: at[0] - min[0], dy: at[1] - min[1] }));
        this.left = this.top = 0; // of the ground, as the sheets have it
        this.lay();
    }

    // The boxes of chunks that are in no sheet, [corner, corner].
    get bare() {
        const boxes = [], side = 1 << CHUNK_BITS, [width, height] = this.size;
        this.chunks.forEach((storey, i) => {
            const x = (i % this.columns) * side, y = Math.floor(i / this.columns) * side;
            if (storey === 0) boxes.push([[x, y], [Math.min(x + side, width) - 1, Math.min(y + side, height) - 1]]);
        });
        return boxes;
    }

    // What is in no sheet becomes the lowest storey, where it is.
    addBare() {
        this.storeys.unshift({ x0: 0, y0: 0, x1: this.size[0], y1: this.size[1], dx: -this.left, dy: -this.top });
        this.lay();
    }

    // Numbers the storeys of the chunks, and moves the first place on the ground to 0, 0.
    lay() {
        this.storeys.forEach(({ x0, y0, x1, y1 }, i) => {
            for (let y = y0 >> CHUNK_BITS; y <= (y1 - 1) >> CHUNK_BITS; y++)
                for (let x = x0 >> CHUNK_BITS; x <= (x1 - 1) >> CHUNK_BITS; x++) this.chunks[y * this.columns + x] = i + 1;
        });
        const edge = (most, side, shift) => most(...this.storeys.map(storey => storey[side] + storey[shift]));
        const left = edge(Math.min, 'x0', 'dx'), top = edge(Math.min, 'y0', 'dy');
        for (const storey of this.storeys) storey.dx -= left, storey.dy -= top;
        this.left += left, this.top += top;
        this.width = edge(Math.max, 'x1', 'dx'), this.height = edge(Math.max, 'y1', 'dy');
    }

    storeyOf(x, y) {
        return this.chunks[(y >> CHUNK_BITS) * this.columns + (x >> CHUNK_BITS)] - 1;
    }

    placeOf([x, y]) {
        const z = Math.max(this.storeyOf(x, y), 0), { dx, dy } = this.storeys[z];
        return [x + dx, y + dy, z];
    }

    // The cell at a place; null: the storey has none there.
    cellAt(x, y, z) {
        const storey = this.storeys[z];
        if (!storey) return null;
        x -= storey.dx, y -= storey.dy;
        const isIn = x >= storey.x0 && y >= storey.y0 && x < storey.x1 && y < storey.y1;
        return isIn && this.storeyOf(x, y) === z ? [x, y] : null;
    }

    // The places of agents. Between two cells the nearer one tells the storey.
    locate(message) {
        if (message.named)
            return { named: Object.fromEntries(Object.entries(message.named).map(([name, cell]) => [name, this.placeOf(cell)])) };
        for (let i = 0; i < message.count; i++) {
            const x = Math.round(message.x[i]), y = Math.round(message.y[i]), place = this.placeOf([Math.max(x, 0), Math.max(y, 0)]);
            message.x[i] += place[0] - Math.max(x, 0), message.y[i] += place[1] - Math.max(y, 0), message.z[i] = place[2];
        }
        return message;
    }
}
