// SPDX-License-Identifier: MIT
// Draws the values of a layer over the ground: a wash of one colour, denser where a value is higher.
const LEAST_ALPHA = 36; // of the lowest value above 0: it is seen
const MOST_ALPHA = 205;

export class Heat {
    constructor(palette) {
        this.palette = palette;
        this.drawn = null; // the values in the picture
    }

    draw(context, camera, heat, z) {
        if (!heat || heat.z !== z) return;
        const [x0, y0, x1, y1] = heat.box, width = x1 - x0 + 1, height = y1 - y0 + 1;
        if (this.drawn !== heat || this.isDark !== this.palette.isDark) this.paint(heat, width, height);
        context.save();
        context.imageSmoothingEnabled = false;
        camera.layPicture(context, x0, y0);
        context.drawImage(this.canvas, 0, 0, width, height);
        context.restore();
    }

    paint(heat, width, height) {
        const colour = parseInt(this.palette.colours.heat.slice(1), 16), { values } = heat;
        if (this.canvas?.width !== width || this.canvas?.height !== height) this.canvas = new OffscreenCanvas(width, height);
        const context = this.canvas.getContext('2d'), image = context.createImageData(width, height), { data } = image;
        for (let i = 0; i < values.length; i++) {
            if (values[i] === 0) continue;
            data[4 * i] = colour >> 16, data[4 * i + 1] = (colour >> 8) & 255, data[4 * i + 2] = colour & 255;
            data[4 * i + 3] = LEAST_ALPHA + ((MOST_ALPHA - LEAST_ALPHA) * values[i]) / 255;
        }
        context.putImageData(image, 0, 0);
        this.drawn = heat;
        this.isDark = this.palette.isDark;
    }
}
