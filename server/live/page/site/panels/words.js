// SPDX-License-Identifier: MIT
// Statuses, events and figures in plain words.

// With commas between thousands; Intl.NumberFormat takes 28 ms to load.
export function number(value) {
    return Number.isFinite(value) ? String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',') : '–';
}

// A number on an axis.
export function short(value) {
    return value < 1e6 ? number(value) : `${Number((value / 1e6).toPrecision(2))} M`;
}

export function plural(n, word) {
    return `${number(n)} ${word}${n === 1 ? '' : 's'}`;
}

// Microseconds, as people read them.
export function time(us) {
    if (!Number.isFinite(us)) return '–';
    return us < 1000 ? `${number(us)} µs` : `${(us / 1000).toFixed(us < 10000 ? 2 : 1)} ms`;
}

export function cell(at) {
    return Array.isArray(at) ? at.join(', ') : Number.isFinite(at) ? `node ${at}` : '–';
}

const states = {
    none: 'no agent',
    idle: 'stands; it has no wish',
    waiting: 'waiting for its path',
    walking: 'on its way',
    blocked: 'stopped: somebody is in the way',
    arrived: 'arrived',
    aside: 'stepped aside for another',
    away: 'away: its land is not loaded',
};

const whys = {
    no_path: 'no way there: the goal is walled in',
    blocked: 'stopped trying: others were in the way to the end',
    limit: 'stopped trying: the server had no room for its search',
    stepping: 'its last step was still under way',
    gone: 'stopped: the one it followed is gone',
};

const events = {
    arrived: 'arrived',
    partial: 'stands as near as it gets: the goal itself cannot be reached',
    rerouted: 'goes another way',
    replaced: 'has another wish now',
    displaced: 'was pushed off its goal, and tries to come back',
    away: 'goes on where the land is not loaded',
    back: 'is back on loaded land',
};

// The last event of an agent.
export function eventWords({ event, why }) {
    return event === 'gave_up' ? whys[why] ?? 'stopped trying' : events[event] ?? event;
}

// What an agent's search waits for, from an answer to `inspect`.
function searchWords({ search, ahead, peers, searched }) {
    if (search === 'finished') return 'waiting: its path comes with the next frame';
    const others = [ahead && `${number(ahead)} more urgent ahead`, peers && `${number(peers)} as urgent`].filter(Boolean).join(', ');
    if (searched > 0) return `searching: ${number(searched)} expanded so far${others && `; ${others}`}`;
    return `waiting: ${others || 'it is next'}`;
}

const waits = {
    search: 'waits for its path', queue: 'waits: the server has no room for its search',
    work: 'waits: the work of this frame is used up', time: 'waits for its next try',
    field: 'waits for the flow field of its group', group: 'waits for its group', target: 'is with its target',
    way: 'waits: its way is closed', land: 'waits for land to load', agent: 'waits: others are in the way',
    player: 'waits: a player is in the way', parked: 'waits: a parked agent is in the way',
    unit: 'waits: a unit of the game stands in the way', box: 'waits: what is ahead is being cleared',
    window: 'waits: a jam around it is being sorted out',
};
const blockers = { agent: 'waits for', player: 'waits for the player', parked: 'waits behind the parked', target: 'is with' };

// Why an agent does not go on, and from where on.
function waitWords({ waits: kind, blocker, blocked_cell: at, next_try: left }) {
    const words = blocker === undefined ? waits[kind] : `${blockers[kind]} ${blocker}`;
    if (kind === 'time' && left > 0) return `${words}, in ${plural(left, 'frame')}`;
    return words && (at === undefined ? words : `${words}, at ${cell(at)}`);
}

// The status of an agent from an answer to `inspect`.
export function statusWords(agent) {
    if (agent.state === 'waiting' && agent.waits === 'search' && agent.search) return searchWords(agent);
    const last = agent.last && ['partial', 'gave_up'].includes(agent.last.event) ? eventWords(agent.last) : null;
    if ((agent.state === 'idle' || agent.state === 'arrived') && last) return last;
    const stops = agent.stops === undefined ? '' : `, to ${cell(agent.stops)}: as near as it gets`;
    const why = waitWords(agent);
    if (why && (agent.state !== 'aside' || agent.blocked_cell !== undefined)) return why;
    if (agent.state === 'walking' && agent.path?.length > 1) return `on its way: ${plural(agent.path.length - 1, 'step')} to go${stops}`;
    return states[agent.state] ?? agent.state;
}

export function stateWord(state) {
    return { none: 'agent', idle: 'at rest', waiting: 'waiting for a path', walking: 'walking', blocked: 'in a jam',
        arrived: 'arrived', aside: 'stepped aside', away: 'away' }[state];
}
