// SPDX-License-Identifier: MIT
// The ground: each chunk is drawn once into a picture of its own, plain for far, with textures for near.
import { CHUNK } from '../world/world.js';
import { groundOf } from '../world/rules.js';

const NEAR_SCALE = 7; // CSS pixels a cell from which textures are worth their memory
const LINES_SCALE = 10; // from which lines part the cells
const HEXAGON_SCALE = 6; // from which hexagons are drawn as such
const HEXAGON_CORNERS = [[1, 1], [2, -1], [1, -2], [-1, -1], [-2, 1], [-1, 2]].map(corner => corner.map(third => third / 3)); // in axial coordinates
const WASH = 0.4; // how dense what is blocked lies over pictures
const NEAR_PIXELS = 16; // a cell in a picture with textures
const NEAR_PART = 32; // cells a side of such a picture
const HATCH_PIXELS = 8; // between lines, in CSS pixels
const STOREY_SHADE = 0.12, MOST_SHADE = 0.4; // how much darker a storey is than the one above, and the lowest than the highest
const MOST_NEAR = 96; // pictures that are kept: 1 MiB each

function rgbOf(colour) {
    const number = parseInt(colour.slice(1), 16);
    return [number >> 16, (number >> 8) & 255, number & 255];
}

export class Tiles {
    constructor(world, palette) {
        this.world = world;
        this.palette = palette;
        this.missing = 0; // chunks in sight that are not here yet
        this.shade = 0; // of the storey that is drawn, below 1
        this.clear();
        palette.addEventListener('change', () => this.clear());
        world.addEventListener('shape', () => this.clear());
    }

    clear() {
        this.far = new Map(); // chunk key: {canvas, version}
        this.washes = new Map(); // the same of what is blocked alone
        this.near = new Map(); // part key: {canvas, version}; the last used stand last
        const looks = Array.from({ length: 256 }, (_, i) => groundOf(i, this.world.shape?.factors));
        this.looks = looks;
        this.rgb = looks.map(look => rgbOf(this.palette.colours[look]));
    }

