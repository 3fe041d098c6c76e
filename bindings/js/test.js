// SPDX-License-Identifier: MIT
// What every binding is tested for: test.js MAP.
import { readFileSync } from 'node:fs';
import { constants, load, WendError } from './wend.js';
import { lists, structs } from './layout.js';

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

// A group with bodies passes a gate and a danger; a guard goes round, a hound follows it, a hare flees.
function group() {
    const g = new Golden(), field = new wend.Map({ width: 48, height: 32 });
    field.edit(edit => { edit.fill([24, 0], [24, 13], 0); edit.fill([24, 18], [24, 31], 0); });
    const danger = field.addLayer({ half_life: 50 });
    danger.addDisc([24, 12], 8, 200);
    const minds = field.addProfile([[danger, 16]]);
    const crowd = new wend.Crowd(service, field, { agents: 19, onEvent: event => {
        for (const one of [event.number, event.agent.index, event.update]) g.put(one);
    } });
    const walkers = [];
    for (let i = 0; i < 16; i++) {
        walkers.push(crowd.add({ cell: [2 + i % 4 * 2, 8 + (i >> 2) * 4], profile: i % 2 ? minds : 0 }));
        if (i % 3) crowd.setBody(walkers[i], { radius_milli: 300 + 10 * i });
    }
    crowd.go(walkers, [38, 16], { formation: constants.WEND_AS_WEDGE, spacing: 2 });
    const [guard, hound, hare] = [[46, 1], [44, 1], [34, 15]].map(cell => crowd.add({ cell }));
    crowd.patrol(guard, crowd.addRoute([[46, 1], [46, 30], [30, 30], [30, 1]], constants.WEND_ROUTE_LOOP));
    crowd.follow(hound, guard, { reach: 2 });
    crowd.flee(hare, guard, { distance: 8, keep: true });
    for (let frame = 0; frame < 300; frame++) {
        field.layerUpdate();
        service.tick({ expansions: 20000 });
        crowd.update();
        const { count, points, states, velocities, radii } = crowd.view;
        for (let i = 0; i < count; i++) {
            g.put(points[3 * i]), g.put(points[3 * i + 1]), g.put(states[i]);
            g.put(velocities[3 * i]), g.put(velocities[3 * i + 1]), g.put(radii[i]);
        }
    }
    crowd.destroy();
    field.release();
    return g.hex;
}

expect(requests() === '08a1e302', 'requests have the golden hash');
expect(walks() === 'b932dc31', 'a crowd has the golden hash');
expect(group() === '21b0b51b', 'a group with bodies has the golden hash');

for (const [name, number] of lists.WEND_ERRORS) expect(new WendError(number, '').code === `WEND_${name}`, name);
const bad = thrown(() => new wend.Map({ width: 0, height: 5 }));
expect(bad.code === 'WEND_BAD_ARGUMENT' && bad.message.includes('width'), 'an error has name and reason');
expect(thrown(() => wend.parse('type octile\nheight 1\nwidth 2\nmap\n.?\n')).message.startsWith('map:5:2: '), 'an error of a map says where');
for (const [call, words] of [[() => new wend.Map({ widht: 5 }), /^unknown option `widht`; known: arena, kind, width, height, depth, /],
    [() => service.tick({ expansion: 5 }), /^unknown option `expansion`; known: expansions, us, rounds, /],
    [() => new wend.Service({ queu: 5 }), /^unknown option `queu`; known: arena, queue, .*, prefault, /]])
    expect(words.test(thrown(call)?.message), `options are named: ${thrown(call)?.message}`);

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
other.submit(field, [0, 0], [7, 7], () => {});
other.record((file, bytes) => files.set(file, files.get(file) + new TextDecoder().decode(bytes)), field);
other.tick();
other.endRecording();
expect(files.get(1).includes('state request 0 1\n'), 'a recording begins while a request is pending');
other.destroy();
crowd.destroy();
service.destroy();

