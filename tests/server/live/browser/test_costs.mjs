// SPDX-License-Identifier: MIT
// Costs by place: the values of a layer lie over the map and fade, the brush paints them, and agents that mind them go round.
import { addAgent, check, clickCell, dragCells, ready, until, untilAt, useTool } from './harness.mjs';

const FIELD = ['grid 40 24', 'fill 20,0 20,3 blocked'];

// The value that the page has of a cell of the layer that is shown.
const valueAt = (page, x, y) => page.evaluate(([cx, cy]) => {
    const [part] = wend.show.heat?.parts ?? [];
    return part?.values[(cy - part.y0) * (part.x1 - part.x0) + cx - part.x0];
}, [x, y]);

const untilValue = (page, x, y, least, most) => until(page, ([cx, cy, from, to]) => {
    const [part] = wend.show.heat?.parts ?? [];
    const value = part?.values[(cy - part.y0) * (part.x1 - part.x0) + cx - part.x0];
    return value >= from && value <= to;
}, [x, y, least, most]);

// The colour of a cell's middle on the canvas, as [red, green, blue].
const colourAt = (page, x, y) => page.evaluate(([cx, cy]) => {
    const [px, py] = wend.camera.toPixel(cx + 0.5, cy + 0.5), { ratio, context } = wend.stage;
    return [...context.getImageData(Math.round(px * ratio) + 2, Math.round(py * ratio) + 2, 1, 1).data].slice(0, 3);
}, [x, y]);

const openPanel = page => page.click('#costs summary');

