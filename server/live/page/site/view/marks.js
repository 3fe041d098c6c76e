// SPDX-License-Identifier: MIT
// Draws what lies over the ground: paths, goals, links, walls, units, traces, the cursor and the box of a selection.
import { isJump } from '../world/world.js';

const STAIRS_SCALE = 3; // CSS pixels a cell from which stairs are drawn

export class Marks {
    constructor(palette) {
        this.palette = palette;
        this.levels = [-0.5, 0.5]; // the layers that are seen
    }

    shows(cell) {
        const z = cell[2] ?? 0;
        return z >= this.levels[0] && z < this.levels[1];
    }

    cells(context, camera, cells, colour, alpha = 1) {
        if (!cells?.length) return;
        const size = Math.max(1, camera.scale);
        context.globalAlpha = alpha;
        context.fillStyle = colour;
        for (const cell of cells) {
            if (!this.shows(cell)) continue;
            const [x, y] = camera.corner(cell[0], cell[1]);
            if (x > -size && y > -size && x < camera.width && y < camera.height) context.fillRect(x, y, size, size);
        }
        context.globalAlpha = 1;
    }

    // Where agents were blocked: [x, y, z, share of the time]. round: on nodes of a graph.
    heat(context, camera, places, round = false) {
        if (!places?.length) return;
        const size = Math.max(2, camera.scale), faint = 0.12;
        context.fillStyle = this.palette.colours.jam;
        for (const place of places) {
            const [x, y, , share] = place;
            if (!this.shows(place)) continue;
            const [left, top] = camera.corner(x, y);
            if (left < -size || top < -size || left > camera.width || top > camera.height) continue;
            context.globalAlpha = faint + (0.9 - faint) * Math.sqrt(share);
            if (!round) {
                context.fillRect(left, top, size, size);
                continue;
            }
            context.beginPath();
            context.arc(...camera.toPixel(x + 0.5, y + 0.5), 4 + 12 * share, 0, 2 * Math.PI);
            context.fill();
        }
        context.globalAlpha = 1;
    }

    // Nodes of a graph, marked.
    dots(context, camera, places, colour) {
        if (!places?.length) return;
        const radius = Math.max(2, camera.scale * 0.42);
        context.fillStyle = colour;
        context.globalAlpha = 0.55;
        context.beginPath();
        for (const place of places) {
            const [x, y] = camera.toPixel(place[0] + 0.5, place[1] + 0.5);
            context.moveTo(x + radius, y);
            context.arc(x, y, radius, 0, 2 * Math.PI);
        }
        context.fill();
        context.globalAlpha = 1;
    }

    // Cells of one layer that follow each other are joined; a link is drawn as such. free: all are, as on a graph.
    path(context, camera, cells, free = false) {
        if (!cells?.length) return;
        const { colours } = this.palette;
        context.lineJoin = context.lineCap = 'round';
        for (const [colour, width] of [[colours.halo, 5], [colours.path, 2.5]]) {
            context.strokeStyle = colour;
            context.lineWidth = width;
            this.trace(context, camera, cells, (from, to) => free || !isJump(from, to));
        }
    }

    // The line that a path becomes where it is pulled straight.
    line(context, camera, turns) {
        if (!turns || turns.length < 2) return;
        context.lineJoin = 'round';
        context.lineCap = 'butt';
        context.strokeStyle = this.palette.colours.ink;
        context.lineWidth = 1.5;
        context.setLineDash([2, 4]);
        this.trace(context, camera, turns, () => true);
        context.setLineDash([]);
    }

    trace(context, camera, cells, joins) {
        context.beginPath();
        cells.forEach((cell, i) => {
            if (!this.shows(cell)) return;
            const pixel = camera.toPixel(cell[0] + 0.5, cell[1] + 0.5);
            if (i > 0 && this.shows(cells[i - 1]) && joins(cells[i - 1], cell)) context.lineTo(...pixel);
            else context.moveTo(...pixel);
        });
        context.stroke();
    }

    // The start or the goal of the map's file, A or B.
    end(context, camera, cell, name) {
        if (!this.shows(cell)) return;
        const { colours } = this.palette;
        context.font = `bold ${Math.max(12, camera.scale * 0.8)}px sans-serif`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.strokeStyle = colours.halo;
        context.fillStyle = colours.ink;
        context.lineWidth = 4;
        const at = camera.toPixel(cell[0] + 0.5, cell[1] + 0.5);
        context.strokeText(name, ...at);
        context.fillText(name, ...at);
    }

