// SPDX-License-Identifier: MIT
// Graphs are drawn: nodes, edges and one-way arrows; agents go along them; a node can be closed.
import { addAgent, check, clickCell, ready, until, useTool } from './harness.mjs';

// Two rows of six nodes, joined by rungs; the last rung leads down only.
const LADDER = ['graph', ...Array.from({ length: 12 }, (_, i) => `node ${i} ${(i % 6) * 10} ${i < 6 ? 0 : 20}`),
    ...[0, 1, 2, 3, 4, 6, 7, 8, 9, 10].flatMap(i => [`edge ${i} ${i + 1} 10`, `edge ${i + 1} ${i} 10`]),
    'edge 0 6 20', 'edge 6 0 20', 'edge 2 8 20', 'edge 8 2 20', 'edge 5 11 20'];

const placeOf = (page, node) => page.evaluate(n => wend.world.network.placeOf(n), node);

async function untilAtNode(page, name, node) {
    await until(page, ([agent, n]) => {
        const row = wend.agents.rows.get(agent), [x, y] = wend.world.network.placeOf(n);
        return row !== undefined && Math.hypot(wend.agents.toX[row] - x, wend.agents.toY[row] - y) < 0.01;
    }, [name, node]);
}

export async function drawsAGraph(harness) {
    // A node without edges; there is none of the number before it.
    const server = await harness.serve(harness.world('lonely.wend', [...LADDER, 'node 13 25 30']));
    for (const scheme of ['light', 'dark']) {
        const { page, complaints } = await harness.open(server.url, { colorScheme: scheme });
        await ready(page);
        check((await page.textContent('#world')).includes('13 nodes'), await page.textContent('#world'));
        const { edges, oneWay } = await page.evaluate(() => ({ edges: wend.world.network.edges.length,
            oneWay: wend.world.network.edges.filter(edge => edge.oneWay) }));
        check(edges === 13 && oneWay.length === 1 && oneWay[0].a === 5 && oneWay[0].b === 11, JSON.stringify({ edges, oneWay }));
        // The middle of an edge has the colour of edges, and a place between has not.
        const seen = await page.evaluate(() => {
            const { stage, camera, world } = wend, [ax, ay] = world.network.placeOf(0), [bx, by] = world.network.placeOf(1);
            stage.draw(performance.now());
            const at = (x, y) => {
                const [px, py] = camera.toPixel(x + 0.5, y + 0.5).map(v => Math.round(v * stage.ratio));
                return [...stage.context.getImageData(px, py, 1, 1).data.slice(0, 3)].join();
            };
            return { edge: at((ax + bx) / 2, (ay + by) / 2), beside: at((ax + bx) / 2, ay + 2) };
        });
        check(seen.edge !== seen.beside, `an edge looks like the ground: ${seen.edge}`);
        await harness.shoot(page, `graph-${scheme}`);
        check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
    }
}

export async function agentsGoAlongAGraph(harness) {
    const server = await harness.serve(harness.world('ladder.wend', [...LADDER, 'agent walker 3']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count === 1);
    await untilAtNode(page, 'walker', 3);
    const name = await addAgent(page, ...(await placeOf(page, 0)));
    await page.evaluate(agent => wend.connection.send('adjust', { names: [agent], speed: 2 }), name);
    await clickCell(page, ...(await placeOf(page, 10)));
    await until(page, () => wend.show.inspected?.path?.length > 2 && wend.show.inspected.goal === 10);
    await harness.shoot(page, 'graph-way');
    await page.evaluate(agent => wend.connection.send('adjust', { names: [agent], speed: 1000 }), name);
    await untilAtNode(page, name, 10);
    // A closed node: it goes the other way round.
    await useTool(page, 'door');
    await clickCell(page, ...(await placeOf(page, 9)));
    await until(page, () => wend.world.network.classes[9] === 0);
    await useTool(page, 'field');
    await clickCell(page, ...(await placeOf(page, 1)));
    await until(page, () => wend.show.arrows?.length > 5);
    await harness.shoot(page, 'graph-closed');
    await useTool(page, 'undo');
    await until(page, () => wend.world.network.classes[9] === 1);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function laysOutAGraphWithoutCoordinates(harness) {
    const ring = Array.from({ length: 14 }, (_, i) => [`edge ${i} ${(i + 1) % 14} 5`, `edge ${(i + 1) % 14} ${i} 5`]).flat();
    const server = await harness.serve(harness.world('ring.wend', ['graph', ...Array.from({ length: 14 }, (_, i) => `node ${i}`),
        ...ring, 'agent a 0', 'agent b 7']));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count === 2);
    await untilAtNode(page, 'b', 7);
    const nearest = await page.evaluate(() => {
        const { x, y, count } = wend.world.network;
        let least = Infinity;
        for (let i = 0; i < count; i++) for (let j = 0; j < i; j++) least = Math.min(least, Math.hypot(x[i] - x[j], y[i] - y[j]));
        return least;
    });
    check(nearest > 1.5, `two nodes are ${nearest} cells apart`);
    await harness.shoot(page, 'graph-laid-out');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
