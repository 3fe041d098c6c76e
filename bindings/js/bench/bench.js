// SPDX-License-Identifier: MIT
// The same queries in wend and in other libraries: bench.js MAP [QUERIES]. Prints CSV; exit status 1 where another one
// finds a cheaper path.
// Before: npm install in this folder, and wend.wasm beside wend.js.
import { readFileSync } from 'node:fs';
import PF from 'pathfinding';
import EasyStar from 'easystarjs';
import createGraph from 'ngraph.graph';
import ngraph from 'ngraph.path';
import { load } from '../wend.js';

const [path = 'data/caves512.map', most = '20'] = process.argv.slice(2);
const wend = await load();
const map = wend.parse(readFileSync(path));
const { width, height } = map.info, classes = map.box([0, 0], [width - 1, height - 1]);
const open = (x, y) => x >= 0 && y >= 0 && x < width && y < height && classes[y * width + x] !== 0;

// Queries with an answer, from seed 1, as wend finds them.
const queries = [];
let random = 1;
function draw(sides) {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return (random >>> 0) % sides;
}
function cell() {
    for (;;) {
        const x = draw(width), y = draw(height);
        if (open(x, y)) return [x, y];
    }
}
const service = new wend.Service();
while (queries.length < Number(most)) {
    const query = { from: cell(), to: cell() };
    service.submit(map, query.from, query.to, answer => answer.status === 'found' && queries.push({ ...query, cost: answer.cost }));
    service.tick();
}

// 10 for a straight step, 14 for a diagonal one.
const costOf = cells => cells.slice(1).reduce((sum, [x, y], i) => sum + (x !== cells[i][0] && y !== cells[i][1] ? 14 : 10), 0);
let wrong = 0;

// ask(from, to) gives what cellsOf() makes cells of. Times in microseconds; cost: a path's, divided by the cheapest.
function time(name, ask, rounds = 1, cellsOf = cells => cells) {
    const times = [];
    let ratios = 0;
    for (const { from, to, cost } of queries) {
        const begun = performance.now();
        let found = [];
        for (let i = 0; i < rounds; i++) found = ask(from, to);
        times.push((performance.now() - begun) * 1000 / rounds);
        const its = costOf(cellsOf(found));
        ratios += its / cost;
        if (its < cost) wrong++, console.error(`${name}: ${from} to ${to}: cost ${its}, not ${cost}`);
    }
    times.sort((a, b) => a - b);
    const mean = times.reduce((sum, one) => sum + one, 0) / times.length;
    console.log(`${name},${queries.length},${mean.toFixed(1)},${times[times.length >> 1].toFixed(1)},${(ratios / queries.length).toFixed(4)}`);
}

function asked(from, to) {
    let found = null;
    service.submit(map, from, to, answer => (found = answer));
    service.tick();
    return found;
}
console.log('library,queries,mean_us,median_us,cost');
for (let i = 0; i < 200; i++) asked(queries[i % queries.length].from, queries[i % queries.length].to); // the compiler is warm
const itsCells = answer => answer.cells;
time('wend', asked, 20, itsCells);
map.accelerate();
for (let i = 0; i < 2000; i++) asked(queries[i % queries.length].from, queries[i % queries.length].to);
time('wend, accelerated', asked, 200, itsCells);

const grid = new PF.Grid(Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => (open(x, y) ? 0 : 1))));
for (const Finder of ['AStarFinder', 'JumpPointFinder']) {
    const finder = new PF[Finder]({ diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles, heuristic: PF.Heuristic.octile });
    time(`PathFinding.js ${Finder}`, (from, to) => PF.Util.expandPath(finder.findPath(...from, ...to, grid.clone())));
}

const star = new EasyStar.js();
star.setGrid(Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => (open(x, y) ? 1 : 0))));
star.setAcceptableTiles([1]);
star.enableDiagonals();
star.disableCornerCutting();
star.enableSync();
time('easystarjs', (from, to) => {
    let cells = null;
    star.findPath(...from, ...to, found => (cells = found.map(({ x, y }) => [x, y])));
    star.calculate();
    return cells;
});

const graph = createGraph();
for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
        if (!open(x, y)) continue;
        graph.addNode(y * width + x, { x, y });
        for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [-1, 1]])
            if (open(x + dx, y + dy) && open(x + dx, y) && open(x, y + dy))
                graph.addLink(y * width + x, (y + dy) * width + x + dx, { cost: dx && dy ? 14 : 10 });
    }
const octile = ({ data: a }, { data: b }) => {
    const dx = Math.abs(a.x - b.x), dy = Math.abs(a.y - b.y);
    return 10 * Math.max(dx, dy) + 4 * Math.min(dx, dy);
};
for (const name of ['aStar', 'nba']) {
    const finder = ngraph[name](graph, { distance: (a, b, link) => link.data.cost, heuristic: octile });
    time(`ngraph.path ${name}`, (from, to) =>
        finder.find(from[1] * width + from[0], to[1] * width + to[0]).map(({ data }) => [data.x, data.y]));
}
process.exit(wrong ? 1 : 0);
