// SPDX-License-Identifier: MIT
// Agents go where they are sent, and round what is drawn across their way; strokes can be undone; time can be held.
import { addAgent, cellOf, check, clickCell, dragCells, pixelOf, ready, until, untilAt, useTool } from './harness.mjs';

const FIELD = ['grid 40 24'];

// Every cell that an agent is said to hold from now on, in wend.track.
async function track(page, name) {
    await page.evaluate(agent => {
        wend.track = new Set();
        wend.connection.addEventListener('agents', () => {
            const row = wend.agents.rows.get(agent);
            if (row !== undefined) wend.track.add(`${Math.round(wend.agents.toX[row])},${Math.round(wend.agents.toY[row])}`);
        });
    }, name);
}

export async function goesWhereItIsSent(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    const name = await addAgent(page, 5, 12);
    await page.keyboard.press('Escape');
    check((await page.evaluate(() => wend.show.selected.size)) === 0, 'Escape does not end the selection');
    await clickCell(page, 5, 12);
    await until(page, () => wend.show.selected.size === 1);
    await clickCell(page, 30, 6);
    await until(page, agent => {
        const row = wend.agents.rows.get(agent);
        return wend.agents.toX[row] > 8;
    }, name);
    await harness.shoot(page, 'on-its-way');
    await untilAt(page, name, 30, 6);
    check((await cellOf(page, name)).join() === '30,6', 'it is elsewhere');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function walksRoundAWallThatIsDrawn(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const { page } = await harness.open(server.url);
    await ready(page);
    const name = await addAgent(page, 3, 12);
    await track(page, name);
    await clickCell(page, 36, 12);
    await until(page, agent => wend.agents.toX[wend.agents.rows.get(agent)] >= 4, name);
    // Slowly, as a busy machine draws slowly, too.
    await page.evaluate(() => wend.connection.send('pace', { hz: 4 }));
    await useTool(page, 'wall');
    await dragCells(page, [22, 4], [22, 20]);
    await until(page, () => Array.from({ length: 17 }, (_, i) => wend.world.classAt(22, 4 + i, 0)).every(c => c === 0));
    check((await cellOf(page, name))[0] < 22, 'the machine is too slow: the agent was past the wall before it stood');
    await page.evaluate(() => wend.connection.send('pace', { hz: 30 }));
    await useTool(page, 'select');
    await until(page, agent => wend.agents.toX[wend.agents.rows.get(agent)] >= 18, name);
    await harness.shoot(page, 'round-the-wall');
    await untilAt(page, name, 36, 12);
    const held = await page.evaluate(() => [...wend.track]);
    check(!held.some(cell => /^22,([4-9]|1[0-9]|20)$/.test(cell)), 'it went through the wall');
    check(held.some(cell => /^\d+,([0-3]|2[1-3])$/.test(cell)), `it never left the wall's rows: ${held.join(' ')}`);
}

export async function sendsManyWithABox(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const { page } = await harness.open(server.url);
    await ready(page);
    const names = [];
    for (const [x, y] of [[4, 4], [6, 5], [5, 7]]) names.push(await addAgent(page, x, y));
    await page.keyboard.press('Escape');
    await dragCells(page, [2, 2], [9, 9]);
    await until(page, () => wend.show.selected.size === 3);
    await clickCell(page, 30, 15);
    await until(page, all => all.every(name => {
        const row = wend.agents.rows.get(name);
        return Math.abs(wend.agents.toX[row] - 30) < 3 && Math.abs(wend.agents.toY[row] - 15) < 3;
    }), names);
    await harness.shoot(page, 'group');
}

export async function sendsByTheRightButton(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const { page } = await harness.open(server.url);
    await ready(page);
    const name = await addAgent(page, 5, 12);
    await useTool(page, 'wall'); // whatever the tool
    const press = async (x, y) => page.mouse.click(...await pixelOf(page, x, y), { button: 'right' });
    await press(12, 9);
    await untilAt(page, name, 12, 9);
    check(await page.evaluate(() => wend.world.classAt(12, 9, 0)) === 1, 'the right button painted');
    // A drag does not send.
    const sent = await page.evaluate(() => wend.show.goals.length);
    const [x, y] = await pixelOf(page, 20, 10);
    await page.mouse.move(x, y);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(x + 60, y, { steps: 4 });
    await page.mouse.up({ button: 'right' });
    check(await page.evaluate(() => wend.show.goals.length) === sent, 'a drag sent the agent');
    // Without a selection it says what to do.
    await page.evaluate(() => wend.actions.select([]));
    await press(3, 3);
    await until(page, () => document.getElementById('notices').textContent.includes('Select agents first'));
}

export async function undoesAStroke(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const { page } = await harness.open(server.url);
    await ready(page);
    for (const [tool, wanted] of [['swamp', 254], ['slow', 3], ['wall', 0]]) {
        await useTool(page, tool);
        await dragCells(page, [10, 10], [18, 10]);
        await until(page, c => [10, 14, 18].every(x => wend.world.classAt(x, 10, 0) === c), wanted);
    }
    await useTool(page, 'dig');
    await dragCells(page, [14, 8], [14, 12]);
    await until(page, () => wend.world.classAt(14, 10, 0) === 1);
    for (const wanted of [0, 3, 254, 1]) {
        await useTool(page, 'undo');
        await until(page, c => [10, 14, 18].every(x => wend.world.classAt(x, 10, 0) === c), wanted);
    }
}

export async function holdsTime(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const { page } = await harness.open(server.url);
    await ready(page);
    const name = await addAgent(page, 5, 12);
    await page.click('#pause');
    await until(page, () => wend.time.paused);
    await clickCell(page, 30, 12);
    const frame = () => page.evaluate(() => Number(document.getElementById('clock-text').textContent.replace(/\D/g, '')));
    const before = await frame();
    await page.click('#step');
    await until(page, was => Number(document.getElementById('clock-text').textContent.replace(/\D/g, '')) === was + 1, before);
    check((await cellOf(page, name))[0] <= 6, 'it went on though time was held');
    await page.click('#pause');
    await untilAt(page, name, 30, 12);
}

export async function saysWhyThereIsNoWay(harness) {
    const walls = ['fill 24,8 32,8 blocked', 'fill 24,16 32,16 blocked', 'fill 24,8 24,16 blocked', 'fill 32,8 32,16 blocked'];
    const server = await harness.serve(harness.world('cell.wend', [...FIELD, ...walls]));
    const { page } = await harness.open(server.url);
    await ready(page);
    await addAgent(page, 5, 12);
    await clickCell(page, 28, 12);
    await until(page, () => /cannot be reached|walled in/.test(document.getElementById('inspector-body').textContent));
    await harness.shoot(page, 'no-way');
}

export async function showsAndHidesByZoom(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const { page } = await harness.open(server.url);
    await ready(page);
    const before = await page.evaluate(() => wend.camera.toCell(600, 300));
    const [px, py] = await page.evaluate(() => {
        const box = document.getElementById('stage').getBoundingClientRect();
        return [600 + box.left, 300 + box.top];
    });
    await page.mouse.move(px, py);
    await page.mouse.wheel(0, -400);
    await until(page, () => wend.camera.scale > 30);
    const after = await page.evaluate(() => wend.camera.toCell(600, 300));
    check(Math.hypot(before[0] - after[0], before[1] - after[1]) < 0.01, 'the cell under the pointer moved');
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(px + 100, py + 40, { steps: 4 });
    await page.mouse.up({ button: 'right' });
    const moved = await page.evaluate(() => wend.camera.toCell(700, 340));
    check(Math.hypot(before[0] - moved[0], before[1] - moved[1]) < 0.01, 'the map does not follow the hand');
    await page.keyboard.press('0');
    const [x, y] = await pixelOf(page, 0, 0);
    check(x > 0 && y > 0, 'the whole map is not seen');
}
