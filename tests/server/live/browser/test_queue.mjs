// SPDX-License-Identifier: MIT
// The queue by urgency and the lanes on the page; slow motion, in which one sees a search pause and go on.
import { addAgent, check, clickCell, ready, until } from './harness.mjs';

// Slow ground in the middle: a search across takes hundreds of expansions.
const FIELD = ['grid 60 60', 'fill 10,10 50,50 9'];

// One frame of a paused world, until the page has drawn its queue.
async function step(page) {
    const frame = await page.evaluate(() => wend.queue.last.frame);
    await page.click('#step');
    await until(page, before => wend.queue.last.frame > before && !wend.queue.pending, frame);
    return page.evaluate(() => ({ ...wend.queue.last, bands: wend.queue.last.bands.map(band => band.running),
        words: document.getElementById('lanes').textContent }));
}

// Steps until a condition holds of the queue's last message.
async function stepUntil(page, condition, most = 60) {
    for (let i = 0; i < most; i++) {
        const queue = await step(page);
        if (condition(queue)) return queue;
    }
    throw new Error(`not within ${most} frames`);
}

async function send(page, from, to) {
    await clickCell(page, ...from);
    await until(page, () => wend.show.selected.size === 1);
    await clickCell(page, ...to);
    await until(page, () => wend.show.inspected?.goal);
}

export async function showsASearchPauseAndGoOn(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD), ['--lanes', '1']);
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    const calm = await addAgent(page, 3, 3);
    await page.fill('#new-urgency', '700');
    await page.dispatchEvent('#new-urgency', 'change');
    const urgent = await addAgent(page, 3, 56);
    await page.click('#pause');
    await until(page, () => wend.time.paused);
    await page.fill('#budget', '0');
    await until(page, () => wend.time.budget === 10);
    await send(page, [3, 3], [56, 56]);
    const began = await stepUntil(page, queue => queue.lanes.length === 1 && queue.lanes[0].expansions > 20);
    check(began.words.includes(calm), `the lane does not name ${calm}: ${began.words}`);
    await send(page, [3, 56], [56, 3]);
    const paused = await stepUntil(page, queue => queue.lanes[0]?.urgency === 700 && queue.lanes[0].expansions > 20);
    check(paused.words.includes(urgent), `the lane does not name ${urgent}: ${paused.words}`);
    check(paused.bands.join() === '0,0,1,0,1', `the calm search is not kept: ${paused.bands}`);
    const rows = await page.locator('#bands tr').evaluateAll(all => all.map(row => row.textContent));
    check(rows.length === 5 && rows[0].startsWith('601 to 1000') && rows[4].startsWith('−1000 to −601'), rows.join('; '));
    await clickCell(page, 3, 3);
    await until(page, () => /searching: \d+ expanded so far; 1 more urgent ahead/.test(document.getElementById('inspector-body').textContent));
    const { expanded, trace } = await page.evaluate(() => wend.show.inspected);
    check(trace.length > 0, 'no cells of the paused search are shown');
    await page.locator('#lanes').scrollIntoViewIfNeeded();
    await harness.shoot(page, 'queue-paused');
    await page.fill('#budget', '25');
    await until(page, () => wend.time.budget > 50);
    const again = await stepUntil(page, queue => queue.lanes[0]?.urgency === 0 && queue.bands[4] === 0, 200);
    check(again.lanes[0].number === began.lanes[0].number, 'another search goes on');
    check(again.lanes[0].expansions > expanded, 'the search did not go on from where it was');
    await until(page, before => wend.show.inspected.expanded > before && wend.show.inspected.live, expanded);
    await harness.shoot(page, 'queue-goes-on');
    await page.click('#pause');
    await until(page, () => /on its way/.test(document.getElementById('inspector-body').textContent));
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function showsTheQueueUnderLoad(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD), ['--agents', '150', '--budget', '300']);
    const { page, complaints } = await harness.open(server.url, { viewport: { width: 1280, height: 1200 } });
    await ready(page);
    await page.click('#stress button >> nth=0');
    await until(page, () => wend.queue.last.waiting > 20 && wend.queue.last.lanes.length > 0);
    await until(page, () => /\d+ wait/.test(document.getElementById('queue-text').textContent) &&
        document.querySelectorAll('#lanes li').length === wend.queue.last.lane_count);
    await harness.shoot(page, 'queue-load');
    check(await page.locator('#general').isHidden(), 'reasons without an answer by A*');
    await page.evaluate(() => wend.connection.send('request', { from: [0, 0], to: [59, 59], engine: 'astar', reach: 2, urgency: 1000 }));
    await until(page, () => document.getElementById('general').textContent === 'Answered by A*: 1 because A* was asked for');
    check(await page.locator('#general').isVisible(), 'the reason is not shown');
    await page.click('#theme');
    await until(page, () => !wend.queue.pending);
    await harness.shoot(page, 'queue-load-dark');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
