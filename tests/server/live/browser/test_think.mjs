// SPDX-License-Identifier: MIT
// What the page shows of the service: an agent's path and search, the pace of frames; and the world as edited.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addAgent, cellOf, check, clickCell, dragCells, ready, until, untilAt, useTool } from './harness.mjs';

const HALL = ['grid 40 24', 'fill 20,4 20,20 blocked', 'link 2,2 37,21 10', 'step 5,5 6,5 blocked'];

export async function showsTheSearchOfAnAgent(harness) {
    const server = await harness.serve(harness.world('hall.wend', HALL));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    const name = await addAgent(page, 4, 12);
    await clickCell(page, 34, 12);
    await until(page, () => wend.show.inspected?.path?.length > 1 && wend.show.inspected.trace?.length > 1);
    await until(page, () => /on its way: \d+ steps to go/.test(document.getElementById('inspector-body').textContent));
    const { path, trace, goal } = await page.evaluate(() => wend.show.inspected);
    check(goal.join() === '34,12' && path.at(-1).join() === '34,12', 'the path does not end at the goal');
    check(!path.some(([x, y]) => x === 20 && y >= 4 && y <= 20), 'the path leads through the wall');
    check(trace.length <= 8192, `${trace.length} cells are more than the bound`);
    await harness.shoot(page, 'search');
    await untilAt(page, name, 34, 12);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function changesThePace(harness) {
    const server = await harness.serve(harness.world('hall.wend', HALL));
    const [one, two] = [await harness.open(server.url), await harness.open(server.url)];
    await Promise.all([ready(one.page), ready(two.page)]);
    await until(one.page, () => wend.time.hz === 30);
    await one.page.click('#faster');
    await one.page.click('#faster');
    for (const { page } of [one, two]) await until(page, () => wend.time.hz === 120);
    await one.page.click('#slower');
    await until(two.page, () => wend.time.hz === 60 && document.getElementById('clock-text').textContent.endsWith('60 a second'));
    await one.page.fill('#budget', '0');
    for (const { page } of [one, two]) await until(page, () => wend.time.budget === 10);
    // With ten expansions a frame a search takes many frames: one sees the agent wait.
    await addAgent(one.page, 4, 12);
    await one.page.click('#pause');
    await until(one.page, () => wend.time.paused);
    await clickCell(one.page, 34, 12);
    await one.page.click('#step');
    await until(one.page, () => /waiting|searching/.test(document.getElementById('inspector-body').textContent));
    await harness.shoot(one.page, 'slow-motion');
    await one.page.click('#pause');
    await until(one.page, () => /on its way/.test(document.getElementById('inspector-body').textContent));
}

export async function showsAPausedWorld(harness) {
    const server = await harness.serve(harness.world('hall.wend', HALL), ['--agents', '5']);
    const { page } = await harness.open(server.url);
    await ready(page);
    await page.click('#pause');
    await until(page, () => wend.time.paused);
    await page.reload();
    await ready(page);
    await until(page, () => wend.agents.count === 5 && wend.time.frame > 0 && wend.queue.last);
    const name = await addAgent(page, 4, 12); // who comes while it is paused is seen
    check((await cellOf(page, name)).join() === '4,12', 'it is elsewhere');
    await page.keyboard.press('Delete');
    await until(page, () => wend.agents.count === 5);
    check(await page.evaluate(() => wend.time.paused), 'the world goes on');
}

export async function savesTheWorldAsEdited(harness) {
    const server = await harness.serve(harness.world('hall.wend', HALL));
    const { page } = await harness.open(server.url);
    await ready(page);
    await useTool(page, 'wall');
    await dragCells(page, [10, 2], [10, 9]);
    await useTool(page, 'swamp');
    await dragCells(page, [30, 2], [34, 2]);
    await until(page, () => wend.world.classAt(10, 9, 0) === 0 && wend.world.classAt(34, 2, 0) === 254);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    const saved = join(harness.folder, 'saved.wend');
    await download.saveAs(saved);
    check(readFileSync(saved, 'utf8').includes('fill 30,2 34,2 254\n'), 'the swamp is not in the script');
    // It makes the same map: 17 cells were walls before, and 8 more are now.
    const info = JSON.parse(execFileSync(harness.program, ['info', saved, '--json'], { encoding: 'utf8' }));
    check(info.open === 40 * 24 - 17 - 8 && info.links === 1, `saved: ${JSON.stringify(info)}`);
}

export async function showsLinksAndClosedSteps(harness) {
    const server = await harness.serve(harness.world('hall.wend', HALL));
    const { page } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.world.features.links?.length === 1 && wend.world.features.closed?.length === 1);
    const { links, closed } = await page.evaluate(() => wend.world.features);
    check(JSON.stringify(links) === '[[[2,2],[37,21],10]]', JSON.stringify(links));
    check(JSON.stringify(closed) === '[[[5,5],[6,5]]]', JSON.stringify(closed));
    await harness.shoot(page, 'links');
}

export async function resetsTheWorld(harness) {
    const server = await harness.serve(harness.world('hall.wend', HALL), ['--agents', '5']);
    const [one, two] = [await harness.open(server.url), await harness.open(server.url)];
    await Promise.all([ready(one.page), ready(two.page)]);
    await useTool(one.page, 'wall');
    await dragCells(one.page, [10, 2], [10, 9]);
    await until(two.page, () => wend.world.classAt(10, 9, 0) === 0);
    await one.page.click('#reset');
    for (const { page } of [one, two]) await until(page, () => wend.world.classAt(10, 9, 0) === 1);
}

const CORRIDOR = ['grid 24 9', 'fill 0,0 23,3 blocked', 'fill 0,5 23,8 blocked', 'crowd agents=8 retry=1000000', 'agent wall 12,4 parked',
    ...[11, 10, 9, 8].flatMap((x, i) => [`agent a${i} ${x},4`, `go a${i} to ${20 - i},4`])];

export async function showsWhereAgentsAreBlocked(harness) {
    const server = await harness.serve(harness.world('corridor.wend', CORRIDOR));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    check(await page.evaluate(() => wend.show.jams === null), 'the page asks for counts at once');
    await page.click('#jams');
    await until(page, () => wend.show.jams?.some(([x, y, z, share]) => x === 9 && y === 4 && z === 0 && share > 0.5));
    await until(page, () => /\d agents? blocked on average, most at \d+, 4/.test(document.getElementById('jams-note').textContent));
    await harness.shoot(page, 'jams');
    await page.keyboard.press('j');
    await until(page, () => wend.show.jams === null && document.getElementById('jams-note').hidden);
    await page.waitForTimeout(700); // no answer under way brings them back
    check(await page.evaluate(() => wend.show.jams === null), 'the counts came back');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
