// SPDX-License-Identifier: MIT
// The playground in a real browser, opened as a file: playground.mjs BROWSER PAGE.html SHOTS.
import { chromium } from 'playwright-core';
import { pathToFileURL } from 'node:url';
import { cellOf, check, clickCell, dragCells, until, untilAt, useTool, ready, WAIT_MS } from './harness.mjs';

const [browserPath, file, shots] = process.argv.slice(2);
const url = pathToFileURL(file).href;
const browser = await chromium.launch({ executablePath: browserPath, timeout: WAIT_MS, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
const complaints = [];
let failed = 0;

async function open(link = '', options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(String(error)));
    await page.goto(url + link);
    await ready(page);
    return page;
}

const tests = {
    async itOpensOnAMovingWorld() {
        const page = await open();
        await until(page, () => wend.agents.count === 70 && wend.agents.isMoving(performance.now()));
        check((await page.textContent('#world')).includes('Village'), await page.textContent('#world'));
        await page.screenshot({ path: `${shots}/playground-village.png` });
        // An agent of our own goes where we click, round a wall that we draw.
        await page.evaluate(() => wend.actions.ask('pace', { wander: false }));
        await page.evaluate(async () => { // so that none stands where we click
            const { agents } = await wend.actions.ask('positions');
            await wend.actions.ask('remove', { names: Object.keys(agents) });
        });
        await until(page, () => wend.agents.count === 0);
        await useTool(page, 'agent');
        await clickCell(page, 1, 1);
        await until(page, () => wend.show.selected.size === 1);
        const name = await page.evaluate(() => [...wend.show.selected][0]);
        await useTool(page, 'select');
        await clickCell(page, 2, 38);
        await untilAt(page, name, 2, 38);
        await useTool(page, 'wall');
        await dragCells(page, [0, 20], [2, 20]);
        await until(page, () => wend.world.classAt(1, 20, 0) === 0 && wend.world.classAt(0, 20, 0) === 0);
        await useTool(page, 'select');
        await page.evaluate(agent => wend.actions.select([agent]), name);
        await clickCell(page, 1, 2);
        await untilAt(page, name, 1, 2);
        await page.close();
    },
    async worldsAreChosen() {
        const page = await open();
        await page.selectOption('#worlds', 'caves');
        await until(page, () => wend.world.shape?.width === 256 && wend.agents.count === 2000);
        await until(page, () => wend.agents.isMoving(performance.now()));
        await page.waitForTimeout(1500);
        await page.screenshot({ path: `${shots}/playground-caves.png` });
        check(page.url().endsWith('#world=caves'), page.url());
        for (const [world, count] of [['village', 70], ['caves', 2000], ['maze', 150]]) { // many agents, few, and many again
            await page.selectOption('#worlds', world);
            await until(page, wanted => wend.agents.count === wanted && wend.agents.isMoving(performance.now()), count);
            await ready(page);
        }
        await page.close();
        const maze = await open('#world=maze');
        await until(maze, () => wend.world.shape.width === 95 && wend.agents.count === 150);
        await maze.close();
    },
    async aWallAsGoalSaysWhereItStops() {
        const page = await open();
        await page.evaluate(async () => {
            await wend.actions.ask('pace', { wander: false });
            await wend.actions.ask('agent', { name: 'me', cell: [0, 0], speed: 100 });
            wend.actions.select(['me']);
        });
        await until(page, () => wend.agents.rows.has('me'));
        check(await page.evaluate(() => wend.world.classAt(3, 3, 0)) === 0, 'no wall is there');
        await clickCell(page, 3, 3);
        await until(page, () => document.getElementById('notices').textContent.includes('me cannot get to 3, 3. It will stop at '));
        const [x, y] = (await page.textContent('#notices')).match(/stop at (\d+), (\d+)/).slice(1).map(Number);
        await untilAt(page, 'me', x, y);
        await page.close();
    },
    async aDroppedMapIsInTheLink() {
        const page = await open();
        const rows = Array.from({ length: 12 }, (_, y) => (y === 5 ? '@@@@@@@@@@@@@@.@' : '.'.repeat(16)));
        await page.setInputFiles('input[type=file]', { name: 'gate.map', mimeType: 'text/plain',
            buffer: Buffer.from(`type octile\nheight 12\nwidth 16\nmap\n${rows.join('\n')}\n`) });
        await until(page, () => wend.world.shape?.width === 16 && wend.agents.count === 50);
        await until(page, () => location.hash.includes('#name=gate.map'));
        const link = page.url();
        await page.close();
        const again = await open(new URL(link).hash);
        await until(again, () => wend.world.shape.height === 12 && wend.world.classAt(3, 5, 0) === 0);
        await again.setInputFiles('input[type=file]', { name: 'room.tmj', mimeType: 'application/json',
            buffer: Buffer.from(JSON.stringify({ layers: [{ width: 3, height: 2, data: [0, 4, 0, 0, 0, 0] }] })) });
        await until(again, () => wend.world.shape?.width === 3 && wend.world.classAt(1, 0, 0) === 0);
        await again.setInputFiles('input[type=file]', { name: 'bad.map', mimeType: 'text/plain', buffer: Buffer.from('type octile\nheight x\n') });
        await until(again, () => document.getElementById('notices').textContent.includes('map:2:'));
        await again.close();
    },
    async itWorksOnAPhone() {
        const page = await open('', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
        await until(page, () => wend.agents.count === 70);
        const box = await page.locator('#stage').boundingBox();
        check(box.width >= 380 && box.width <= 390, `the map is ${box.width} wide`);
        await page.screenshot({ path: `${shots}/playground-phone.png` });
        const [name, x, y] = await page.evaluate(async () => {
            await wend.actions.ask('pace', { wander: false });
            await wend.actions.ask('remove', { names: [...wend.agents.rows.keys()] }); // a finger would touch them
            await wend.actions.ask('agent', { name: 'me', cell: [1, 1] });
            wend.actions.select(['me']);
            return ['me', 1, 10];
        });
        await until(page, agent => wend.agents.rows.has(agent), name);
        const place = await page.evaluate(([cx, cy]) => wend.camera.toPixel(cx + 0.5, cy + 0.5), [x, y]);
        await page.touchscreen.tap(box.x + place[0], box.y + place[1]);
        await untilAt(page, name, x, y);
        check((await cellOf(page, name)).join() === '1,10', 'it is elsewhere');
        await page.close();
    },
    async ordersThatItHasNotAreRefused() {
        const page = await open();
        const answers = await page.evaluate(async () => {
            const ask = (op, fields) => wend.connection.send(op, fields).then(() => 'ok', problem => problem.error);
            return [await ask('field', { cells: [[1, 1]], box: [[0, 0], [1, 1]] }), await ask('go', { names: ['nobody'], to: [1, 1] }),
                await ask('agent', { name: 'a1', cell: [1, 1] }), await ask('agent', { name: 'x', cell: [999, 1] }), await ask('agent', { name: 'y', cell: [3, 3] }),
                await ask('edit', { set: [[[99, 99], 'blocked']] }), await ask('map', { box: [[5, 5], [1, 1]] }), await ask('constructor', {})];
        });
        check(answers.join() === 'unknown,unknown,bad_argument,out_of_range,bad_argument,out_of_range,bad_argument,unknown', answers.join());
        await page.close();
    },
};

for (const [name, test] of Object.entries(tests)) {
    complaints.length = 0;
    try {
        await test();
        check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
        console.log(`ok ${name}`);
    } catch (problem) {
        console.log(`not ok ${name}: ${problem.stack ?? problem} ${complaints.join('; ')}`);
        failed++;
    }
}
await browser.close();
process.exit(failed ? 1 : 0);
