// SPDX-License-Identifier: MIT
// What the browser tests share: a server of their own, a page whose complaints are kept, and waiting for conditions.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

export const WAIT_MS = Number(process.env.WEND_WAIT_MS ?? 600000); // for any condition; the machine may be busy

const FRAME_MS = 200; // between frames of a page: nobody watches

// In the page.
function drawRarely(ms) {
    const request = requestAnimationFrame.bind(window);
    window.requestAnimationFrame = callback => setTimeout(request, ms, callback);
}

export function check(condition, text) {
    if (!condition) throw new Error(text);
}

function freePort() {
    return new Promise(resolve => {
        const probe = createServer().listen(0, '127.0.0.1', () => {
            const { port } = probe.address();
            probe.close(() => resolve(port));
        });
    });
}

export class Harness {
    constructor(program, browserPath, shots) {
        Object.assign(this, { program, browserPath, shots });
        this.folder = mkdtempSync(join(tmpdir(), 'wend-page-'));
        this.servers = new Set();
        this.pages = []; // in use, with the key of their options
        this.idlePages = new Map();
    }

    // The same browser, with servers, pages and files of its own. everyFrame: its pages draw as often as for a user.
    part(everyFrame = false) {
        return Object.assign(Object.create(this),
            { folder: mkdtempSync(join(this.folder, 'part-')), servers: new Set(), pages: [], everyFrame });
    }

    async tidy() {
        for (const [key, page] of this.pages) {
            page.removeAllListeners();
            await page.goto('about:blank');
            this.idlePages.set(key, [...(this.idlePages.get(key) ?? []), page]);
        }
        for (const server of this.servers) await this.stop(server, 'SIGKILL');
    }

    async begin() {
        this.browser = await chromium.launch({ executablePath: this.browserPath, timeout: WAIT_MS,
            args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--in-process-gpu', '--renderer-process-limit=2'] });
    }

    async end() {
        await this.tidy();
        await this.browser?.close();
        rmSync(this.folder, { recursive: true, force: true });
    }

    // A world file of these script lines.
    world(name, lines) {
        const path = join(this.folder, name);
        writeFileSync(path, lines.join('\n') + '\n');
        return path;
    }

    // A map that the program makes, as caves of 512 x 512 cells.
    generate(kind, size) {
        const path = join(this.folder, `${kind}.map`), done = spawnSync(this.program, ['generate', kind, size, '--output', path]);
        check(done.status === 0, String(done.stderr));
        return path;
    }

    // Start `wend serve`. Its address is server.url.
    async serve(world, options = [], port = null) {
        const at = port ?? await freePort();
        const words = ['serve', world, '--listen', `127.0.0.1:${at}`, '--hz', '30', ...options];
        const child = spawn(this.program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
        const server = { child, port: at, url: `http://127.0.0.1:${at}/`, said: '' };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (server.said += text));
        child.on('exit', status => (server.ended = status ?? 'a signal'));
        this.servers.add(server);
        for (const end = Date.now() + WAIT_MS; ; ) {
            const answer = await fetch(server.url + 'healthz').catch(() => null);
            if (answer?.ok) return server;
            check(server.ended === undefined, `wend serve ended with ${server.ended}: ${server.said}`);
            check(Date.now() < end, `wend serve does not answer: ${server.said}`);
            await new Promise(resolve => setTimeout(resolve, 50));
        }
    }

    async stop(server, signal = 'SIGTERM') {
        if (server.ended === undefined) {
            const gone = new Promise(resolve => server.child.once('exit', resolve));
            server.child.kill(signal);
            await gone;
        }
        this.servers.delete(server);
    }

    // A page. complaints: console errors, exceptions, and requests to anywhere else.
    // Pages with the same options are used again: each server has an address, and so a storage, of its own.
    async open(url, options = {}) {
        const key = JSON.stringify([this.everyFrame, options]);
        const page = this.idlePages.get(key)?.pop() ?? await this.newPage(options);
        this.pages.push([key, page]);
        page.setDefaultTimeout(WAIT_MS);
        const complaints = [];
        page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
        page.on('pageerror', error => complaints.push(String(error)));
        page.on('request', request => request.url().startsWith(url) || complaints.push(`foreign: ${request.url()}`));
        await page.goto(url, { timeout: WAIT_MS });
        return { page, complaints };
    }

    async newPage(options) {
        const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', ...options });
        if (!this.everyFrame) await context.addInitScript(drawRarely, FRAME_MS);
        return context.newPage();
    }

    // A picture for people to look at: where WEND_SHOTS is set, and of what failed.
    async shoot(page, name, always = Boolean(process.env.WEND_SHOTS)) {
        if (always) await page.screenshot({ path: join(this.shots, `${name}.png`), timeout: WAIT_MS });
    }
}

// Wait until the page is connected, knows its world, and has fetched all of it that it shows.
export async function ready(page) {
    await until(page, () => document.body.dataset.link === 'open' && wend.world.shape !== null && wend.stage.frames > 0 &&
        (wend.world.network !== null || wend.world.chunks.size > 0) && wend.world.fetching === 0 &&
        document.getElementById('loading').hidden);
}

// Wait for a condition in the page.
export async function until(page, condition, argument = null) {
    await page.waitForFunction(condition, argument, { polling: 50, timeout: WAIT_MS });
}

// Where the middle of a cell is on the screen.
export async function pixelOf(page, x, y) {
    return page.evaluate(([cx, cy]) => {
        const box = document.getElementById('stage').getBoundingClientRect();
        const [px, py] = wend.camera.toPixel(cx + 0.5, cy + 0.5);
        return [px + box.left, py + box.top];
    }, [x, y]);
}

export async function clickCell(page, x, y) {
    await page.mouse.click(...await pixelOf(page, x, y));
}

export async function useTool(page, tool) {
    await page.click(`#tools button[data-tool="${tool}"]`);
}

// Drag from cell to cell, with some moves on the way, as a hand does.
export async function dragCells(page, from, to) {
    await page.mouse.move(...await pixelOf(page, ...from));
    await page.mouse.down();
    await page.mouse.move(...await pixelOf(page, ...to), { steps: 8 });
    await page.mouse.up();
}

// The cell of an agent, as the server said last.
export async function cellOf(page, name) {
    return page.evaluate(agent => {
        const row = wend.agents.rows.get(agent);
        return row === undefined ? null : [Math.round(wend.agents.toX[row]), Math.round(wend.agents.toY[row])];
    }, name);
}

export async function untilAt(page, name, x, y) {
    await until(page, ([agent, gx, gy]) => {
        const row = wend.agents.rows.get(agent);
        return row !== undefined && Math.abs(wend.agents.toX[row] - gx) < 0.01 && Math.abs(wend.agents.toY[row] - gy) < 0.01;
    }, [name, x, y]);
}

// Add an agent with the tool; its name.
export async function addAgent(page, x, y) {
    const before = await page.evaluate(() => wend.agents.count);
    await useTool(page, 'agent');
    await clickCell(page, x, y);
    await until(page, count => wend.agents.count > count && wend.show.selected.size === 1, before);
    await useTool(page, 'select');
    return page.evaluate(() => [...wend.show.selected][0]);
}
