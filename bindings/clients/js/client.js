// SPDX-License-Identifier: MIT
// A client of `wend serve`, for browsers and node: over WebSocket, or in node over its lines.
//
//     const town = await connect('ws://127.0.0.1:7780/ws');        // or connect(await lines('127.0.0.1', 7781))
//     await town.agent({ name: 'bob', cell: [1, 1] });
//     town.addEventListener('event', ({ detail }) => …);           // and 'frame', 'queue', 'agents', 'closed'
//     await town.subscribe({ what: ['agents'] });
//     const { status, cells } = await town.request({ from: [1, 1], to: [9, 9] });
import { Orders } from './orders.js';

export class Refused extends Error {
    constructor({ error, text = '' }) {
        super(`${error}: ${text}`);
        this.error = error;
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
    return socket;
}

// where: a URL, or a link that is open. hello: session, secret, token.
export async function connect(where, hello = {}) {
    const client = new Client(typeof where === 'string' ? await open(where) : where);
    client.server = await client.ask('hello', { protocol: 1, paths: 'runs', ...hello });
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

// Another map than the server's own, as Client.onMap() gives it.
class OtherMap extends Speaker {
    constructor(client, name) {
        super();
        this.client = client;
        this.name = name;
    }

    ask(op, fields) {
        return this.client.ask(op, { ...fields, map: this.name });
    }

    completed(op, fields) {
        return this.client.completed(op, { ...fields, map: this.name });
    }
}

export class Client extends Speaker {
    constructor(link) {
        super();
        Object.assign(this, { link, next: 1, answers: new Map(), requests: new Map() });
        link.onmessage = ({ data }) => this.receive(JSON.parse(data));
        link.onclose = () => this.lose();
    }

    close() {
        this.link.close();
    }

    // Any message; the promise has its answer.
    ask(op, fields = {}) {
        return this.send(this.answers, op, fields);
    }

    // A request; the promise has its completion.
    completed(op, fields) {
        return this.send(this.requests, op, fields);
    }

    // Another map of a cluster, with the same methods. Its events come here, those of all maps together.
    onMap(name) {
        return new OtherMap(this, name);
    }

    send(kept, op, fields) {
        const id = this.next++;
        return new Promise((resolve, reject) => {
            kept.set(id, { resolve, reject });
            this.link.send(JSON.stringify({ op, id, ...fields }));
        });
    }

    receive(message) {
        const { id, type, done } = message;
        if (done?.runs) done.cells = cellsOf(done.runs), delete done.runs;
        if (type === 'done') this.settle(this.requests, id, message.done);
        else if (type) this.dispatchEvent(new CustomEvent(type, { detail: message[type] }));
        else if ('ok' in message) this.settle(this.answers, id, message);
        else (this.answers.get(id) ?? this.requests.get(id))?.reject(message.lost ? new Error('lost') : new Refused(message));
        if ('error' in message || message.lost) this.answers.delete(id), this.requests.delete(id);
    }

    settle(kept, id, what) {
        const waiting = kept.get(id);
        kept.delete(id);
        waiting?.resolve(what);
    }

    lose() {
        for (const kept of [this.answers, this.requests]) {
            for (const { reject } of kept.values()) reject(new Error('the connection is lost'));
            kept.clear();
        }
        this.dispatchEvent(new CustomEvent('closed'));
    }
}
