// SPDX-License-Identifier: MIT
// Reads the binary frames that carry the positions of agents; docs/protocol.md describes them.
export function decodeAgents() {
    throw new Error('no binary frames yet');
}
