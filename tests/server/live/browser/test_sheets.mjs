// SPDX-License-Identifier: MIT
// Maps with sheets are shown from above, storey over storey: what one sees is what one clicks, ways and agents go over
// seams without a jump, and a key chooses up to which storey is drawn.
import { addAgent, check, clickCell, pixelOf, ready, until, useTool } from './harness.mjs';

// The lower storey has the places 0,0 to 40,30, the upper one 20,10 to 35,20; one seam leads up, at 19,15.
const HOUSE = ['grid 128 64 sheets=0,0;63,63;0,0;64,0;127,63;10,5', 'fill 0,0 127,63 blocked', 'fill 0,0 40,30 open',
    'fill 74,5 89,15 open', 'link 19,15 74,10 seam', 'link 74,10 19,15 seam', 'agent below 25,18'];
const UP = [25, 12], UP_CELL = '79,7';

async function open(harness, lines = HOUSE, options = []) {
    const server = await harness.serve(harness.world('house.wend', lines), options), { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.world.features.units !== undefined);
    return { page, complaints };
}

const cellAt = (page, x, y) => page.evaluate(([cx, cy]) => String(wend.world.cell(cx, cy, wend.show.z)), [x, y]);

// The class of a cell of the map, as the server has it.
const classOf = (page, x, y) => page.evaluate(async cell => (await wend.connection.send('map', { box: [cell, cell] })).classes[0], [x, y]);

// The sum of the colour's parts at a place, once all that waits is drawn.
async function lightAt(page, x, y) {
    const drawn = await page.evaluate(() => (wend.stage.touch(), wend.stage.frames));
    await until(page, before => wend.stage.frames > before + 1, drawn);
    return page.evaluate(([cx, cy]) => {
        const [px, py] = wend.camera.toPixel(cx + 0.5, cy + 0.5), { ratio, context } = wend.stage;
        const [red, green, blue] = context.getImageData(Math.round(px * ratio), Math.round(py * ratio), 1, 1).data;
        return red + green + blue;
    }, [x, y]);
}

