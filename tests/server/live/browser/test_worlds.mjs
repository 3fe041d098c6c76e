// SPDX-License-Identifier: MIT
// What stands and lies on a map: units, doors, fields as arrows, large agents; and agents that are changed.
import { join } from 'node:path';
import { addAgent, check, clickCell, dragCells, pixelOf, ready, until, untilAt, useTool } from './harness.mjs';

const YARD = ['grid 40 24', 'mover cart size=2', 'fill 20,4 20,20 blocked', 'fill 28,2 34,6 3', 'link 2,2 37,21 10',
    'step 5,5 6,5 blocked', 'occupy 12,12', 'occupy 13,12', 'agent walker 5,18', 'agent cart 8,14 mover=cart'];

export async function showsTheWayOnHover(harness) {
    const server = await harness.serve(harness.world('yard.wend', YARD));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count === 2);
    await page.evaluate(() => wend.connection.send('adjust', { names: ['walker'], speed: 1 }));
    await page.evaluate(() => wend.connection.send('go', { names: ['walker'], to: [36, 2] }));
    check((await page.evaluate(() => wend.show.looks.size)) === 0, 'it shows a way before anyone points at it');
    await page.mouse.move(...await pixelOf(page, 5, 18));
    await until(page, () => wend.show.looks.get('walker')?.lines?.length === 2);
    const look = await page.evaluate(() => wend.show.looks.get('walker'));
    check(look.goal.slice(0, 2).join() === '36,2' && look.path.length > look.lines.flat().length, JSON.stringify(look));
    check((await page.textContent('#under')).includes('walker'), await page.textContent('#under'));
    await until(page, () => !wend.stage.dirty);
    await harness.shoot(page, 'hover');
    await page.mouse.move(...await pixelOf(page, 30, 18));
    await until(page, () => wend.show.looks.size === 0);
    // Of several that are selected, each shows its way.
    await page.evaluate(() => wend.connection.send('go', { names: ['cart'], to: [30, 20] }));
    await page.evaluate(() => wend.actions.select(['walker', 'cart']));
    await until(page, () => wend.show.looks.size === 2);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function showsWhatStandsOnTheMap(harness) {
    const server = await harness.serve(harness.world('yard.wend', YARD));
    const { page } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.world.features.units?.length === 2 && wend.agents.count === 2);
    check((await page.evaluate(() => wend.agents.sizes[wend.agents.rows.get('cart')])) === 2, 'the cart is small');
    await page.evaluate(() => wend.connection.send('occupy', { cells: [[14, 12], [14, 13]] }));
    await until(page, () => wend.world.features.units?.length === 4);
    await useTool(page, 'door');
    await clickCell(page, 20, 12);
    await clickCell(page, 20, 8);
    await until(page, () => wend.world.classAt(20, 12, 0) === 1 && wend.world.classAt(20, 8, 0) === 1);
    await clickCell(page, 20, 8);
    await until(page, () => wend.world.classAt(20, 8, 0) === 0 && wend.show.doors.size === 2);
    // A large agent is hit anywhere on it.
    await useTool(page, 'select');
    await clickCell(page, 9, 15);
    await until(page, () => wend.show.selected.has('cart') && /2 × 2 cells/.test(document.getElementById('inspector-body').textContent));
    await harness.shoot(page, 'yard');
}

export async function showsStartAndGoal(harness) {
    const rows = ['Rows 4', 'Columns 6', 'A 0 0 0 0 0', '0 0 1 1 0 0', '0 0 0 1 0 0', '0 0 0 0 0 B'];
    const server = await harness.serve(harness.world('ends.txt', rows));
    const { page } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.world.features.ends?.B?.join() === '5,3');
    check(await page.evaluate(() => wend.world.features.ends.A.join()) === '0,0', 'A is elsewhere');
    // The letter is drawn: dark pixels in the cell of A, none in the open cell below.
    const dark = (x, y) => page.evaluate(([cx, cy]) => {
        const { canvas, camera, ratio } = wend.stage, [px, py] = camera.toPixel(cx, cy), size = camera.scale * ratio;
        const cell = canvas.getContext('2d').getImageData(px * ratio, py * ratio, size, size).data, paper = cell.slice(0, 3);
        let count = 0;
        for (let i = 0; i < cell.length; i += 4) count += Math.abs(cell[i] - paper[0]) + Math.abs(cell[i + 1] - paper[1]) > 120;
        return count;
    }, [x, y]);
    await until(page, () => wend.stage.frames > 2);
    check(await dark(0, 0) > 30 && await dark(0, 1) < 5, `letters: ${await dark(0, 0)} and ${await dark(0, 1)} dark pixels`);
    await harness.shoot(page, 'ends');
}

