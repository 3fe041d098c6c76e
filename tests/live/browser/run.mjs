// SPDX-License-Identifier: MIT
// Runs the browser tests one after another: run.mjs PROGRAM BROWSER SHOTS [WORD]; only tests whose name has the word.
import { Harness } from './harness.mjs';
import * as load from './test_load.mjs';
import * as many from './test_many.mjs';
import * as orders from './test_orders.mjs';
import * as think from './test_think.mjs';
import * as trouble from './test_trouble.mjs';

const [program, browser, shots, word = ''] = process.argv.slice(2);
const tests = [load, orders, think, many, trouble].flatMap(module => Object.entries(module)).filter(([name]) => name.includes(word));
const harness = new Harness(program, browser, shots);
let failed = 0;
try {
    await harness.begin();
    for (const [name, test] of tests) {
        const begun = Date.now();
        try {
            await test(harness);
            console.log(`ok ${name} (${Date.now() - begun} ms)`);
        } catch (problem) {
            failed++;
            console.log(`FAIL ${name}: ${problem.stack ?? problem}`);
            for (const [i, context] of harness.browser.contexts().entries())
                for (const page of context.pages()) await harness.shoot(page, `failed-${name}-${i}`).catch(() => {});
        }
        for (const context of harness.browser.contexts()) await context.close();
        for (const server of harness.servers) await harness.stop(server, 'SIGKILL');
    }
} finally {
    await harness.end();
}
console.log(`${tests.length} tests, ${failed} failed`);
process.exit(tests.length > 0 && failed === 0 ? 0 : 1);