{
    const on = new wend.Map({ width: 8, height: 8 }), queue = new wend.Service(), few = new wend.Crowd(queue, on, { agents: 4 });
    const heard = [], seen = [], agent = few.add({ cell: [0, 0] });
    few.go(agent, [7, 0]);
    queue.submit(on, [0, 0], [7, 7], answer => heard.push(answer.cost), { agent: 2 ** 40 });
    queue.submit(on, [0, 0], [7, 7], () => heard.push('lost'));
    const saved = [on.save(), queue.save([on]), few.save()];
    on.edit(edit => edit.set([3, 3], 0));
    few.remove(agent);
    on.restore(saved[0]);
    queue.restore(saved[1], [on], request => {
        seen.push(request);
        return request.agent && (answer => heard.push(-answer.cost));
    });
    few.restore(saved[2]);
    expect(on.terrain([3, 3]) === 1 && few.view.count === 1, 'map and crowd are as they were saved');
    queue.tick();
    few.update();
    expect(heard.join() === '-98', 'a restored request calls what resume() returned, and nothing else');
    const like = { start: [0, 0, 0], goal: [7, 7, 0], urgency: 0 };
    expect(JSON.stringify(seen) === JSON.stringify([{ agent: 2 ** 40, ...like }, { agent: null, ...like }]), 'resume() gets the requests');
    expect(queue.waiting.size === 0 && few.view.points[0] > 0, 'and the agent walks on');
    const newMap = new wend.Map({ width: 8, height: 8 }), newQueue = new wend.Service(), newFew = new wend.Crowd(newQueue, newMap, { agents: 4 });
    newMap.restore(saved[0]);
    newQueue.restore(saved[1], [newMap], () => () => heard.push(1));
    newFew.restore(saved[2]);
    newQueue.tick();
    expect(heard.join() === '-98,1,1', 'new objects take a save');
    const broken = saved[1].slice();
    broken[broken.length >> 1] ^= 1;
    for (const call of [() => newQueue.restore(broken, [newMap]), () => newMap.restore(new Uint8Array(0)), () => newFew.restore(new Uint8Array(99))])
        expect(thrown(call)?.code === 'WEND_BAD_FORMAT', 'other bytes are refused by name');
    newQueue.submit(newMap, [0, 0], [7, 7], () => heard.push(2));
    thrown(() => newQueue.restore(broken, [newMap]));
    newQueue.tick();
    expect(heard.join() === '-98,1,1,2', 'after bytes that are refused the requests are as before');
    expect(thrown(() => newQueue.restore(saved[1], [newMap], () => { throw new Error('resume'); }))?.message === 'resume', 'what resume() throws comes out of restore()');
    newQueue.tick();

    // A promise is settled whatever becomes of its request: where none of these were, the test would end here with status 13.
    const kept = newQueue.path(newMap, [0, 0], [7, 7]);
    thrown(() => newQueue.restore(broken, [newMap]));
    newQueue.tick();
    expect((await kept).cost === 98, 'a restore that is refused leaves promises as they were');
    const replaced = newQueue.path(newMap, [0, 0], [7, 7]), calls = [];
    newQueue.submit(newMap, [0, 0], [7, 7], () => calls.push('submitted'));
    newQueue.restore(saved[1], [newMap], () => () => calls.push('resumed'));
    const { status, cost, cells, number } = await replaced;
    expect(`${status} ${cost} ${cells.length} ${number}` === 'cancelled -1 0 0', 'a restore answers the promise of a request that it takes away');
    newQueue.tick();
    expect(calls.join() === 'resumed,resumed' && newQueue.promised.size === 0, 'and calls no function of submit()');
    const last = newQueue.path(newMap, [0, 0], [7, 7]);
    newFew.destroy();
    newQueue.destroy();
    expect((await last).status === 'cancelled' && newQueue.promised.size === 0, 'destroy() answers it, too');
    for (const one of [few, queue]) one.destroy();
}

{ // boxes of an edit, and maps from text in an arena
    const arena = new wend.Arena(), on = wend.parse('type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n', { arena, max_versions: 3 });
    const all = () => [...on.box([0, 0], [2, 1])].join();
    expect(all() === '1,0,1,1,1,1', 'a map from a text, in an arena');
    on.edit(edit => edit.setBox([1, 0], [2, 1], Uint8Array.of(5, 6, 7, 8)));
    arena.mark(0);
    on.edit(edit => edit.setBox([0, 0], [2, 0], Uint8Array.of(0, 0, 0)));
    expect(all() === '0,0,0,1,7,8', 'a box is set');
    arena.rewind(0);
    expect(all() === '1,5,6,1,7,8', 'and goes back');
    const cubes = new wend.Map({ kind: constants.WEND_KIND_VOXEL, width: 2, height: 2, depth: 2 });
    cubes.edit(edit => edit.setBox([0, 0, 0], [1, 1, 1], Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)));
    expect([...cubes.box([0, 0, 1], [1, 1, 1])].join() === '5,6,7,8', 'in space, layer after layer');
    on.edit(edit => {
        for (const bad of [() => edit.setBox([0, 0], [1, 1], Uint8Array.of(1)), () => edit.setBox([1, 1], [0, 0], new Uint8Array(0))])
            expect(thrown(bad)?.code === 'WEND_BAD_ARGUMENT', 'values for another box');
        for (const bad of [() => edit.setBox([0, 0], [0, 0], [1]), () => edit.setBox(5, [0, 0], Uint8Array.of(1))])
            expect(thrown(bad) instanceof TypeError, 'no values, or no box');
    });
    expect(thrown(() => on.edit(edit => edit.setBox([2, 1], [3, 1], Uint8Array.of(1, 1))))?.code === 'WEND_OUT_OF_RANGE', 'a box beyond the map');
    cubes.release();
    on.release();
    arena.destroy();
}

// Frames after a rewind are those after the mark, with budgets that cut searches.
{
    const arena = new wend.Arena({ marks: 2 }), on = new wend.Map({ width: 32, height: 32, arena }), queue = new wend.Service({ arena });
    const few = new wend.Crowd(queue, on, { agents: 8 }), heard = [];
    for (let y = 0; y < 8; y++) few.go(few.add({ cell: [0, y] }), [31, 31 - y]);
    queue.submit(on, [0, 31], [31, 0], () => heard.push('first'), { agent: 7 });
    const play = frames => Array.from({ length: frames }, () => {
        queue.tick({ expansions: 20 });
        few.update();
        return few.view.points.join();
    }).join(' ');
    arena.mark(0);
    const first = play(60);
    arena.mark(1);
    expect(heard.join() === 'first', 'the request is answered');
    for (let turn = 1; turn <= 3; turn++) {
        arena.rewind(0, request => () => heard.push(request.agent));
        expect(play(60) === first, 'the same frames follow');
        expect(heard.join() === 'first' + ',7'.repeat(turn), 'the request has the function of resume()');
        arena.rewind(1);
        expect(queue.pending === 0 && first.endsWith(few.view.points.join()), 'forth again');
    }
    expect(thrown(() => arena.rewind(0, () => { throw new Error('resume'); }))?.message === 'resume', 'what resume() throws comes out of rewind()');
    expect(thrown(() => arena.rewind(5))?.code === 'WEND_OUT_OF_RANGE', 'there is no such slot');
    expect(thrown(() => arena.destroy())?.code === 'WEND_IN_USE', 'its objects go before it');
    few.destroy();
    queue.destroy();
    on.release();
    arena.destroy();
    expect(arena.ended && thrown(() => arena.rewind(0))?.code === 'WEND_CLOSED', 'it has ended');
}

