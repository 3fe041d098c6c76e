// SPDX-License-Identifier: MIT
// The panels: the budget's slider, axes of plots, panels that fold, an agent that is followed, and agents that wander.
import { addAgent, check, clickCell, dragCells, ready, until } from './harness.mjs';

const FIELD = ['grid 60 60', 'fill 12,12 48,48 9'];

export async function theSliderOfTheBudgetKeepsItsRange(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD), ['--budget', '148']);
    const { page, complaints } = await harness.open(server.url);
    const look = () => page.evaluate(() => [document.getElementById('budget').value, document.getElementById('budget-text').textContent]);
    await ready(page);
    await until(page, () => wend.time.budget === 148);
    const [low, words] = await look();
    check(words === '148 expansions a frame' && Number(low) > 10 && Number(low) < 40, `${low}: ${words}`);
    await page.fill('#budget', '100');
    await until(page, () => wend.time.budget === 1000000);
    await page.reload();
    await ready(page);
    await until(page, () => wend.time.budget === 1000000);
    check((await look())[0] === '100', `after a reload the slider is at ${(await look())[0]}`);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function plotsHaveNumbersAndOneSpikeFlattensNone(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await page.evaluate(() => wend.connection.send('subscribe', { what: [] }));
    const { top, words, high } = await page.evaluate(async () => {
        const said = [], own = CanvasRenderingContext2D.prototype.fillText, { plots } = wend;
        plots.work.rows.length = plots.time.rows.length = 0;
        CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
            said.push(text);
            own.call(this, text, ...rest);
        };
        for (let i = 0; i < 200; i++) plots.add({ expansions: i === 100 ? 50000 : 90 + (i % 10), us: 40, budget: 20000 });
        await new Promise(requestAnimationFrame), await new Promise(requestAnimationFrame);
        CanvasRenderingContext2D.prototype.fillText = own;
        // How much of the plot's last columns is filled with its colour.
        const { canvas } = plots.work, box = canvas.getContext('2d').getImageData(canvas.width - 8, 0, 1, canvas.height).data;
        const wanted = wend.stage.palette.colours.path;
        let filled = 0;
        for (let y = 0; y < canvas.height; y++)
            filled += '#' + [0, 1, 2].map(i => box[4 * y + i].toString(16).padStart(2, '0')).join('') === wanted;
        return { top: plots.work.top, words: said, high: filled / canvas.height };
    });
    check(top === 200, `the axis ends at ${top}`);
    for (const word of ['200', '100', 'peak 50,000', '50 µs', '25 µs', '240 frames ago', 'now'])
        check(words.includes(word), `no '${word}' in ${[...new Set(words)]}`);
    check(high > 0.25 && high < 0.6, `the usual frames fill ${high} of the plot`);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function panelsFoldWhenTheyAreIdle(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD), ['--agents', '80', '--budget', '300']);
    const { page, complaints } = await harness.open(server.url);
    const isOpen = id => page.evaluate(name => document.getElementById(name).open, id);
    await ready(page);
    check(!(await isOpen('queue')) && !(await isOpen('new-agents')), 'idle panels are open');
    const above = await page.evaluate(() => ['inspector', 'stress', 'clock', 'queue']
        .map(id => document.getElementById(id).closest('#panels > *').getBoundingClientRect().top));
    check(above.every((top, i) => i === 0 || top > above[i - 1]), `the panels stand at ${above}`);
    await page.keyboard.press('a');
    await until(page, () => document.getElementById('new-agents').open);
    await page.keyboard.press('s');
    await page.click('#stress button:has-text("Burst")');
    await until(page, () => document.getElementById('queue').open);
    await harness.shoot(page, 'panels-busy');
    await page.evaluate(() => {
        wend.queue.fold.idleMs = 200;
        wend.connection.send('pace', { budget: 1000000 });
    });
    await until(page, () => !document.getElementById('queue').open && !document.getElementById('new-agents').open);
    await harness.shoot(page, 'panels-idle');
    // What a person has opened stays open.
    await page.click('#queue summary');
    await page.evaluate(() => wend.queue.fold.set(false));
    await page.waitForTimeout(500);
    check(await isOpen('queue'), 'a panel that was opened by hand folds');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function followsAnAgent(harness) {
    const server = await harness.serve(harness.world('large.wend', ['grid 600 400']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    const name = await addAgent(page, 40, 40);
    await page.keyboard.press('c');
    await until(page, () => wend.follow.name !== null && wend.camera.scale > 8);
    await page.evaluate(agent => wend.connection.send('adjust', { names: [agent], speed: 4000 }), name);
    await page.evaluate(agent => wend.connection.send('go', { names: [agent], to: [500, 300] }), name);
    await until(page, agent => {
        const [x, y] = wend.agents.placeOf(wend.agents.rows.get(agent), performance.now());
        const [px, py] = wend.camera.toPixel(x, y), { camera } = wend;
        return x > 200 && Math.hypot(px - (camera.width + camera.insets.left) / 2, py - camera.height / 2) < 40;
    }, name);
    check((await page.getAttribute('#inspector-body button:has-text("Follow")', 'aria-pressed')) === 'true', 'the button is not pressed');
    await harness.shoot(page, 'follow');
    await page.mouse.move(600, 400);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(640, 440, { steps: 3 });
    await page.mouse.up({ button: 'right' });
    check((await page.evaluate(() => wend.follow.name)) === null, 'it follows on while the map is dragged');
    await page.click('#inspector-body button:has-text("Follow")');
    await page.keyboard.press('Escape');
    check((await page.evaluate(() => wend.follow.name)) === null, 'it follows what is not selected');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function arrowKeysSteerAnAgent(harness) {
    const server = await harness.serve(harness.world('wall.wend', ['grid 40 24', 'fill 12,0 12,20 blocked', 'agent other 8,12']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    const name = await addAgent(page, 5, 12);
    await page.evaluate(() => wend.actions.ask('adjust', { names: [...wend.show.selected], speed: 1000 }));
    await page.keyboard.press('ArrowRight');
    check(await page.evaluate(() => wend.show.cursor.visible), 'without a press of T the keys move the cursor');
    await page.keyboard.press('t');
    check((await page.evaluate(() => [wend.steer.name, wend.follow.name].join())) === `${name},${name}`, 'it is not steered');
    await page.keyboard.down('ArrowRight');
    await until(page, agent => wend.agents.toX[wend.agents.rows.get(agent)] === 11, name); // through the other, up to the wall
    await page.keyboard.down('ArrowDown'); // along the wall, and round its end
    await until(page, agent => wend.agents.toX[wend.agents.rows.get(agent)] > 12, name);
    await page.keyboard.up('ArrowRight');
    await page.keyboard.up('ArrowDown');
    await harness.shoot(page, 'steer');
    check((await page.textContent('#notices')) === '', await page.textContent('#notices'));
    await page.keyboard.press('Escape');
    check((await page.evaluate(() => wend.steer.name)) === null, 'it is steered on');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function aClickLeavesNoRingRoundTheMap(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const { page } = await harness.open(server.url);
    const ring = () => page.evaluate(() => [document.activeElement.id, getComputedStyle(document.getElementById('stage')).outlineStyle].join());
    await ready(page);
    await page.focus('#panels-toggle');
    await page.keyboard.press('Tab');
    check((await ring()) === 'stage,solid', `by Tab: ${await ring()}`);
    await clickCell(page, 5, 5);
    check((await ring()) === 'stage,none', `after a click: ${await ring()}`);
    await page.keyboard.press('w');
    await dragCells(page, [5, 5], [5, 9]);
    check((await ring()) === 'stage,none', `after a stroke: ${await ring()}`);
}

export async function agentsWanderAtAClick(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD));
    const [one, two] = [await harness.open(server.url), await harness.open(server.url)];
    await Promise.all([ready(one.page), ready(two.page)]);
    check((await one.page.textContent('#inspector-body')).includes('no agent yet'), await one.page.textContent('#inspector-body'));
    await one.page.click('#wander');
    for (const { page } of [one, two]) {
        await page.waitForSelector('#wander[aria-pressed="true"]');
        await until(page, () => wend.agents.count > 90 && wend.agents.states.slice(0, 90).filter(state => state === 3).length > 40);
    }
    await harness.shoot(one.page, 'wander');
    await two.page.click('#wander');
    await one.page.waitForSelector('#wander[aria-pressed="false"]');
    for (const { complaints } of [one, two]) check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
