// SPDX-License-Identifier: MIT
// The page loads cleanly, shows the map, and works in every size.
import { check, clickCell, pixelOf, ready, until, useTool, addAgent, untilAt } from './harness.mjs';

const ROOM = ['grid 40 24', 'fill 20,0 20,18 blocked', 'fill 4,14 9,18 254', 'fill 28,4 33,8 3', 'fill 26,16 34,19 255'];

// The colour of the canvas in the middle of a cell, as #rrggbb; and the colours that the page uses.
async function colourOf(page, x, y) {
    return page.evaluate(([cx, cy]) => {
        const { stage, camera } = wend;
        stage.draw(performance.now());
        const [px, py] = camera.toPixel(cx + 0.45, cy + 0.45).map(v => Math.round(v * stage.ratio));
        const [r, g, b] = stage.context.getImageData(px, py, 1, 1).data;
        return '#' + [r, g, b].map(part => part.toString(16).padStart(2, '0')).join('');
    }, [x, y]);
}

export async function loadsWithoutComplaints(harness) {
    const server = await harness.serve(harness.world('room.wend', ROOM));
    const answer = await fetch(server.url);
    const policy = answer.headers.get('content-security-policy') ?? '';
    check(policy.includes("default-src 'none'") && !policy.includes('unsafe'), `the policy is '${policy}'`);
    const html = await answer.text();
    check(!/<script(?![^>]*src=)[^>]*>|<style|\sstyle=|\son[a-z]+=/.test(html), 'a script or style stands in the page itself');
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => document.getElementById('clock-text').textContent.startsWith('frame '));
    check((await page.textContent('#link-text')) === 'connected', 'it does not say that it is connected');
    await harness.shoot(page, 'room');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function canvasShowsTheMap(harness) {
    const server = await harness.serve(harness.world('room.wend', ROOM));
    for (const scheme of ['light', 'dark']) {
        const { page, complaints } = await harness.open(server.url, { colorScheme: scheme });
        await ready(page);
        const colours = await page.evaluate(() => wend.stage.palette.colours);
        for (const scale of [20, 5]) {
            await page.evaluate(wanted => wend.camera.zoom(wanted / wend.camera.scale), scale);
            for (const [ground, x, y] of [['open', 12, 8], ['blocked', 20, 4], ['swamp', 6, 16], ['slow3', 30, 6], ['water', 30, 17]]) {
                const seen = await colourOf(page, x, y);
                check(seen === colours[ground], `${scheme}, ${scale} pixels: ${ground} is ${seen}, not ${colours[ground]}`);
            }
        }
        await page.evaluate(() => wend.camera.fit());
        await until(page, () => !wend.stage.dirty);
        await harness.shoot(page, `map-${scheme}`);
        check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
    }
}

export async function switchesLightAndDark(harness) {
    const server = await harness.serve(harness.world('room.wend', ROOM));
    const { page } = await harness.open(server.url, { colorScheme: 'dark' });
    await ready(page);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    check((await theme()) === 'dark', 'it does not follow the system');
    await page.click('#theme');
    check((await theme()) === 'light', 'the switch does nothing');
    await page.reload();
    await ready(page);
    check((await theme()) === 'light', 'the choice is not kept');
}

