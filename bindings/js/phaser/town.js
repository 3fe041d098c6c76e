// SPDX-License-Identifier: MIT
// A room of a town: 300 agents walk at 20 Hz. Clients hear where all are, and send some of them somewhere.
import { Room } from '@colyseus/core';
import { load } from 'wend';

export const WIDTH = 64, HEIGHT = 44, AGENTS = 300, HZ = 20;
const FRAME_US = 5000; // at most, for searches
const wend = await load();

export class Town extends Room {
    onCreate() {
        this.map = new wend.Map({ width: WIDTH, height: HEIGHT });
        this.map.edit(edit => {
            for (let y = 4; y + 6 < HEIGHT; y += 10)
                for (let x = 4; x + 8 < WIDTH; x += 12) edit.fill([x, y], [x + 7, y + 5], 0);
        });
        this.map.accelerate();
        this.service = new wend.Service();
        this.crowd = new wend.Crowd(this.service, this.map, { agents: AGENTS });
        this.agents = [];
        for (let i = 0; this.agents.length < AGENTS; i++) {
            const cell = [i * 7 % WIDTH, (i * 13 + (i / WIDTH | 0)) % HEIGHT];
            if (this.map.terrain(cell) === 0 || this.map.occupants(cell) > 0) continue;
            this.agents.push(this.crowd.add({ cell, speed_milli: 150 + i % 150 }));
        }
        this.onMessage('go', (client, order) => this.go(client, order));
        this.setSimulationInterval(() => this.step(), 1000 / HZ);
    }

    onJoin(client) {
        const classes = [...this.map.box([0, 0], [WIDTH - 1, HEIGHT - 1])];
        client.send('map', { width: WIDTH, height: HEIGHT, classes });
    }

    // A client's message is a stranger's: wend says what is wrong with a cell, and this with the rest.
    go(client, order) {
        try {
            const chosen = order.agents.map(i => this.agents[i]);
            if (chosen.length > 0 && chosen.every(Boolean)) this.crowd.go(chosen, order.cell);
        } catch (error) {
            client.send('refused', String(error.message));
        }
    }

    step() {
        this.service.tick({ us: FRAME_US });
        this.crowd.update();
        const { points } = this.crowd.view; // x, y and z of each agent, in 1/1000 of a cell
        this.broadcastBytes('points', new Uint8Array(points.buffer, points.byteOffset, points.byteLength));
    }

    onDispose() {
        this.crowd.destroy();
        this.service.destroy();
        this.map.release();
    }
}
