// SPDX-License-Identifier: MIT
// Tiled's pictures of the map: the colours that the page draws are those of the tiles, in their places on all kinds of
// maps, turned as the map has them, under a wash where cells are blocked; a key shows the cells instead.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, clickCell, ready, until, useTool } from './harness.mjs';

const RED = [220, 20, 20], GREEN = [20, 200, 20], BLUE = [20, 20, 230], YELLOW = [230, 220, 20], CLEAR = [255, 0, 255];

// A BMP of these pixels, row by row.
function bmp(width, height, colourAt) {
    const line = Math.ceil((3 * width) / 4) * 4, file = Buffer.alloc(54 + line * height);
    file.write('BM', 0), file.writeUInt32LE(file.length, 2), file.writeUInt32LE(54, 10), file.writeUInt32LE(40, 14);
    file.writeInt32LE(width, 18), file.writeInt32LE(-height, 22), file.writeUInt16LE(1, 26), file.writeUInt16LE(24, 28);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) colourAt(x, y).toReversed().forEach((part, i) => (file[54 + y * line + 3 * x + i] = part));
    return file;
}

// Tiles of 8 x 8 with a margin and a space of one pixel: red, blocked and red, green left of blue, yellow above nothing.
const tiles = bmp(37, 10, (x, y) => {
    const tile = Math.floor((x - 1) / 9), inX = (x - 1) % 9, inY = y - 1;
    if (x < 1 || inX > 7 || inY < 0 || inY > 7) return CLEAR;
    return tile < 2 ? RED : tile === 2 ? (inX < 4 ? GREEN : BLUE) : inY < 4 ? YELLOW : CLEAR;
});
const SET = { firstgid: 1, name: 's', image: 'tiles.bmp', imagewidth: 37, imageheight: 10, tilewidth: 8, tileheight: 8, margin: 1,
    spacing: 1, tilecount: 4, columns: 4, transparentcolor: '#ff00ff', tiles: [{ id: 1, properties: [{ name: 'blocked', type: 'bool', value: true }] }] };
const MIRRORED = 0x80000000, UPSIDE_DOWN = 0x40000000, DIAGONAL = 0x20000000;

function town(harness, width, data, more = {}) {
    const height = data.length / width, layer = { type: 'tilelayer', name: 'a', width, height, data };
    writeFileSync(join(harness.folder, 'tiles.bmp'), tiles);
    return harness.world('town.tmj', [JSON.stringify({ type: 'map', orientation: 'orthogonal', width, height, tilewidth: 8, tileheight: 8,
        tilesets: [SET], layers: [layer], ...more })]);
}

// The colour at a part of a cell, from -1 to 1, once all that waits is drawn.
async function colourAt(page, x, y, dx = 0, dy = 0) {
    const drawn = await page.evaluate(() => (wend.stage.touch(), wend.stage.frames));
    await until(page, before => wend.stage.frames > before + 1, drawn);
    return page.evaluate(([cx, cy, partX, partY]) => {
        const [px, py] = wend.camera.toPixel(cx + 0.5 + partX / 2, cy + 0.5 + partY / 2), { ratio, context } = wend.stage;
        return [...context.getImageData(Math.round(px * ratio), Math.round(py * ratio), 1, 1).data].slice(0, 3);
    }, [x, y, dx, dy]);
}

const near = (colour, other) => colour.every((part, i) => Math.abs(part - other[i]) < 12);
const words = colour => colour.join(',');

async function open(harness, world, options = []) {
    const server = await harness.serve(world, options), { page, complaints } = await harness.open(server.url);
    await ready(page);
    return { page, complaints, server };
}

