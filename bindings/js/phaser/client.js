// SPDX-License-Identifier: MIT
// Draws the town, halfway between the last two frames that the room sent. Drag: select. Click: those selected go there.
/* global Phaser, Colyseus */
const CELL = 16, FRAME_MS = 50;
const url = location.origin.replace(/^http/, 'ws');

class Town extends Phaser.Scene {
    async create() {
        this.dots = [];
        this.chosen = new Set();
        this.box = this.add.rectangle(0, 0, 0, 0, 0xffffff, .15).setOrigin(0).setDepth(2);
        this.room = await new Colyseus.Client(url).joinOrCreate('town');
        this.room.onMessage('map', map => this.draw(map));
        this.room.onMessage('points', bytes => this.move(new Int32Array(bytes.slice().buffer)));
        this.room.onMessage('refused', text => console.warn(text));
        this.input.on('pointermove', at => at.isDown && this.box
            .setPosition(Math.min(at.downX, at.x), Math.min(at.downY, at.y))
            .setSize(Math.abs(at.x - at.downX), Math.abs(at.y - at.downY)));
        this.input.on('pointerup', at => (this.box.width + this.box.height > 8 ? this.select() : this.send(at)));
    }

    draw({ width, height, classes }) {
        this.scale.resize(width * CELL, height * CELL);
        const ground = this.add.graphics().fillStyle(0xe8e4d8).fillRect(0, 0, width * CELL, height * CELL);
        ground.fillStyle(0x343c48);
        classes.forEach((c, i) => c === 0 && ground.fillRect(i % width * CELL, (i / width | 0) * CELL, CELL, CELL));
    }

    move(points) {
        for (let i = 0; 3 * i < points.length; i++) {
            const x = (points[3 * i] / 1000 + .5) * CELL, y = (points[3 * i + 1] / 1000 + .5) * CELL;
            const dot = this.dots[i] ??= this.add.circle(x, y, CELL * .38, 0x3b7dd8).setDepth(1);
            dot.from = { x: dot.x, y: dot.y };
            dot.to = { x, y };
        }
        this.heard = this.time.now;
    }

    update(now) {
        const part = Math.min(1, (now - this.heard) / FRAME_MS), between = Phaser.Math.Linear;
        for (const dot of this.dots ?? [])
            dot.setPosition(between(dot.from.x, dot.to.x, part), between(dot.from.y, dot.to.y, part));
    }

    select() {
        const box = this.box.getBounds();
        this.dots.forEach((dot, i) => {
            const within = box.contains(dot.x, dot.y);
            this.chosen[within ? 'add' : 'delete'](i);
            dot.setFillStyle(within ? 0xd8783b : 0x3b7dd8);
        });
        this.box.setSize(0, 0);
    }

    send({ x, y }) {
        this.box.setSize(0, 0);
        this.room.send('go', { agents: [...this.chosen], cell: [x / CELL | 0, y / CELL | 0] });
    }
}

window.game = new Phaser.Game({ scene: Town, width: 64 * CELL, height: 44 * CELL, backgroundColor: '#1b1f27' });
