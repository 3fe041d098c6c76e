// SPDX-License-Identifier: MIT
// Tiled's own pictures of the map, where the server has them; docs/protocol.md describes what it sends. They are drawn
// into a canvas of the size of the stage, once for each view of the map.
const FLIPS = 28; // bits of a tile's number below its flips
const MIRRORED = 8, UPSIDE_DOWN = 4, DIAGONAL = 2, TURNED = 1; // the flips; on hexagonal maps the last two turn
const MOST_TILES = 100000; // in sight: of more, the map's cells are drawn instead
const SLOW_MS = 25; // a view that takes longer is drawn when the map rests, and the last one moved meanwhile
const REST_MS = 120;

// Numbers and how many tiles one after another have them.
function tilesOf({ runs, size: [width, height] }) {
    const tiles = new Uint32Array(width * height);
    for (let i = 0, at = 0; i < runs.length; i += 2) tiles.fill(runs[i], at, at += runs[i + 1]);
    return tiles;
}

// An image with one colour of it transparent, "ff00ff".
async function cleared(bitmap, colour) {
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const image = context.getImageData(0, 0, canvas.width, canvas.height), { data } = image;
    const wanted = parseInt(colour.replace('#', '').slice(-6), 16);
    for (let i = 0; i < data.length; i += 4)
        if (((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]) === wanted) data[i + 3] = 0;
    context.putImageData(image, 0, 0);
    return canvas;
}

// A layer that is one image; repeated, as far as it is seen.
function paintImage(context, { picture, offset, repeat }, { left, top, scale, width, height }) {
    const wide = picture.width * scale, high = picture.height * scale, x0 = left + offset[0] * scale, y0 = top + offset[1] * scale;
    if (Math.min(wide, high) < 1) return;
    const [firstX, lastX] = repeat[0] ? [Math.floor(-x0 / wide), Math.floor((width - x0) / wide)] : [0, 0];
    const [firstY, lastY] = repeat[1] ? [Math.floor(-y0 / high), Math.floor((height - y0) / high)] : [0, 0];
    for (let y = firstY; y <= lastY; y++)
        for (let x = firstX; x <= lastX; x++) {
            const [px, py, qx, qy] = [x0 + x * wide, y0 + y * high, x0 + (x + 1) * wide, y0 + (y + 1) * high].map(Math.round);
            context.drawImage(picture, px, py, qx - px, qy - py);
        }
}

export class Pictures {
    constructor() {
        this.server = null; // whose pictures these are
        this.scene = null;
        this.isOn = true;
        this.touch = () => {}; // draws the stage once more
        this.painted = 0; // views
    }

    // The answer to hello names the server. Images that do not come are left out.
    async load({ server, token }) {
        if (this.server === server) return;
        this.server = server;
        this.scene = this.view = null;
        if (!server.files) return;
        const headers = token ? { Authorization: `Bearer ${token}` } : {};
        const get = async path => {
            const answer = await fetch(path, { headers });
            if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
            return answer;
        };
        try {
            const scene = await (await get('/tiled.json')).json();
            const bitmaps = await Promise.all(scene.files.map(path => path === null ? null
                : get(path).then(answer => answer.blob()).then(createImageBitmap).catch(() => null)));
            if (this.server === server) await this.take(scene, bitmaps);
        } catch {
            // the page shows the map's cells
        }
    }

    async take(scene, bitmaps) {
        for (const set of scene.tilesets) {
            const own = bitmaps[set.image] ?? null;
            set.picture = own && set.clear ? await cleared(own, set.clear) : own;
            set.own = new Map(set.pictures.map(([id, image, ...part]) => [id, { picture: bitmaps[image], part }]));
        }
        scene.tilesets.sort((a, b) => a.first - b.first);
        this.count = 0; // of tiles
        scene.blocks.sort((a, b) => a.layer - b.layer);
        for (const block of scene.blocks) {
            if (block.image !== undefined) block.picture = bitmaps[block.image];
            if (block.objects && !block.by_index) block.objects.sort((a, b) => a[2] - b[2]); // lower ones are nearer
            this.count += block.objects?.length ?? 0;
            if (!block.runs) continue;
            block.tiles = tilesOf(block);
            this.count += block.tiles.reduce((count, number) => count + (number > 0), 0);
        }
        const { right, down } = scene;
        this.unit = Math.sqrt(Math.abs(right[0] * down[1] - right[1] * down[0])); // pixels of Tiled a cell
        this.tiles = new Map(); // by number, without flips: what tileOf() found
        this.overhang = Math.max(this.unit, ...scene.tilesets.flatMap(({ tile, offset, own }) => [...tile, ...offset.map(Math.abs),
            ...[...own.values()].flatMap(({ picture }) => picture ? [picture.width, picture.height] : [])]));
        this.scene = scene;
    }

