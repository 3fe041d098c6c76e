// SPDX-License-Identifier: MIT
// Makes the picture of the page in the README: picture.mjs PROGRAM BROWSER MAP FILE. Agents wander in a cave; one of
// them is selected, and has a long way before it.
import { Harness, ready, until } from './harness.mjs';

const [program, browser, map, file] = process.argv.slice(2);
const LEAST_FRAME = 400;

// The agent whose whole path is in sight, and the longest of all.
async function longestWay(page) {
    return page.evaluate(async () => {
        const { agents, camera, connection } = wend;
        const inSight = ([x, y]) => {
            const [px, py] = camera.toPixel(x, y);
            return px > 220 && py > 60 && px < camera.width - 60 && py < camera.height - 60;
        };
        let best = null, most = 0;
        for (const [name, row] of agents.rows) {
            if (!inSight([agents.toX[row], agents.toY[row]])) continue;
            const { path, goal } = await connection.send('inspect', { name, trace: false });
            const whole = path?.length > most && String(path.at(-1)) === String(goal);
            if (whole && path.every(inSight)) best = name, most = path.length;
        }
        return best;
    });
}

const harness = new Harness(program, browser, '.');
await harness.begin();
try {
    const server = await harness.serve(map, ['--agents', '1000', '--wander', '--hz', '20', '--budget', '2000']);
    const { page } = await harness.open(server.url, { viewport: { width: 1280, height: 816 } });
    await ready(page);
    await until(page, least => wend.time.frame > least, LEAST_FRAME);
    const name = await longestWay(page);
    await page.evaluate(chosen => wend.actions.select([chosen]), name);
    await until(page, () => wend.show.inspected?.path?.length > 20 && wend.world.fetching === 0);
    await page.mouse.move(600, 30);
    await page.waitForTimeout(300); // it leaves no agent under it
    await page.screenshot({ path: file });
    console.log(`${file}: ${name} is selected`);
} finally {
    await harness.end();
}
