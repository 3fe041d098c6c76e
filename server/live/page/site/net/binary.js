// SPDX-License-Identifier: MIT
// Reads the binary frames that carry the positions of agents; docs/protocol.md describes them.
import { STATES } from '../world/agents.js';

const HEADER_BYTES = 16;
const AGENT_BYTES = 20;
const POSITIONS = 1; // the first byte

// names, sizes, radii: by index, from the messages with "names". The result is what Agents.take() reads.
export function decodeAgents(buffer, names, sizes, radii) {
    const view = new DataView(buffer);
    if (buffer.byteLength < HEADER_BYTES || view.getUint8(0) !== POSITIONS) return null;
    const count = view.getUint32(4, true);
    const result = { count: 0, names: new Array(count), x: new Float32Array(count), y: new Float32Array(count),
        z: new Float32Array(count), states: new Uint8Array(count), sizes: new Uint8Array(count).fill(1), radii: new Float32Array(count) };
    for (let i = 0, at = HEADER_BYTES; i < count; i++, at += AGENT_BYTES) {
        const name = names.get(view.getUint32(at, true));
        if (name === undefined) continue;
        const row = result.count++;
        result.names[row] = name;
        if (sizes.size) result.sizes[row] = sizes.get(view.getUint32(at, true)) ?? 1;
        if (radii.size) result.radii[row] = radii.get(view.getUint32(at, true)) ?? 0;
        result.x[row] = view.getInt32(at + 4, true) / 1000;
        result.y[row] = view.getInt32(at + 8, true) / 1000;
        result.z[row] = view.getInt32(at + 12, true) / 1000;
        result.states[row] = Math.min(view.getUint32(at + 16, true), STATES.length - 1);
    }
    return result;
}
