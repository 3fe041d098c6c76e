// SPDX-License-Identifier: MIT
// A save game: 500 agents walk to a wall with two gates. One closes. All is saved, and what follows is played twice.
import { load } from './wend.js';

const WIDTH = 96, HEIGHT = 64, AGENTS = 500, CLOSES = 100, SAVED = 150, FRAMES = 300, SCOUT = 7;
const wend = await load();
const map = new wend.Map({ width: WIDTH, height: HEIGHT });
const service = new wend.Service();
const crowd = new wend.Crowd(service, map, { agents: AGENTS });
let hash = 0;

const put = value => { hash = Math.imul(hash ^ value, 16777619) >>> 0; };
const takeAnswer = answer => put(answer.cost);

// No function is in a save. The host knows its request again by the number that it gave it.
const resume = request => request.agent === SCOUT ? takeAnswer : null;

// Closes cells of the wall on which nobody stands.
function closeWall(first, last) {
    map.edit(edit => {
        for (let y = first; y <= last; y++) if (map.occupants([48, y]) === 0) edit.set([48, y], 0);
    });
}

function run(first, last) {
    hash = 2166136261;
    for (let frame = first; frame < last; frame++) {
        if (frame >= CLOSES) closeWall(12, 15);
        service.tick();
        crowd.update();
        const { count, points } = crowd.view;
        for (let i = 0; i < count; i++) put(points[3 * i]), put(points[3 * i + 1]);
    }
    return hash.toString(16).padStart(8, '0');
}

closeWall(0, 11);
closeWall(16, 47);
closeWall(52, HEIGHT - 1);
for (let i = 0; i < AGENTS; i++) {
    const x = i % 20 * 2, y = Math.floor(i / 20) * 2;
    crowd.go(crowd.add({ cell: [x, y] }), [WIDTH - 1 - x, y]);
}
run(0, SAVED);
service.submit(map, [0, 0], [WIDTH - 1, 0], takeAnswer, { agent: SCOUT });
const saves = [map.save(), service.save([map]), crowd.save()];
const before = run(SAVED, FRAMES);
map.restore(saves[0]);
service.restore(saves[1], [map], resume);
crowd.restore(saves[2]);
console.log(`${AGENTS} agents, saved in frame ${SAVED}: ${before}, and after a restore ${run(SAVED, FRAMES)}`);