export async function worksOnAPhone(harness) {
    const server = await harness.serve(harness.world('room.wend', ROOM));
    const { page, complaints } = await harness.open(server.url,
        { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await ready(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 390, `the page is ${wide} pixels wide`);
    await page.tap('#tools button[data-tool="agent"]');
    await page.touchscreen.tap(...await pixelOf(page, 4, 4));
    await until(page, () => wend.show.selected.size === 1 && wend.agents.count === 1);
    const name = await page.evaluate(() => [...wend.show.selected][0]);
    await page.tap('#tools button[data-tool="select"]');
    await page.touchscreen.tap(...await pixelOf(page, 14, 9));
    await untilAt(page, name, 14, 9);
    await harness.shoot(page, 'phone');
    await page.tap('#panels-toggle');
    await until(page, () => document.getElementById('panels').getBoundingClientRect().height > 100);
    await harness.shoot(page, 'phone-panels');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function worksByKeyboard(harness) {
    const server = await harness.serve(harness.world('room.wend', ROOM));
    const { page } = await harness.open(server.url);
    await ready(page);
    // The first stops of Tab are the buttons of the header, with a ring round them.
    await page.keyboard.press('Tab');
    const ring = await page.evaluate(() => [document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]);
    check(ring[0] === 'BUTTON' && ring[1] === 'solid', `the focus is on ${ring[0]} with the outline ${ring[1]}`);
    await page.focus('#stage');
    await page.keyboard.press('w');
    await page.keyboard.press('ArrowRight');
    const { x, y } = await page.evaluate(() => wend.show.cursor);
    await page.keyboard.press('Enter');
    await until(page, ([cx, cy]) => wend.world.classAt(cx, cy, 0) === 0, [x, y]);
    await page.keyboard.press('z');
    await until(page, ([cx, cy]) => wend.world.classAt(cx, cy, 0) === 1, [x, y]);
    await page.keyboard.press('?');
    await page.waitForSelector('#help[open]');
    await harness.shoot(page, 'help');
    await page.keyboard.press('Escape');
    await page.keyboard.press(' ');
    await until(page, () => wend.time.paused);
    await page.keyboard.press(' ');
    await until(page, () => !wend.time.paused);
}

export async function opensAndClosesADoor(harness) {
    const server = await harness.serve(harness.world('room.wend', [...ROOM, 'fill 20,0 20,23 blocked']));
    const { page } = await harness.open(server.url);
    await ready(page);
    const name = await addAgent(page, 16, 10);
    await useTool(page, 'door');
    await clickCell(page, 20, 10);
    await until(page, () => wend.world.classAt(20, 10, 0) === 1);
    await useTool(page, 'go');
    await clickCell(page, 24, 10);
    await untilAt(page, name, 24, 10);
    await useTool(page, 'door');
    await clickCell(page, 20, 10);
    await until(page, () => wend.world.classAt(20, 10, 0) === 0);
}

export async function showsLayersOfSpace(harness) {
    const server = await harness.serve(harness.world('house.wend', ['voxels 20 16 3', 'fill 0,0,1 19,15,1 blocked',
        'fill 8,4,1 11,7,1 open', 'fill 3,3,2 9,3,2 blocked']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    check((await page.textContent('#world')).includes('20 × 16 × 3'), 'it does not say how large the world is');
    await addAgent(page, 2, 12);
    const other = await harness.open(server.url); // it begins where agents are
    await page.keyboard.press('PageUp');
    await until(page, () => wend.world.classAt(0, 0, 1) === 0 && wend.world.classAt(9, 5, 1) === 1);
    await page.keyboard.press('PageUp');
    await until(page, () => wend.world.classAt(5, 3, 2) === 0 && wend.world.classAt(5, 4, 2) === 1);
    await clickCell(page, 15, 10);
    // It climbs through the hole in the floor between.
    await until(page, () => wend.agents.count === 1 && wend.agents.z[0] === 2 && wend.agents.toX[0] === 15);
    await ready(other.page);
    check((await other.page.textContent('#layer')) === '1 of 3', await other.page.textContent('#layer'));
    await other.page.reload();
    await ready(other.page);
    await until(other.page, () => document.getElementById('layer').textContent === '3 of 3');
    await harness.shoot(page, 'layers');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function followsAWalkerUpTheStairs(harness) {
    const server = await harness.serve(harness.world('storeys.wend', ['voxels 20 10 8', 'mover guest walker headroom=2',
        'fill 0,0,3 19,9,3 blocked', 'fill 10,5,3 12,5,3 open', 'fill 10,5,0 12,5,0 blocked', 'fill 11,5,1 12,5,1 blocked',
        'set 12,5,2 blocked', 'agent anna 2,5,0 mover=guest']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count === 1);
    await page.evaluate(() => wend.actions.select(['anna']));
    for (let i = 0; i < 4; i++) await page.keyboard.press('PageUp');
    await useTool(page, 'go');
    await clickCell(page, 17, 2);
    for (let i = 0; i < 2; i++) await page.keyboard.press('PageUp'); // so that only following leads to her layer
    await page.evaluate(() => wend.follow.toggle());
    await until(page, () => wend.agents.toX[0] === 17 && wend.agents.toY[0] === 2 && wend.agents.z[0] === 4);
    await until(page, () => document.getElementById('layer').textContent === '5 of 8');
    await harness.shoot(page, 'storeys');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function saysThatTheMapIsLoading(harness) {
    const server = await harness.serve(harness.generate('caves', '512x512'));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    const seen = () => page.evaluate(() => JSON.stringify([...wend.world.chunks.values()].filter(chunk => !chunk.late)
        .map(({ x, y, classes }) => [x, y, Array.from(classes).join('')]).sort()));
    const before = await seen();
    // The map is asked for again, and its answers wait.
    await page.evaluate(async () => {
        const { connection, world } = wend, send = connection.send.bind(connection);
        globalThis.asked = [], globalThis.held = new Promise(resolve => (globalThis.release = resolve)), globalThis.bytes = 0;
        connection.send = async (op, fields, ...more) => {
            if (op !== 'map' || !fields?.box) return send(op, fields, ...more);
            asked.push(fields.box);
            const answer = await send(op, fields, ...more);
            bytes += JSON.stringify(answer).length;
            await held;
            return answer;
        };
        await world.load();
        wend.stage.touch();
    });
    await until(page, () => !document.getElementById('loading').hidden && asked.length > 0 && wend.world.wanted.size === 0);
    const asked = await page.evaluate(() => globalThis.asked);
    check(asked.length <= 4, `${asked.length} messages ask for it: ${JSON.stringify(asked)}`); // before one is answered
    const { paper, missing } = await page.evaluate(() => wend.stage.palette.colours);
    check(missing !== paper && (await colourOf(page, 256, 256)) === missing, 'it looks as land that is not loaded');
    check((await page.evaluate(() => wend.world.classAt(256, 256, 0))) === undefined, 'what is not here is called something');
    await harness.shoot(page, 'loading');
    // What is edited meanwhile is on top of what comes.
    const other = (await harness.open(server.url)).page;
    await ready(other);
    await other.evaluate(() => wend.connection.send('edit', { set: [[[100, 100], 7]], fill: [[[300, 300], [301, 301], 3]] }));
    await until(page, () => [...wend.world.chunks.values()].some(chunk => chunk.late?.some(([, ground]) => ground === 3)));
    await page.evaluate(() => release());
    await until(page, () => document.getElementById('loading').hidden && wend.world.fetching === 0);
    check(await page.evaluate(() => wend.world.classAt(100, 100, 0) === 7 && wend.world.classAt(301, 301, 0) === 3), 'an edit is lost');
    await other.evaluate(() => wend.connection.send('reset'));
    await until(page, () => wend.world.classAt(100, 100, 0) < 2 && !wend.world.opening && wend.world.fetching === 0);
    check((await seen()) === before, 'the map is another one');
    const bytes = await page.evaluate(() => globalThis.bytes);
    console.log(`   512 x 512 cells: ${bytes} bytes in ${asked.length} messages`);
    check(bytes < 512 * 512, `it takes ${bytes} bytes`); // two and more for a cell, as classes
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function asksAheadOfWhatIsSeen(harness) {
    const server = await harness.serve(harness.world('wide.wend', ['grid 2000 1100', 'fill 1990,0 1999,9 blocked']));
    const { page } = await harness.open(server.url);
    await ready(page);
    await page.evaluate(() => {
        const { camera } = wend;
        camera.zoom(8 / camera.scale);
        camera.centre(300, 300);
    });
    // Some way in each direction is here before the map is moved there.
    await until(page, () => [[20, 300], [600, 300], [300, 20], [300, 600], [600, 600]].every(([x, y]) => wend.world.classAt(x, y, 0) === 1));
    await page.evaluate(() => wend.camera.centre(1950, 50));
    await until(page, () => wend.world.classAt(1995, 5, 0) === 0 && document.getElementById('loading').hidden);
}

export async function showsAPartOfALargeWorld(harness) {
    const server = await harness.serve(harness.world('huge.wend', ['grid 4096 512', 'fill 2046,200 2050,300 blocked']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.world.classAt(2048, 256, 0) === 0);
    const chunks = await page.evaluate(() => wend.world.chunks.size);
    check(chunks < 64 * 8, `${chunks} chunks were fetched`);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
