// SPDX-License-Identifier: MIT
// Draws a graph: edges as lines, with arrows where they lead one way, and nodes as dots. The picture is kept until the
// camera moves.
const NODE_CELLS = 0.28; // the radius of a node
const ARROW_FROM = 16; // pixels that an edge with an arrow has at least

export class NetworkLayer {
    constructor(world, palette) {
        this.world = world;
        this.palette = palette;
        this.key = '';
    }

    draw(context, camera, ratio) {
        const { network } = this.world;
        const key = [camera.x, camera.y, camera.scale, camera.width, camera.height, ratio, this.palette.isDark,
            network.version, network.count].join();
        if (key !== this.key || network !== this.drawn) this.paint(camera, ratio);
        this.key = key;
        this.drawn = network;
        context.drawImage(this.canvas, 0, 0, camera.width, camera.height);
    }

    paint(camera, ratio) {
        const { colours } = this.palette, { network } = this.world;
        const width = Math.max(1, Math.round(camera.width * ratio)), height = Math.max(1, Math.round(camera.height * ratio));
        if (this.canvas?.width !== width || this.canvas?.height !== height) this.canvas = new OffscreenCanvas(width, height);
        const context = this.canvas.getContext('2d');
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.fillStyle = colours.open;
        context.fillRect(0, 0, camera.width, camera.height);
        this.edges(context, camera, network, colours);
        this.nodes(context, camera, network, colours);
    }

    edges(context, camera, network, colours) {
        const radius = Math.max(1.5, NODE_CELLS * camera.scale);
        context.strokeStyle = context.fillStyle = colours.edge;
        context.lineWidth = Math.min(3, Math.max(0.6, camera.scale * 0.08));
        const arrows = [];
        context.beginPath();
        for (const { a, b, oneWay } of network.edges) {
            const [ax, ay] = camera.toPixel(network.x[a] + 0.5, network.y[a] + 0.5);
            const [bx, by] = camera.toPixel(network.x[b] + 0.5, network.y[b] + 0.5);
            if (Math.max(ax, bx) < 0 || Math.max(ay, by) < 0 || Math.min(ax, bx) > camera.width ||
                Math.min(ay, by) > camera.height) continue;
            context.moveTo(ax, ay), context.lineTo(bx, by);
            if (oneWay) arrows.push([ax, ay, bx, by]);
        }
        context.stroke();
        for (const [ax, ay, bx, by] of arrows) arrow(context, ax, ay, bx, by, radius);
    }

    // Nodes look as their ground does; closed ones are crossed out.
    nodes(context, camera, network, colours) {
        const radius = Math.max(1.2, NODE_CELLS * camera.scale);
        for (let i = 0; i < network.count; i++) {
            if (!network.exists[i]) continue;
            const [x, y] = camera.toPixel(network.x[i] + 0.5, network.y[i] + 0.5);
            if (x < -radius || y < -radius || x > camera.width + radius || y > camera.height + radius) continue;
            const closed = network.classes[i] === 0;
            context.beginPath();
            context.arc(x, y, radius, 0, 2 * Math.PI);
            context.fillStyle = closed ? colours.blocked : colours.paper;
            context.fill();
            context.lineWidth = Math.max(0.8, radius * 0.2);
            context.strokeStyle = closed ? colours.step : colours.edge;
            context.stroke();
            if (!closed || radius < 3) continue;
            const reach = radius * 0.6;
            context.beginPath();
            context.moveTo(x - reach, y - reach), context.lineTo(x + reach, y + reach);
            context.moveTo(x + reach, y - reach), context.lineTo(x - reach, y + reach);
            context.stroke();
        }
    }
}

// The head of an arrow, before the node that the edge leads to.
function arrow(context, ax, ay, bx, by, radius) {
    const length = Math.hypot(bx - ax, by - ay);
    if (length < ARROW_FROM) return;
    const ux = (bx - ax) / length, uy = (by - ay) / length, size = Math.min(10, Math.max(5, radius * 1.1));
    const x = bx - ux * (radius + 1), y = by - uy * (radius + 1);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - ux * size - uy * size * 0.5, y - uy * size + ux * size * 0.5);
    context.lineTo(x - ux * size + uy * size * 0.5, y - uy * size - ux * size * 0.5);
    context.fill();
}