    // Draw all that is in sight, storey over storey. What is not here yet is in a grey of its own, and counted as missing.
    // overPictures: only what is blocked, as a wash.
    draw(context, camera, z, overPictures = false) {
        const { sheets, shape } = this.world, { width, height } = shape, [left, top, right, bottom] = camera.sight;
        context.imageSmoothingEnabled = camera.scale < (camera.scale >= NEAR_SCALE ? NEAR_PIXELS : 1);
        context.imageSmoothingQuality = 'medium';
        this.missing = 0;
        if (sheets) this.drawGround(context, camera, width, height);
        for (const part of this.world.partsIn(camera, z)) {
            this.shade = sheets ? (z - part.storey) * Math.min(STOREY_SHADE, MOST_SHADE / shape.depth) : 0;
            this.drawPart(context, part, overPictures);
        }
        if (camera.scale >= LINES_SCALE && camera.isPlain && !overPictures)
            this.drawLines(context, camera, Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top)), Math.min(width, Math.ceil(right)),
                Math.min(height, Math.ceil(bottom)));
    }

    // Sheets show their floors alone: all else is as walls are.
    drawGround(context, camera, width, height) {
        const [left, top] = camera.toPixel(0, 0), [right, bottom] = camera.toPixel(width, height);
        context.fillStyle = this.palette.colours.blocked;
        context.fillRect(left, top, right - left, bottom - top);
    }

    drawPart(context, { storey, z, camera, x0, y0, x1, y1 }, overPictures) {
        const { sheets } = this.world;
        for (let cy = Math.floor(y0 / CHUNK); cy * CHUNK < y1; cy++)
            for (let cx = Math.floor(x0 / CHUNK); cx * CHUNK < x1; cx++) {
                if (sheets && sheets.storeyOf(cx * CHUNK, cy * CHUNK) !== storey) continue;
                const chunk = this.world.chunk(cx, cy, z);
                if (!chunk && (sheets || !camera.isPlain)) this.missing++;
                else if (!chunk) this.drawMissing(context, camera, cx * CHUNK, cy * CHUNK);
                if (!chunk || chunk.land === 'absent') continue;
                if (overPictures || !camera.isPlain) this.drawSlanted(context, camera, chunk, y0, y1, overPictures);
                else if (chunk.land === 'known') this.drawKnown(context, camera, chunk);
                else if (camera.scale >= NEAR_SCALE) this.drawNear(context, camera, chunk, x0, y0, x1, y1);
                else this.drawFar(context, camera, chunk);
            }
        this.world.askAhead(Math.floor(x0 / CHUNK), Math.floor(y0 / CHUNK), Math.floor((x1 - 1) / CHUNK), Math.floor((y1 - 1) / CHUNK), z);
    }

    // The lines between cells: one pixel wide at any zoom.
    drawLines(context, camera, x0, y0, x1, y1) {
        const [left, top] = camera.toPixel(x0, y0), [right, bottom] = camera.toPixel(x1, y1);
        context.fillStyle = this.palette.colours.line;
        for (let x = x0; x <= x1; x++) context.fillRect(Math.round(camera.toPixel(x, 0)[0]), top, 1, bottom - top);
        for (let y = y0; y <= y1; y++) context.fillRect(left, Math.round(camera.toPixel(0, y)[1]), right - left, 1);
    }

    place(context, camera, canvas, x, y, cellsX, cellsY, pixels) {
        const [px, py] = camera.toPixel(x, y), [qx, qy] = camera.toPixel(x + cellsX, y + cellsY);
        const left = Math.round(px), top = Math.round(py);
        context.drawImage(canvas, 0, 0, cellsX * pixels, cellsY * pixels, left, top, Math.round(qx) - left,
            Math.round(qy) - top);
    }

    // The pixels of a chunk: left, top, right, bottom.
    edgesOf(camera, x, y) {
        const { width, height } = this.world.size;
        return [...camera.toPixel(x, y), ...camera.toPixel(Math.min(x + CHUNK, width), Math.min(y + CHUNK, height))];
    }

    drawMissing(context, camera, x, y) {
        const [left, top, right, bottom] = this.edgesOf(camera, x, y).map(Math.round);
        this.missing++;
        context.fillStyle = this.palette.colours.missing;
        context.fillRect(left, top, right - left, bottom - top);
    }

    // Land that is not loaded, but known: the paper, hatched. Absent land is the paper alone.
    drawKnown(context, camera, chunk) {
        const [left, top, right, bottom] = this.edgesOf(camera, chunk.x, chunk.y);
        context.save();
        context.beginPath();
        context.rect(left, top, right - left, bottom - top);
        context.clip();
        hatch(context, left, top, right, bottom, this.palette.colours.edge);
        context.restore();
    }

    // The chunk's picture, aslant; of hexagons from near a polygon a cell, by colours.
    drawSlanted(context, camera, chunk, y0, y1, isWash) {
        const { width, height } = this.world.size, { scale } = camera;
        if (chunk.land === 'known') return;
        context.save();
        if (isWash) context.globalAlpha = WASH;
        if (camera.hexagons && scale >= HEXAGON_SCALE) {
            this.drawHexagons(context, camera, chunk, y0, y1, isWash);
        } else {
            const w = Math.min(CHUNK, width - chunk.x), h = Math.min(CHUNK, height - chunk.y);
            camera.layPicture(context, chunk.x, chunk.y);
            context.imageSmoothingEnabled = scale < 1;
            context.drawImage(this.farTile(chunk, isWash).canvas, 0, 0, w, h, 0, 0, w, h);
        }
        context.restore();
    }

    drawHexagons(context, camera, chunk, y0, y1, isWash) {
        const { width, height } = this.world.size, { scale } = camera;
        const corners = HEXAGON_CORNERS.map(([x, y]) => camera.fromCell(x * scale, y * scale));
        const middles = new Map(); // by look
        for (let y = Math.max(chunk.y, y0); y < Math.min(chunk.y + CHUNK, y1, height); y++)
            for (let x = chunk.x; x < Math.min(chunk.x + CHUNK, width); x++) {
                const [px, py] = camera.toPixel(x + 0.5, y + 0.5);
                if (px < -scale || px > camera.width + scale) continue;
                const look = this.looks[chunk.classes[(y - chunk.y) * CHUNK + x - chunk.x]];
                if (isWash && look !== 'blocked') continue;
                if (!middles.has(look)) middles.set(look, []);
                middles.get(look).push(px, py);
            }
        context.strokeStyle = this.palette.colours.line;
        context.lineWidth = 1;
        for (const [look, places] of middles) {
            context.beginPath();
            for (let i = 0; i < places.length; i += 2) hexagon(context, places[i], places[i + 1], corners);
            context.fillStyle = this.palette.colours[look];
            context.fill();
            if (scale >= LINES_SCALE && !isWash) context.stroke();
        }
    }

    drawFar(context, camera, chunk) {
        const tile = this.farTile(chunk);
        const width = Math.min(CHUNK, this.world.size.width - chunk.x);
        const height = Math.min(CHUNK, this.world.size.height - chunk.y);
        this.place(context, camera, tile.canvas, chunk.x, chunk.y, width, height, 1);
    }

    farTile(chunk, isWash = false) {
        const key = this.world.key(chunk.x, chunk.y, chunk.z), tiles = isWash ? this.washes : this.far;
        let tile = tiles.get(key);
        if (tile?.version !== chunk.version + this.shade) {
            tile = { canvas: tile?.canvas ?? new OffscreenCanvas(CHUNK, CHUNK), version: chunk.version + this.shade };
            this.paintFar(tile.canvas, chunk, isWash);
            tiles.set(key, tile);
        }
        return tile;
    }

    paintFar(canvas, chunk, isWash) {
        const context = canvas.getContext('2d');
        const image = context.createImageData(CHUNK, CHUNK);
        for (let i = 0; i < CHUNK * CHUNK; i++) {
            const rgb = this.rgb[chunk.classes[i]], light = 1 - this.shade;
            image.data[4 * i] = rgb[0] * light, image.data[4 * i + 1] = rgb[1] * light, image.data[4 * i + 2] = rgb[2] * light;
            const isClear = (isWash && this.looks[chunk.classes[i]] !== 'blocked') || chunk.floor?.[i] === 0;
            image.data[4 * i + 3] = isClear ? 0 : 255;
        }
        context.putImageData(image, 0, 0);
    }

    drawNear(context, camera, chunk, x0, y0, x1, y1) {
        const { width, height } = this.world.size;
        for (let y = chunk.y; y < Math.min(chunk.y + CHUNK, y1); y += NEAR_PART)
            for (let x = chunk.x; x < Math.min(chunk.x + CHUNK, x1); x += NEAR_PART) {
                if (x + NEAR_PART <= x0 || y + NEAR_PART <= y0) continue;
                const key = this.world.key(x, y, chunk.z);
                let tile = this.near.get(key);
                if (tile?.version !== chunk.version + this.shade) {
                    const canvas = tile?.canvas ?? new OffscreenCanvas(NEAR_PART * NEAR_PIXELS, NEAR_PART * NEAR_PIXELS);
                    tile = { canvas, version: chunk.version + this.shade };
                    this.paintNear(canvas.getContext('2d'), chunk, x, y);
                }
                this.near.delete(key);
                this.near.set(key, tile);
                this.place(context, camera, tile.canvas, x, y, Math.min(NEAR_PART, width - x),
                    Math.min(NEAR_PART, height - y), NEAR_PIXELS);
            }
        for (const key of this.near.keys()) {
            if (this.near.size <= MOST_NEAR) break;
            this.near.delete(key);
        }
    }

    paintNear(context, chunk, x0, y0) {
        const colours = this.palette.colours;
        for (let y = 0; y < NEAR_PART; y++)
            for (let x = 0; x < NEAR_PART; x++) {
                const index = (y0 - chunk.y + y) * CHUNK + x0 - chunk.x + x, look = this.looks[chunk.classes[index]];
                const px = x * NEAR_PIXELS, py = y * NEAR_PIXELS;
                if (chunk.floor?.[index] === 0) {
                    context.clearRect(px, py, NEAR_PIXELS, NEAR_PIXELS);
                    continue;
                }
                context.fillStyle = colours[look];
                context.fillRect(px, py, NEAR_PIXELS, NEAR_PIXELS);
                if (look !== 'blocked') {
                    texture(context, look, px, py, this.palette.isDark);
                    this.drawShadow(context, chunk, x0 - chunk.x + x, y0 - chunk.y + y, px, py);
                }
                if (this.shade > 0) {
                    context.fillStyle = `rgba(0,0,0,${this.shade})`;
                    context.fillRect(px, py, NEAR_PIXELS, NEAR_PIXELS);
                }
            }
    }

    // A wall above or to the left throws a shadow.
    drawShadow(context, chunk, x, y, px, py) {
        const isWall = (cx, cy) => cx >= 0 && cy >= 0 && chunk.floor?.[cy * CHUNK + cx] !== 0 &&
            this.looks[chunk.classes[cy * CHUNK + cx]] === 'blocked';
        context.fillStyle = this.palette.isDark ? 'rgba(0,0,0,0.30)' : 'rgba(32,38,46,0.13)';
        if (isWall(x, y - 1)) context.fillRect(px, py, NEAR_PIXELS, 3);
        if (isWall(x - 1, y)) context.fillRect(px, py + (isWall(x, y - 1) ? 3 : 0), 3, NEAR_PIXELS);
    }
}

