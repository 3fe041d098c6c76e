// SPDX-License-Identifier: MIT
import { load } from './wend.js';

const wend = await load();
const map = wend.parse('type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n');
const service = new wend.Service();
service.submit(map, [0, 0], [4, 2], answer => {
    console.log(`${answer.status}, cost ${answer.cost}, ${answer.cells.length} cells`);
});
while (service.pending) service.tick();
