// SPDX-License-Identifier: MIT
// What the page says when the server is gone, comes back, or asks for a token.
import { addAgent, check, ready, until, untilAt, clickCell } from './harness.mjs';

const FIELD = ['grid 40 24', 'fill 20,4 20,20 blocked'];

export async function reconnectsAndSaysSo(harness) {
    const world = harness.world('field.wend', FIELD);
    const server = await harness.serve(world);
    const { page } = await harness.open(server.url);
    await ready(page);
    await harness.stop(server, 'SIGKILL');
    await until(page, () => document.getElementById('notices').textContent.includes('cannot be reached'));
    check((await page.textContent('#link-text')) !== 'connected', 'it says that it is connected');
    await harness.shoot(page, 'server-gone');
    await harness.serve(world, [], server.port);
    await until(page, () => document.getElementById('notices').textContent.includes('Connected again'));
    await ready(page);
    check(!(await page.textContent('#notices')).includes('cannot be reached'), 'the old notice stays');
    const name = await addAgent(page, 5, 5);
    await clickCell(page, 9, 9);
    await untilAt(page, name, 9, 9);
}

export async function thousandsOfAgentsComeBack(harness) {
    const caves = harness.generate('caves', '512x512'), options = ['--agents', '5000', '--wander'];
    const server = await harness.serve(caves, options);
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count === 5000);
    await page.evaluate(() => wend.actions.select(['a1', 'a2', 'a4999']));
    await harness.stop(server, 'SIGKILL');
    await until(page, () => document.body.dataset.link !== 'open');
    await harness.serve(caves, ['--agents', '2000', '--wander'], server.port); // fewer; those that are gone are not selected any more
    await until(page, () => wend.agents.count === 2000 && wend.agents.isMoving(performance.now()));
    await ready(page);
    check((await page.evaluate(() => [...wend.show.selected].join())) === 'a1,a2', 'one that is gone is selected');
    await harness.shoot(page, 'came-back');
    const thrown = complaints.filter(one => !one.includes('ERR_CONNECTION_REFUSED'));
    check(thrown.length === 0, `complaints: ${thrown.join('; ')}`);
    // And a world that has more.
    await page.evaluate(() => wend.agents.clear());
    await until(page, () => wend.agents.count === 2000);
}

export async function aReadOnlyServerIsLookedAt(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD), ['--read-only', '--agents', '30', '--wander']);
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.isMoving(performance.now()) && document.body.classList.contains('no-orders'));
    for (const id of ['stress', 'scatter', 'wander', 'pause', 'reset', 'new-agents'])
        check(!(await page.isVisible(`#${id}`)), `${id} can be seen`);
    check((await page.isVisible('#save')) && (await page.isVisible('#budget')), 'what only looks is hidden');
    await page.evaluate(() => wend.actions.select(['a1']));
    await until(page, () => wend.show.inspected?.name === 'a1');
    check(!(await page.isVisible('#inspector-body button:has-text("Halt")')), 'Halt can be seen');
    await page.click('#inspector-body button:has-text("Follow")');
    await until(page, () => wend.follow.name === 'a1');
    await page.keyboard.press('c');
    await clickCell(page, 20, 12); // of the wall: nothing is selected any more, and nothing refused
    await until(page, () => wend.show.selected.size === 0);
    check((await page.textContent('#notices')) === '', await page.textContent('#notices'));
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function aWrongTokenIsSaid(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD), ['--token', 'open sesame']);
    const { page, complaints } = await harness.open(server.url);
    await page.waitForSelector('#token-dialog[open]');
    await page.fill('#token', 'open barley');
    await page.keyboard.press('Enter');
    await until(page, () => document.getElementById('token-text').textContent.includes('wrong'));
    await harness.shoot(page, 'wrong-token');
    await page.fill('#token', 'open sesame');
    await page.keyboard.press('Enter');
    await ready(page);
    check(!(await page.isVisible('#token-dialog')), 'the dialog stays');
    await page.reload();
    await ready(page); // the token is kept for this tab
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