// ---- misuse: each line of the table is a case, its error, and the languages in which it cannot be written ----

// All but the last throw it here; the last in the caller, as the row says.
function eachThrows(kind, ...calls) {
    const last = calls.pop();
    calls.forEach((call, number) => {
        const what = thrown(call);
        expect(what instanceof kind, `call ${number} throws ${what}`);
    });
    return last();
}
function aCrowd(onEvent) {
    const map = new wend.Map({ width: 8, height: 8 }), service = new wend.Service();
    return { map, service, crowd: new wend.Crowd(service, map, { agents: 4, onEvent }) };
}
const inCallback = (work, { map, service } = aCrowd()) => {
    service.submit(map, [0, 0], [7, 7], () => work(service));
    try {
        service.tick();
    } finally {
        service.tick();
    }
};
const another = await load();
const run = ({ service, crowd }, frames) => {
    for (let i = 0; i < frames; i++) service.tick(), crowd.update();
};
const same = (one, other, what) => expect(JSON.stringify(one) === JSON.stringify(other), `${what}: ${JSON.stringify(one)}`);
const eachIs = (code, ...calls) => calls.forEach((call, i) => expect(thrown(call)?.code === code, `call ${i} is ${code}`));
const eachIsA = (kind, ...calls) => calls.forEach((call, i) => expect(thrown(call) instanceof kind, `call ${i} throws ${thrown(call)}`));