    // Where an agent stops that cannot reach its goal.
    stop(context, camera, cell) {
        if (!cell || !this.shows(cell)) return;
        const { colours } = this.palette;
        const [x, y] = camera.toPixel(cell[0] + 0.5, cell[1] + 0.5), half = Math.max(4, camera.scale * 0.3);
        for (const [colour, width] of [[colours.halo, 5], [colours.goal, 2.5]]) {
            context.strokeStyle = colour;
            context.lineWidth = width;
            context.strokeRect(x - half, y - half, 2 * half, 2 * half);
        }
    }

    goal(context, camera, cell) {
        if (!cell || !this.shows(cell)) return;
        const { colours } = this.palette;
        const [x, y] = camera.toPixel(cell[0] + 0.5, cell[1] + 0.5);
        const radius = Math.max(5, camera.scale * 0.4);
        for (const [colour, width] of [[colours.halo, 5], [colours.goal, 2.5]]) {
            context.strokeStyle = colour;
            context.lineWidth = width;
            context.beginPath();
            context.arc(x, y, radius, 0, 2 * Math.PI);
            context.moveTo(x - radius * 1.5, y), context.lineTo(x - radius * 0.5, y);
            context.moveTo(x + radius * 0.5, y), context.lineTo(x + radius * 1.5, y);
            context.moveTo(x, y - radius * 1.5), context.lineTo(x, y - radius * 0.5);
            context.moveTo(x, y + radius * 0.5), context.lineTo(x, y + radius * 1.5);
            context.stroke();
        }
    }

    links(context, camera, links) {
        if (!links?.length) return;
        const { colours } = this.palette;
        context.strokeStyle = context.fillStyle = colours.link;
        context.lineWidth = 2;
        for (const [from, to] of links) {
            const [ax, ay] = camera.toPixel(from[0] + 0.5, from[1] + 0.5), [bx, by] = camera.toPixel(to[0] + 0.5, to[1] + 0.5);
            const radius = Math.max(2.5, camera.scale * 0.3);
            for (const [x, y, end] of [[ax, ay, from], [bx, by, to]]) {
                if (!this.shows(end)) continue;
                context.beginPath();
                context.arc(x, y, radius, 0, 2 * Math.PI);
                context.stroke();
            }
            if (!this.shows(from) || !this.shows(to)) continue;
            context.globalAlpha = 0.45;
            context.beginPath();
            context.moveTo(ax, ay);
            context.quadraticCurveTo((ax + bx) / 2 + (by - ay) * 0.12, (ay + by) / 2 - (bx - ax) * 0.12, bx, by);
            context.stroke();
            context.globalAlpha = 1;
        }
    }

    // Steps up and down between storeys: treads across the way.
    stairs(context, camera, seams) {
        if (!seams?.length || camera.scale < STAIRS_SCALE) return;
        context.strokeStyle = this.palette.colours.edge;
        context.lineWidth = Math.max(1, camera.scale * 0.08);
        context.beginPath();
        for (const [from, to] of seams) {
            const dx = to[0] - from[0], dy = to[1] - from[1];
            if ((dx && dy) || from[2] > to[2] || !this.shows(to)) continue; // one of both directions
            const x = (from[0] + to[0] + 1) / 2, y = (from[1] + to[1] + 1) / 2;
            for (const at of [-0.3, 0, 0.3]) {
                context.moveTo(...camera.toPixel(x + dx * at - dy / 2, y + dy * at - dx / 2));
                context.lineTo(...camera.toPixel(x + dx * at + dy / 2, y + dy * at + dx / 2));
            }
        }
        context.stroke();
    }

