// SPDX-License-Identifier: MIT
// Puts the page together: the connection, the world, the view, the tools and the panels.
import { Connection } from './net/connection.js';
import { CostsPanel } from './panels/costs.js';
import { Crowd } from './panels/crowd.js';
import { Fold } from './panels/fold.js';
import { Inspector } from './panels/inspector.js';
import { Legend } from './panels/legend.js';
import { Notices } from './panels/notices.js';
import { Past } from './panels/past.js';
import { Plots } from './panels/plots.js';
import { Queue } from './panels/queue.js';
import { ScaleBar } from './panels/scale.js';
import { Stress } from './panels/stress.js';
import { Time } from './panels/time.js';
import { TokenDialog } from './panels/token.js';
import { cell as cellWords, number, plural } from './panels/words.js';
import { Actions } from './tools/actions.js';
import { Field } from './tools/field.js';
import { Follow } from './tools/follow.js';
import { Jams } from './tools/jams.js';
import { Keyboard, KEYS } from './tools/keyboard.js';
import { Looks } from './tools/looks.js';
import { Pointer } from './tools/pointer.js';
import { Steer } from './tools/steer.js';
import { Toolbar } from './tools/toolbar.js';
import { Camera } from './view/camera.js';
import { Palette } from './view/palette.js';
import { Pictures } from './view/pictures.js';
import { Stage } from './view/stage.js';
import { Agents } from './world/agents.js';
import { Costs } from './world/costs.js';
import { Edits } from './world/edits.js';
import { wordsOf } from './world/rules.js';
import { World } from './world/world.js';

const on = id => document.getElementById(id);
const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
const connection = new Connection(`${scheme}://${location.host}/ws`);
const world = new World(connection);
const agents = new Agents();
const edits = new Edits(connection, world);
const palette = new Palette();
const camera = new Camera();
const pictures = new Pictures();
// What the page shows besides the world.
const show = { z: 0, get levels() { return world.levels(this.z); }, selected: new Set(), goals: [], inspected: null, cursor: { x: 0, y: 0, visible: false }, box: null,
    orders: true, // may this page give orders?
    pending: edits.pending, arrows: null, fieldGoal: null, heat: null, jams: null, doors: new Set(), looks: new Map() };
const actions = new Actions({ connection, world, agents, edits, show });
const stage = new Stage(on('stage'), { world, agents, camera, palette, pictures, show });
const field = actions.field = new Field({ connection, world, camera, show, stage, actions });
const costs = actions.costs = new Costs({ connection, world, camera, show, stage, actions });
const costsPanel = new CostsPanel(document, costs);
const jams = new Jams(on('jams'), on('jams-note'), { connection, world, show, stage, actions });
const looks = new Looks({ connection, world, agents, show, stage });
const notices = new Notices(on('notices'));
const plots = new Plots(document, palette);
const queue = new Queue(document, { palette, agents, actions });
const time = new Time(document, actions);
const past = new Past(document, actions, time);
const follow = new Follow({ camera, agents, show, stage, actions, layer });
const steer = new Steer({ connection, world, agents, show, actions, follow });
const inspector = new Inspector(on('inspector-body'), { connection, actions, agents, show, stage, world, follow, steer });
const stress = new Stress(on('stress'), on('stress-note'), { actions, agents, world, connection, edits, show });
const crowd = new Crowd(document, { actions, agents, connection, stress, costs });
const token = new TokenDialog(document, connection);
const toolbar = new Toolbar(on('tools'), on('stage'), actions);
const newAgents = new Fold(on('new-agents'));
const costsFold = new Fold(on('costs'));
actions.addEventListener('tool', () => {
    newAgents.set(actions.tool === 'agent');
    costsFold.set(actions.tool === 'danger' || costs.shown !== null);
});
new Legend(on('legend'), palette);
new ScaleBar(on('scale-bar'), on('scale-text'), camera);

function over(place) {
    const [x, y] = place && world.shape ? world.aimAt(place) : [-9, -9];
    const known = world.has(x, y, show.z) ? world.classAt(x, y, show.z) : undefined;
    const agent = looks.hovered === null ? '' : ` · ${looks.hovered}`;
    on('under').textContent = known === undefined ? '' : `${cellWords(world.cell(x, y, show.z))} · ${wordsOf(known)}${agent}`;
}

function layer(change) {
    const depth = world.shape?.depth ?? 1;
    show.z = Math.min(Math.max(show.z + change, 0), depth - 1);
    on('layer').textContent = `${world.sheets ? 'up to ' : ''}${show.z + 1} of ${depth}`;
    stage.touch();
}