export async function showsStoreyOverStorey(harness) {
    const { page, complaints } = await open(harness);
    check((await page.textContent('#world')).includes('74 × 69 cells, 2 storeys'), await page.textContent('#world'));
    check(await page.textContent('#layer') === 'up to 2 of 2', await page.textContent('#layer'));
    const above = await lightAt(page, ...UP), below = await lightAt(page, 5, 5), outside = await lightAt(page, 60, 5);
    check(above > below + 20 && below > outside + 100, `light: ${above} above, ${below} below, ${outside} outside`);
    check(await cellAt(page, ...UP) === UP_CELL && await cellAt(page, 5, 5) === '5,5', 'a place is another cell than is seen');
    check(await cellAt(page, 60, 5) === 'null', 'where there is no floor is a cell');
    await page.mouse.move(...await pixelOf(page, ...UP));
    await until(page, () => document.getElementById('under').textContent.startsWith('79, 7 · open'));
    const agentAbove = Math.abs(await lightAt(page, 25, 18) - above);
    await harness.shoot(page, 'storeys');
    await page.keyboard.press('PageDown');
    await until(page, () => document.getElementById('layer').textContent === 'up to 1 of 2');
    check(await cellAt(page, ...UP) === '25,12', 'the hidden storey is clicked');
    const alone = await lightAt(page, ...UP);
    const agentAlone = Math.abs(await lightAt(page, 25, 18) - alone);
    check(agentAbove > 10 && agentAlone > 1.5 * agentAbove, `the agent below differs by ${agentAbove}, alone by ${agentAlone}`);
    check(Math.abs(alone - above) < 3 && Math.abs(await lightAt(page, 5, 5) - above) < 3, `light: ${alone} alone, not ${above}`);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function walksOverASeamInOneLine(harness) {
    const { page, complaints } = await open(harness);
    const name = await addAgent(page, 15, 15);
    // Its places, message by message.
    await page.evaluate(agent => {
        globalThis.places = [];
        wend.connection.addEventListener('agents', () => {
            const row = wend.agents.rows.get(agent);
            if (row !== undefined) globalThis.places.push([wend.agents.toX[row], wend.agents.toY[row], wend.agents.z[row]]);
        });
    }, name);
    await page.evaluate(agent => wend.connection.send('adjust', { names: [agent], speed: 90 }), name);
    await clickCell(page, 24, 14);
    await until(page, () => wend.show.inspected?.drawn?.path?.length > 5);
    const { path, lines } = await page.evaluate(() => wend.show.inspected.drawn);
    const far = ([a, b]) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])) > 1;
    check(path.at(-1).join() === '24,14,1' && !path.slice(1).some((place, i) => far([path[i], place])), JSON.stringify(path));
    check(lines.length === 1, `${lines.length} lines`);
    await until(page, agent => wend.agents.z[wend.agents.rows.get(agent)] === 1, name);
    await harness.shoot(page, 'seam');
    await page.evaluate(agent => wend.connection.send('adjust', { names: [agent], speed: 500 }), name);
    await until(page, () => globalThis.places.at(-1).join() === '24,14,1');
    const places = await page.evaluate(() => globalThis.places);
    check(!places.slice(1).some((place, i) => far([places[i], place])), `a jump: ${places.map(place => place.join()).join(' ')}`);
    check(places.some(([x]) => x > 19.1 && x < 19.9), 'no message came in the middle of the seam');
    // It is on the storey that is hidden now.
    const found = () => page.evaluate(() => wend.agents.nearest(24.5, 14.5, wend.show.levels, 1, performance.now()) >= 0);
    check(await found(), 'it is not where it is drawn');
    await page.keyboard.press('PageDown');
    check(!await found(), 'an agent of a hidden storey is clicked');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function editsTheStoreyThatIsSeen(harness) {
    const { page, complaints } = await open(harness);
    const open2 = await lightAt(page, ...UP);
    await useTool(page, 'wall');
    await clickCell(page, ...UP);
    await until(page, () => wend.world.classAt(25, 12, 1) === 0 && wend.edits.pending.size === 0);
    check(await classOf(page, 79, 7) === 0 && await classOf(page, 25, 12) === 1, 'the wall is elsewhere');
    const wall = await lightAt(page, ...UP);
    check(wall < open2 - 100, `light: ${wall} of a wall, ${open2} before`);
    await useTool(page, 'dig');
    await clickCell(page, ...UP);
    await until(page, () => wend.world.classAt(25, 12, 1) === 1 && wend.edits.pending.size === 0);
    check(await classOf(page, 79, 7) === 1, 'it was not dug where the wall was');
    // Below, and at the rim of a storey: the cell beside its floor.
    await clickCell(page, 41, 8);
    await until(page, () => wend.world.classAt(41, 8, 1) === 1 && wend.edits.pending.size === 0);
    check(await classOf(page, 41, 8) === 1, 'the rim was not dug');
    await useTool(page, 'undo');
    await until(page, () => wend.world.classAt(41, 8, 1) === 0 && wend.edits.pending.size === 0);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function steersAndLeadsOverASeam(harness) {
    const { page, complaints } = await open(harness);
    const name = await addAgent(page, 18, 15);
    const isAt = (x, y, z) => until(page, ([agent, ...place]) => {
        const row = wend.agents.rows.get(agent);
        return [wend.agents.toX[row], wend.agents.toY[row], wend.agents.z[row]].join() === place.join();
    }, [name, x, y, z]);
    await until(page, () => wend.world.features.seams.length === 2);
    await page.keyboard.press('t');
    await page.keyboard.down('ArrowRight');
    await until(page, agent => wend.agents.z[wend.agents.rows.get(agent)] === 1, name);
    await page.keyboard.up('ArrowRight');
    await page.keyboard.press('t');
    await page.evaluate(([agent, to]) => wend.connection.send('go', { names: [agent], to }), [name, [74, 10]]);
    await isAt(20, 15, 1);
    // A field to its cell: arrows on both storeys, and none under the upper one.
    await page.evaluate(() => wend.camera.zoom(20 / wend.camera.scale));
    await page.evaluate(() => (wend.camera.centre(25, 15), wend.field.toggle([74, 10])));
    await until(page, () => wend.show.arrows?.length > 100);
    const arrows = await page.evaluate(() => wend.show.arrows.map(arrow => arrow.join()));
    check(arrows.includes('30,15,-1,0') && arrows.includes('18,15,1,0'), arrows.join(' '));
    check(new Set(arrows.map(arrow => arrow.split(',').slice(0, 2).join())).size === arrows.length, 'two arrows at a place');
    // Danger on the upper storey is painted, and seen, there alone.
    await page.evaluate(() => wend.actions.costs.brush.radius = 2);
    await useTool(page, 'danger');
    await clickCell(page, 28, 15);
    const heat = (x, y) => page.evaluate(([cx, cy]) => wend.show.heat.parts.map(({ x0, x1, y0, dx, dy, values }) =>
        values[(cy - dy - y0) * (x1 - x0) + cx - dx - x0] ?? 0).join(), [x, y]);
    await until(page, () => wend.show.heat?.parts.length === 2 && wend.show.heat.parts[1].values.some(value => value > 0));
    check(/^0,[1-9]/.test(await heat(28, 15)), await heat(28, 15));
    await harness.shoot(page, 'storeys-field');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function showsWhatIsInNoSheet(harness) {
    const { page } = await open(harness, ['grid 192 64 sheets=64,0;127,63;300,7', 'fill 0,0 191,63 blocked', 'fill 2,3 9,9 open',
        'fill 64,0 70,5 open', 'agent a 4,4']);
    check(await page.evaluate(() => wend.world.shape.depth) === 2, 'there are not two storeys');
    check(await cellAt(page, 4, 4) === '4,4' && await cellAt(page, 302, 9) === '66,2', `${await cellAt(page, 4, 4)} and ${await cellAt(page, 302, 9)}`);
    check(await page.evaluate(() => wend.world.sheets.placeOf([66, 2]).join()) === '302,9,1', 'a cell of the sheet is elsewhere');
}