export async function showsTheTilesOfTheMap(harness) {
    const row = [1, 2, 3, 4, 0, MIRRORED + 3, DIAGONAL + 3, DIAGONAL + UPSIDE_DOWN + 3, UPSIDE_DOWN + 4];
    const { page, complaints } = await open(harness, town(harness, 9, [...row, ...Array(9).fill(1)]));
    const expect = async (colour, ...at) => {
        const found = await colourAt(page, ...at);
        check(near(found, colour), `${words(found)} at ${at}, not ${words(colour)}`);
    };
    await expect(RED, 0, 0);
    await expect(GREEN, 2, 0, -0.5), await expect(BLUE, 2, 0, 0.5);
    await expect(YELLOW, 3, 0, 0, -0.5);
    await expect(BLUE, 5, 0, -0.5), await expect(GREEN, 5, 0, 0.5);
    await expect(GREEN, 6, 0, 0, -0.5), await expect(BLUE, 6, 0, 0, 0.5);
    await expect(BLUE, 7, 0, 0, -0.5), await expect(GREEN, 7, 0, 0, 0.5);
    await expect(YELLOW, 8, 0, 0, 0.5);
    const clear = await colourAt(page, 3, 0, 0.5, 0.5), none = await colourAt(page, 4, 0, 0.5, 0.5);
    check(near(clear, none), `the colour that is clear is seen: ${words(clear)}`);
    const washed = await colourAt(page, 1, 0);
    check(!near(washed, RED) && washed[0] > washed[1] + 40, `no wash over a wall: ${words(washed)}`);
    await harness.shoot(page, 'pictures');
    await useTool(page, 'wall');
    await clickCell(page, 0, 1);
    await until(page, () => wend.world.classAt(0, 1, 0) === 0);
    await expect(washed, 0, 1);
    await page.keyboard.press('i');
    check(await page.getAttribute('#pictures', 'aria-pressed') === 'false', 'the button is still pressed');
    const cell = await colourAt(page, 0, 0, 0.5, 0.5);
    check(near(cell, none), `the key does not show the cells: ${words(cell)}`);
    await page.keyboard.press('i');
    await expect(RED, 0, 0);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function showsTileObjectsAndImageLayers(harness) {
    writeFileSync(join(harness.folder, 'sky.bmp'), bmp(8, 8, () => YELLOW));
    const object = (id, gid, x, y, more = {}) => ({ id, gid, x, y, width: 8, height: 8, rotation: 0, visible: true, ...more });
    const layers = [{ type: 'imagelayer', name: 'sky', image: 'sky.bmp', offsetx: 24, repeatx: true }, { type: 'tilelayer', name: 'a', width: 6,
        height: 3, data: Array(18).fill(0).with(17, 1) }, { type: 'objectgroup', name: 'o', offsety: 8, objects: [object(1, 3, 8, 8),
        object(2, 3, 16, 0, { rotation: 90 }), object(3, MIRRORED + 3, 24, 8), object(4, 1, 0, 16, { width: 16 }), object(5, 1, 32, 8, { visible: false })] }];
    const { page, complaints } = await open(harness, town(harness, 6, Array(18).fill(0), { layers }));
    const expect = async (colour, ...at) => {
        const found = await colourAt(page, ...at);
        check(near(found, colour), `${words(found)} at ${at}, not ${words(colour)}`);
    };
    for (const x of [0, 3, 5]) await expect(YELLOW, x, 0);
    await expect(GREEN, 1, 1, -0.5), await expect(BLUE, 1, 1, 0.5);
    await expect(GREEN, 2, 1, 0, -0.5), await expect(BLUE, 2, 1, 0, 0.5);
    await expect(BLUE, 3, 1, -0.5), await expect(GREEN, 3, 1, 0.5);
    await expect(RED, 0, 2, -0.5), await expect(RED, 1, 2, 0.5), await expect(RED, 5, 2);
    const none = await colourAt(page, 4, 2);
    check(near(await colourAt(page, 4, 1), none), 'a hidden object is shown, or the image is repeated downwards');
    await harness.shoot(page, 'objects');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

// The tile is in another place of each kind of map; the cell that the page finds under its middle is the same.
export async function tilesLieOnTheirCells(harness) {
    const data = Array(48).fill(1);
    data[3 * 8 + 4] = 3;
    for (const [name, more] of Object.entries({ isometric: { orientation: 'isometric', tilewidth: 16 },
        staggered: { orientation: 'staggered', tilewidth: 16, staggeraxis: 'y' }, flat: { orientation: 'staggered', tilewidth: 16, staggeraxis: 'x' },
        hexagonal: { orientation: 'hexagonal', hexsidelength: 4, staggeraxis: 'x', staggerindex: 'even' } })) {
        const { page, complaints, server } = await open(harness, town(harness, 8, data, more));
        const places = await page.evaluate(() => {
            const { width, height } = wend.world.shape, all = [];
            for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (wend.world.classAt(x, y, 0) === 1) all.push([x, y]);
            return all.filter(([x, y]) => {
                const [cx, cy] = wend.camera.toCell(...wend.camera.toPixel(x + 0.5, y + 0.5)).map(Math.floor);
                return cx === x && cy === y;
            });
        });
        check(places.length === 48, `${name}: ${places.length} cells are under their own middles`);
        await page.evaluate(() => wend.stage.touch());
        const found = [];
        for (const [x, y] of places) {
            const seen = await page.evaluate(([cx, cy]) => {
                const [px, py] = wend.camera.toPixel(cx + 0.5, cy + 0.5), { ratio, context } = wend.stage;
                // Where a tile of 8 x 8 is in the box of its cell: at the left, a little above the middle, where no other covers it.
                const pixel = wend.camera.scale / wend.pictures.unit, left = px - (wend.pictures.scene.tile[0] / 2) * pixel;
                return [2, 6].map(at => [...context.getImageData(Math.round((left + at * pixel) * ratio), Math.round((py - pixel) * ratio), 1, 1).data].slice(0, 3));
            }, [x, y]);
            if (near(seen[0], GREEN) && near(seen[1], BLUE)) found.push([x, y]);
        }
        check(found.length === 1, `${name}: the tile is at ${found.length} cells`);
        await harness.shoot(page, `pictures-${name}`);
        check(complaints.length === 0, `${name}, complaints: ${complaints.join('; ')}`);
        await harness.stop(server, 'SIGKILL');
    }
}

export async function showsPicturesBehindAToken(harness) {
    const server = await harness.serve(town(harness, 2, [1, 1, 1, 3]), ['--token', 'open sesame']);
    const { page, complaints } = await harness.open(server.url);
    await page.fill('#token', 'open sesame');
    await page.press('#token', 'Enter');
    await ready(page);
    const found = await colourAt(page, 0, 0);
    check(near(found, RED), `${words(found)} behind a token`);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
