// SPDX-License-Identifier: MIT
// Paths as the server sends them: a cell, then directions with the number of steps.
const SIDES = { N: [0, -1, 0], S: [0, 1, 0], E: [1, 0, 0], W: [-1, 0, 0], U: [0, 0, 1], D: [0, 0, -1] };

// The cells of a path that came as runs: [cell, 'E12', 'SE3', …].
export function cellsOf(runs) {
    const cells = [];
    for (const run of runs) {
        if (typeof run !== 'string') {
            cells.push(run);
            continue;
        }
        const step = [0, 0, 0];
        let digits = 0;
        for (; run[digits] in SIDES; digits++) SIDES[run[digits]].forEach((part, axis) => step[axis] += part);
        for (let left = Number(run.slice(digits)); left > 0; left--) cells.push(cells.at(-1).map((at, axis) => at + step[axis]));
    }
    return cells;
}
