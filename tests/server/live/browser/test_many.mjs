// SPDX-License-Identifier: MIT
// Many agents: they glide, and the script of a frame stays short; two pages see the same.
import { check, dragCells, ready, until, useTool } from './harness.mjs';

const PLAIN = ['grid 96 64', 'fill 30,10 30,50 blocked', 'fill 60,0 60,40 blocked', 'fill 70,50 90,54 254'];
const FEW = 2000, MANY = 20000; // agents

export async function aThousandGlide(harness) {
    const server = await harness.serve(harness.world('plain.wend', PLAIN), ['--agents', '1000']);
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count === 1000);
    await page.click('#stress button:has-text("Burst")');
    await until(page, () => wend.agents.states.slice(0, 1000).filter(state => state === 3).length > 200);
    await page.evaluate(() => (wend.stage.scriptTimes.length = 0));
    // Between two of the server's frames agents are drawn between two places.
    await until(page, () => {
        const { agents } = wend;
        let between = 0;
        for (let row = 0; row < agents.count; row++) {
            const part = agents.partAt(row, performance.now());
            if (part > 0.05 && part < 0.95) between++;
        }
        return between > 100;
    });
    await until(page, () => wend.stage.scriptTimes.length >= 60);
    const median = await page.evaluate(() => [...wend.stage.scriptTimes].sort((a, b) => a - b)[wend.stage.scriptTimes.length >> 1]);
    console.log(`   1,000 agents: ${median.toFixed(2)} ms of script a frame in the median`);
    await harness.shoot(page, 'thousand');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

// 500 bodies: discs at their sizes, between the cells, with headings and trails.
export async function bodiesAreDiscs(harness) {
    const bodies = Array.from({ length: 500 }, (_, i) =>
        `agent b${i} ${2 + 3 * (i % 30)},${2 + 3 * Math.floor(i / 30)} speed=250 radius=${[200, 300, 400, 480][i % 4]}`);
    const server = await harness.serve(harness.world('bodies.wend', ['grid 96 64', ...bodies]), ['--wander']);
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await until(page, () => wend.agents.count === 500 && wend.agents.states.slice(0, 500).filter(state => state === 3).length > 300);
    await until(page, () => Array.from(wend.agents.trailCounts.slice(0, 500)).filter(count => count > 16).length > 300);
    const seen = await page.evaluate(() => {
        const { agents } = wend, radii = ['b0', 'b1', 'b2', 'b3'].map(name => agents.radii[agents.rows.get(name)].toFixed(2));
        let between = 0;
        for (let row = 0; row < agents.count; row++) between += agents.toX[row] % 1 !== 0 && agents.toY[row] % 1 !== 0;
        return { radii: radii.join(), between };
    });
    check(seen.radii === '0.20,0.30,0.40,0.48', `the radii are ${seen.radii}`);
    check(seen.between > 100, `${seen.between} bodies are between cells`);
    await page.evaluate(() => (wend.stage.scriptTimes.length = 0, wend.stage.frames = 0, wend.stage.begun = performance.now()));
    await until(page, () => wend.stage.scriptTimes.length >= 120);
    const { median, rate } = await page.evaluate(() => ({
        median: [...wend.stage.scriptTimes].sort((a, b) => a - b)[wend.stage.scriptTimes.length >> 1],
        rate: wend.stage.frames * 1000 / (performance.now() - wend.stage.begun) }));
    console.log(`   500 bodies: ${median.toFixed(2)} ms of script a frame in the median, ${rate.toFixed(0)} frames a second`);
    await harness.shoot(page, 'bodies');
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function scriptStaysShort(harness) {
    const server = await harness.serve(harness.world('plain.wend', PLAIN));
    const { page } = await harness.open(server.url);
    await ready(page);
    await page.evaluate(() => wend.connection.send('subscribe', { what: [] }));
    const measure = (count, scale) => page.evaluate(async ([n, cellPixels]) => {
        // Agents that all glide, in sight, to and fro.
        const named = shift => ({ named: Object.fromEntries(Array.from({ length: n }, (_, i) =>
            ['x' + i, [(i * 7919) % 95 + shift, (i * 104729) % 63, 0, 1 + (i % 6)]])) });
        const places = [named(0), named(1)];
        wend.camera.fit();
        wend.camera.zoom(cellPixels / wend.camera.scale);
        wend.stage.scriptTimes.length = 0;
        for (let i = 0; wend.stage.scriptTimes.length < 40; i++) {
            wend.agents.take(places[i % 2], performance.now());
            wend.stage.touch();
            for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        }
        if (wend.agents.count !== n) throw new Error(`${wend.agents.count} agents are there`);
        const times = [...wend.stage.scriptTimes].sort((a, b) => a - b);
        return times[times.length >> 1];
    }, [count, scale]);
    // How long it takes is a question of the machine. That it grows with the agents, and not with their square, is not.
    for (const scale of [4, 12]) {
        let ratio = Infinity;
        for (let again = 0; again < 4 && ratio > MANY / FEW * 2; again++) {
            const few = await measure(FEW, scale), many = await measure(MANY, scale);
            ratio = many / Math.max(few, 0.2);
            console.log(`   ${scale} pixels a cell: ${few.toFixed(2)} ms of script a frame for ${FEW} agents, ${many.toFixed(2)} for ${MANY}`);
        }
        check(ratio <= MANY / FEW * 2, `${MANY} agents take ${ratio} times what ${FEW} take`);
    }
}

export async function twoPagesSeeTheSame(harness) {
    const server = await harness.serve(harness.world('plain.wend', PLAIN), ['--agents', '50']);
    const [one, two] = [await harness.open(server.url), await harness.open(server.url)];
    await Promise.all([ready(one.page), ready(two.page)]);
    await useTool(one.page, 'wall');
    await dragCells(one.page, [10, 20], [20, 20]);
    await until(two.page, () => Array.from({ length: 11 }, (_, i) => wend.world.classAt(10 + i, 20, 0)).every(c => c === 0));
    await one.page.click('#stress button:has-text("Burst")');
    await until(two.page, () => wend.agents.isMoving(performance.now()));
    await two.page.click('#pause');
    for (const { page } of [one, two]) await until(page, () => wend.time.paused);
    const places = ({ page }) => page.evaluate(() => JSON.stringify([...wend.agents.rows].sort()
        .map(([name, row]) => [name, wend.agents.toX[row], wend.agents.toY[row]])));
    await until(one.page, wanted => JSON.stringify([...wend.agents.rows].sort()
        .map(([name, row]) => [name, wend.agents.toX[row], wend.agents.toY[row]])) === wanted, await places(two));
    await harness.shoot(two.page, 'second-page');
}