    // Where cells lie on the screen: [right x, right y, down x, down y] in cells; null: as without pictures.
    get axes() {
        return this.scene && this.isOn ? [...this.scene.right, ...this.scene.down].map(pixels => pixels / this.unit) : null;
    }

    // Which part of which picture a tile is, and how large it is drawn; null: it has none.
    tileOf(number) {
        if (!this.tiles.has(number)) this.tiles.set(number, this.findTile(number));
        return this.tiles.get(number);
    }

    findTile(number) {
        const set = this.scene.tilesets.findLast(({ first }) => first <= number);
        if (!set) return null;
        const id = number - set.first, own = set.own.get(id), picture = own?.picture ?? set.picture;
        if (!picture) return null;
        const [w, h] = set.tile, step = w + set.spacing, columns = Math.floor((picture.width - 2 * set.margin + set.spacing) / step);
        let part = [set.margin + (id % columns) * step, set.margin + Math.floor(id / columns) * (h + set.spacing), w, h];
        if (own?.picture) part = own.part[2] > 0 ? own.part : [0, 0, picture.width, picture.height];
        else if (!(columns > 0) || part[1] + h > picture.height) return null;
        const [width, height] = set.grid ? this.scene.tile : [part[2], part[3]];
        return { picture, part, width, height, offset: set.offset };
    }

    // Draw what is in sight of a storey. False: there are no pictures of it, or too many.
    draw(context, camera, storey, ratio) {
        const share = (camera.width * camera.height) / (camera.world.width * camera.world.height * camera.scale ** 2);
        if (!this.axes || this.count * Math.min(share, 1) > MOST_TILES || !this.scene.blocks.some(block => block.storey === storey)) return false;
        const { x, y, scale, width, height } = camera, nowMs = performance.now();
        const view = { x, y, scale, width, height, storey, ratio }, key = Object.values(view).join();
        if (key !== this.wanted) this.wanted = key, this.wantedMs = nowMs;
        const moves = this.view?.storey === storey && this.costMs > SLOW_MS && nowMs - this.wantedMs < REST_MS;
        if (moves && key !== this.view.key) setTimeout(() => this.touch(), REST_MS);
        else if (key !== this.view?.key) this.paint(camera, storey, ratio, { ...view, key });
        const old = this.view, factor = scale / old.scale;
        context.drawImage(this.canvas, width / 2 + (old.x - x) * scale - (old.width / 2) * factor,
            height / 2 + (old.y - y) * scale - (old.height / 2) * factor, old.width * factor, old.height * factor);
        return true;
    }

    paint(camera, storey, ratio, view) {
        const begunMs = performance.now(), { corner } = this.scene;
        const width = Math.max(1, Math.round(camera.width * ratio)), height = Math.max(1, Math.round(camera.height * ratio));
        if (this.canvas?.width !== width || this.canvas?.height !== height) this.canvas = new OffscreenCanvas(width, height);
        const context = this.canvas.getContext('2d');
        context.clearRect(0, 0, width, height);
        // A pixel of Tiled at x is drawn at left + x * scale.
        const scale = (camera.scale / this.unit) * ratio;
        const left = (camera.width / 2 - camera.x * camera.scale) * ratio - corner[0] * scale;
        const top = (camera.height / 2 - camera.y * camera.scale) * ratio - corner[1] * scale;
        context.imageSmoothingEnabled = scale < 1;
        const sight = this.sightOf(-left / scale, -top / scale, (width - left) / scale, (height - top) / scale);
        for (const block of this.scene.blocks)
            if (block.storey === storey) this.paintAny(context, block, sight, { left, top, scale, width, height });
        this.view = view;
        this.costMs = performance.now() - begunMs;
        this.painted++;
    }

    // Columns and rows of Tiled that a box of its pixels may show: [x0, y0, x1, y1].
    sightOf(left, top, right, bottom) {
        const { column: [a, b], row: [c, d], from } = this.scene, area = a * d - b * c, more = this.overhang;
        const corners = [left - more, right + more].flatMap(x => [top - more, bottom + more].map(y => [x - from[0], y - from[1]]));
        const columns = corners.map(([x, y]) => (x * d - y * c) / area), rows = corners.map(([x, y]) => (y * a - x * b) / area);
        return [Math.floor(Math.min(...columns)) - 1, Math.floor(Math.min(...rows)) - 1, Math.ceil(Math.max(...columns)) + 1,
            Math.ceil(Math.max(...rows)) + 1];
    }