function showPictures(shown) {
    pictures.isOn = shown;
    camera.lay(pictures.axes);
    on('pictures').setAttribute('aria-pressed', String(shown));
}
on('pictures').addEventListener('click', () => showPictures(!pictures.isOn));

const page = { camera, actions, show, stage, time, follow, steer, layer, over, looks, jams, pictures: () => showPictures(!pictures.isOn), help: () => on('help').showModal() };
new Pointer(on('stage'), page);
new Keyboard(on('stage'), page);

stage.after = () => (on('loading').hidden = !world.opening && (!world.isGrid || stage.tiles.missing === 0));

// ---- the connection ----
let isFirstSight = true; // no agents have come yet

// Where several servers have this world, one of them owns it.
function showOwner({ node, pages }) {
    on('link-text').textContent = node ? `connected, node ${node} owns the map` : 'connected';
    connection.others = pages ?? [];
}

// This page's address names the server that it came from.
function arrive() {
    const hash = new URLSearchParams(location.hash.slice(1));
    if (!hash.size) return;
    history.replaceState(null, '', location.pathname);
    if (hash.has('from')) notices.say('bad', `${hash.get('from')} cannot be reached. This is another server of the same world.`);
    if (hash.has('follower')) notices.say('good', `${hash.get('follower')} takes no orders. This is the server that does.`);
}

async function opened(again) {
    showOwner(connection.server);
    token.close();
    notices.take('link');
    if (again) notices.say('good', 'Connected again.');
    agents.clear();
    try {
        const before = world.shape;
        if (!(await world.load())) return;
        const had = pictures.scene;
        await pictures.load(connection);
        on('pictures').hidden = !pictures.scene;
        if (before?.width !== world.shape.width || before?.height !== world.shape.height ||
            before?.neighbours !== world.shape.neighbours || had !== pictures.scene) camera.fit(world.shape, pictures.axes);
        if (world.sheets && !before?.sheets) show.z = world.shape.depth - 1;
        const { kind, width, height, depth } = world.shape;
        on('world').textContent = world.network ? `graph, ${plural(world.network.nodes, 'node')}, ${plural(world.network.edges.length, 'way')}`
            : `${world.shape.name ?? kind}, ${number(width)} × ${number(height)}${depth > 1 && !world.sheets ? ` × ${depth}` : ''} cells${world.sheets ? `, ${plural(depth, 'storey')}` : ''}`;
        on('layers').hidden = depth < 2;
        on('scale').hidden = !world.isGrid; // a graph has its own measure
        layer(0);
        allow();
        await connection.send('subscribe', { what: ['frames', 'agents', 'edits', 'queue'], every: 1, binary: true });
    } catch (problem) {
        notices.say('bad', `The server does not show its world: ${problem.text ?? problem.error}`);
    }
}

// What this server lets this page do; and its clock, where it has one.
async function allow() {
    const { read_only: readOnly, owner } = connection.server;
    const control = !readOnly && owner !== false;
    const clock = await connection.send('pace').catch(() => null); // null: the host answers no orders
    const movers = world.shape.movers ?? [];
    on('new-mover').replaceChildren(...movers.map(name => new Option(name, name)));
    on('new-mover-label').hidden = movers.length < 2;
    toolbar.allow(!readOnly, world.isGrid, clock !== null);
    stress.allow(!readOnly);
    costsPanel.allow(!readOnly);
    on('costs').hidden = !world.isGrid;
    jams.allow(clock !== null);
    for (const id of ['new-speed', 'new-urgency', 'new-mover']) on(id).disabled = readOnly;
    on('reset').disabled = readOnly || owner === false;
    show.orders = !readOnly;
    inspector.update();
    document.body.classList.toggle('no-orders', readOnly);
    document.body.classList.toggle('no-control', !control);
    document.body.classList.toggle('no-pace', clock === null);
    time.allow(control, clock !== null);
    past.allow(control && clock?.history !== undefined);
    crowd.allow(!readOnly, control);
    if (clock) takePace(clock);
}

function takePace(pace) {
    time.take(pace);
    past.take(pace);
    crowd.take(pace);
}