    // Closed steps: a bar between two cells.
    steps(context, camera, steps) {
        if (!steps?.length || camera.scale < 3) return;
        context.strokeStyle = this.palette.colours.step;
        context.lineWidth = Math.max(2, camera.scale * 0.14);
        context.beginPath();
        for (const [from, to] of steps) {
            if (!this.shows(from) || !this.shows(to)) continue;
            const dx = to[0] - from[0], dy = to[1] - from[1];
            if (camera.hexagons) {
                const [ax, ay] = camera.toPixel(from[0] + 0.5, from[1] + 0.5), [bx, by] = camera.toPixel(to[0] + 0.5, to[1] + 0.5);
                context.moveTo((ax + bx) / 2 - (by - ay) * 0.29, (ay + by) / 2 + (bx - ax) * 0.29);
                context.lineTo((ax + bx) / 2 + (by - ay) * 0.29, (ay + by) / 2 - (bx - ax) * 0.29);
                continue;
            }
            const x = (from[0] + to[0] + 1) / 2, y = (from[1] + to[1] + 1) / 2;
            const half = dx && dy ? 0.25 : 0.5;
            context.moveTo(...camera.toPixel(x - dy * half, y - dx * half * (dx && dy ? -1 : 1)));
            context.lineTo(...camera.toPixel(x + dy * half, y + dx * half * (dx && dy ? -1 : 1)));
        }
        context.stroke();
    }

    units(context, camera, units) {
        if (!units?.length) return;
        const { colours } = this.palette;
        for (const unit of units) {
            if (!this.shows(unit)) continue;
            const [x, y] = camera.toPixel(unit[0] + 0.5, unit[1] + 0.5);
            const half = Math.max(1.5, camera.scale * 0.28);
            context.fillStyle = colours.unit;
            context.fillRect(x - half, y - half, 2 * half, 2 * half);
            if (half < 3) continue;
            context.strokeStyle = colours.halo;
            context.lineWidth = Math.max(1, half * 0.22);
            context.strokeRect(x - half * 0.5, y - half * 0.5, half, half);
        }
    }

    // Doors of this page: a frame, with a leaf where it is closed. keys: "x,y,z".
    doors(context, camera, keys, world) {
        const size = camera.scale;
        if (!keys.size || size < 4) return;
        const { colours } = this.palette;
        for (const key of keys) {
            const [cx, cy, cz] = key.split(',').map(Number);
            if (!this.shows([cx, cy, cz])) continue;
            const [x, y] = camera.corner(cx, cy), closed = world.classAt(cx, cy, cz) === 0, edge = Math.max(1.5, size * 0.12);
            context.strokeStyle = colours.link;
            context.lineWidth = edge;
            context.strokeRect(x + edge, y + edge, size - 2 * edge, size - 2 * edge);
            if (!closed) continue;
            context.fillStyle = colours.link;
            context.globalAlpha = 0.55;
            context.fillRect(x + edge, y + edge, size - 2 * edge, size - 2 * edge);
            context.globalAlpha = 1;
        }
    }

    // A field: in each cell an arrow to the next. arrows: [x, y, dx, dy]. Far away every second has one, or every third.
    field(context, camera, arrows, all = false) {
        if (!arrows?.length || camera.scale < 5) return;
        const every = all ? 1 : Math.ceil(12 / camera.scale);
        context.strokeStyle = this.palette.colours.field;
        context.lineWidth = 1.5;
        context.beginPath();
        const reach = camera.scale * 0.32 * every;
        for (const [x, y, dx, dy] of arrows) {
            if (every > 1 && (x % every || y % every)) continue;
            const [px, py] = camera.toPixel(x + 0.5, y + 0.5);
            if (px < 0 || py < 0 || px > camera.width || py > camera.height) continue;
            const [right, down] = camera.fromCell(dx, dy), length = Math.hypot(right, down) || 1;
            const ux = (right / length) * reach, uy = (down / length) * reach;
            context.moveTo(px - ux, py - uy), context.lineTo(px + ux, py + uy);
            context.moveTo(px + ux - (ux - uy) * 0.55, py + uy - (uy + ux) * 0.55), context.lineTo(px + ux, py + uy);
            context.lineTo(px + ux - (ux + uy) * 0.55, py + uy - (uy - ux) * 0.55);
        }
        context.stroke();
    }

    cursor(context, camera, cursor) {
        const [x, y] = camera.corner(cursor.x, cursor.y);
        const size = camera.scale;
        for (const [colour, width] of [[this.palette.colours.halo, 4], [this.palette.colours.ink, 2]]) {
            context.strokeStyle = colour;
            context.lineWidth = width;
            context.strokeRect(x, y, size, size);
        }
    }

    box(context, box) {
        if (!box) return;
        context.strokeStyle = context.fillStyle = this.palette.colours.path;
        context.lineWidth = 1.5;
        context.globalAlpha = 0.12;
        context.fillRect(box.x, box.y, box.width, box.height);
        context.globalAlpha = 1;
        context.strokeRect(box.x, box.y, box.width, box.height);
    }
}
