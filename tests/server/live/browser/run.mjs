// SPDX-License-Identifier: MIT
// Runs the browser tests one after another: run.mjs PROGRAM BROWSER SHOTS [WORD]; only tests whose name has the word.
import { Harness } from './harness.mjs';
import * as costs from './test_costs.mjs';
import * as graphs from './test_graphs.mjs';
import * as load from './test_load.mjs';
import * as many from './test_many.mjs';
import * as orders from './test_orders.mjs';
import * as panels from './test_panels.mjs';
import * as past from './test_past.mjs';
import * as pictures from './test_pictures.mjs';
import * as queue from './test_queue.mjs';
import * as sheets from './test_sheets.mjs';
import * as stress from './test_stress.mjs';
import * as think from './test_think.mjs';
import * as trouble from './test_trouble.mjs';
import * as ways from './test_ways.mjs';
import * as worlds from './test_worlds.mjs';

const [program, browser, shots, word = ''] = process.argv.slice(2);
const tests = [load, orders, costs, ways, think, panels, past, pictures, queue, worlds, sheets, graphs, stress, many, trouble].flatMap(module => Object.entries(module))
    .filter(([name]) => name.includes(word));
const AT_A_TIME = 2; // tests: each takes nearly a core
const measures = name => name in many; // time
const harness = new Harness(program, browser, shots);
let failed = 0;

// One try: true where it passed.
async function passes(name, test) {
    const begun = Date.now(), own = harness.part(measures(name));
    try {
        await test(own);
        console.log(`ok ${name} (${Date.now() - begun} ms)`);
        return true;
    } catch (problem) {
        console.log(`not ok ${name}: ${problem.stack ?? problem}`);
        for (const [i, [, page]] of own.pages.entries()) await own.shoot(page, `failed-${name}-${i}`, true).catch(() => {});
        return false;
    } finally {
        await own.tidy();
    }
}

// A machine that is busy with more may stop a browser for long: what failed has a second try, and both are told.
async function run(waiting) {
    for (let next = waiting.shift(); next; next = waiting.shift())
        if (!(await passes(...next)) && !(await passes(...next))) {
            console.log(`FAIL ${next[0]}`);
            failed++;
        }
}

try {
    await harness.begin();
} catch (problem) {
    console.log(`skipped: the browser does not start: ${problem}`);
    process.exit(77);
}
try {
    // Those that measure time are alone.
    const others = tests.filter(([name]) => !measures(name));
    await Promise.all(Array.from({ length: AT_A_TIME }, () => run(others)));
    await run(tests.filter(([name]) => measures(name)));
} finally {
    await harness.end();
}
console.log(`${tests.length} tests, ${failed} failed`);
process.exit(tests.length > 0 && failed === 0 ? 0 : 1);