connection.addEventListener('state', ({ detail }) => {
    on('link').dataset.state = detail.state;
    document.body.dataset.link = detail.state;
    if (detail.state === 'open') opened(detail.again);
    if (detail.state === 'connecting') on('link-text').textContent = 'connecting';
    if (detail.state === 'denied') {
        on('link-text').textContent = 'needs a token';
        token.ask(detail.tried);
    }
    if (detail.state === 'lost') {
        on('link-text').textContent = 'no connection';
        notices.say('bad', 'The server cannot be reached. Trying again …', 'link');
    }
});
connection.addEventListener('elsewhere', ({ detail }) => {
    location.assign(`${location.protocol}//${detail}/#${new URLSearchParams({ from: location.host })}`);
});
connection.addEventListener('owner', ({ detail }) => {
    location.assign(`${location.protocol}//${detail}/#${new URLSearchParams({ follower: location.host })}`);
});
connection.addEventListener('frame', ({ detail }) => {
    plots.add({ budget: time.budget, budget_us: time.budgetUs, ...detail });
    time.count(detail.number);
    past.count(detail.number);
});
connection.addEventListener('queue', ({ detail }) => queue.take(detail));
connection.addEventListener('agents', ({ detail }) => {
    if (!world.shape) return;
    const before = agents.count;
    agents.take(world.locate(detail), performance.now());
    for (const name of agents.dropped) show.selected.delete(name);
    if ((before === 0) !== (agents.count === 0)) inspector.update();
    if (isFirstSight && world.shape.depth > 1 && !world.sheets) layer(agents.fullestLayer() - show.z);
    isFirstSight = false;
    stage.touch();
});
connection.addEventListener('event', ({ detail }) => {
    if (['edit', 'occupy', 'vacate'].includes(detail.event)) world.apply(detail);
    else if (detail.event === 'layer' || detail.event === 'paint') costs.hear(detail);
    else if (detail.event === 'pause' || detail.event === 'resume') time.take({ paused: detail.event === 'pause' });
    else if (detail.event === 'pace') takePace(detail);
    else if (detail.event === 'owner') showOwner(detail);
    else if (['reset', 'restore', 'missed'].includes(detail.event)) opened(false);
    else inspector.hear(detail);
});

// ---- the rest of the page ----
world.addEventListener('shape', () => show.doors.clear());
edits.addEventListener('change', () => stage.touch());
edits.addEventListener('refused', ({ detail }) => notices.say('bad', `The edit was refused: ${detail.text ?? detail.error}`));
actions.addEventListener('notice', ({ detail }) => notices.say(detail.kind, detail.text));
actions.addEventListener('selection', () => stage.touch());
on('theme').addEventListener('click', () => palette.toggle());
const nameTheme = () => (on('theme').textContent = palette.isDark ? 'Light' : 'Dark');
palette.addEventListener('change', nameTheme);
nameTheme();
on('help-open').addEventListener('click', page.help);
for (const [keys, what] of KEYS) {
    const term = document.createElement('dt'), text = document.createElement('dd');
    term.textContent = keys;
    text.textContent = what;
    on('help-list').append(term, text);
}
// The map is fitted beside the bar of tools, or above it on a phone.
const isNarrow = matchMedia('(max-width: 760px)');
function inset() {
    const { width, height } = on('tools').getBoundingClientRect();
    camera.insets = isNarrow.matches ? { left: 0, bottom: height } : { left: width, bottom: 0 };
}
new ResizeObserver(inset).observe(on('tools'));
inset();
function showPanels(shown) {
    document.body.classList.toggle('no-panels', !shown);
    on('panels-toggle').setAttribute('aria-expanded', String(shown));
}
on('panels-toggle').addEventListener('click', () => showPanels(document.body.classList.contains('no-panels')));
showPanels(!isNarrow.matches);
on('layer-up').addEventListener('click', () => layer(1));
on('layer-down').addEventListener('click', () => layer(-1));
on('new-speed').addEventListener('change', event => (actions.options.speed = Number(event.target.value)));
on('new-urgency').addEventListener('change', event => (actions.options.urgency = Number(event.target.value)));
on('new-mover').addEventListener('change', event => (actions.options.mover = event.target.value));
on('save').addEventListener('click', async () => {
    const saved = await actions.ask('save');
    if (!saved) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([saved.script], { type: 'text/plain' }));
    link.download = 'world.wend';
    link.click();
    URL.revokeObjectURL(link.href);
    notices.say('good', 'Saved as world.wend: a script with what was edited.');
});
on('reset').addEventListener('click', async () => {
    if (await actions.ask('reset')) notices.say('good', 'The world is as in its file again.');
});
// For tests and curious people: the parts of the page.
globalThis.wend = { connection, world, agents, edits, camera, show, stage, actions, time, past, plots, queue, field, follow, steer, looks, stress, costs, jams, pictures };
arrive();
connection.open();