// Lines from the lower left to the upper right, through the same points at any place.
export function hatch(context, left, top, right, bottom, colour) {
    const high = bottom - top;
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.beginPath();
    for (let x = left - high - ((left - high + bottom) % HATCH_PIXELS); x < right; x += HATCH_PIXELS) {
        context.moveTo(x, bottom);
        context.lineTo(x + high, top);
    }
    context.stroke();
}

// A hexagon round a middle.
function hexagon(context, x, y, corners) {
    corners.forEach(([dx, dy], i) => (i ? context.lineTo(x + dx, y + dy) : context.moveTo(x + dx, y + dy)));
    context.closePath();
}

// Marks that tell grounds apart without colour: waves on water, tufts in a swamp, grains on slow ground.
function texture(context, look, x, y, isDark) {
    context.fillStyle = isDark ? 'rgba(255,255,255,0.22)' : 'rgba(0,0,0,0.20)';
    if (look === 'water') {
        for (const [dx, dy] of [[2, 5], [8, 11]]) {
            context.fillRect(x + dx, y + dy, 3, 1);
            context.fillRect(x + dx + 2, y + dy - 1, 2, 1);
            context.fillRect(x + dx + 4, y + dy, 2, 1);
        }
    } else if (look === 'swamp') {
        for (const [dx, dy] of [[4, 4], [11, 10]]) {
            context.fillRect(x + dx, y + dy - 2, 1, 4);
            context.fillRect(x + dx - 2, y + dy, 1, 2);
            context.fillRect(x + dx + 2, y + dy, 1, 2);
        }
    } else if (look.startsWith('slow')) {
        const grains = Number(look.slice(4));
        for (let i = 0; i < grains; i++) context.fillRect(x + 2 + ((i * 5) % 12), y + 2 + ((i * 7) % 12), 1, 1);
    }
}
