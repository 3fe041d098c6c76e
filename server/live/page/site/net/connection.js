// SPDX-License-Identifier: MIT
// The connection to the server: messages with answers, and a new connection where the old one is lost.
import { decodeAgents } from './binary.js';
import { cellsOf } from './runs.js';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

// Events: 'state' (connecting, open, lost, denied), 'frame', 'queue', 'agents', 'event', 'done'; 'elsewhere' with the
// address of another page of the same world, where a try to connect again failed; 'owner' with that of the page that
// takes orders, where this one refused one.
export class Connection extends EventTarget {
    constructor(url) {
        super();
        this.url = url;
        this.state = 'connecting';
        this.waitMs = FIRST_WAIT_MS;
        this.nextId = 1;
        this.answers = new Map(); // by id: {resolve, reject}
        this.completions = new Map(); // by id: function of a completion
        this.token = sessionStorage.getItem('wend.token') ?? '';
        this.server = null; // the answer to hello
        this.everOpen = false;
        this.others = []; // addresses of other pages of the same world
        this.names = new Map(); // of agents, by index, for binary frames
        this.sizes = new Map(); // of those that cover more than a cell
        this.radii = new Map(); // of those that have bodies
    }

    open() {
        this.enter('connecting');
        const socket = new WebSocket(this.url);
        socket.binaryType = 'arraybuffer';
        this.socket = socket;
        socket.onopen = () => this.greet(socket);
        socket.onmessage = message => this.receive(message.data);
        socket.onclose = () => this.close(socket);
    }

    // The token that the person typed; the next hello carries it.
    useToken(token) {
        this.token = token;
        if (this.socket?.readyState === WebSocket.OPEN) this.greet(this.socket);
        else this.open();
    }

    async greet(socket) {
        const hello = { protocol: 1, paths: 'runs' };
        if (this.token) hello.token = this.token;
        try {
            this.server = await this.send('hello', hello);
        } catch (problem) {
            if (socket !== this.socket) return;
            if (problem.error === 'denied') this.enter('denied', { tried: this.token !== '' });
            else socket.close();
            return;
        }
        if (this.token) sessionStorage.setItem('wend.token', this.token);
        this.others = this.server.pages ?? [];
        this.waitMs = FIRST_WAIT_MS;
        const again = this.everOpen;
        this.everOpen = true;
        this.enter('open', { again });
    }

    close(socket) {
        if (socket !== this.socket) return;
        for (const answer of this.answers.values()) answer.reject({ error: 'lost', text: 'the connection is lost' });
        this.answers.clear();
        for (const completed of this.completions.values()) completed({ status: 'lost' });
        this.completions.clear();
        if (this.state === 'denied') return;
        if (this.state === 'connecting' && this.everOpen && this.others.length > 0) {
            const at = Math.floor(Math.random() * this.others.length); // not all pages of a node go to one
            this.tell('elsewhere', this.others[at]);
            return;
        }
        this.enter('lost', { waitMs: this.waitMs });
        setTimeout(() => this.open(), this.waitMs);
        this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
    }

    enter(state, more = {}) {
        this.state = state;
        this.tell('state', { state, ...more });
    }

    tell(type, detail) {
        this.dispatchEvent(new CustomEvent(type, { detail }));
    }

    // Send a message. The promise has the answer, or fails with {error, text}.
    // completed: called once with the completion that the message leads to.
    send(op, fields = {}, completed = null) {
        if (this.socket?.readyState !== WebSocket.OPEN)
            return Promise.reject({ error: 'lost', text: 'there is no connection to the server' });
        const id = this.nextId++;
        return new Promise((resolve, reject) => {
            this.answers.set(id, { resolve, reject });
            if (completed) this.completions.set(id, completed);
            this.socket.send(JSON.stringify({ op, id, ...fields }));
        });
    }

    receive(data) {
        if (typeof data !== 'string') {
            const agents = decodeAgents(data, this.names, this.sizes, this.radii);
            if (agents) this.tell('agents', agents);
            return;
        }
        const message = JSON.parse(data);
        if (message.lost === true) this.complete(message.id, { status: 'lost' });
        else if (message.type === undefined) this.settle(message);
        else if (message.type === 'done') this.complete(message.id, message.done);
        else if (message.type === 'names') this.takeNames(message.names);
        else if (message.type === 'agents') this.tell('agents', { named: message.agents });
        else this.tell(message.type, message[message.type]);
    }

    takeNames(names) {
        this.names = new Map(names);
        this.sizes = new Map(names.filter(([, , size]) => size > 1).map(([index, , size]) => [index, size]));
        this.radii = new Map(names.filter(name => name[3] > 0).map(name => [name[0], name[3] / 1000]));
    }

    settle(message) {
        const answer = this.answers.get(message.id);
        this.answers.delete(message.id);
        if (!answer) return;
        if ('ok' in message) {
            answer.resolve(message);
            return;
        }
        this.completions.delete(message.id);
        answer.reject(message);
        if (message.error === 'moved' && message.page) this.tell('owner', message.page);
    }

    complete(id, done) {
        if (done.runs) done.cells = cellsOf(done.runs);
        const completed = this.completions.get(id);
        this.completions.delete(id);
        completed?.(done);
        this.tell('done', { id, done });
    }
}
