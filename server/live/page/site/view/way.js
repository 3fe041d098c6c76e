// SPDX-License-Identifier: MIT
// What of an agent's way is still ahead of it. An answer may be older than where the agent is drawn, or newer: the way
// begins where it passes the agent, and is joined to it only from the next cell.
import { isJump } from '../world/world.js';

const JOINED = 1.5; // cells: from farther away, a line to the way could go through walls

const along = (a, b, part) => [0, 1, 2].map(axis => (a[axis] ?? 0) + ((b[axis] ?? 0) - (a[axis] ?? 0)) * part);

// The share of the way from a to b at which a place is nearest, 0 to 1.
function partOf(place, a, b) {
    const dx = b[0] - a[0], dy = b[1] - a[1], dz = (b[2] ?? 0) - (a[2] ?? 0), length = dx * dx + dy * dy + dz * dz;
    const done = (place[0] - a[0]) * dx + (place[1] - a[1]) * dy + ((place[2] ?? 0) - (a[2] ?? 0)) * dz;
    return length > 0 ? Math.min(Math.max(done / length, 0), 1) : 0;
}

// Where a path passes a place: between the cells i and i + 1. Links are passed over; free: it has none. In each frame, so
// it makes no arrays.
function passing(path, place, free) {
    const last = path.length - 1;
    let best = 0, bestPart = 0, least = Infinity;
    for (let i = 0; i <= last; i++) {
        const a = path[i], b = path[Math.min(i + 1, last)], part = free || !isJump(a, b) ? partOf(place, a, b) : 0;
        const dx = a[0] + (b[0] - a[0]) * part - place[0], dy = a[1] + (b[1] - a[1]) * part - place[1];
        const az = a[2] ?? 0, dz = az + ((b[2] ?? 0) - az) * part - (place[2] ?? 0), square = dx * dx + dy * dy + dz * dz;
        if (square < least || (square === least && i < last)) best = i, bestPart = part, least = square;
    }
    return { i: best, part: bestPart, square: least };
}

// Which cells of its path the turns of the pulled lines are; asked for in each frame, so kept for each answer.
const kept = new WeakMap();
function turnsOf(path, lines) {
    if (!kept.has(lines)) {
        let k = 0;
        const find = ([x, y, z = 0]) => {
            const at = path.findIndex((cell, i) => i >= k && cell[0] === x && cell[1] === y && (cell[2] ?? 0) === z);
            return at < 0 ? Infinity : (k = at);
        };
        kept.set(lines, lines.map(line => line.map(find)));
    }
    return kept.get(lines);
}

// Of a pulled line, what comes after cell i of the path.
function lineAfter(line, turns, i, at) {
    const next = turns.findIndex(turn => turn > i);
    if (next <= 0) return next < 0 ? [] : line;
    return [along(line[next - 1], line[next], partOf(at, line[next - 1], line[next])), ...line.slice(next)];
}

// place: where the agent is drawn, in cells, null: nowhere. free: neighbours may be far apart, as on a graph.
export function ahead({ path, lines }, place, free = false) {
    if (!place || !path?.length) return { path, lines };
    const { i, part, square } = passing(path, place, free);
    if (square > JOINED * JOINED) return { path, lines };
    const at = along(path[i], path[i + 1] ?? path[i], part), turns = lines && turnsOf(path, lines);
    return { path: [place, at, ...path.slice(i + 1)], lines: lines?.map((line, k) => lineAfter(line, turns[k], i, at)) };
}