export async function showsALayerAndSeesItFade(harness) {
    const lines = [...FIELD, 'layer fear values half_life=200', 'layer near walls within=2', 'paint fear 30,12 radius=5 peak=255'];
    const server = await harness.serve(harness.world('fear.wend', lines));
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await page.evaluate(() => wend.connection.send('pause'));
    const plain = await colourAt(page, 30, 12);
    check(await page.evaluate(() => wend.show.heat) === null, 'values came though nobody asked');
    await openPanel(page);
    check(await page.locator('#cost-layer option').allTextContents().then(words => words.join()) === 'none,fear,near', 'the layers');
    await page.selectOption('#cost-layer', 'near');
    await untilValue(page, 21, 2, 255, 255);
    check(await valueAt(page, 22, 2) === 127 && await valueAt(page, 23, 2) === 0, 'values of walls');
    check((await page.textContent('#cost-note')).includes('within 2 cells'), 'it does not say what walls are');
    await page.selectOption('#cost-layer', 'fear');
    await until(page, () => wend.show.heat?.parts[0].values[0] === 0);
    const first = await valueAt(page, 30, 12);
    check(first > 0, 'the disc of the file is not there');
    const drawn = await page.evaluate(() => wend.stage.frames);
    await until(page, before => wend.stage.frames > before, drawn);
    const wash = await colourAt(page, 30, 12);
    check(plain.join() !== wash.join(), 'the wash is not seen');
    await harness.shoot(page, 'layer');
    for (const [frames, value] of [[200, first >> 1], [200, first >> 2], [1600, 0]]) {
        await page.evaluate(count => wend.connection.send('step', { frames: count }), frames);
        await untilValue(page, 30, 12, value, value);
    }
    await page.selectOption('#cost-layer', '');
    await until(page, () => wend.show.heat === null);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function paintsDangerThatAgentsMind(harness) {
    const server = await harness.serve(harness.world('field.wend', FIELD), ['--hz', '20']);
    const { page, complaints } = await harness.open(server.url);
    await ready(page);
    await openPanel(page);
    await page.fill('#cost-radius', '3');
    await page.dispatchEvent('#cost-radius', 'change');
    await useTool(page, 'danger');
    await page.evaluate(() => wend.connection.send('pause')); // what is painted does not fade
    await dragCells(page, [20, 7], [20, 17]);
    await untilValue(page, 20, 12, 100, 255);
    check(await page.evaluate(() => wend.costs.shown) === 'danger', 'the new layer is not shown');
    check(await page.evaluate(() => wend.edits.pending.size) === 0 && await valueAt(page, 2, 2) === 0, 'more was painted');
    const brave = await addAgent(page, 12, 11);
    await page.evaluate(name => wend.connection.send('adjust', { names: [name], layers: {} }), brave);
    const careful = await addAgent(page, 12, 13); // with the weight of the panel
    await page.evaluate(() => {
        wend.track = new Map();
        wend.connection.addEventListener('agents', () => wend.agents.rows.forEach((row, name) => {
            const held = wend.track.get(name) ?? wend.track.set(name, new Set()).get(name);
            held.add(`${Math.round(wend.agents.toX[row])},${Math.round(wend.agents.toY[row])}`);
        }));
    });
    await until(page, () => document.getElementById('inspector-body').textContent.includes('danger × 32'));
    await harness.shoot(page, 'danger');
    await page.evaluate(([one, two]) => Promise.all([wend.connection.send('go', { names: [one], to: [28, 11] }),
        wend.connection.send('go', { names: [two], to: [28, 13] })]), [brave, careful]);
    await page.evaluate(() => wend.connection.send('step', { frames: 200 }));
    await untilAt(page, brave, 28, 11);
    await untilAt(page, careful, 28, 13);
    const through = name => page.evaluate(agent => [...wend.track.get(agent)].some(cell => {
        const [x, y] = cell.split(',').map(Number);
        return Math.abs(x - 20) <= 1 && y > 6 && y < 18;
    }), name);
    check(await through(brave), 'the one that minds nothing went round');
    check(!(await through(careful)), 'the one that minds danger went through it');
    // Another agent that is selected learns to mind it.
    await useTool(page, 'select');
    await page.evaluate(name => wend.actions.select([name]), brave);
    await page.click('#cost-mind');
    await until(page, () => document.getElementById('inspector-body').textContent.includes('danger × 32'));
    await clickCell(page, 5, 5);
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}

export async function dangerIsUndoneAndOtherPagesSeeIt(harness) {
    const lines = ['grid 40 24', 'layer fear values', 'paint fear 18,10 19,14 value=40', 'paint fear 20,12 20,12 value=7'];
    const server = await harness.serve(harness.world('undone.wend', lines), ['--hz', '20']);
    const { page, complaints } = await harness.open(server.url);
    const { page: other } = await harness.open(server.url);
    const values = () => page.evaluate(() => wend.connection.send('map', { layer: 'fear', box: [[0, 0], [39, 23]] })
        .then(answer => answer.values.join()));
    await ready(page);
    await ready(other);
    const before = await values();
    await openPanel(page);
    await page.selectOption('#cost-layer', 'fear');
    await useTool(page, 'danger');
    await dragCells(page, [16, 8], [24, 16]);
    await untilValue(page, 20, 12, 100, 255);
    check(await values() !== before, 'nothing was painted');
    await useTool(page, 'undo');
    await untilValue(page, 20, 12, 7, 7);
    await until(page, wanted => wend.connection.send('map', { layer: 'fear', box: [[0, 0], [39, 23]] })
        .then(answer => answer.values.join() === wanted), before);
    // The last stroke is taken back, whatever it was: an edit before the next danger.
    await useTool(page, 'wall');
    await dragCells(page, [5, 5], [5, 8]);
    await until(page, () => wend.world.classAt(5, 5, 0) === 0);
    await useTool(page, 'undo');
    await until(page, () => wend.world.classAt(5, 5, 0) === 1);
    // The other page hears of new layers, and of what is painted, without asking.
    await page.evaluate(() => wend.connection.send('layer', { name: 'fog', kind: 'values' }));
    await until(other, () => [...document.getElementById('cost-layer').options].some(option => option.value === 'fog'));
    await other.evaluate(() => {
        wend.heard = [];
        wend.connection.addEventListener('event', ({ detail }) => wend.heard.push(detail));
    });
    await page.evaluate(() => wend.connection.send('paint', { layer: 'fog', cells: [[3, 3]], radius: 2, peak: 90 }));
    await until(other, () => wend.heard.some(event => event.event === 'paint' && event.layer === 'fog' && event.peak === 90));
    check(complaints.length === 0, `complaints: ${complaints.join('; ')}`);
}
