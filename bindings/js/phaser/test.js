// SPDX-License-Identifier: MIT
// npm test: a client joins, sends a third of the agents somewhere, and sees them arrive; nonsense is refused.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { Client } from '@colyseus/sdk';

const PORT = 20000 + process.pid % 10000, AGENTS = 300, GOAL = [60, 2];
const server = spawn(process.execPath, ['server.js'],
    { env: { ...process.env, PORT }, stdio: ['ignore', 'pipe', 'inherit'] });
const pause = ms => new Promise(done => setTimeout(done, ms));
let last, frames = 0, map;
const away = i => Math.hypot(last[3 * i] / 1000 - GOAL[0], last[3 * i + 1] / 1000 - GOAL[1]);
const near = () => [...Array(AGENTS).keys()].filter(i => away(i) < 16);

try {
    await new Promise(done => server.stdout.once('data', done));
    const room = await new Client(`ws://localhost:${PORT}`).joinOrCreate('town');
    const refused = [];
    room.onMessage('map', m => { map = m; });
    room.onMessage('refused', text => refused.push(text));
    room.onMessage('points', bytes => { last = new Int32Array(bytes.slice().buffer); frames++; });
    await pause(1000);
    assert(map.classes.length === map.width * map.height && last.length >= 3 * AGENTS);
    const before = near().length, first = frames, chosen = [...Array(100).keys()];
    const nonsense = [null, {}, { agents: 'all' }, { agents: [1], cell: 'there' }, { agents: [1], cell: [1e9, 0] },
        { agents: [1, 1], cell: GOAL }];
    for (const order of nonsense) room.send('go', order);
    room.send('go', { agents: [AGENTS, -1], cell: GOAL }); // agents that are not there: nothing happens
    await pause(500);
    assert.equal(refused.length, nonsense.length, refused.join('\n'));
    room.send('go', { agents: chosen, cell: GOAL });
    for (let i = 0; i < 60 && near().length < before + 60; i++) await pause(1000);
    assert(near().length >= before + 60, `${near().length} are there, ${before} were`);
    console.log(`${frames - first} frames, ${near().length} of ${AGENTS} near the goal, ${before} before`);
    await room.leave();
} finally {
    server.kill();
}
process.exit(0);
