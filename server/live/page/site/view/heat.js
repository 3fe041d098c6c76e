// SPDX-License-Identifier: MIT
// Draws the values of a layer over the ground: a wash of one colour, denser where a value is higher.
const LEAST_ALPHA = 36; // of the lowest value above 0: it is seen
const MOST_ALPHA = 205;

export class Heat {
    constructor(palette) {
        this.palette = palette;
        this.drawn = null; // the values in the pictures
        this.canvases = []; // a picture of each part
    }

    draw(context, camera, heat, z) {
        if (!heat || heat.z !== z) return;
        if (this.drawn !== heat || this.isDark !== this.palette.isDark) this.canvases = heat.parts.map((part, i) => this.paint(part, this.canvases[i]));
        this.drawn = heat;
        this.isDark = this.palette.isDark;
        heat.parts.forEach(({ x0, y0, dx, dy }, i) => {
            context.save();
            context.imageSmoothingEnabled = false;
            camera.layPicture(context, x0 + dx, y0 + dy);
            context.drawImage(this.canvases[i], 0, 0);
            context.restore();
        });
    }

    paint({ values, x0, x1, y0, y1 }, old) {
        const width = x1 - x0, height = y1 - y0, colour = parseInt(this.palette.colours.heat.slice(1), 16);
        const canvas = old?.width === width && old.height === height ? old : new OffscreenCanvas(width, height);
        const context = canvas.getContext('2d'), image = context.createImageData(width, height), { data } = image;
        for (let i = 0; i < values.length; i++) {
            if (values[i] === 0) continue;
            data[4 * i] = colour >> 16, data[4 * i + 1] = (colour >> 8) & 255, data[4 * i + 2] = colour & 255;
            data[4 * i + 3] = LEAST_ALPHA + ((MOST_ALPHA - LEAST_ALPHA) * values[i]) / 255;
        }
        context.putImageData(image, 0, 0);
        return canvas;
    }
}
