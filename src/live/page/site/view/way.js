// SPDX-License-Identifier: MIT
// What of an agent's way is still ahead of it. An answer may be older than where the agent is drawn, or newer: the way
// begins where it passes the agent, and is joined to it only from the next cell.
import { isJump } from '../world/world.js';

const JOINED = 1.5; // cells: from farther away, a line to the way could go through walls

const along = (a, b, part) => [0, 1, 2].map(axis => (a[axis] ?? 0) + ((b[axis] ?? 0) - (a[axis] ?? 0)) * part);
const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], (a[2] ?? 0) - (b[2] ?? 0));

// The share of the way from a to b at which a place is nearest, 0 to 1.
function partOf(place, a, b) {
    const [dx, dy, dz] = [0, 1, 2].map(axis => (b[axis] ?? 0) - (a[axis] ?? 0));
    const length = dx * dx + dy * dy + dz * dz;
    const part = ((place[0] - a[0]) * dx + (place[1] - a[1]) * dy + ((place[2] ?? 0) - (a[2] ?? 0)) * dz) / length;
    return length > 0 ? Math.min(Math.max(part, 0), 1) : 0;
}

// Where a path passes a place: between the cells i and i + 1, at `at`. Links are passed over; free: it has none.
function passing(path, place, free) {
    let best = { i: 0, at: path[0], distance: apart(path[0], place) };
    for (let i = 0; i + 1 < path.length; i++) {
        if (!free && isJump(path[i], path[i + 1])) continue;
        const at = along(path[i], path[i + 1], partOf(place, path[i], path[i + 1])), distance = apart(at, place);
        if (distance <= best.distance) best = { i, at, distance };
    }
    return best;
}

// Of the pulled line, what comes after cell i of the path; its turns are cells of the path.
function lineAfter(line, path, i, at) {
    let index = 0;
    const indices = line.map(turn => {
        const found = path.findIndex((cell, k) => k >= index && apart(cell, turn) < 0.01);
        return found < 0 ? Infinity : (index = found);
    });
    const next = indices.findIndex(one => one > i);
    if (next < 0) return [];
    if (next === 0) return line;
    return [along(line[next - 1], line[next], partOf(at, line[next - 1], line[next])), ...line.slice(next)];
}

// place: where the agent is drawn, in cells, null: nowhere. free: neighbours may be far apart, as on a graph.
export function ahead({ path, lines }, place, free = false) {
    if (!place || !path?.length) return { path, lines };
    const { i, at, distance } = passing(path, place, free);
    if (distance > JOINED) return { path, lines };
    return { path: [place, at, ...path.slice(i + 1)], lines: lines?.map(line => lineAfter(line, path, i, at)) };
}
