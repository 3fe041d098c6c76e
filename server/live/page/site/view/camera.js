// SPDX-License-Identifier: MIT
// Which part of the world is seen: the cell in the middle of the canvas, and the size of a cell in pixels.
// Events: 'change'; 'hand', when a person moves the map.
const LARGEST_CELL = 64;
const MARGIN = 24;
const MOST_CELLS = 2048; // from side to side: of larger worlds a part is seen

export class Camera extends EventTarget {
    constructor() {
        super();
        this.x = 0, this.y = 0; // in cells
        this.scale = 8; // CSS pixels a cell
        this.width = 1, this.height = 1; // of the canvas, CSS pixels
        this.world = { width: 1, height: 1 };
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

    fit(world = this.world) {
        this.world = world;
        this.scale = Math.min(LARGEST_CELL, Math.max(this.leastScale, this.fittingScale));
        this.x = world.width / 2 - this.insets.left / 2 / this.scale;
        this.y = world.height / 2 + this.insets.bottom / 2 / this.scale;
        this.changed();
    }

    toCell(px, py) {
        return [(px - this.width / 2) / this.scale + this.x, (py - this.height / 2) / this.scale + this.y];
    }

    toPixel(x, y) {
        return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
    }

    // Move the map as a hand does.
    drag(dx, dy) {
        this.dispatchEvent(new Event('hand'));
        this.move(dx, dy);
    }

    // Bring a place to the middle of what nothing else covers.
    centre(x, y) {
        const left = x - this.insets.left / 2 / this.scale, top = y + this.insets.bottom / 2 / this.scale;
        if (left === this.x && top === this.y) return;
        this.x = left, this.y = top;
        this.changed();
    }

    // Move by pixels; some of the world stays in sight.
    move(dx, dy) {
        this.x = Math.min(Math.max(this.x - dx / this.scale, 0), this.world.width);
        this.y = Math.min(Math.max(this.y - dy / this.scale, 0), this.world.height);
        this.changed();
    }

    // Zoom; the cell under a pixel stays there.
    zoom(factor, px = this.width / 2, py = this.height / 2) {
        const [x, y] = this.toCell(px, py);
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
