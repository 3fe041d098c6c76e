// SPDX-License-Identifier: MIT
// The buttons that put load on the server: each does what its name says, and the page goes on working meanwhile.
import { check, ready, until, useTool } from './harness.mjs';

const HALL = ['grid 64 48', 'fill 16,8 16,40 blocked', 'fill 48,8 48,40 blocked'];
const BUTTON = word => `#stress button:has-text("${word}")`;

// What happens from now on is noted in wend.seen, however late the test looks.
async function note(page) {
    await page.evaluate(() => {
        const { agents, world } = wend;
        const from = new Map([...agents.rows].map(([name, row]) => [name, `${agents.toX[row]},${agents.toY[row]}`]));
        const seen = { moved: new Set(), waiting: 0, spent: 0, closed: false };
        wend.seen = seen;
        wend.connection.addEventListener('agents', () => {
            for (const [name, row] of agents.rows) if (from.get(name) !== `${agents.toX[row]},${agents.toY[row]}`) seen.moved.add(name);
        });
        wend.connection.addEventListener('frame', ({ detail }) => {
            seen.waiting = Math.max(seen.waiting, detail.waiting);
            seen.spent = Math.max(seen.spent, detail.expansions);
        });
        world.addEventListener('cells', () => (seen.closed ||= wend.ring?.every(([x, y]) => world.classAt(x, y, 0) === 0)));
    });
}

// The page answers to a hand: a tool is chosen, an agent is found and selected.
async function isResponsive(page) {
    await useTool(page, 'door');
    check((await page.getAttribute('#tools button[data-tool="door"]', 'aria-pressed')) === 'true', 'the tool is not chosen');
    await useTool(page, 'select');
    const frames = await page.evaluate(() => wend.stage.frames);
    await page.evaluate(() => wend.actions.select([wend.agents.names[0]]));
    await until(page, was => wend.stage.frames > was && wend.show.inspected?.name === wend.agents.names[0], frames);
    await page.keyboard.press('Escape');
}

const over = (page, word) => until(page, name => ![...document.querySelectorAll('#stress button')]
    .some(button => button.textContent === name && 'running' in button.dataset), word);

async function open(harness, options) {
    const server = await harness.serve(harness.world('hall.wend', HALL), options);
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count > 0);
    await note(page);
    return { page, complaints };
}

export async function burstSendsEveryAgentSomewhere(harness) {
    const { page, complaints } = await open(harness, ['--agents', '300']);
    await page.click(BUTTON('Burst'));
    await isResponsive(page);
    await over(page, 'Burst');
    check((await page.textContent('#stress-note')).includes('300 agents set off'), await page.textContent('#stress-note'));
    await harness.shoot(page, 'burst');
    await until(page, () => wend.seen.moved.size >= 270); // some may have drawn the cell that they stand on
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function hordeGathersAtOneCell(harness) {
    const { page, complaints } = await open(harness, ['--agents', '60']);
    await page.click(BUTTON('Horde'));
    await isResponsive(page);
    await over(page, 'Horde');
    const goal = await page.evaluate(() => wend.stress.hordeGoal);
    // Most of 60 agents find room within some cells of it.
    await until(page, ([x, y]) => {
        let near = 0;
        for (let row = 0; row < wend.agents.count; row++)
            near += Math.hypot(wend.agents.toX[row] - x, wend.agents.toY[row] - y) <= 14;
        return near >= 48;
    }, goal);
    await harness.shoot(page, 'horde');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function siegeClosesARingAndOpensIt(harness) {
    const { page, complaints } = await open(harness, ['--agents', '60']);
    await page.evaluate(() => (wend.ring = wend.stress.ring().filter(([x, y]) => wend.world.isOpen(x, y, 0))));
    check((await page.evaluate(() => wend.ring.length)) > 40, 'the ring is small');
    await page.click(BUTTON('Siege'));
    await until(page, () => wend.seen.closed);
    await harness.shoot(page, 'siege');
    await isResponsive(page);
    await over(page, 'Siege');
    await until(page, () => wend.ring.every(([x, y]) => wend.world.classAt(x, y, 0) === 1));
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function overloadFillsTheQueue(harness) {
    const { page, complaints } = await open(harness, ['--agents', '20', '--budget', '400']);
    await page.click(BUTTON('Overload'));
    await until(page, () => wend.seen.waiting >= 100 && wend.seen.spent >= 400);
    await harness.shoot(page, 'overload');
    await isResponsive(page);
    // What was asked is answered, also when the budget is small: it is turned up for that.
    await page.evaluate(() => wend.connection.send('pace', { budget: 1000000 }));
    await over(page, 'Overload');
    const [asked, answered] = (await page.textContent('#stress-note')).match(/\d[\d,]*/g).map(text => Number(text.replace(/,/g, '')));
    check(asked === answered && asked >= 512, await page.textContent('#stress-note'));
    await until(page, () => document.getElementById('queue-text').textContent.startsWith('0 wait, 0 begun'));
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
