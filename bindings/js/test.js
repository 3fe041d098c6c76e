// SPDX-License-Identifier: MIT
// What every binding is tested for: test.js MAP.
import { readFileSync } from 'node:fs';
import { load, WendError } from './wend.js';
import { lists } from './layout.js';

const wend = await load();
let failed = 0;
function expect(good, what) {
    console.log(`${good ? 'ok' : 'not ok'} ${what}`);
    if (!good) failed++;
}
function thrown(work) {
    try {
        work();
    } catch (problem) {
        return problem;
    }
    return null;
}

class Golden {
    hash = 2166136261;
    random = 1;
    put(value) { this.hash = Math.imul(this.hash ^ value, 16777619) >>> 0; }
    draw() {
        this.random ^= this.random << 13;
        this.random ^= this.random >>> 17;
        this.random ^= this.random << 5;
        return this.random >>> 0;
    }
    openCell(map) {
        for (;;) {
            const one = this.draw(), cell = [one % 512, (one >>> 16) % 512];
            if (map.terrain(cell) !== 0) return cell;
        }
    }
    get hex() { return this.hash.toString(16).padStart(8, '0'); }
}

const map = wend.parse(readFileSync(process.argv[2] ?? 'data/caves512.map')).accelerate();
const service = new wend.Service();
const STATUS = Object.fromEntries(lists.WEND_STATUSES.map(([, number, text]) => [text, number]));

function requests() {
    const g = new Golden();
    for (let i = 0; i < 300; i++)
        service.submit(map, g.openCell(map), g.openCell(map), answer => {
            const { number, cost, expansions, frames, numbers } = answer;
            for (const one of [number, STATUS[answer.status], cost, expansions, frames, numbers.length / 3]) g.put(one);
            for (let k = 0; k < numbers.length; k += 3) g.put(numbers[k]), g.put(numbers[k + 1]);
        }, { urgency: i % 7 });
    while (service.pending) service.tick({ expansions: 20000 });
    return g.hex;
}

function walks() {
    const g = new Golden();
    const crowd = new wend.Crowd(service, map, { agents: 200, onEvent: event => {
        for (const one of [event.number, event.agent.index, event.cell[0], event.cell[1], event.update]) g.put(one);
        if (event.endsGoal && event.event !== 'replaced') crowd.go(event.agent, g.openCell(map));
    } });
    for (let i = 0; i < 200; i++) {
        let agent = null;
        while (!agent) {
            const cell = g.openCell(map);
            const problem = thrown(() => (agent = crowd.add({ cell, speed_milli: 1000 })));
            if (problem && problem.code !== 'WEND_BUSY') throw problem;
        }
        crowd.go(agent, g.openCell(map));
    }
    for (let frame = 0; frame < 200; frame++) {
        service.tick({ expansions: 20000 });
        crowd.update();
        const { count, points, states } = crowd.view;
        for (let i = 0; i < count; i++) g.put(points[3 * i]), g.put(points[3 * i + 1]), g.put(states[i]);
    }
    crowd.destroy();
    return g.hex;
}

expect(requests() === '08a1e302', 'requests have the golden hash');
expect(walks() === '1531deef', 'a crowd has the golden hash');

for (const [name, number] of lists.WEND_ERRORS) expect(new WendError(number, '').code === `WEND_${name}`, name);
const bad = thrown(() => new wend.Map({ width: 0, height: 5 }));
expect(bad.code === 'WEND_BAD_ARGUMENT' && bad.message.includes('width'), 'an error has name and reason');
expect(thrown(() => wend.parse('type octile\nheight 1\nwidth 2\nmap\n.?\n')).message.startsWith('map:5:2: '), 'an error of a map says where');
expect(thrown(() => new wend.Map({ widht: 5 })) instanceof TypeError, 'a field that does not exist is refused');

const field = new wend.Map({ width: 8, height: 8 });
let called = 0;
service.submit(field, [0, 0], [7, 7], () => { throw new Error('mine'); });
service.submit(field, [0, 0], [7, 7], () => called++);
expect(thrown(() => service.tick())?.message === 'mine' && called === 1, 'what a callback throws comes out of tick(), after the others were called');
service.tick();
const crowd = new wend.Crowd(service, field, { agents: 1, onEvent: () => { throw new Error('event'); } });
crowd.go(crowd.add({ cell: [0, 0] }), [0, 0]);
let problem = null;
for (let i = 0; i < 4 && !problem; i++) {
    service.tick();
    problem = thrown(() => crowd.update());
}
expect(problem?.message === 'event', 'and out of update()');
crowd.update();
expect(thrown(() => field.edit(edit => { edit.set([1, 1], 0); throw new Error('stop'); }))?.message === 'stop' && field.terrain([1, 1]) === 1, 'an edit that throws changes nothing');

const promised = service.path(field, [0, 0], [7, 7]);
service.tick();
expect((await promised).cost === 98, 'a path as a promise');

const files = new Map(), other = new wend.Service();
other.record((file, bytes) => files.set(file, (files.get(file) ?? '') + new TextDecoder().decode(bytes)));
other.submit(field, [0, 0], [7, 7], () => {});
other.tick();
other.endRecording();
expect(files.size === 2 && files.get(1).includes('request'), 'a recording has a script for the map');
other.destroy();
crowd.destroy();
service.destroy();
process.exit(failed ? 1 : 0);