{ // bodies
    const { map, service, crowd } = aCrowd(), agent = crowd.add({ cell: [1, 1] }), far = crowd.add({ cell: [6, 6] });
    crowd.setBody(agent, { radius_milli: 300, turn_degrees: 90 });
    same([...crowd.view.points.subarray(0, 3), ...crowd.view.radii], [1000, 1000, 0, 300, 0], 'a body stands on its cell; the other has none');
    same(crowd.getBody(agent), { state: 'rests', at: [1000, 1000, 0], velocity: [0, 0, 0], facing: [0, 0, 0], radius_milli: 300, speed_milli: 0,
        waited: 0, exact_at: [16384, 16384], exact_velocity: [0, 0] }, 'what it is');
    crowd.go(agent, [6, 1]);
    run({ service, crowd }, 8);
    const moved = crowd.getBody(agent);
    expect(moved.state === 'goes' && moved.speed_milli > 0 && String(moved.facing) === '1000,0,0', 'it goes');
    same([...crowd.view.velocities], [...moved.velocity, 0, 0, 0], 'the view has its velocity');
    const saved = [map.save(), service.save([map]), crowd.save()];
    run({ service, crowd }, 40);
    const first = crowd.view;
    same(crowd.cellOf(agent), [6, 1, 0], 'and arrives');
    map.restore(saved[0]);
    service.restore(saved[1], [map]);
    crowd.restore(saved[2]);
    same(crowd.getBody(agent), moved, 'a restore brings bodies back');
    run({ service, crowd }, 40);
    same(crowd.view, first, 'and the same frames follow');
    crowd.placeBody(agent, [3000, 4000], [100, 0]);
    same([crowd.getBody(agent).velocity, crowd.cellOf(agent)], [[100, 0, 0], [3, 4, 0]], 'the host puts it elsewhere');
    crowd.halt(agent);
    run({ service, crowd }, 20);
    eachIs('WEND_IN_USE', () => crowd.setBody(agent));
    eachIs('WEND_BAD_ARGUMENT', () => crowd.setBody(far, { radius_milli: 5 }), () => crowd.placeBody(agent, [0, 0], [1000, 1000]),
        () => crowd.placeBody(agent, [0, 0, 1]));
    eachIs('WEND_OUT_OF_RANGE', () => crowd.placeBody(agent, [-5000, 0]));
    eachIs('WEND_BUSY', () => crowd.placeBody(agent, [6000, 6000]));
    eachIs('WEND_STALE_TICKET', () => crowd.removeBody(far), () => crowd.getBody(far));
    eachIsA(TypeError, () => crowd.setBody(5), () => crowd.setBody(far, { radius: 5 }), () => crowd.setBody(far, { radius_milli: '5' }),
        () => crowd.getBody(null), () => crowd.placeBody(agent, 5), () => crowd.placeBody(agent, ['1', 2]),
        () => crowd.placeBody(agent, [1, 2, 3, 4]), () => crowd.removeBody('a'));
    eachIsA(RangeError, () => crowd.setBody(far, { radius_milli: -1 }), () => crowd.placeBody(agent, [2 ** 31, 0]));
    crowd.removeBody(agent);
    same([...crowd.view.radii], [0, 0], 'a body is taken away');
    crowd.go(far, [6, 1]);
    const before = crowd.view.points;
    run({ service, crowd }, 1);
    const { points, velocities } = crowd.view;
    expect(velocities[4] < 0 && points[4] - velocities[4] === before[4], `the velocity of one without a body: ${velocities}`);
    crowd.setBody(agent);
    crowd.destroy();
    eachIs('WEND_CLOSED', () => crowd.setBody(agent), () => crowd.removeBody(agent), () => crowd.getBody(agent), () => crowd.placeBody(agent, [0, 0]));
}
{
    const arena = new wend.Arena(), map = new wend.Map({ width: 8, height: 8, arena }), service = new wend.Service({ arena });
    const crowd = new wend.Crowd(service, map, { agents: 4 }), agent = crowd.add({ cell: [0, 0] });
    arena.mark(0);
    crowd.setBody(agent); // the first one takes memory, which goes back with the mark
    crowd.go(agent, [7, 3]);
    arena.mark(1);
    run({ service, crowd }, 20);
    const first = crowd.getBody(agent);
    arena.rewind(0);
    eachIs('WEND_STALE_TICKET', () => crowd.getBody(agent));
    arena.rewind(1);
    run({ service, crowd }, 20);
    same(crowd.getBody(agent), first, 'a body goes back and forth again');
    for (const one of [crowd, service]) one.destroy();
    map.release();
    arena.destroy();
}
{ // the snippet of the README
    const text = readFileSync(new URL('./README.md', import.meta.url), 'utf8').split('```js\n').find(block => block.includes('setBody'));
    const columns = new Function('wend', `${text.split('\n```')[0]}\nreturn [...crowd.view.points].filter((_, i) => i % 3 === 0);`)(wend);
    expect(columns.length === 12 && Math.min(...columns) > 16000, `all are behind the wall: ${columns}`);
}
{ // layers
    const map = new wend.Map({ width: 9, height: 9 }), service = new wend.Service();
    const danger = map.addLayer({ half_life: 2 }), walls = map.addLayer({ within: 2 });
    danger.addDisc([4, 4], 1, 100);
    same([...danger.getBox([3, 3], [5, 5])], [50, 75, 50, 75, 100, 75, 50, 75, 50], 'a disc');
    map.layerUpdate(2);
    same([danger.get([4, 4]), danger.info], [50, { half_life: 2, updates: 2, layers: 2, within: 0 }], 'it fades');
    same([walls.get([0, 4]), walls.get([4, 4]), walls.info.within], [255, 0, 2], 'a layer of walls: the rim counts');
    danger.setBox([0, 0], [2, 1], Uint8Array.of(0, 1, 2, 3, 4, 5));
    same([...danger.getBox([0, 0], [2, 1])], [0, 1, 2, 3, 4, 5], 'values are set');
    danger.setBox([0, 0], [8, 8], new Uint8Array(81));
    danger.setBox([4, 0], [4, 7], new Uint8Array(8).fill(255));
    const profile = map.addProfile([[danger, 1000]]), pairs = map.getProfile(profile), answers = [];
    same(pairs.map(([layer, weight]) => [layer.number, weight]), [[0, 1000]], 'a profile has its weights');
    expect(map.addProfile(pairs) === profile, 'an equal one has its number');
    for (const options of [{}, { profile }]) service.submit(map, [0, 0], [8, 0], answer => answers.push(String(answer.cells)), options);
    service.tick();
    same(answers.map(cells => cells.includes('4,8,0')), [false, true], 'a request goes round the danger that it minds');
    const crowd = new wend.Crowd(service, map, { agents: 4 }), timid = crowd.add({ cell: [0, 2], profile }), bold = crowd.add({ cell: [0, 1] });
    const seen = new Set();
    crowd.go(timid, [8, 2]);
    for (let i = 0; i < 90; i++) {
        run({ service, crowd }, 1);
        seen.add(String(crowd.cellOf(timid)));
    }
    expect(seen.has('4,8,0') && seen.has('8,2,0'), 'so does an agent');
    crowd.setProfile([bold], profile);
    expect(crowd.getAgent(bold).profile === profile, 'an agent minds it from now on');
    const restored = new wend.Map({ width: 9, height: 9 });
    restored.restore(map.save());
    same([restored.getLayer(0).get([4, 4]), restored.getLayer(1).info.within], [255, 2], 'a save has the layers');
    eachIs('WEND_BAD_ARGUMENT', () => map.getLayer(2), () => map.getProfile(9), () => map.addLayer({ within: 99 }),
        () => map.addLayer({ half_life: 2, within: 2 }), () => walls.addDisc([4, 4], 1, 9), () => walls.setBox([0, 0], [0, 0], Uint8Array.of(1)),
        () => danger.addDisc([4, 4], 256, 9), () => danger.addDisc([4, 4], 1, 0), () => map.addProfile([[danger, 0]]),
        () => map.addProfile([]), () => danger.getBox([3, 3], [1, 1]), () => crowd.setProfile(bold, 7));
    eachIs('WEND_OUT_OF_RANGE', () => danger.get([9, 0]), () => danger.addDisc([0, -1], 1, 9), () => danger.getBox([0, 0], [2 ** 31 - 1, 5]),
        () => danger.setBox([8, 8], [9, 8], new Uint8Array(2)));
    eachIsA(TypeError, () => danger.get('ab'), () => danger.addDisc([4, 4], 1.5, 9), () => danger.setBox([0, 0], [0, 0], 5), () => danger.setBox([0, 0],
        [0, 0], [5]), () => map.addProfile([[0, 5]]), () => map.addProfile([5]), () => map.addProfile(5), () => map.addProfile([[danger, '5']]),
    () => map.layerUpdate('1'), () => map.getLayer('a'), () => restored.addProfile([[danger, 1]]), () => map.addLayer({ halflife: 2 }));
    eachIsA(RangeError, () => map.layerUpdate(-1));
    eachIs('WEND_BAD_ARGUMENT', () => danger.setBox([0, 0], [2, 0], new Uint8Array(2)));
    map.release();
    eachIs('WEND_CLOSED', () => danger.get([0, 0]), () => danger.addDisc([0, 0], 1, 1), () => danger.setBox([0, 0], [0, 0], Uint8Array.of(1)),
        () => danger.getBox([0, 0], [0, 0]), () => danger.info, () => map.addLayer(), () => map.layerUpdate(), () => map.addProfile([[danger, 1]]),
        () => map.getProfile(1), () => map.getLayer(0));
}
{ // routes and groups
    const map = new wend.Map({ width: 24, height: 24 }), service = new wend.Service(), heard = [];
    const crowd = new wend.Crowd(service, map, { agents: 8, onEvent: ({ event, agent, why, box }) => heard.push([event, agent.index, why, box]) });
    const agents = [2, 3, 4, 5].map(x => crowd.add({ cell: [x, 2], speed_milli: 500 })), [first, second, third] = agents;
    crowd.go(agents, [10, 12], { formation: constants.WEND_AS_LINE, spacing: 2, pace: true });
    const goals = agents.map(one => crowd.getGoal(one).cell);
    run({ service, crowd }, 80);
    same(agents.map(one => crowd.cellOf(one)), goals, 'each stands on its place');
    expect(new Set(goals.map(([, y]) => y)).size === 4, 'in a line');
    same([heard.map(([event]) => event), heard[0].slice(2)], [Array(4).fill('arrived'), ['none', null]], 'each agent has its event');
    const stats = crowd.getStats();
    same([stats.agents, stats.busy, stats.updates, stats.event_counts[1], stats.states[5]], [4, 0, 80, 4, 4], 'and the counts');
    expect(crowd.getGoal(first) === null, 'none has a goal then');
    const dog = crowd.add({ cell: [20, 20] }), cat = crowd.add({ cell: [20, 22] });
    crowd.follow(first, dog, { reach: 3 });
    crowd.flee([cat], dog, { distance: 6 });
    same([crowd.getGoal(first).target, crowd.getGoal(first).reach, crowd.getGoal(cat).distance], [dog, 3, 6], 'goals have their target');
    run({ service, crowd }, 60);
    const apart = [first, cat].map(one => Math.max(...crowd.cellOf(one).slice(0, 2).map(at => Math.abs(at - 20))));
    expect(apart[0] <= 3 && apart[1] >= 6, `one follows, one has fled: ${apart}`);
    same([crowd.getAgent(first).waits, crowd.getAgent(cat).state], ['target', 'arrived'], 'and is so in its state');
    heard.length = 0;
    crowd.halt([first, second]);
    crowd.go(cat, [2, 20]);
    crowd.remove(dog);
    run({ service, crowd }, 1);
    same(heard, [['replaced', first.index, 'none', null]], 'a halt ends goals');
    same([crowd.getPath(cat)[0], crowd.getPath(cat).at(-1)], [crowd.cellOf(cat), [2, 20, 0]], 'an agent keeps its path');
    same(crowd.inspect(cat).path, crowd.getPath(cat), 'inspect() has it, too');
    expect(crowd.view.facings.subarray(3 * cat.index, 3 * cat.index + 3).some(Boolean), 'and faces where it went');
    const route = crowd.addRoute([[2, 20], [8, 20]], constants.WEND_ROUTE_BACK), seen = new Set();
    crowd.patrol(cat, route);
    for (let i = 0; i < 200; i++) {
        run({ service, crowd }, 1);
        seen.add(String(crowd.cellOf(cat)));
    }
    expect(seen.has('2,20,0') && seen.has('8,20,0') && route === 0 && crowd.getAgent(cat).route === 0, 'a patrol goes to and fro');
    expect(crowd.addRoute([[1, 1]]) === 1, 'the next route has the next number');
    crowd.move(second, [15, 3]);
    crowd.setSpeed(second, 700);
    crowd.setUrgency(second, 9);
    const { cell, speed_milli, urgency, blocker } = crowd.getAgent(second);
    same([cell, speed_milli, urgency, blocker], [[15, 3, 0], 700, 9, null], 'an agent is changed');
    const cart = wend.make('wend_mover', { size: 2 });
    wend.check(wend.c.wend_map_add_mover(map.at, cart, cart));
    crowd.setMover(second, 1);
    expect(crowd.getAgent(second).mover === 1 && map.occupants([16, 4]) === 1, 'another mover covers more cells');
    crowd.move(third, [15, 10]);
    crowd.waitFor(second, agents.slice(2));
    eachIs('WEND_BAD_ARGUMENT', () => crowd.waitFor(second, [second]));
    heard.length = 0;
    same([crowd.isClear([14, 9], [16, 11]), crowd.isClear([0, 0], [1, 1])], [false, true], 'a box with an agent, and one without');
    crowd.clearBox([14, 9], [16, 11]);
    same(crowd.getBoxes(), [[[14, 9, 0], [16, 11, 0]]], 'it is being cleared');
    run({ service, crowd }, 40);
    expect(crowd.isClear([14, 9], [16, 11]), 'the agent has left it');
    same(heard.filter(([event]) => event === 'clear').map(([, , why, box]) => [why, box]), [['none', [[14, 9, 0], [16, 11, 0]]]], 'its event has the box');
    crowd.releaseBox([14, 9], [16, 11]);
    same(crowd.getBoxes(), [], 'and released');
    eachIs('WEND_EMPTY', () => crowd.releaseBox([0, 0], [1, 1]));
    const silent = new wend.Crowd(service, map, { agents: 4 }), lone = silent.add({ cell: [0, 23] });
    silent.go(lone, [0, 23]);
    service.tick();
    for (let i = 0; i < 3; i++) silent.update(1000, { us: 1000, choices: 5 });
    const event = silent.poll();
    same([event?.event, event?.agent, event?.cell, silent.poll()], ['arrived', lone, [0, 23, 0], null], 'events are polled');
}
{
    const { crowd } = aCrowd(), agent = crowd.add({ cell: [0, 0] }), near = crowd.add({ cell: [2, 0] }), gone = crowd.add({ cell: [4, 0] });
    crowd.remove(gone);
    const calls = [one => crowd.halt(one), one => crowd.getAgent(one), one => crowd.getGoal(one), one => crowd.getPath(one), one => crowd.inspect(one),
        one => crowd.follow(one, near), one => crowd.flee(near, one), one => crowd.patrol(one, 0), one => crowd.move(one, [5, 5]),
        one => crowd.setSpeed(one, 5), one => crowd.setUrgency(one, 5), one => crowd.setMover(one, 0), one => crowd.setProfile(one, 0),
        one => crowd.waitFor(agent, [one])];
    eachIs('WEND_STALE_TICKET', ...calls.map(call => () => call(gone)));
    eachIsA(TypeError, ...calls.flatMap(call => [5, null, 'a', {}].map(one => () => call(one))));
    eachIs('WEND_BAD_ARGUMENT', () => crowd.follow(agent, agent), () => crowd.flee(agent, near, { distance: 0 }), () => crowd.follow(agent, near,
        { reach: 999 }), () => crowd.go([agent], [1, 1], { formation: 99 }), () => crowd.addRoute([]), () => crowd.addRoute([[1, 1]], 7),
    () => crowd.patrol(agent, 5), () => crowd.setSpeed(agent, 0), () => crowd.setUrgency(agent, 2000), () => crowd.setMover(agent, 3),
    () => crowd.isClear([3, 3], [1, 1]), () => crowd.clearBox([3, 3], [1, 1]), () => crowd.update(1000001));
    eachIs('WEND_OUT_OF_RANGE', () => crowd.addRoute([[1, 1], [8, 8]]), () => crowd.move(agent, [-1, 0]), () => crowd.isClear([0, 0], [8, 8]),
        () => crowd.clearBox([0, 0], [8, 8]));
    eachIs('WEND_BUSY', () => crowd.move(agent, [2, 0]));
    eachIsA(TypeError, () => crowd.addRoute(5), () => crowd.addRoute([5]), () => crowd.addRoute([[1, 1]], 'loop'), () => crowd.patrol(agent, '0'),
        () => crowd.isClear(1, 2), () => crowd.setMover(agent, 1.5), () => crowd.update(1000, { us: '1' }), () => crowd.update(1000, { expansions: 5 }),
        () => crowd.go(agent, [1, 1], { spede: 5 }), () => crowd.follow(agent, near, { near: 1 }));
    eachIsA(RangeError, () => crowd.patrol(agent, -1), () => crowd.setUrgency(agent, 2 ** 31), () => crowd.setProfile(agent, 2 ** 31));
    crowd.destroy();
    eachIs('WEND_CLOSED', () => crowd.halt([]), () => crowd.addRoute([[1, 1]]), () => crowd.getStats(), () => crowd.getBoxes(), () => crowd.poll(),
        () => crowd.isClear([0, 0], [1, 1]), () => crowd.clearBox([0, 0], [1, 1]), () => crowd.releaseBox([0, 0], [1, 1]), ...calls.map(call => () => call(near)));
}
const here = [0, 0], there = [1, 1], nothing = () => {};
const MISUSE = {
    object_after_a_mark() {
        const arena = new wend.Arena();
        new wend.Map({ width: 8, height: 8, arena });
        arena.mark(0);
        eachIs('WEND_IN_USE', () => wend.parse('type octile\nheight 1\nwidth 1\nmap\n.\n', { arena }));
        new wend.Service({ arena });
    },
    crowd_across_arenas() {
        new wend.Crowd(new wend.Service({ arena: new wend.Arena() }), new wend.Map({ width: 8, height: 8 }), { agents: 4 });
    },
    edit_after_its_end() {
        const { map } = aCrowd();
        let kept = null;
        map.edit(edit => { kept = edit; });
        eachThrows(WendError, () => kept.set(there, 0), () => kept.fill(here, there, 0));
    },
    edit_dropped() {
        const { map } = aCrowd();
        eachThrows(Error, () => map.edit(edit => { edit.set(there, 0); throw new Error('dropped'); }), () => map.edit(edit => edit.set([2, 2], 0)));
        expect(map.terrain(there) === 1 && map.terrain([2, 2]) === 0, 'an edit that was dropped changed nothing');
    },
    edit_in_an_edit: ({ map } = aCrowd()) => map.edit(() => map.edit(nothing)),
    map_after_its_end() {
        const { map, service } = aCrowd();
        map.release();
        map.release();
        eachThrows(WendError, () => map.terrain(here), () => map.edit(nothing), () => map.info, () => map.box(here, here),
            () => service.submit(map, here, there, nothing), () => new wend.Crowd(service, map), () => map.accelerate());
    },
    service_after_its_end() {
        const { map, service, crowd } = aCrowd();
        crowd.destroy();
        service.destroy();
        eachThrows(WendError, () => service.submit(map, here, there, nothing), () => service.pending, () => service.queue,
            () => service.record(nothing), () => service.endRecording(), () => new wend.Crowd(service, map), () => service.tick());
    },
    async service_ended_twice() {
        const { map, service, crowd } = aCrowd();
        crowd.destroy();
        service.destroy();
        service.destroy();
        for (let i = 0; i < 3; i++) {
            const later = new wend.Service(), answer = later.path(map, here, there);
            later.tick();
            expect((await answer).status === 'found', 'a later service works');
        }
    },
    service_ended_in_callback: () => inCallback(service => service.destroy(), { service: new wend.Service(), map: aCrowd().map }),
    service_ended_under_crowd: ({ service } = aCrowd()) => service.destroy(),
    crowd_after_its_end() {
        const { crowd } = aCrowd(), agent = crowd.add({ cell: here });
        crowd.destroy();
        eachThrows(WendError, () => crowd.add({ cell: here }), () => crowd.go(agent, there), () => crowd.step(agent, there),
            () => crowd.remove(agent), () => crowd.inspect(agent), () => crowd.view, () => crowd.cellOf(agent), () => crowd.update());
    },
    crowd_ended_twice() {
        const { service, crowd } = aCrowd();
        crowd.destroy();
        crowd.destroy();
        service.destroy();
    },
    positions_after_the_crowd() {
        const { crowd } = aCrowd();
        crowd.add({ cell: [3, 4] });
        const { points, states } = crowd.view;
        crowd.destroy();
        aCrowd().crowd.add({ cell: [1, 1] });
        expect([...points].join() === '3000,4000,0' && states.length === 1, 'positions are as they were');
    },
    record_twice() {
        const { map } = aCrowd(), service = new wend.Service();
        let first = '';
        service.record((file, bytes) => { first += new TextDecoder().decode(bytes); });
        const problem = thrown(() => service.record(() => { throw new Error('the second'); }));
        service.submit(map, here, there, nothing);
        service.tick();
        service.endRecording();
        expect(first.includes('request'), 'the first recording goes on');
        throw problem;
    },
    cell_of_wrong_type() {
        const { map, service, crowd } = aCrowd(), agent = crowd.add({ cell: here });
        for (const cell of ['ab', null, undefined, 5, [], [1], [1, 2, 3, 4], [1.5, 2], ['1', '2'], [NaN, 0], [null, 0], {}, { x: 1, y: 2 }])
            eachThrows(TypeError, () => map.terrain(cell), () => service.submit(map, here, cell, nothing), () => crowd.go(agent, cell),
                () => crowd.add({ cell }), () => map.randomCell(cell, 1), () => map.edit(edit => edit.fill(cell, there, 0)),
                () => map.box(cell, cell), nothing);
        map.occupants('ab');
    },
    cell_beyond_numbers: ({ map } = aCrowd()) => eachThrows(RangeError, () => map.terrain([0, -(2 ** 31) - 1]), () => map.terrain([2 ** 32 + 3, 0])),
    cell_off_the_map: ({ map } = aCrowd()) => map.terrain([99, 0]),
    terrain_out_of_range: ({ map } = aCrowd()) => map.edit(edit =>
        eachThrows(RangeError, () => edit.set(here, 256), () => edit.fill(here, there, -1), () => edit.set(here, 2 ** 32))),
    number_of_wrong_type() {
        const { map, service, crowd } = aCrowd(), agent = crowd.add({ cell: here });
        eachThrows(TypeError, () => new wend.Map({ width: '8', height: 8 }), () => new wend.Map({ width: 8.5, height: 8 }),
            () => new wend.Service({ queue: null }), () => crowd.update('1'), () => crowd.update(1.5), () => service.tick({ expansions: '1' }),
            () => service.tick(5), () => service.tick({ expansions: NaN }), () => map.randomCell(here, 1.5), () => crowd.setSpeed(agent, '5'),
            () => crowd.setUrgency(agent, {}), () => map.edit(edit => edit.set(here, '1')), () => crowd.go({ index: '0', generation: 1 }, here),
            () => service.submit(map, here, there, nothing, { urgency: '5' }));
    },
    number_out_of_range() {
        const { map, service, crowd } = aCrowd(), agent = crowd.add({ cell: here });
        eachThrows(RangeError, () => new wend.Map({ width: 2 ** 32 + 5, height: 8 }), () => crowd.update(-1), () => crowd.update(2 ** 32),
            () => service.tick({ expansions: -1 }), () => map.randomCell(here, -1), () => crowd.add({ cell: here, speed_milli: 2 ** 32 }),
            () => crowd.setSpeed(agent, 2 ** 32), () => crowd.setUrgency(agent, 2 ** 31), () => service.tick({ expansions: 2n ** 64n }),
            () => service.submit(map, here, there, nothing, { urgency: 2 ** 31 }));
    },
    box_of_another_size: ({ map } = aCrowd()) => map.edit(edit => edit.setBox(here, there, Uint8Array.of(1, 2, 3))),
    urgency_out_of_range: ({ map, service } = aCrowd()) => service.submit(map, here, there, nothing, { urgency: 1001 }),
    field_unknown: ({ map, service, crowd } = aCrowd()) => eachThrows(TypeError, () => service.tick({ expansion: 1 }),
        () => crowd.add({ cell: here, spede: 1 }), () => service.submit(map, here, there, nothing, { map: 1 }),
        () => service.submit(map, here, there, nothing, { more_goals: 1 }), () => service.tick({ struct_bytes: 8 }),
        () => new wend.Service({ toString: 1 }), () => new wend.Crowd(service, map, { arena: 1 }), () => new wend.Map({ dept: 1 })),
    handle_of_wrong_kind: ({ map, service } = aCrowd()) => eachThrows(TypeError, () => service.submit(service, here, there, nothing),
        () => new wend.Crowd(map, service), () => service.submit(null, here, there, nothing), () => new wend.Crowd(service, undefined),
        () => service.submit({ at: map.at }, here, there, nothing), () => new another.Crowd(service, map),
        () => new another.Service().submit(map, here, there, nothing)),
    agent_of_wrong_type: ({ crowd } = aCrowd()) => eachThrows(TypeError, () => crowd.go(null, here), () => crowd.step({}, here),
        () => crowd.remove(5), () => crowd.halt(), () => crowd.cellOf('a'), () => crowd.go([crowd.add({ cell: here }), 'agent'], here)),
    agent_removed({ crowd } = aCrowd()) {
        const agent = crowd.add({ cell: here });
        crowd.remove(agent);
        crowd.go(agent, there);
    },
    agent_on_an_agent({ crowd } = aCrowd()) {
        crowd.add({ cell: here });
        crowd.add({ cell: here });
    },
    agent_on_a_wall({ map, crowd } = aCrowd()) {
        map.edit(edit => edit.set(here, 0));
        crowd.add({ cell: here });
    },
    goal_off_the_map: ({ crowd } = aCrowd()) => crowd.go(crowd.add({ cell: here }), [99, 0]),
    update_in_an_event() {
        const { service, crowd } = aCrowd(() => crowd.update());
        crowd.go(crowd.add({ cell: here }), here);
        for (let i = 0; i < 4; i++) {
            service.tick();
            crowd.update();
        }
    },
    callback_missing({ map, service } = aCrowd()) {
        eachThrows(TypeError, () => service.submit(map, here, there), () => service.record(5), () => map.edit(), () => new wend.Crowd(service, map,
            { agents: 4, onEvent: 5 }), () => new wend.Crowd(service, map, { agents: 4, onEvent: null }), nothing);
        expect(service.pending === 0, 'nothing was submitted');
        service.submit(map, here, there, 'done');
    },
    bytes_of_wrong_type: () => eachThrows(TypeError, () => wend.parse(5), () => wend.parse([1, 2]), () => wend.parse()),
    restore_of_wrong_type: ({ map, service, crowd } = aCrowd()) => eachThrows(TypeError, () => map.restore(5), () => service.restore('text'),
        () => service.restore(service.save(), [service]), () => service.restore(service.save(), [], 5), () => crowd.restore()),
    restore_of_another_kind: ({ map, service, crowd } = aCrowd()) => eachThrows(WendError, () => service.restore(crowd.save()),
        () => map.restore(service.save()), () => crowd.restore(map.save())),
    save_without_its_map({ map, service } = aCrowd()) {
        service.submit(map, here, there, nothing);
        service.save([aCrowd().map]);
    },
    restore_in_a_callback: () => inCallback(service => service.restore(new Uint8Array(0))),
    tick_in_a_callback: () => inCallback(service => service.tick()),
};
// What has no method is called by its name in C.
{
    const names = Object.keys(JSON.parse(readFileSync(process.argv[4])).functions), absent = names.filter(name => !wend.c[name]);
    expect(names.length > 200 && absent.length === 0, `c has each function; absent: ${absent}`);
    const { map, service, crowd } = aCrowd(), agent = crowd.add({ cell: [0, 0] }), { c } = wend;
    const route = c.malloc(4), corners = c.malloc(24), id = wend.make('wend_agent_id', {}), def = wend.make('wend_route_def', { corner_count: 2 }),
        view = new DataView(c.memory.buffer);
    [5, 0, 0, 0, 5, 0].forEach((part, i) => view.setInt32(corners + 4 * i, part, true));
    view.setUint32(def + structs.wend_route_def.fields.corners[0], corners, true);
    [agent.index, agent.generation].forEach((part, i) => view.setUint32(id + 4 * i, part, true));
    wend.check(c.wend_crowd_add_route(crowd.at, def, route));
    wend.check(c.wend_crowd_patrol(crowd.at, id, view.getUint32(route, true)));
    for (let i = 0; i < 80; i++) service.tick(), crowd.update();
    expect(String(crowd.cellOf(agent)) === '0,5,0', 'a route is walked to its end');
    expect(thrown(() => wend.check(c.wend_crowd_patrol(crowd.at, id, 9))) instanceof WendError, 'an error is thrown');
    let heard;
    const ticket = service.submit(map, [0, 0], [7, 7], answer => { heard = answer.status; });
    service.setUrgency(ticket, 5);
    service.cancel(ticket);
    service.tick();
    expect(heard === 'cancelled', 'a request is cancelled by its ticket');
    expect(thrown(() => service.cancel(ticket))?.code === 'WEND_STALE_TICKET', 'which is stale then');
    expect(thrown(() => service.cancel(5)) instanceof TypeError, 'what is no ticket is refused');
}
const KINDS = { type: TypeError, range: RangeError };
for (const [name, kind, ...others] of readFileSync(process.argv[3], 'utf8').split('\n').filter(line => line && line[0] !== '#').map(line => line.split(/\s+/))) {
    if (others.includes('js') || !MISUSE[name]) {
        expect(others.includes('js') !== Boolean(MISUSE[name]), `${name} is in the table or here`);
        continue;
    }
    let what = null;
    try {
        await MISUSE[name]();
    } catch (problem) {
        what = problem;
    }
    const good = kind === 'fine' ? what === null : KINDS[kind] ? what instanceof KINDS[kind] : what?.code === `WEND_${kind}`;
    expect(good, `misuse: ${name}: ${kind}, and ${what}`);
}
process.exit(failed ? 1 : 0);