    paintAny(context, block, sight, to) {
        context.globalAlpha = block.opacity;
        if (block.objects) for (const object of block.objects) this.paintObject(context, object, block.offset, to);
        else if (block.tiles) this.paintBlock(context, block, sight, to);
        else if (block.picture) paintImage(context, block, to);
    }

    // A tile that is an object: turned about its place, which is somewhere in it.
    paintObject(context, [number, x, y, alignX, alignY, width, height, rotation], offset, { left, top, scale }) {
        const tile = this.tileOf(number % 2 ** FLIPS), flips = Math.floor(number / 2 ** FLIPS);
        if (!tile) return;
        const wide = (width || tile.width) * scale, high = (height || tile.height) * scale;
        context.save();
        context.translate(left + (x + offset[0]) * scale, top + (y + offset[1]) * scale);
        context.rotate((rotation * Math.PI) / 180);
        context.translate((0.5 - alignX) * wide + tile.offset[0] * scale, (0.5 - alignY) * high + tile.offset[1] * scale);
        context.scale(flips & MIRRORED ? -1 : 1, flips & UPSIDE_DOWN ? -1 : 1);
        context.drawImage(tile.picture, ...tile.part, -wide / 2, -high / 2, wide, high);
        context.restore();
    }

    // Row by row. Where columns are shifted, those farther up in a row come first, as others may cover them.
    paintBlock(context, block, [x0, y0, x1, y1], to) {
        const { flat, shifts, column, row, from } = this.scene, { at, size, tiles, offset } = block;
        const first = Math.max(x0, at[0]), end = Math.min(x1, at[0] + size[0] - 1), last = Math.min(y1, at[1] + size[1] - 1);
        const passes = flat ? [0, 0.5] : [null];
        for (let y = Math.max(y0, at[1]); y <= last; y++)
            for (const pass of passes)
                for (let x = first; x <= end; x++) {
                    const number = tiles[(y - at[1]) * size[0] + x - at[0]], shift = shifts[(flat ? x : y) & 1];
                    if (number === 0 || (pass !== null && shift !== pass)) continue;
                    const px = from[0] + (flat ? x : x + shift) * column[0] + y * row[0];
                    const py = from[1] + (flat ? y + shift : y) * row[1] + x * column[1];
                    this.paintTile(context, number, px + offset[0], py + offset[1], to);
                }
    }

    // The cell's box has its upper left corner at px, py; a tile stands on its lower left corner.
    paintTile(context, number, px, py, { left, top, scale, width, height }) {
        const tile = this.tileOf(number & ((1 << FLIPS) - 1)), flips = number >>> FLIPS;
        if (!tile) return;
        const x = px + tile.offset[0], y = py + this.scene.tile[1] + tile.offset[1];
        const isLaid = !this.scene.hexagonal && (flips & DIAGONAL) !== 0, wide = isLaid ? tile.height : tile.width, high = isLaid ? tile.width : tile.height;
        // Whole pixels of the screen: no gap between tiles.
        const x0 = Math.round(left + x * scale), x1 = Math.round(left + (x + wide) * scale);
        const y0 = Math.round(top + (y - high) * scale), y1 = Math.round(top + y * scale);
        if (x1 <= 0 || y1 <= 0 || x0 >= width || y0 >= height) return;
        if (flips === 0) {
            context.drawImage(tile.picture, ...tile.part, x0, y0, x1 - x0, y1 - y0);
            return;
        }
        const turn = this.scene.hexagonal ? ((flips & DIAGONAL) / DIAGONAL + 2 * (flips & TURNED)) / 6 : isLaid ? 1 / 4 : 0;
        let mirrored = (flips & MIRRORED) !== 0, upsideDown = (flips & UPSIDE_DOWN) !== 0;
        if (isLaid) [mirrored, upsideDown] = [upsideDown, !mirrored]; // across the diagonal is a quarter turn, mirrored
        const w = isLaid ? y1 - y0 : x1 - x0, h = isLaid ? x1 - x0 : y1 - y0;
        context.save();
        context.translate((x0 + x1) / 2, (y0 + y1) / 2);
        context.rotate(2 * Math.PI * turn);
        context.scale(mirrored ? -1 : 1, upsideDown ? -1 : 1);
        context.drawImage(tile.picture, ...tile.part, -w / 2, -h / 2, w, h);
        context.restore();
    }
}
