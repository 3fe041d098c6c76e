// SPDX-License-Identifier: MIT
// The slider over the last minute: the world goes back to a second that was kept, and forth again.
import { check, ready, until } from './harness.mjs';

const places = page => page.evaluate(() => {
    const { agents } = wend;
    return agents.names.filter(Boolean).sort().map(name => {
        const row = agents.rows.get(name);
        return `${name} ${agents.toX[row]},${agents.toY[row]}`;
    }).join('; ');
});

// A hand sets the slider to its end, or its beginning; the page shows that frame.
async function slide(page, key) {
    await page.evaluate(() => (wend.heard = null));
    await page.focus('#back');
    await page.keyboard.press(key);
    await until(page, () => wend.heard && wend.heard === wend.past.frame && !wend.past.held);
    return page.evaluate(() => wend.past.frame);
}

export async function theSliderGoesBackToASecond(harness) {
    const server = await harness.serve(harness.world('yard.wend', ['grid 40 24']), ['--agents', '20', '--wander']);
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    check(await page.isHidden('#back'), 'a slider without seconds');
    await page.check('#keep');
    await until(page, () => wend.past.frames.length >= 3);
    await page.click('#pause');
    await until(page, () => wend.time.paused);
    await page.evaluate(() => {
        wend.connection.addEventListener('agents', () => setTimeout(() => (wend.heard = wend.past.frame)));
    });
    const now = await places(page);
    const first = await slide(page, 'Home'), early = await places(page);
    const last = await slide(page, 'End'), late = await places(page);
    check(first < last, `frames ${first}, ${last}`);
    check(early !== late && early.length > 0, 'nothing moved');
    check(await slide(page, 'Home') === first && await places(page) === early, 'another past');
    await harness.shoot(page, 'past');
    await page.uncheck('#keep');
    await until(page, () => document.getElementById('back-label').hidden);
    check(now.length > 0 && complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
