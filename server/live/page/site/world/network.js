// SPDX-License-Identifier: MIT
// A graph as the page knows it: where its nodes are drawn, its edges, and the classes of its nodes.
const EDGE_CELLS = 4; // a usual edge is as long as so many cells of a grid
const LARGEST_POINT = 1073741; // coordinates beyond it do not come with positions
const SPRING_NODES = 300; // a graph without coordinates is laid out by springs up to so many nodes
const SPRING_ROUNDS = 200;

function medianOf(numbers) {
    const sorted = [...numbers].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] || 0;
}

export class Network {
    // nodes: [x, y, z], [] without coordinates, null where there is none; edges: [from, to, cost].
    constructor({ nodes, edges }) {
        this.count = nodes.length;
        this.exists = Uint8Array.from(nodes, node => (node ? 1 : 0));
        this.nodes = nodes.filter(Boolean).length; // of so many numbers
        this.x = new Float32Array(this.count), this.y = new Float32Array(this.count);
        this.classes = new Uint8Array(this.count).fill(1);
        this.version = 1; // of the classes
        const measured = nodes.every(node => !node || node.length > 0);
        // Positions come in coordinates, or as numbers of nodes.
        this.exact = measured && nodes.every(node => !node || node.every(part => Math.abs(part) <= LARGEST_POINT));
        if (measured) nodes.forEach((node, i) => node && (this.x[i] = node[0], this.y[i] = node[1]));
        else this.layOut(edges);
        this.fit(edges);
        this.pair(edges);
    }

    // Nodes in a circle that springs along edges pull into shape; many nodes in rows.
    layOut(edges) {
        const side = Math.ceil(Math.sqrt(this.count));
        for (let i = 0; i < this.count; i++) {
            const angle = (2 * Math.PI * i) / this.count;
            const few = this.count <= SPRING_NODES;
            this.x[i] = few ? side * Math.cos(angle) : i % side;
            this.y[i] = few ? side * Math.sin(angle) : Math.floor(i / side);
        }
        if (this.count > SPRING_NODES) return;
        for (let round = 0; round < SPRING_ROUNDS; round++) this.relax(edges, 1 - round / SPRING_ROUNDS);
    }

    relax(edges, heat) {
        const dx = new Float32Array(this.count), dy = new Float32Array(this.count);
        const push = (a, b, force) => {
            const x = this.x[b] - this.x[a], y = this.y[b] - this.y[a], length = Math.hypot(x, y) || 0.01;
            const step = force(length) / length;
            dx[a] -= x * step, dy[a] -= y * step, dx[b] += x * step, dy[b] += y * step;
        };
        for (let a = 0; a < this.count; a++)
            for (let b = 0; b < a; b++) if (this.exists[a] && this.exists[b]) push(a, b, length => 0.6 / length);
        for (const [a, b] of edges) push(a, b, length => -0.25 * length * length);
        for (let i = 0; i < this.count; i++) {
            const length = Math.hypot(dx[i], dy[i]) || 1, step = Math.min(length, heat) / length;
            this.x[i] += dx[i] * step, this.y[i] += dy[i] * step;
        }
    }

    // Coordinates become cells: the least at 0, and a usual edge of a few cells.
    fit(edges) {
        let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
        for (let i = 0; i < this.count; i++) {
            if (!this.exists[i]) continue;
            left = Math.min(left, this.x[i]), right = Math.max(right, this.x[i]);
            top = Math.min(top, this.y[i]), bottom = Math.max(bottom, this.y[i]);
        }
        const lengths = edges.slice(0, 5000).map(([a, b]) => Math.hypot(this.x[b] - this.x[a], this.y[b] - this.y[a]));
        const usual = medianOf(lengths.filter(length => length > 0)) || Math.max(right - left, bottom - top) || 1;
        this.factor = EDGE_CELLS / usual;
        this.left = left, this.top = top;
        for (let i = 0; i < this.count; i++) [this.x[i], this.y[i]] = this.placeAt(this.x[i], this.y[i]);
        this.width = Math.max(EDGE_CELLS, (right - left) * this.factor + 1);
        this.height = Math.max(EDGE_CELLS, (bottom - top) * this.factor + 1);
    }

    placeAt(x, y) {
        return [(x - this.left) * this.factor, (y - this.top) * this.factor];
    }

    // Edges that lead both ways are one line; the others have an arrow.
    pair(edges) {
        const known = new Set(edges.map(([a, b]) => a * this.count + b));
        this.edges = edges.filter(([a, b]) => a !== b && (a < b || !known.has(b * this.count + a)))
            .map(([a, b]) => ({ a, b, oneWay: !known.has(b * this.count + a) }));
    }

    // Where a node is, as a cell of a grid is: its middle is at .5.
    placeOf(node) {
        return [this.x[node], this.y[node]];
    }

    // The node nearest to a place; −1: there is none.
    nearest(x, y) {
        let best = -1, least = Infinity;
        for (let i = 0; i < this.count; i++) {
            const distance = (this.x[i] - x) ** 2 + (this.y[i] - y) ** 2;
            if (this.exists[i] && distance < least) best = i, least = distance;
        }
        return best;
    }

    // The places of agents: those that a message has are coordinates, or nodes.
    locate(message) {
        if (message.named) {
            const named = Object.fromEntries(Object.entries(message.named).map(([name, node]) => [name, this.placeOf(node)]));
            return { named };
        }
        for (let i = 0; i < message.count; i++) {
            const node = Math.round(message.x[i]);
            [message.x[i], message.y[i]] = this.exact ? this.placeAt(message.x[i], message.y[i]) : this.placeOf(node);
            message.z[i] = 0;
        }
        return message;
    }

    put(node, terrainClass) {
        if (this.classes[node] === terrainClass) return;
        this.classes[node] = terrainClass;
        this.version++;
    }
}