export async function showsWhichLandIsThere(harness) {
    const server = await harness.serve(harness.world('land.wend', ['grid 192 128 streamed', 'load 0,0 open',
        'load 1,0 open', 'unload 1,0', 'load 1,1 blocked', 'fill 70,70 120,120 open', 'agent a 5,5']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    const lands = () => page.evaluate(() => [[0, 0], [1, 0], [2, 0], [1, 1]]
        .map(([x, y]) => wend.world.chunks.get(wend.world.key(x, y, 0))?.land).join(' '));
    await until(page, () => wend.world.chunks.size === 6 && [...wend.world.chunks.values()].every(chunk => !chunk.late));
    check((await lands()) === 'loaded known absent loaded', await lands());
    await until(page, () => !wend.stage.dirty);
    await harness.shoot(page, 'land');
    const other = (await harness.open(server.url)).page; // a page is not told of its own edits
    await ready(other);
    const order = (op, fields) => other.evaluate(([name, what]) => wend.connection.send(name, what), [op, fields]);
    await order('load', { chunk: [2, 0], classes: [[1, 0, 7], [1]] });
    await order('unload', { chunk: [1, 1] });
    await order('load', { chunk: [1, 0] });
    await until(page, () => wend.world.chunks.get(wend.world.key(1, 0, 0)).land === 'loaded');
    check((await lands()) === 'loaded loaded loaded known', await lands());
    const classes = await page.evaluate(() => [[64, 0], [128, 0], [129, 0], [130, 0], [128, 1], [129, 1], [100, 100]]
        .map(([x, y]) => wend.world.classAt(x, y, 0)).join());
    check(classes === '1,1,0,7,1,0,0', classes);
    await order('unload', { chunk: [1, 0], forget: true });
    await until(page, () => wend.world.chunks.get(wend.world.key(1, 0, 0)).land === 'absent');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function showsAFieldAsArrows(harness) {
    const server = await harness.serve(harness.world('yard.wend', YARD));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await useTool(page, 'field');
    await clickCell(page, 30, 12);
    await until(page, () => wend.show.arrows?.length > 800);
    const at = (x, y) => page.evaluate(([cx, cy]) => wend.show.arrows.find(arrow => arrow[0] === cx && arrow[1] === cy)?.slice(2).join(), [x, y]);
    check((await at(29, 12)) === '1,0' && (await at(30, 11)) === '0,1', `${await at(29, 12)} and ${await at(30, 11)}`);
    check((await at(20, 12)) === undefined, 'a wall has an arrow');
    check((await at(19, 5)) !== '1,0', 'it leads through the wall');
    await harness.shoot(page, 'field');
    // A wall across the way: the arrows lead round it.
    await useTool(page, 'wall');
    await dragCells(page, [29, 9], [29, 15]);
    await until(page, () => {
        const arrow = wend.show.arrows?.find(([x, y]) => x === 28 && y === 12);
        return arrow && arrow[2] !== 1;
    });
    await useTool(page, 'field');
    await clickCell(page, 30, 12);
    await until(page, () => wend.show.arrows === null);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function changesAgents(harness) {
    const server = await harness.serve(harness.world('yard.wend', YARD));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count === 2);
    await clickCell(page, 5, 18);
    await until(page, () => wend.show.inspected?.name === 'walker' && document.getElementById('adjust-speed').value === '250');
    await page.selectOption('#adjust-speed', '1000');
    await until(page, () => wend.show.inspected.speed === 1000);
    await page.fill('#adjust-urgency', '77');
    await page.keyboard.press('Tab');
    await until(page, () => wend.show.inspected.urgency === 77);
    await page.selectOption('#adjust-mover', 'cart');
    await until(page, () => wend.show.inspected.size === 2 && wend.agents.sizes[wend.agents.rows.get('walker')] === 2);
    await harness.shoot(page, 'adjusted');
    // Where it cannot be so large, it is said.
    const name = await addAgent(page, 19, 10);
    await until(page, agent => wend.show.inspected?.name === agent, name);
    await page.selectOption('#adjust-mover', 'cart');
    await until(page, () => document.getElementById('notices').textContent.includes('cannot stand'));
    await page.evaluate(agent => wend.actions.select([agent, 'walker']), name);
    await page.selectOption('#adjust-speed', '125');
    await page.evaluate(agent => wend.actions.select([agent]), name);
    await until(page, agent => wend.show.inspected?.name === agent && wend.show.inspected.speed === 125, name);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function whatIsSavedIsServedAgain(harness) {
    const server = await harness.serve(harness.world('yard.wend', YARD));
    const { page } = await harness.open(server.url);
    await ready(page);
    const name = await addAgent(page, 25, 10);
    await clickCell(page, 30, 10);
    await untilAt(page, name, 30, 10);
    await useTool(page, 'dig');
    await dragCells(page, [20, 10], [20, 12]);
    await until(page, () => [10, 11, 12].every(y => wend.world.classAt(20, y, 0) === 1));
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    const saved = join(harness.folder, 'saved-yard.wend');
    await download.saveAs(saved);
    const again = await harness.serve(saved);
    const other = (await harness.open(again.url)).page;
    await ready(other);
    await until(other, () => wend.agents.count === 3 && wend.world.features.units?.length === 2);
    await untilAt(other, name, 30, 10);
    await untilAt(other, 'cart', 8, 14);
    check(await other.evaluate(() => [10, 11, 12].every(y => wend.world.classAt(20, y, 0) === 1) &&
        wend.world.classAt(20, 13, 0) === 0), 'the gap is not there');
}
