// SPDX-License-Identifier: MIT
// test.js PORT MAP: a server of a grid of 32 × 32 cells, which is called so, with lines there.
import { createServer } from 'node:net';
import { connect, lines, Refused } from './client.js';

const expect = (good, what) => console.log(`${good ? 'ok' : 'not ok'} ${what}`);
const town = await connect(await lines(Number(process.argv[2]), '127.0.0.1'));
expect(town.server.protocol === 1, 'hello');
const arrives = new Promise(resolve => town.addEventListener('event', ({ detail }) => detail.event === 'arrived' && resolve(detail)));
await town.agent({ name: 'eve', cell: [1, 20], speed: 1000 });
await town.go({ names: ['eve'], to: [9, 20] });
expect((await arrives).agent === 'eve' && (await town.positions()).agents.eve.join() === '9,20', 'an agent goes, and its event comes');
const answers = await Promise.all(Array.from({ length: 20 }, (_, y) => town.request({ from: [0, y + 12], to: [31, y + 12] })));
expect(answers.every(({ cost }) => cost === 310), 'twenty requests at a time');
const turns = { from: [0, 31], to: [20, 12] }, { cells } = await town.request(turns);
expect(cells.length === 21 && cells.every(([x, y], i) => i === 0 || Math.max(Math.abs(x - cells[i - 1][0]), Math.abs(y - cells[i - 1][1])) === 1)
    && cells[0].join() === '0,31' && cells.at(-1).join() === '20,12', 'a path comes as runs, and is cells');
const problem = await town.go({ names: ['nobody'], to: [1, 1] }).catch(error => error);
expect(problem instanceof Refused && problem.error === 'unknown', 'an order that is refused');
expect((await town.request({ from: [0, 0], to: [99, 0] }).catch(error => error)).error === 'out_of_range', 'a request that is refused');
await town.pause();
const far = town.request({ id: 'far', from: [0, 0], to: [31, 31], deadline: 1000 });
expect((await town.request({ id: 'far', from: [0, 0], to: [1, 1] }).catch(error => error)).error === 'bad_argument', 'an id that is in use');
await town.cancel({ request: 'far' });
await town.resume();
expect((await far).status === 'cancelled', 'a request is cancelled by its id');
await town.edit({ set: [[[30, 30], 7]], fill: [[[28, 31], [31, 31], 'blocked']] });
expect((await town.classes([27, 30], [31, 31])).join() === '1,1,1,7,1,1,0,0,0,0', 'the classes of a box');
expect((await town.map({ map: process.argv[3] })).size.join() === '32,32', 'a map by its name');
expect((await town.map({ map: 'nowhere' }).catch(error => error)).error === 'unknown', 'a map that is not there');

// A node that owns no map: it sends orders to the server, and is silent about requests, or has lost them.
const follower = createServer(socket => socket.on('data', part => {
    for (const { op, id } of String(part).trim().split('\n').map(JSON.parse))
        if (id === 'gone') socket.write('{"id":"gone","lost":true}\n');
        else socket.write(`${JSON.stringify(op === 'hello' || op === 'request' ? { id, ok: true } : { id, error: 'moved', address: `127.0.0.1:${process.argv[2]}` })}\n`);
}));
await new Promise(resolve => follower.listen(0, '127.0.0.1', resolve));
const guest = await connect(await lines(follower.address().port, '127.0.0.1'));
const gone = await guest.request({ id: 'gone', from: [0, 0], to: [31, 0] }).catch(error => error);
expect(gone.message === 'lost', 'a request whose completion is lost fails');
const asked = guest.request({ from: [0, 0], to: [31, 0] });
await Promise.all([20, 21].map(x => guest.edit({ set: [[[x, 0], 5]] })));
expect((await town.classes([19, 0], [22, 0])).join() === '1,5,5,1', 'orders go to the node that owns the map');
expect((await asked).status === 'found', 'what was asked of the node before comes, too');
guest.close();
follower.close();
const frame = new Promise(resolve => town.addEventListener('frame', ({ detail }) => resolve(detail)));
await town.subscribe({ what: ['frames'] });
expect((await frame).number > 0, 'frames are watched');
const waiting = town.request({ from: [0, 0], to: [1, 1] }).then(() => 'done', () => 'lost');
town.close();
expect(['done', 'lost'].includes(await waiting), 'a connection that ends leaves nobody waiting');
