// SPDX-License-Identifier: MIT
// The tools: what a click, a drag or Enter means on the map. Each has a name, a key, an icon and what it does.
export const TOOLS = [
    { id: 'select', word: 'Select', key: 'S', icon: 'M4 2l11 6-5 1.6L8 15z',
        hint: 'Click an agent, then a goal. Drag a box round many.' },
    { id: 'go', word: 'Go', key: 'G', icon: 'M5 17V2.5h9l-2.2 3.2L14 9H5', hint: 'Click where the selected agents should go.' },
    { id: 'move', word: 'Move map', key: 'M', icon: 'M9 2v14M2 9h14M9 2L7 4m2-2l2 2M9 16l-2-2m2 2l2-2M2 9l2-2M2 9l2 2m12-2l-2-2m2 2l-2 2',
        hint: 'Drag the map. The right button does so with every tool.' },
    { id: 'agent', word: 'Agent', key: 'A', icon: 'M9 8.2a3 3 0 100-6 3 3 0 000 6zM3 16c0-3.6 2.7-6 6-6s6 2.4 6 6', hint: 'Click to add an agent.' },
    null,
    { id: 'wall', word: 'Wall', key: 'W', icon: 'M2 4h14v10H2zM2 9h14M7 4v5m5 0v5M9 9', terrain: 'blocked', hint: 'Hold and draw walls.' },
    { id: 'dig', word: 'Dig', key: 'D', icon: 'M3 15l6-6m-1.5-4.5C10 2 13 3 15.5 2.5 15 5 16 8 13.5 10.5z', terrain: 'open', hint: 'Hold and clear the ground.' },
    { id: 'swamp', word: 'Swamp', key: 'P', icon: 'M2 15h14M5 15V9m-2 3V9m4 3V9m6 6V6m-2 4V7m4 3V7', terrain: 254, hint: 'Hold and paint swamp.' },
    { id: 'slow', word: 'Slow', key: 'L', icon: 'M3 14h.01M7 11h.01M11 14h.01M15 11h.01M5 6h.01M9 8h.01M13 5h.01', terrain: 3, hint: 'Hold and paint ground of three times the cost.' },
    { id: 'danger', word: 'Danger', key: 'X', icon: 'M9 2.5l7 12.5H2zM9 7v4m0 2v.1', hint: 'Hold and paint a layer of costs: agents that mind it go round.' },
    { id: 'door', word: 'Door', key: 'O', icon: 'M4 16V2h8v14M2 16h14M9.5 9h.01', hint: 'Click to open or close one cell.' },
    { id: 'field', word: 'Field', key: 'F', icon: 'M2 5h5m-2-2l2 2-2 2M10 5h5m-2-2l2 2-2 2M2 13h5m-2-2l2 2-2 2M10 13h5m-2-2l2 2-2 2',
        hint: 'Click a cell: arrows lead to it from all others. Click it again to hide them.' },
    null,
    { id: 'undo', word: 'Undo', key: 'Z', icon: 'M6 3L2.5 6.5 6 10M3 6.5h7a4.5 4.5 0 010 9H7', action: true, hint: 'Takes back the last stroke.' },
];

export const toolById = new Map(TOOLS.filter(Boolean).map(tool => [tool.id, tool]));

// The cells on the line from one cell to another, both included: a fast brush leaves no gap.
export function cellsBetween(x0, y0, x1, y1) {
    const cells = [];
    const dx = Math.abs(x1 - x0), dy = -Math.abs(y1 - y0), sx = x0 < x1 ? 1 : -1, sy = y0 < y1 ? 1 : -1;
    for (let error = dx + dy; ; ) {
        cells.push([x0, y0]);
        if (x0 === x1 && y0 === y1) return cells;
        // One axis at a time: a wall without gaps at corners.
        if (2 * error - dy > dx - 2 * error) error += dy, x0 += sx;
        else error += dx, y0 += sy;
    }
}
