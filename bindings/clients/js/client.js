// SPDX-License-Identifier: MIT
// A client of `wend serve`, for browsers and node: over WebSocket, or in node over its lines.
//
//     const town = await connect('ws://127.0.0.1:7780/ws');        // or connect(await lines('127.0.0.1', 7781))
//     await town.agent({ name: 'bob', cell: [1, 1] });
//     town.addEventListener('event', ({ detail }) => …);           // and 'frame', 'queue', 'agents', 'closed'
//     await town.subscribe({ what: ['agents'] });
//     const { status, cells } = await town.request({ from: [1, 1], to: [9, 9] });
import { Orders } from './orders.js';

const MOST_MOVES = 8;

export class Refused extends Error {
    constructor({ error, text = '', address, page }) {
        super(`${error}: ${text}`);
        Object.assign(this, { error, address, page });
    }
}

// A connection by lines, for node: what connect() takes for a WebSocket.
export async function lines(...where) {
    const { createConnection } = await import('node:net');
    const socket = createConnection(...where), link = { send: text => socket.write(`${text}\n`), close: () => socket.end() };
    let begun = '';
    socket.setEncoding('utf8');
    socket.on('data', part => {
        const whole = (begun + part).split('\n');
        begun = whole.pop();
        for (const data of whole) link.onmessage?.({ data });
    });
    socket.on('close', () => link.onclose?.());
    socket.on('error', () => {}); // 'close' follows
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    link.reach = ({ address }) => address && lines(Number(address.split(':').at(-1)), address.replace(/:\d+$/, '').replace(/[[\]]/g, ''));
    return link;
}

const SIDES = { N: [0, -1, 0], S: [0, 1, 0], E: [1, 0, 0], W: [-1, 0, 0], U: [0, 0, 1], D: [0, 0, -1] };

// The cells of a path that came as runs: [cell, 'E12', 'SE3', …].
function cellsOf(runs) {
    const cells = [];
    for (const run of runs) {
        if (typeof run !== 'string') {
            cells.push(run);
            continue;
        }
        const step = [0, 0, 0];
        let digits = 0;
        for (; run[digits] in SIDES; digits++) SIDES[run[digits]].forEach((part, axis) => step[axis] += part);
        for (let left = Number(run.slice(digits)); left > 0; left--) cells.push(cells.at(-1).map((at, axis) => at + step[axis]));
    }
    return cells;
}

async function open(url) {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
        socket.onopen = resolve;
        socket.onerror = () => reject(new Error(`${url} cannot be reached`));
    });
    socket.reach = ({ page }) => page && open(`${new URL(url).protocol}//${page}/ws`);
    return socket;
}

// where: a URL, or a link that is open. hello: session, secret, token.
export async function connect(where, hello = {}) {
    const client = new Client(typeof where === 'string' ? await open(where) : where, { protocol: 1, paths: 'runs', ...hello });
    await client.greet();
    return client;
}

// What may be said of a map.
class Speaker extends Orders {
    subscribe(fields) {
        return this.ask('subscribe', fields);
    }

    map(fields = {}) {
        return this.ask('map', fields);
    }

    // The classes of a box's cells, both corners in, row by row: a Uint8Array. They come as runs.
    async classes(low, high) {
        const { runs } = await this.map({ box: [low, high], runs: true });
        const classes = new Uint8Array(runs.reduce((sum, one, i) => sum + (i % 2 ? one : 0), 0));
        for (let i = 0, at = 0; i < runs.length; i += 2) classes.fill(runs[i], at, at += runs[i + 1]);
        return classes;
    }
}

export class Client extends Speaker {
    constructor(link, hello) {
        super();
        Object.assign(this, { hello, next: 1, answers: new Map(), requests: new Map(), moving: null, at: '' });
        this.use(link);
    }

    use(link) {
        this.link = link;
        link.onmessage = ({ data }) => {
            this.receive(JSON.parse(data));
            this.leave(link);
        };
        link.onclose = () => this.lose(link);
    }

    async greet() {
        this.server = await this.send(this.answers, 'hello', this.hello);
    }

    close() {
        this.link.close();
    }

    // Any message; the promise has its answer. Where another node owns the map, the client goes there and says it again.
    async ask(op, fields = {}) {
        for (let moves = 0; ; moves++) {
            try {
                return await this.send(this.answers, op, fields);
            } catch (problem) {
                if (problem.error !== 'moved' || moves === MOST_MOVES || !(await this.goTo(problem))) throw problem;
            }
        }
    }

    // To the node that a refusal names; orders that it refused at a time go there together. False: it has no address.
    goTo(problem) {
        const to = problem.address ?? problem.page;
        if (to === this.at) return true;
        if (this.moving?.to !== to) this.moving = { to, done: this.move(problem).finally(() => (this.moving = null)) };
        return this.moving.done;
    }

    async move(problem) {
        const link = await this.link.reach?.(problem).catch?.(() => null), before = this.link;
        if (!link) return false;
        this.use(link);
        this.at = problem.address ?? problem.page;
        await this.greet();
        this.leave(before);
        for (const { message } of this.requests.values()) this.link.send(message);
        return true;
    }

    // A request; the promise has its completion. With an `id`, a text, it can be cancelled.
    completed(op, fields) {
        return this.send(this.requests, op, fields);
    }

    send(kept, op, fields) {
        const id = fields.id ?? this.next++, message = JSON.stringify({ op, ...fields, id });
        if (this.answers.has(id) || this.requests.has(id))
            return Promise.reject(new Refused({ error: 'bad_argument', text: 'the id is in use' }));
        return new Promise((resolve, reject) => {
            kept.set(id, { resolve, reject, message, link: this.link });
            this.link.send(message);
        });
    }

    receive(message) {
        const { id, type, done } = message, lost = message.lost === true; // the lost of stats is a number
        if (done?.runs) done.cells = cellsOf(done.runs), delete done.runs;
        if (type === 'done') this.settle(this.requests, id, message.done);
        else if (type) this.dispatchEvent(new CustomEvent(type, { detail: message[type] }));
        else if ('ok' in message) this.settle(this.answers, id, message);
        else (this.answers.get(id) ?? this.requests.get(id))?.reject(lost ? new Error('lost') : new Refused(message));
        if ('error' in message || lost) this.answers.delete(id), this.requests.delete(id);
    }

    settle(kept, id, what) {
        const waiting = kept.get(id);
        kept.delete(id);
        waiting?.resolve(what);
    }

    // A connection that was left is closed with its last answer.
    leave(link) {
        if (link !== this.link && ![...this.answers.values()].some(answer => answer.link === link)) link.close();
    }

    lose(link) {
        const isLast = link === this.link;
        for (const kept of isLast ? [this.answers, this.requests] : [this.answers])
            for (const [id, waiting] of kept) {
                if (!isLast && waiting.link !== link) continue;
                kept.delete(id);
                waiting.reject(new Error('the connection is lost'));
            }
        if (isLast) this.dispatchEvent(new CustomEvent('closed'));
    }
}
