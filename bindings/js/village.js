// SPDX-License-Identifier: MIT
// A village at 20 Hz: people wander about, doors open and close, the guards gather at the well when the bell rings, and
// a player walks along the street, step by step. village.js [FRAMES]
import { load } from './wend.js';

const WIDTH = 64, HEIGHT = 40, HOUSES = 12, GUARDS = 12, VILLAGERS = 60, BELL = 200, BLOCKED = 0, OPEN = 1;
const wend = await load();
const map = new wend.Map({ width: WIDTH, height: HEIGHT });
const service = new wend.Service();
const crowd = new wend.Crowd(service, map, { agents: GUARDS + VILLAGERS + 1, onEvent: hear });
const houses = [], guards = [], isGuard = new Set();
let random = 7, seed = 1, frame = 0, walks = 0, gathered = 0;

function dice(sides) {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return (random >>> 0) % sides;
}

map.edit(edit => {
    for (let i = 0; i < HOUSES; i++) {
        const left = 3 + i % 4 * 15, top = 3 + Math.floor(i / 4) * 12, door = [left + 5, top + 7];
        edit.fill([left, top], [left + 10, top + 7], BLOCKED);
        edit.fill([left + 1, top + 1], [left + 9, top + 6], OPEN);
        edit.set(door, OPEN);
        houses.push({ door, open: true });
    }
});
map.accelerate();

const wander = (agent, from) => crowd.go(agent, map.randomCell(from, seed++));

function hear({ event, agent, cell, endsGoal }) {
    const guard = isGuard.has(agent.index);
    if (event === 'arrived') walks++;
    if (event === 'arrived' && guard && frame > BELL) gathered++;
    if (endsGoal && event !== 'replaced' && agent.index !== player.index && (!guard || frame < BELL)) wander(agent, cell);
}

// Somewhere: where a wall or somebody is, elsewhere.
function settle(urgency) {
    const speed = 200 + dice(100);
    for (;;) {
        const cell = [dice(WIDTH), dice(HEIGHT)];
        if (map.terrain(cell) === BLOCKED || map.occupants(cell) > 0) continue;
        const agent = crowd.add({ cell, urgency, speed_milli: speed });
        wander(agent, cell);
        return agent;
    }
}

const player = crowd.add({ cell: [1, HEIGHT - 2], speed_milli: 1000 });
for (let i = 0; i < GUARDS; i++) guards.push(settle(10));
for (const guard of guards) isGuard.add(guard.index);
for (let i = 0; i < VILLAGERS; i++) settle(0);

// None closes on somebody.
function moveADoor() {
    const house = houses[dice(HOUSES)];
    if (map.occupants(house.door) > 0 || (house.open && dice(4) > 0)) return;
    house.open = !house.open;
    map.edit(edit => edit.set(house.door, house.open ? OPEN : BLOCKED));
}

const playersCell = () => [...crowd.view.cells.subarray(3 * player.index, 3 * player.index + 2)];

for (const last = Number(process.argv[2] ?? 400); frame < last; ) {
    frame++;
    if (frame % 10 === 0) moveADoor();
    if (frame === BELL) crowd.go(guards, [WIDTH / 2 - 1, HEIGHT - 2]);
    const [x, y] = playersCell();
    if (frame % 5 === 0 && x < WIDTH - 2) crowd.step(player, [x + 1, y]);
    service.tick({ expansions: 5000 });
    crowd.update();
}
console.log(`${frame} frames: ${walks} walks, ${gathered} guards at the well, the player at ${playersCell()}`);
