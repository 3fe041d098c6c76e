// SPDX-License-Identifier: MIT
// The worlds that the playground opens with: each a map in MovingAI's format, and how many agents walk on it.

function random(seed) {
    let state = seed;
    return sides => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % sides;
    };
}

const text = rows => `type octile\nheight ${rows.length}\nwidth ${rows[0].length}\nmap\n` +
    rows.map(row => Array.from(row, open => (open ? '.' : '@')).join('')).join('\n') + '\n';
const grid = (width, height, open) => Array.from({ length: height }, () => new Uint8Array(width).fill(open));

function village() {
    const rows = grid(64, 40, 1);
    for (let i = 0; i < 12; i++) {
        const left = 3 + i % 4 * 15, top = 3 + Math.floor(i / 4) * 12;
        for (let y = 0; y < 8; y++)
            for (let x = 0; x < 11; x++) rows[top + y][left + x] = Number(x % 10 > 0 && y % 7 > 0);
        rows[top + 7][left + 5] = 1; // the door
    }
    return text(rows);
}

// Noise, smoothed: a cell is rock where most of those around it are.
function caves() {
    const side = 256, draw = random(5);
    let rows = grid(side, side, 0).map(row => row.map(() => Number(draw(100) >= 45)));
    const around = (x, y) => {
        let rocks = 0;
        for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) rocks += 1 - (rows[y + dy]?.[x + dx] ?? 0);
        return rocks;
    };
    for (let pass = 0; pass < 4; pass++) rows = rows.map((row, y) => row.map((_, x) => Number(around(x, y) < 5)));
    return text(rows);
}

// Depth first, and a few walls more are open, so that there is more than one way.
function maze() {
    const side = 95, draw = random(3), rows = grid(side, side, 0), stack = [[1, 1]];
    rows[1][1] = 1;
    while (stack.length) {
        const [x, y] = stack.at(-1);
        const ways = [[2, 0], [-2, 0], [0, 2], [0, -2]].filter(([dx, dy]) => rows[y + dy]?.[x + dx] === 0);
        if (!ways.length) {
            stack.pop();
            continue;
        }
        const [dx, dy] = ways[draw(ways.length)];
        rows[y + dy / 2][x + dx / 2] = rows[y + dy][x + dx] = 1;
        stack.push([x + dx, y + dy]);
    }
    for (let i = 0; i < 120; i++) rows[1 + draw(side - 2)][1 + draw(side - 2)] = 1;
    return text(rows);
}

export const WORLDS = {
    village: { title: 'Village', make: village, agents: 70 },
    caves: { title: 'Caves', make: caves, agents: 2000, budget: 80000 },
    maze: { title: 'Maze', make: maze, agents: 150 },
};
