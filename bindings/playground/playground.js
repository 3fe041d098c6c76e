// SPDX-License-Identifier: MIT
// Puts the world inside the page: a socket that leads to a worker, a choice of worlds, maps that are dropped, and the
// world in the link. It runs before the page's own main.js.
import { WORLDS } from './worlds.js';

const MOST_LINK_BYTES = 30000;
const { wasm, worker: workerText } = globalThis.wendPlayground;

async function unpack(base64) {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

const worker = new Worker(URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' })));
unpack(wasm).then(bytes => worker.postMessage({ wasm: bytes }, [bytes]));

// What the page takes for a WebSocket. It opens when the worker has a world.
let opened = false;
class WorldSocket {
    static OPEN = 1;
    readyState = 0;
    constructor() {
        WorldSocket.one = this;
        if (opened) this.open();
    }
    open() {
        this.readyState = WorldSocket.OPEN;
        queueMicrotask(() => this.onopen?.());
    }
    send(text) { worker.postMessage({ text }); }
    close() {}
}
globalThis.WebSocket = WorldSocket;

worker.onmessage = ({ data }) => {
    const socket = WorldSocket.one;
    if (data.refused) say(data.refused);
    else if (data.opened !== undefined) {
        if (!opened) socket?.open();
        else socket?.onmessage({ data: JSON.stringify({ type: 'event', event: { event: 'reset', frame: 0 } }) });
        opened = true;
    } else socket?.onmessage({ data });
};
worker.onerror = problem => say(problem.message);

// ---- which world ----

const encode = bytes => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const decode = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0));
const squeeze = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

function openNamed(name) {
    const { title, make, ...more } = WORLDS[name];
    worker.postMessage({ world: { name: title, map: make(), ...more } });
}

async function openMap(name, bytes, agents) {
    worker.postMessage({ world: { name, map: bytes, agents } });
    const packed = await squeeze(bytes, new CompressionStream('deflate-raw'));
    const link = packed.length <= MOST_LINK_BYTES ? `#${new URLSearchParams({ name, agents, map: encode(packed) })}` : ' ';
    history.replaceState(null, '', link.trim() || location.pathname);
    if (link === ' ') say('This map is too large for a link: only this page has it.');
}

async function openLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    if (!link.has('map')) return openNamed(Object.hasOwn(WORLDS, link.get('world') ?? '') ? link.get('world') : 'village');
    try {
        const bytes = await squeeze(decode(link.get('map')), new DecompressionStream('deflate-raw'));
        worker.postMessage({ world: { name: link.get('name') ?? 'map', map: bytes, agents: Number(link.get('agents')) || 0 } });
    } catch {
        say('The map in this link cannot be read.');
        openNamed('village');
    }
}

// ---- what is added to the page ----

function say(words) {
    const note = document.createElement('p');
    note.className = 'notice';
    note.textContent = words;
    document.getElementById('notices').append(note);
    setTimeout(() => note.remove(), 8000);
}

// Of a map in the format of the editor Tiled: its first layer of tiles; empty ones are open.
function fromTiled(text) {
    const { layers } = JSON.parse(text), layer = layers?.find(one => Array.isArray(one.data));
    if (!layer) throw new Error('no layer of tiles has its data as numbers');
    const rows = Array.from({ length: layer.height }, (_, y) =>
        Array.from(layer.data.slice(y * layer.width, (y + 1) * layer.width), tile => (tile ? '@' : '.')).join(''));
    return `type octile\nheight ${layer.height}\nwidth ${layer.width}\nmap\n${rows.join('\n')}\n`;
}

async function drop(file) {
    try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        const isTiled = /\.(tmj|json)$/.test(file.name);
        await openMap(file.name, isTiled ? new TextEncoder().encode(fromTiled(new TextDecoder().decode(bytes))) : bytes, 50);
    } catch (problem) {
        say(`${file.name}: ${problem.message}`);
    }
}

function addChoice() {
    const choice = document.createElement('select'), file = document.createElement('input'), button = document.createElement('button');
    choice.id = 'worlds';
    choice.title = 'Another world';
    for (const [name, { title }] of Object.entries(WORLDS)) choice.append(new Option(title, name));
    choice.value = new URLSearchParams(location.hash.slice(1)).get('world') ?? 'village';
    choice.addEventListener('change', () => {
        history.replaceState(null, '', `#world=${choice.value}`);
        openNamed(choice.value);
    });
    file.type = 'file';
    file.accept = '.map,.txt,.3dmap,.tmj,.json';
    file.hidden = true;
    file.addEventListener('change', () => file.files[0] && drop(file.files[0]));
    button.textContent = 'Open …';
    button.title = 'Open a map, or drop one on the page: .map, .txt, .3dmap, .tmj';
    button.addEventListener('click', () => file.click());
    document.getElementById('link').after(choice, button, file);
    const style = document.createElement('style');
    style.textContent = '@media (max-width: 760px) { #link-text, #help-open, #theme { display: none } #worlds { max-width: 6.5em } }';
    document.head.append(style);
    document.addEventListener('dragover', event => event.preventDefault());
    document.addEventListener('drop', event => {
        event.preventDefault();
        if (event.dataTransfer.files[0]) drop(event.dataTransfer.files[0]);
    });
}

addChoice();
addEventListener('hashchange', openLink);
openLink();
