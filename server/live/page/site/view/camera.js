// SPDX-License-Identifier: MIT
// Which part of the world is seen: the cell in the middle of the canvas, and the size of a cell in pixels.
// Events: 'change'; 'hand', when a person moves the map.
// Cells lie in a plane, along two axes: squares upright, hexagons in axial coordinates with row y shifted by y / 2 and
// rows ROW apart, or as a picture has them.
const ROW = 0.8660254;
const SQUARE = [1, 0, 0, 1], HEXAGON = [1, 0, 0.5, ROW];
const LARGEST_CELL = 64;
const MARGIN = 24;
const MOST_CELLS = 2048; // from side to side: of larger worlds a part is seen

export class Camera extends EventTarget {
    constructor() {
        super();
        this.x = 0, this.y = 0; // in the plane
        this.scale = 8; // CSS pixels a cell
        this.width = 1, this.height = 1; // of the canvas, CSS pixels
        this.shape = { width: 1, height: 1 }; // in cells
        this.world = { left: 0, top: 0, width: 1, height: 1 }; // in the plane
        this.hexagons = false; // cells are
        this.axes = SQUARE; // in the plane, from a cell to the right one and to the one below: [x, y, x, y]
        this.insets = { left: 0, bottom: 0 }; // CSS pixels of the canvas that something else covers
    }

    resize(width, height) {
        this.width = width, this.height = height;
        this.move(0, 0);
    }

    // The scale at which the whole world is seen.
    get fittingScale() {
        const { left, bottom } = this.insets;
        return Math.min((this.width - left - 2 * MARGIN) / this.world.width,
            (this.height - bottom - 2 * MARGIN) / this.world.height);
    }

    get leastScale() {
        return Math.max(this.width, this.height) / MOST_CELLS;
    }

    // shape: of another world than before. axes: null, of its own.
    fit(shape = null, axes = null) {
        if (shape) {
            this.shape = shape;
            this.hexagons = shape.kind === 'grid' && shape.neighbours === 6;
            this.lay(axes);
        }
        const { world } = this;
        this.scale = Math.min(LARGEST_CELL, Math.max(this.leastScale, this.fittingScale));
        this.x = world.left + world.width / 2 - this.insets.left / 2 / this.scale;
        this.y = world.top + world.height / 2 + this.insets.bottom / 2 / this.scale;
        this.changed();
    }

    // Lays the cells along other axes; what is in the middle stays there.
    lay(axes) {
        const middle = this.toCell(this.width / 2, this.height / 2), { width, height } = this.shape;
        this.axes = axes ?? (this.hexagons ? HEXAGON : SQUARE);
        const xs = [0, width].flatMap(x => [0, height].map(y => this.fromCell(x, y)[0]));
        const ys = [0, width].flatMap(x => [0, height].map(y => this.fromCell(x, y)[1]));
        const left = Math.min(...xs), top = Math.min(...ys);
        this.world = { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
        [this.x, this.y] = this.fromCell(...middle);
        this.move(0, 0);
    }

    // The same camera for cells that lie dx, dy farther on the ground.
    shifted(dx, dy) {
        return Object.assign(Object.create(this), { x: this.x - dx, y: this.y - dy });
    }

    // Are cells upright squares?
    get isPlain() {
        return !this.hexagons && SQUARE.every((part, i) => part === this.axes[i]);
    }

    // Lets a picture with a pixel a cell be drawn where its cells lie, the first of them x, y.
    layPicture(context, x, y) {
        context.transform(...this.axes.map(part => part * this.scale), ...this.toPixel(x, y));
    }

    // A place of the map in the plane.
    fromCell(x, y) {
        const [ax, ay, bx, by] = this.axes;
        return [x * ax + y * bx, x * ay + y * by];
    }

    toPlane(px, py) {
        return [(px - this.width / 2) / this.scale + this.x, (py - this.height / 2) / this.scale + this.y];
    }

    toCell(px, py) {
        const [x, y] = this.toPlane(px, py), [ax, ay, bx, by] = this.axes, area = ax * by - ay * bx;
        const cell = [(x * by - y * bx) / area, (y * ax - x * ay) / area];
        return this.hexagons ? inHexagon(...cell) : cell;
    }

    // The cells in sight, without regard to the world's size: [x0, y0, x1, y1].
    get sight() {
        const corners = [[0, 0], [this.width, 0], [0, this.height], [this.width, this.height]].map(corner => this.toCell(...corner));
        const xs = corners.map(corner => corner[0]), ys = corners.map(corner => corner[1]);
        return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    }

    // The pixel of the upper left corner of a square in a cell.
    corner(x, y) {
        if (this.isPlain) return this.toPixel(x, y);
        const [px, py] = this.toPixel(x + 0.5, y + 0.5);
        return [px - this.scale / 2, py - this.scale / 2];
    }

    toPixel(x, y) {
        [x, y] = this.fromCell(x, y);
        return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
    }

    // Move the map as a hand does.
    drag(dx, dy) {
        this.dispatchEvent(new Event('hand'));
        this.move(dx, dy);
    }

    // Bring a place to the middle of what nothing else covers.
    centre(x, y) {
        [x, y] = this.fromCell(x, y);
        const left = x - this.insets.left / 2 / this.scale, top = y + this.insets.bottom / 2 / this.scale;
        if (left === this.x && top === this.y) return;
        this.x = left, this.y = top;
        this.changed();
    }

    // Move by pixels; some of the world stays in sight.
    move(dx, dy) {
        const { left, top, width, height } = this.world;
        this.x = Math.min(Math.max(this.x - dx / this.scale, left), left + width);
        this.y = Math.min(Math.max(this.y - dy / this.scale, top), top + height);
        this.changed();
    }

    // Zoom; the cell under a pixel stays there.
    zoom(factor, px = this.width / 2, py = this.height / 2) {
        const [x, y] = this.toPlane(px, py);
        const least = Math.max(this.leastScale, Math.min(this.fittingScale / 2, 4));
        this.scale = Math.min(Math.max(this.scale * factor, least), LARGEST_CELL);
        this.x = x - (px - this.width / 2) / this.scale;
        this.y = y - (py - this.height / 2) / this.scale;
        this.move(0, 0);
    }

    // Bring a cell into sight.
    show(x, y) {
        const [px, py] = this.toPixel(x + 0.5, y + 0.5);
        const edge = Math.min(60, this.width / 4, this.height / 4);
        const off = (p, size) => Math.min(0, size - edge - p) + Math.max(0, edge - p);
        const dx = off(px, this.width), dy = off(py, this.height);
        if (dx || dy) this.move(dx, dy);
    }

    changed() {
        this.dispatchEvent(new Event('change'));
    }
}

// Moves a place into the square of cells that stands for its hexagon: then Math.floor finds its cell.
function inHexagon(x, y) {
    const a = x - 0.5, b = y - 0.5, c = -a - b;
    let q = Math.round(a), r = Math.round(b);
    const offA = Math.abs(a - q), offB = Math.abs(b - r), offC = Math.abs(c - Math.round(c));
    if (offA > offB && offA > offC) q = -r - Math.round(c);
    else if (offB > offC) r = -q - Math.round(c);
    const into = (value, cell) => Math.min(Math.max(value, cell), cell + 0.999);
    return [into(x, q), into(y, r)];
}
