// SPDX-License-Identifier: MIT
// The ways of agents as they are drawn: where they stop short of a goal, and never through a wall.
import { addAgent, check, clickCell, ready, until, untilAt } from './harness.mjs';

// Walls from the left and from the right, by turns: the only way goes to and fro.
const ZIGZAG = ['grid 40 40', ...Array.from({ length: 9 }, (_, i) => `fill ${i % 2 ? 0 : 1},${4 * i + 3} ${i % 2 ? 38 : 39},${4 * i + 3} blocked`)];

export async function saysWhereItStopsAtAWall(harness) {
    const server = await harness.serve(harness.world('wall.wend', ['grid 40 24', 'fill 20,4 26,20 blocked', 'fill 30,10 34,14 blocked', 'fill 31,11 33,13 open']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    for (const [goal, stop] of [[[21, 12], [19, 12]], [[32, 12], null]]) { // a wall; what a wall closes in
        const name = await addAgent(page, 3, 12);
        await page.evaluate(agent => wend.connection.send('adjust', { names: [agent], speed: 40 }), name);
        await clickCell(page, ...goal);
        await until(page, () => document.getElementById('notices').textContent.includes('It will stop at'));
        const words = await page.textContent('#notices');
        const told = words.match(/will stop at (\d+), (\d+)/).slice(1).map(Number);
        check(words.includes(`${name} cannot get to ${goal.join(', ')}`), words);
        check(stop === null || told.join() === stop.join(), `it says ${told}`);
        check((await page.textContent('#inspector-body')).includes(`to ${told.join(', ')}: as near as it gets`), await page.textContent('#inspector-body'));
        check((await page.evaluate(() => wend.show.inspected.drawn.stops.slice(0, 2).join())) === told.join(), 'no mark is drawn there');
        await harness.shoot(page, 'stops');
        await page.evaluate(agent => wend.connection.send('adjust', { names: [agent], speed: 1000 }), name);
        await untilAt(page, name, ...told); // and there it stops
        await until(page, () => document.getElementById('notices').textContent.includes('as near as it gets'));
        await page.evaluate(() => document.getElementById('notices').replaceChildren());
        await page.evaluate(agent => wend.connection.send('remove', { names: [agent] }), name);
        await until(page, () => wend.agents.count === 0);
    }
    // Where there is a way nothing is said. Of several agents each has its own place.
    const first = await addAgent(page, 3, 3);
    await clickCell(page, 8, 3);
    await untilAt(page, first, 8, 3);
    check(!(await page.textContent('#notices')).includes('will stop'), await page.textContent('#notices'));
    const second = await addAgent(page, 3, 6);
    await page.evaluate(names => wend.actions.select(names), [first, second]);
    await clickCell(page, 23, 12);
    await until(page, () => document.getElementById('notices').textContent.includes('23, 12 is a wall: each agent will stop'));
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function drawsNoWayThroughAWall(harness) {
    const server = await harness.serve(harness.world('zigzag.wend', [...ZIGZAG, 'agent a 5,1 speed=1000', 'agent b 7,1 speed=1000', 'agent c 9,1 speed=700']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count === 3);
    // What is drawn is looked at: each line is walked in small steps. Answers to inspect come late, and some not at all.
    await page.evaluate(() => {
        const { stage, world, connection } = wend, { context, camera } = stage, send = connection.send.bind(connection);
        Object.assign(globalThis, { through: [], lines: 0, late: 0 });
        connection.send = async (op, ...more) => {
            const answer = await send(op, ...more);
            if (op === 'inspect') {
                late++;
                await new Promise(resolve => setTimeout(resolve, late % 3 === 0 ? 1500 : 400));
            }
            return answer;
        };
        const drawWay = stage.drawWay;
        stage.drawWay = (...words) => {
            const [moveTo, lineTo] = [context.moveTo, context.lineTo];
            let from = null;
            const note = to => {
                if (from) {
                    const parts = Math.ceil(10 * Math.hypot(to[0] - from[0], to[1] - from[1]));
                    for (let i = 0; i <= parts; i++) {
                        const [x, y] = [0, 1].map(axis => Math.floor(from[axis] + (to[axis] - from[axis]) * i / (parts || 1)));
                        if (world.classAt(x, y, 0) === 0) through.push(`${from} to ${to} at ${x},${y}`);
                    }
                    lines++;
                }
                from = to;
            };
            context.moveTo = (x, y) => (from = camera.toCell(x, y), moveTo.call(context, x, y));
            context.lineTo = (x, y) => (note(camera.toCell(x, y)), lineTo.call(context, x, y));
            const goal = stage.marks.goal;
            stage.marks.goal = () => {};
            try {
                drawWay.apply(stage, words);
            } finally {
                delete context.moveTo, delete context.lineTo;
                stage.marks.goal = goal;
            }
        };
    });
    const go = (name, to) => page.evaluate(([agent, cell]) => wend.connection.send('go', { names: [agent], to: cell }), [name, to]);
    await page.evaluate(() => wend.actions.select(['a', 'b', 'c']));
    for (const name of ['a', 'b', 'c']) await go(name, [20, 38]);
    await until(page, () => wend.agents.toY[wend.agents.rows.get('a')] > 20);
    await page.evaluate(() => wend.actions.select(['a']));
    await go('a', [5, 1]); // and back: an old answer leads the other way
    await until(page, () => wend.agents.toY[wend.agents.rows.get('a')] < 6);
    const [lines, through] = await page.evaluate(() => [globalThis.lines, globalThis.through]);
    check(lines > 100, `${lines} lines were drawn`);
    check(through.length === 0, `${through.length} of ${lines} lines go through a wall: ${through.slice(0, 3).join('; ')}`);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function theRestOfAWayIsWhatIsAhead(harness) {
    const server = await harness.serve(harness.world('empty.wend', ['grid 40 24']));
    const { page } = await harness.open(server.url);
    await ready(page);
    const rests = await page.evaluate(async () => {
        const { ahead } = await import('/view/way.js'), round = cells => cells.map(cell => cell.slice(0, 2).map(part => Math.round(100 * part) / 100));
        const path = [[0, 0], [1, 0], [2, 0], [3, 1], [4, 2], [4, 3]], lines = [[[0, 0], [2, 0], [4, 2], [4, 3]]];
        const rest = (place, way = { path, lines }) => {
            const found = ahead(way, place);
            return JSON.stringify([round(found.path), found.lines?.map(round)]);
        };
        return [rest(null), rest([-1, -1]), rest([1.5, 0]), rest([4, 2.5]), rest([4, 3]), rest([9, 9]), rest([0, 0, 5]),
            rest([7.5, 0], { path: [[0, 0], [1, 0], [8, 0], [9, 0]], lines: [[[0, 0], [1, 0]], [[8, 0], [9, 0]]] })];
    });
    const all = '[[[0,0],[1,0],[2,0],[3,1],[4,2],[4,3]],[[[0,0],[2,0],[4,2],[4,3]]]]';
    const wanted = [all, '[[[-1,-1],[0,0],[1,0],[2,0],[3,1],[4,2],[4,3]],[[[0,0],[2,0],[4,2],[4,3]]]]',
        '[[[1.5,0],[1.5,0],[2,0],[3,1],[4,2],[4,3]],[[[1.5,0],[2,0],[4,2],[4,3]]]]', '[[[4,2.5],[4,2.5],[4,3]],[[[4,2.5],[4,3]]]]',
        '[[[4,3],[4,3],[4,3]],[[[4,3],[4,3]]]]', all, all, '[[[7.5,0],[8,0],[9,0]],[[],[[8,0],[9,0]]]]'];
    rests.forEach((rest, i) => check(rest === wanted[i], `case ${i} is ${rest}, not ${wanted[i]}`));
}
