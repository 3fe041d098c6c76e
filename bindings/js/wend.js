// SPDX-License-Identifier: MIT
// wend in JavaScript: maps, services and crowds, over WebAssembly.
//
// An exception that leaves a callback does not pass through the library: it is kept, the other callbacks of the frame
// are called, and tick() or update() throws it then.
import { constants, lists, structs } from './layout.js';

export { constants };
const textOf = list => Object.fromEntries(lists[list].map(([, number, text]) => [number, text]));
const STATUSES = textOf('WEND_STATUSES');
const EVENTS = textOf('WEND_AGENT_EVENTS');
const STATES = textOf('WEND_AGENT_STATES');
const WHYS = textOf('WEND_AGENT_WHYS');
const WAITS = textOf('WEND_AGENT_WAITS');
const BODY_STATES = ['rests', 'goes', 'waits', 'returns', 'aside', 'away'];
const ERRORS = Object.fromEntries(lists.WEND_ERRORS.map(([name, number]) => [number, `WEND_${name}`]));

// An error of the library: its name is `code`.
export class WendError extends Error {
    constructor(number, text) {
        super(text);
        this.name = 'WendError';
        this.code = ERRORS[number];
    }
}

const READ = {
    bool: (view, at) => view.getUint8(at) !== 0,
    uint8_t: (view, at) => view.getUint8(at), int8_t: (view, at) => view.getInt8(at), char: (view, at) => view.getUint8(at),
    int32_t: (view, at) => view.getInt32(at, true), uint32_t: (view, at) => view.getUint32(at, true),
    size: (view, at) => view.getUint32(at, true), pointer: (view, at) => view.getUint32(at, true),
    int64_t: (view, at) => Number(view.getBigInt64(at, true)), uint64_t: (view, at) => Number(view.getBigUint64(at, true)),
    wend_cell: (view, at) => [0, 4, 8].map(more => view.getInt32(at + more, true)),
    wend_agent_id: (view, at) => ({ index: view.getUint32(at, true), generation: view.getUint32(at + 4, true) }),
};
READ.wend_ticket = READ.wend_agent_id;
READ.wend_point = READ.wend_cell;
READ.wend_box = (view, at) => [READ.wend_cell(view, at), READ.wend_cell(view, at + 12)];
READ.wend_body_vector = (view, at) => [view.getInt32(at, true), view.getInt32(at + 4, true)];
for (const [kind, count, bytes] of [['uint32_t', 16, 4], ['uint64_t', 32, 8]]) // of wend_crowd_stats
    READ[`${kind}[${count}]`] = (view, at) => Array.from({ length: count }, (_, i) => READ[kind](view, at + bytes * i));
const RANGES = { bool: [0, 1], uint8_t: [0, 255], int32_t: [-(2 ** 31), 2 ** 31 - 1], uint32_t: [0, 2 ** 32 - 1], size: [0, 2 ** 32 - 1],
    int64_t: [-(2n ** 63n), 2n ** 63n - 1n], uint64_t: [0n, 2n ** 64n - 1n] };

// A whole number of that kind, as it was given.
function whole(kind, value) {
    const [least, most] = RANGES[kind];
    if (typeof value !== 'bigint' && !Number.isInteger(value)) throw new TypeError(`${show(value)} is no whole number`);
    if (value < least || value > most) throw new RangeError(`${value} is not from ${least} to ${most}`);
    return value;
}
const int = (kind, value) => Number(whole(kind, value));
const orNull = one => one?.index === 0 && one.generation === 0 ? null : one; // an id that is all zero: none
const show = value => typeof value === 'string' ? `'${value}'` : typeof value === 'object' ? 'an object' : String(value);
const write = (kind, put) => (view, at, value) => put(view, at, whole(kind, value));
const isObject = value => typeof value === 'object' && value !== null;
function callable(call) {
    if (typeof call !== 'function') throw new TypeError(`${show(call)} is no function`);
    return call;
}

const WRITE = {
    bool: (view, at, value) => view.setUint8(at, typeof value === 'boolean' ? Number(value) : Number(whole('bool', value))),
    uint8_t: write('uint8_t', (view, at, value) => view.setUint8(at, Number(value))),
    int32_t: write('int32_t', (view, at, value) => view.setInt32(at, Number(value), true)),
    uint32_t: write('uint32_t', (view, at, value) => view.setUint32(at, Number(value), true)),
    size: write('size', (view, at, value) => view.setUint32(at, Number(value), true)),
    int64_t: write('int64_t', (view, at, value) => view.setBigInt64(at, BigInt(value), true)),
    uint64_t: write('uint64_t', (view, at, value) => view.setBigUint64(at, BigInt(value), true)),
    wend_cell: (view, at, cell) => {
        if (!(Array.isArray(cell) || ArrayBuffer.isView(cell)) || cell.length < 2 || cell.length > 3)
            throw new TypeError(`a cell is [x, y] or [x, y, z], not ${show(cell)}`);
        for (let i = 0; i < 3; i++) WRITE.int32_t(view, at + 4 * i, i < 2 ? cell[i] : cell[i] ?? 0);
    },
    wend_agent_id: (view, at, id) => {
        if (!isObject(id)) throw new TypeError(`${show(id)} is no agent`);
        WRITE.uint32_t(view, at, id.index);
        WRITE.uint32_t(view, at + 4, id.generation);
    },
    wend_ticket: (view, at, ticket) => {
        if (!isObject(ticket)) throw new TypeError(`${show(ticket)} is no ticket`);
        WRITE.uint32_t(view, at, ticket.index);
        WRITE.uint32_t(view, at + 4, ticket.generation);
    },
    wend_point: (view, at, point) => {
        if (!(Array.isArray(point) || ArrayBuffer.isView(point)) || point.length < 2 || point.length > 3)
            throw new TypeError(`a point is [x, y] or [x, y, z], not ${show(point)}`);
        for (let i = 0; i < 3; i++) WRITE.int32_t(view, at + 4 * i, point[i] ?? 0);
    },
    wend_layer_weight: (view, at, [layer, weight]) => {
        WRITE.int32_t(view, at, layer);
        WRITE.int32_t(view, at + 4, weight);
    },
};

// Fields of a struct that a caller can set, and what its methods take besides.
const isOption = (type, name) => {
    const field = structs[type].fields[name];
    return name !== 'struct_bytes' && name !== 'reserved' && field !== undefined && WRITE[field[1]] !== undefined;
};
const OTHER_OPTIONS = { wend_map_def: ['arena'], wend_service_def: ['arena'], wend_crowd_def: ['onEvent'] };
function checkOptions(values, ...types) {
    if (!isObject(values)) throw new TypeError(`fields of ${types[0]} are an object, not ${show(values)}`);
    for (const name of Object.keys(values)) {
        if (types.some(type => isOption(type, name))) continue;
        const known = types.flatMap(type =>
            [...OTHER_OPTIONS[type] ?? [], ...Object.keys(structs[type].fields).filter(one => isOption(type, one))]);
        throw new TypeError(`unknown option \`${name}\`; known: ${known.join(', ')}`);
    }
}

// The cells of a box, and those of a row.
function measure(library, min, max) {
    library.box(min, max); // they are cells
    const sides = [0, 1, 2].map(i => (max[i] ?? 0) - (min[i] ?? 0) + 1);
    if (Math.min(...sides) < 1) throw new WendError(constants.WEND_BAD_ARGUMENT, 'the box has no cells');
    return { count: sides[0] * sides[1] * sides[2], row: sides[0] };
}

// A byte for each cell of a box.
function checkValues(values, count) {
    if (!(values instanceof Uint8Array)) throw new TypeError(`values are a Uint8Array, not ${show(values)}`);
    if (values.length !== count)
        throw new WendError(constants.WEND_BAD_ARGUMENT, `the box has ${count} cells, not ${values.length}`);
    return values;
}

async function fetchModule(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source) return WebAssembly.compile(source);
    const url = new URL('./wend.wasm', import.meta.url);
    if (url.protocol !== 'file:') return WebAssembly.compileStreaming(fetch(url));
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
}

// Load the library: from its bytes, from a WebAssembly.Module, or from wend.wasm beside this file.
export async function load(source) {
    const library = new Library();
    await library.open(await fetchModule(source));
    return library.api();
}

// What the library and the host share: memory, callbacks, and what these threw.
class Library {
    constructor() {
        this.calls = new Map();
        this.next = 1;
        this.thrown = null;
    }

    async open(module) {
        const guard = (context, ...rest) => { // numbers of 32 bits come signed: addresses above 2 GiB are negative
            try {
                return this.calls.get(context)(...rest.map(word => typeof word === 'number' ? word >>> 0 : word)) ?? 0;
            } catch (problem) {
                this.thrown ??= { problem };
                return constants.WEND_IO;
            }
        };
        const system = {};
        for (const { module: from, name } of WebAssembly.Module.imports(module))
            if (from === 'wasi_snapshot_preview1') system[name] = () => 8; // there are no files
        system.proc_exit = code => { throw new Error(`wend: the library ended with ${code}`); };
        system.clock_time_get = (clock, precision, at) => {
            this.view.setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
            return 0;
        };
        const instance = await WebAssembly.instantiate(module,
            { host: { done: guard, event: guard, write: guard, resume: guard }, wasi_snapshot_preview1: system });
        const { exports } = instance;
        this.c = { ...exports, malloc: bytes => exports.malloc(bytes) >>> 0 };
        this.c._initialize?.();
        this.room = this.c.malloc(64); // for what calls give back, and for structs that they take by value
    }

    // The memory may have grown, and its buffer changed, in any call.
    get view() {
        const { buffer } = this.c.memory;
        if (this.seen?.buffer !== buffer) this.seen = new DataView(buffer);
        return this.seen;
    }

    listen(call) {
        this.calls.set(this.next, call);
        return this.next++;
    }

    text(at) {
        const bytes = new Uint8Array(this.c.memory.buffer, at >>> 0);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    check(number) {
        const { thrown } = this;
        this.thrown = null;
        if (thrown) throw thrown.problem;
        if (number) throw new WendError(number, this.text(this.c.wend_error_detail(number)));
    }

    // A value by its kind, in the room: `slot` parts those of one call.
    by(kind, value, slot = 1) {
        WRITE[kind](this.view, this.room + 16 * slot, value);
        return this.room + 16 * slot;
    }

    box(min, max) {
        this.by('wend_cell', min);
        WRITE.wend_cell(this.view, this.room + 28, max);
        return this.room + 16;
    }

    out(kind = 'pointer') {
        return READ[kind](this.view, this.room);
    }

    // A struct, with its defaults where the library has some. `own` are fields that users do not set: addresses.
    make(type, values = {}, own = {}) {
        const at = this.c.malloc(structs[type].size);
        new Uint8Array(this.c.memory.buffer, at, structs[type].size).fill(0);
        const init = this.c[`${type}_init`];
        if (init) init(at, structs[type].size);
        else if (structs[type].fields.struct_bytes) this.put(type, at, {}, { struct_bytes: structs[type].size });
        try {
            return this.put(type, at, values, own);
        } catch (problem) {
            this.c.free(at);
            throw problem;
        }
    }

    put(type, at, values, own = {}) {
        const { fields } = structs[type];
        checkOptions(values, type);
        for (const [name, value] of Object.entries(values)) WRITE[fields[name][1]](this.view, at + fields[name][0], value);
        for (const [name, value] of Object.entries(own)) this.view.setUint32(at + fields[name][0], value, true);
        return at;
    }

    // Put values where they belong: some fields are those of a struct behind the first.
    putBoth(type, at, further, behind, values) {
        checkOptions(values, type, further);
        const own = Object.entries(values), isFurther = ([name]) => isOption(further, name);
        this.put(further, behind, Object.fromEntries(own.filter(isFurther)));
        return this.put(type, at, Object.fromEntries(own.filter(one => !isFurther(one))));
    }

    get(type, at, name) {
        const [offset, kind] = structs[type].fields[name];
        return READ[kind](this.view, at + offset);
    }

    // The fields of the struct that call(address) fills, without its addresses; null where there is none.
    read(type, call) {
        return this.with(type, {}, at => {
            const number = call(at);
            if (number === constants.WEND_EMPTY) return null;
            this.check(number);
            const { fields } = structs[type], hidden = ['struct_bytes', 'reserved'];
            const names = Object.keys(fields).filter(name => fields[name][1] !== 'pointer' && !hidden.includes(name));
            return Object.fromEntries(names.map(name => [name, orNull(this.get(type, at, name))]));
        });
    }

    // call(address, count) with values of a kind in the library's memory.
    withList(kind, values, call) {
        const { size } = structs[kind], list = [...values], at = this.c.malloc(size * list.length || 1);
        try {
            list.forEach((value, i) => WRITE[kind](this.view, at + size * i, value));
            return call(at, list.length);
        } finally {
            this.c.free(at);
        }
    }

    // The values that call(address, capacity, count) gives.
    list(kind, call) {
        const { size } = structs[kind];
        this.check(call(0, 0, this.room));
        const count = this.out('size');
        return this.withBytes(new Uint8Array(size * count), at => {
            this.check(call(at, count, this.room));
            return Array.from({ length: count }, (_, i) => READ[kind](this.view, at + size * i));
        });
    }

    // A struct for the length of a call.
    with(type, values, work, own) {
        const at = this.make(type, values, own);
        try {
            return work(at);
        } finally {
            this.c.free(at);
        }
    }

    // What call(buffer, capacity, bytes) saves.
    save(call) {
        const number = call(0, 0, this.room), size = this.out('size'); // it counts them
        if (number !== constants.WEND_OUT_OF_MEMORY) this.check(number);
        const at = this.c.malloc(size);
        try {
            this.check(call(at, size, this.room));
            return new Uint8Array(this.c.memory.buffer, at, size).slice();
        } finally {
            this.c.free(at);
        }
    }

    // call(address, length) with bytes in the library's memory.
    withBytes(bytes, call) {
        if (!(bytes instanceof Uint8Array)) throw new TypeError(`a save is a Uint8Array, not ${show(bytes)}`);
        const at = this.c.malloc(bytes.length || 1);
        try {
            new Uint8Array(this.c.memory.buffer).set(bytes, at);
            return call(at, bytes.length);
        } finally {
            this.c.free(at);
        }
    }

    api() {
        const library = this;
        return {
            version: this.text(this.c.wend_version()),
            constants,
            // The C interface: addresses are numbers, structs that are passed by value their addresses.
            c: this.c,
            check: number => this.check(number),
            make: (type, values) => this.make(type, values),
            get: (type, at, name) => this.get(type, at, name),
            parse: (data, options) => WendMap.parse(library, data, options),
            Arena: class extends Arena {
                constructor(def) { super(library, def); }
            },
            Map: class extends WendMap {
                constructor(def) { super(library, def); }
            },
            Service: class extends Service {
                constructor(def) { super(library, def); }
            },
            Crowd: class extends Crowd {
                constructor(service, map, options) { super(library, service, map, options); }
            },
        };
    }
}

// What has an address in the library as long as it lives.
class Handle {
    #at = 0;
    constructor(library) {
        this.library = library;
    }

    get at() {
        if (!this.#at) throw new WendError(constants.WEND_CLOSED, `this ${this.constructor.noun} has ended`);
        return this.#at;
    }

    set at(address) { this.#at = address; }

    // A function of C of this handle; throws its error.
    call(name, ...args) {
        this.library.check(this.library.c[name](this.at, ...args));
    }

    // The fields of the struct that the function gives.
    fields(type, name, ...args) {
        return this.library.read(type, at => this.library.c[name](this.at, ...args, at));
    }

    get ended() { return !this.#at; }

    // The address of a handle that was given to a call.
    static of(kind, library, handle) {
        if (!(handle instanceof kind)) throw new TypeError(`this takes a ${kind.noun}, not ${show(handle)}`);
        if (handle.library !== library) throw new TypeError(`this ${kind.noun} is of another instance of the library`);
        return handle.at;
    }
}

// Memory whose maps, services and crowds go back to earlier frames, exactly, with unfinished searches: those made with
// { arena } before its first mark. They are destroyed before it, after the last rewind.
class Arena extends Handle {
    static noun = 'arena';
    constructor(library, def = {}) {
        super(library);
        library.with('wend_arena_def', def, at => library.check(library.c.wend_arena_create(at, library.room)));
        this.at = library.out();
        this.services = [];
        this.marked = false;
    }

    // The fields of a definition without `arena`; and a function that gives the definition the allocator of that.
    static of(library, def) {
        if (!isObject(def) || def.arena === undefined) return [def, () => undefined];
        const { arena, ...rest } = def, at = Handle.of(Arena, library, arena);
        if (arena.marked) throw new WendError(constants.WEND_IN_USE, 'objects of an arena are made before its first mark');
        return [rest, (type, to) => library.c.wend_arena_allocator(to + structs[type].fields.allocator[0], at)];
    }

    // Remember all of it, between two frames.
    mark(slot) {
        const { library } = this;
        library.check(library.c.wend_arena_mark(this.at, Number(whole('uint32_t', slot))));
        this.marked = true;
    }

    // Make all of it what it was, also forth to a later mark. Functions of requests do not go back: as in restore(),
    // resume(request) returns the one of a request that is pending again, or null.
    rewind(slot, resume) {
        const { library, services } = this;
        services.forEach(service => service.at); // all live
        library.check(library.c.wend_arena_rewind(this.at, Number(whole('uint32_t', slot))));
        for (const service of services)
            service.resumeWith([], resume, host => library.c.wend_service_adopt(service.at, host));
    }

    destroy() {
        if (this.ended) return;
        this.library.check(this.library.c.wend_arena_destroy(this.at));
        this.at = 0;
    }
}

class Edit extends Handle {
    static noun = 'edit';
    constructor(map) {
        super(map.library);
        const { library } = map;
        library.check(library.c.wend_edit_begin(map.at, library.room));
        this.at = library.out();
    }

    set(cell, terrain) {
        const { library } = this;
        library.check(library.c.wend_edit_set_cell(this.at, library.by('wend_cell', cell), Number(whole('uint8_t', terrain))));
    }

    fill(min, max, terrain) {
        const { library } = this;
        library.check(library.c.wend_edit_fill_box(this.at, library.box(min, max), Number(whole('uint8_t', terrain))));
    }

    // A class for each cell of a box: row after row; in space layer after layer.
    setBox(min, max, classes) {
        const { library } = this, { count, row } = measure(library, min, max);
        library.withBytes(checkValues(classes, count), at => this.call('wend_edit_set_box', library.box(min, max), at, row));
    }

    end(call) {
        const { at, library } = this;
        this.at = 0;
        return library.c[call](at, 0);
    }
}

class WendMap extends Handle {
    static noun = 'map';
    constructor(library, def) {
        super(library);
        if (def === null) return; // of parse()
        const [fields, give] = Arena.of(library, def);
        library.with('wend_map_def', fields, at => {
            give('wend_map_def', at);
            library.check(library.c.wend_map_create(at, library.room));
        });
        this.at = library.out();
    }

    // options: arena, and fields of wend_map_def.
    static parse(library, data, options = {}) {
        const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data;
        if (!(bytes instanceof Uint8Array)) throw new TypeError(`a map is text or a Uint8Array, not ${show(data)}`);
        const map = new WendMap(library, null), [fields, give] = Arena.of(library, options);
        return library.with('wend_map_markers', {}, ends => library.with('wend_file_error', {}, where => {
            const number = library.with('wend_map_def', fields, def => {
                give('wend_map_def', def);
                return library.withBytes(bytes, (...data) => library.c.wend_map_parse(...data, def, library.room, ends, where));
            });
            if (!number) map.at = library.out();
            else {
                const place = ['line', 'column'].map(name => library.get('wend_file_error', where, name)).join(':');
                throw new WendError(number, `map:${place}: ${library.text(where + structs.wend_file_error.fields.text[0])}`);
            }
            for (const name of ['start', 'goal'])
                if (library.get('wend_map_markers', ends, `has_${name}`)) map[name] = library.get('wend_map_markers', ends, name);
            return map;
        }));
    }

    // All that the library says of it: width, height, depth, epoch, links …
    get info() {
        const { library } = this;
        return library.with('wend_map_info', {}, at => {
            library.check(library.c.wend_map_get_info(this.at, at));
            return Object.fromEntries(Object.keys(structs.wend_map_info.fields).map(name => [name, library.get('wend_map_info', at, name)]));
        });
    }

    accelerate() {
        this.library.check(this.library.c.wend_map_accelerate(this.at, 0));
        return this;
    }

    terrain(cell) {
        const { library } = this;
        library.check(library.c.wend_map_get_terrain(this.at, library.by('wend_cell', cell), library.room));
        return library.out('uint8_t');
    }

    // The classes of the cells of a box, row by row; in space layer by layer.
    box(min, max) {
        const { library } = this, box = library.box(min, max), [x0, y0, z0 = 0] = min, [x1, y1, z1 = 0] = max;
        const width = x1 - x0 + 1, count = width * (y1 - y0 + 1) * (z1 - z0 + 1);
        if (!(count > 0 && count <= 2 ** 26)) throw new WendError(constants.WEND_BAD_ARGUMENT, 'the box has no cells, or too many');
        const at = library.c.malloc(count);
        try {
            library.check(library.c.wend_map_get_terrain_box(this.at, box, at, width));
            return new Uint8Array(library.c.memory.buffer, at, count).slice();
        } finally {
            library.c.free(at);
        }
    }

    occupants(cell) {
        const { library } = this;
        library.check(library.c.wend_map_get_occupants(this.at, library.by('wend_cell', cell), library.room));
        return library.out('uint32_t');
    }

    // A cell that the default mover can reach from another one; the same seed gives the same.
    randomCell(from, seed) {
        const { library } = this;
        library.check(library.c.wend_map_random_cell(this.at, 0, library.by('wend_cell', from),
            BigInt(whole('uint64_t', seed)), library.room));
        return library.out('wend_cell');
    }

    // Values of cells, from 0 to 255, that make steps cost more. def: half_life, within.
    addLayer(def = {}) {
        const { library } = this;
        library.with('wend_layer_def', def, at => this.call('wend_map_add_layer', at, library.room));
        return new Layer(this, library.out('int32_t'));
    }

    // A layer of the map, also of one that was restored.
    getLayer(number) {
        const layer = new Layer(this, int('int32_t', number));
        return layer.info && layer;
    }

    // Let time pass for all layers: those with a half_life fade.
    layerUpdate(steps = 1) {
        this.call('wend_map_update_layers', int('uint32_t', steps));
    }

    // How much requests or agents mind layers: [[layer, weight], …]. Returns a number for their field `profile`.
    addProfile(weights) {
        const { library } = this, rows = [...weights].map(([layer, weight]) => [Layer.numberOf(this, layer), weight]);
        library.withList('wend_layer_weight', rows, (...list) => this.call('wend_map_add_profile', ...list, library.room));
        return library.out('int32_t');
    }

    // Pairs of a layer and its weight.
    getProfile(profile) {
        const { library } = this, none = Array(constants.WEND_MAX_PROFILE_LAYERS).fill([0, 0]);
        return library.withList('wend_layer_weight', none, at => {
            this.call('wend_map_get_profile', int('int32_t', profile), at, library.room);
            return none.slice(0, library.out('uint32_t')).map((_, i) => {
                const [layer, weight] = READ.wend_body_vector(library.view, at + 8 * i); // two numbers
                return [new Layer(this, layer), weight];
            });
        });
    }

    // Changes that searches see together. Where `change` throws, nothing happens.
    edit(change) {
        callable(change);
        const edit = new Edit(this);
        try {
            change(edit);
        } catch (problem) {
            edit.end('wend_edit_discard');
            throw problem;
        }
        this.library.check(edit.end('wend_edit_publish'));
    }

    // The map as it is between two frames. A game saves maps, services, then crowds.
    save() {
        const { library, at } = this;
        return library.save((...out) => library.c.wend_map_save_state(at, ...out));
    }

    // Back to what was saved, of this map or of one with the same definition.
    restore(data) {
        const { library, at } = this;
        library.check(library.withBytes(data, (...bytes) => library.c.wend_map_restore_state(at, ...bytes)));
    }

    // The library's memory is freed once no request and no crowd uses the map.
    release() {
        if (!this.ended) this.library.c.wend_map_release(this.at);
        this.at = 0;
    }
}

// A layer of a map: danger, influence, traffic.
class Layer {
    constructor(map, number) {
        Object.assign(this, { map, number });
    }

    static numberOf(map, layer) {
        if (!(layer instanceof Layer) || layer.map !== map) throw new TypeError(`${show(layer)} is no layer of this map`);
        return layer.number;
    }

    // half_life, within, updates, layers
    get info() {
        return this.map.fields('wend_layer_info', 'wend_map_get_layer', this.number);
    }

    // Add a disc to the values: `peak` at its centre, less and less up to `radius` cells away.
    addDisc(centre, radius, peak) {
        const at = this.map.library.by('wend_cell', centre);
        this.map.call('wend_map_add_layer_disc', this.number, at, int('int32_t', radius), int('int32_t', peak));
    }

    get(cell) {
        const { library } = this.map;
        this.map.call('wend_map_get_layer_value', this.number, library.by('wend_cell', cell), library.room);
        return library.out('uint8_t');
    }

    // Set the values of a box: a byte for each cell, row after row; in space layer after layer.
    setBox(min, max, values) {
        const { count, row } = this.size(min, max), { library } = this.map;
        library.withBytes(checkValues(values, count), at => this.map.call('wend_map_set_layer_box', this.number, library.box(min, max), at, row));
    }

    getBox(min, max) {
        const { count, row } = this.size(min, max), { library } = this.map;
        return library.withBytes(new Uint8Array(count), at => {
            this.map.call('wend_map_get_layer_box', this.number, library.box(min, max), at, row);
            return new Uint8Array(library.c.memory.buffer, at, count).slice();
        });
    }

    // Cells of a box of the map, and of its rows.
    size(min, max) {
        this.get(min);
        this.get(max);
        return measure(this.map.library, min, max);
    }
}

// A ticket as one number: its index is below 2^25.
const ticketAt = ({ view }, at) => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 25 % 2 ** 53;

class Service extends Handle {
    static noun = 'service';
    constructor(library, def = {}) {
        super(library);
        const [fields, give] = Arena.of(library, def);
        library.with('wend_service_tuning', {}, tuning => library.with('wend_service_def', {}, at => {
            library.putBoth('wend_service_def', at, 'wend_service_tuning', tuning, fields);
            give('wend_service_def', at);
            library.check(library.c.wend_service_create(at, library.room));
        }, { tuning }));
        this.at = library.out();
        this.arena = isObject(def) ? def.arena : undefined;
        this.arena?.services.push(this);
        this.waiting = new Map(); // functions by ticket
        this.promised = new Set(); // those of them that settle a promise of path()
        this.crowds = 0; // that are on it
        this.id = library.listen(at => this.deliver(at));
        this.request = library.make('wend_request');
        this.options = library.make('wend_search_options');
        this.budget = library.make('wend_budget');
        this.limits = library.make('wend_frame_limits');
        this.frame = library.make('wend_frame');
    }

    // Queue a request. done(answer) is called in the tick that delivers it. Returns its ticket.
    submit(map, start, goal, done, options = {}) {
        const { library, at } = this, { c } = library;
        callable(done);
        c.wend_request_init(this.request, structs.wend_request.size);
        c.wend_search_options_init(this.options, structs.wend_search_options.size);
        library.putBoth('wend_request', this.request, 'wend_search_options', this.options, options);
        library.put('wend_request', this.request, { start, goal },
            { options: this.options, map: Handle.of(WendMap, library, map), on_done: c.js_done(), context: this.id });
        library.check(c.wend_service_submit(at, this.request, library.room));
        this.waiting.set(ticketAt(library, library.room), done);
        return library.out('wend_ticket');
    }

    // The request ends as cancelled, in the next frame.
    cancel(ticket) {
        const { library } = this;
        library.check(library.c.wend_service_cancel(this.at, library.by('wend_ticket', ticket)));
    }

    // Of a request, from the next frame on.
    setUrgency(ticket, urgency) {
        const { library } = this;
        library.check(library.c.wend_service_set_urgency(this.at, library.by('wend_ticket', ticket),
            Number(whole('int32_t', urgency))));
    }

    // The same as a promise; somebody has to call tick(). It is settled in any case: as cancelled by destroy(), and by a
    // restore() that takes the request away.
    path(map, start, goal, options) {
        return new Promise((resolve, reject) => {
            try {
                this.submit(map, start, goal, resolve, options);
                this.promised.add(resolve);
            } catch (problem) {
                reject(problem);
            }
        });
    }

    // The requests are gone, and their functions with them: but a promise must not wait for ever.
    replace(waiting) {
        for (const done of this.waiting.values())
            if (this.promised.has(done))
                done({ number: 0, status: 'cancelled', cost: -1, expansions: 0, frames: 0, numbers: new Int32Array(0), cells: [] });
        this.promised.clear();
        this.waiting = waiting;
    }

    deliver(at) {
        const { library } = this, get = name => library.get('wend_completion', at, name);
        const ticket = ticketAt(library, at + structs.wend_completion.fields.ticket[0]);
        const number = get('number'), done = this.waiting.get(ticket), count = get('cell_count');
        const numbers = new Int32Array(library.c.memory.buffer, get('cells'), 3 * count).slice();
        this.waiting.delete(ticket);
        this.promised.delete(done);
        done({
            number, status: STATUSES[get('status')], cost: get('cost'), expansions: get('expansions'), frames: get('frames'),
            numbers, // x, y and z of each cell
            get cells() { return Array.from({ length: count }, (_, i) => [...numbers.subarray(3 * i, 3 * i + 3)]); },
        });
    }

    // One frame. limits: expansions, us …; none: all that waits. Returns its counts.
    tick(limits = {}) {
        const { library, at } = this;
        library.c.wend_budget_init(this.budget, structs.wend_budget.size);
        library.c.wend_frame_limits_init(this.limits, structs.wend_frame_limits.size);
        library.putBoth('wend_budget', this.budget, 'wend_frame_limits', this.limits, limits);
        library.put('wend_budget', this.budget, {}, { limits: this.limits });
        library.check(library.c.wend_service_tick(at, this.budget, this.frame));
        const get = name => library.get('wend_frame', this.frame, name);
        return { frame: get('frame'), expansions: get('expansions'), us: get('us'), waiting: get('waiting'),
            running: get('running'), finished: get('finished'), deliveries: get('deliveries') };
    }

    // What waits and runs, by urgency.
    get queue() {
        const { library } = this, band = structs.wend_queue_band;
        return library.with('wend_queue', {}, at => {
            library.check(library.c.wend_service_get_queue(this.at, at));
            const get = name => library.get('wend_queue', at, name), first = at + structs.wend_queue.fields.bands[0];
            const bands = Array.from({ length: 5 }, (_, i) => Object.fromEntries(Object.keys(band.fields)
                .map(name => [name, library.get('wend_queue_band', first + i * band.size, name)])));
            return { frame: get('frame'), waiting: get('waiting'), running: get('running'), finished: get('finished'),
                lanes: get('lanes'), bands };
        });
    }

    get pending() {
        return Number(this.library.c.wend_service_get_pending(this.at));
    }

    withHost(maps, own, call) {
        const { library } = this, addresses = Array.from(maps, map => Handle.of(WendMap, library, map));
        const list = library.c.malloc(4 * addresses.length || 1);
        try {
            addresses.forEach((address, i) => library.view.setUint32(list + 4 * i, address, true));
            return library.with('wend_save_host', {}, call, { maps: list, map_count: addresses.length, ...own });
        } finally {
            library.c.free(list);
        }
    }

    // The requests that are pending. `maps` are theirs.
    save(maps = []) {
        const { library, at } = this, { c } = library;
        return this.withHost(maps, {}, host => library.save((...out) => c.wend_service_save_state(at, host, ...out)));
    }

    // Replace the requests by those of a save; `maps` are those of save(), in the same order. The functions of those
    // that are gone are not called; promises of path() get a cancelled answer. No function is in a save: resume(request) returns the one of a request, or null.
    restore(data, maps = [], resume) {
        const { library, at } = this;
        this.resumeWith(maps, resume, host =>
            library.withBytes(data, (...bytes) => library.c.wend_service_restore_state(at, host, ...bytes)));
    }

    resumeWith(maps, resume, call) {
        const { library } = this, { c } = library, waiting = new Map(), own = {};
        if (resume !== undefined) {
            callable(resume);
            own.request = c.js_resume();
            own.context = library.listen((ticket, request) => {
                const get = name => library.get('wend_request', request, name), agent = get('agent');
                const done = resume({ agent: agent < 2 ** 64 ? agent : null, start: get('start'), goal: get('goal'),
                    urgency: get('urgency') });
                if (done === undefined || done === null) return;
                waiting.set(ticketAt(library, ticket), callable(done));
                library.put('wend_request', request, {}, { on_done: c.js_done(), context: this.id });
            });
        }
        try {
            const number = this.withHost(maps, own, call);
            if (!number) this.replace(waiting);
            else if (number !== constants.WEND_IN_CALLBACK && !this.pending) this.replace(new Map());
            library.check(number);
        } finally {
            library.calls.delete(own.context);
        }
    }

    // Record what the service and its crowds get: write(file, bytes). With a map it may be running.
    record(write, map = null, crowd = null) {
        const { library } = this;
        callable(write);
        const id = library.listen((file, at, size) => write(file, new Uint8Array(library.c.memory.buffer, at, size).slice()));
        try {
            library.check(map ? library.c.wend_service_record_state(this.at, map.at, crowd ? crowd.at : 0, library.c.js_write(), id)
                : library.c.wend_service_record(this.at, library.c.js_write(), id));
        } catch (problem) {
            library.calls.delete(id);
            throw problem;
        }
    }

    endRecording() {
        this.library.check(this.library.c.wend_service_end_recording(this.at));
    }

    // Pending requests end as cancelled. Its crowds are destroyed before.
    destroy() {
        const { library } = this;
        if (this.ended) return;
        if (this.crowds) throw new WendError(constants.WEND_IN_USE, 'a crowd is on this service: destroy it first');
        const number = library.c.wend_service_destroy(this.at);
        if (!number) this.forget();
        library.check(number);
    }

    forget() {
        const { library } = this;
        this.at = 0;
        library.calls.delete(this.id);
        for (const at of [this.request, this.options, this.budget, this.limits, this.frame]) library.c.free(at);
    }
}

class Crowd extends Handle {
    static noun = 'crowd';
    constructor(library, service, map, { onEvent, ...def } = {}) {
        super(library);
        const { c } = library, own = { service: Handle.of(Service, library, service), map: Handle.of(WendMap, library, map) };
        if (onEvent !== undefined) {
            callable(onEvent);
            Object.assign(own, { on_event: c.js_event(), context: this.id = library.listen(at => onEvent(this.read(at))) });
        }
        const [, give] = Arena.of(library, { arena: service.arena });
        library.with('wend_crowd_tuning', {}, tuning => library.with('wend_crowd_def', {}, at => {
            library.putBoth('wend_crowd_def', at, 'wend_crowd_tuning', tuning, def);
            give('wend_crowd_def', at);
            library.check(c.wend_crowd_create(at, library.room));
        }, { ...own, tuning }));
        this.at = library.out();
        this.service = service;
        service.crowds++;
        this.seen = library.make('wend_crowd_view');
    }

    read(at) {
        const get = name => this.library.get('wend_agent_event', at, name), number = get('event');
        return { event: EVENTS[number], number, agent: get('agent'), cell: get('cell'), update: get('update'),
            endsGoal: this.library.c.wend_agent_event_ends_goal(number) !== 0, to: get('to'), ahead: get('ahead'),
            why: WHYS[get('why')], box: number === constants.WEND_AGENT_EVENT_CLEAR ? get('box') : null };
    }

    // def: cell, speed_milli, urgency, mover, profile …
    add(def) {
        const { library } = this;
        return library.with('wend_agent_def', def, at => {
            library.check(library.c.wend_crowd_add(this.at, at, library.room));
            return library.out('wend_agent_id');
        });
    }

    // Send one agent, or a group: each agent gets a place of its own. options: reach, formation, spacing, pace …
    go(agents, cell, options = {}) {
        this.send(agents, { ...options, cell });
    }

    // Stay near another agent, for ever. options: reach.
    follow(agents, target, options = {}) {
        this.send(agents, { ...options, kind: constants.WEND_CROWD_FOLLOW, target });
    }

    // Get away from another agent. options: distance; with `keep` for ever.
    flee(agents, target, options = {}) {
        this.send(agents, { ...options, kind: constants.WEND_CROWD_FLEE, target });
    }

    send(agents, goal) {
        this.library.with('wend_crowd_goal', goal, at => this.each(agents, 'wend_crowd_go', at));
    }

    // A function of C of one agent, or of several.
    each(agents, name, ...args) {
        this.library.withList('wend_agent_id', Array.isArray(agents) ? agents : [agents],
            (...ids) => this.call(name, ...ids, ...args));
    }

    // A way by its corners, for patrol(). mode: constants.WEND_ROUTE_LOOP … Returns its number.
    addRoute(corners, mode = constants.WEND_ROUTE_ONCE) {
        const { library } = this;
        library.withList('wend_cell', corners, (cells, corner_count) =>
            library.with('wend_route_def', { mode, corner_count }, at =>
                this.call('wend_crowd_add_route', at, library.room), { corners: cells }));
        return library.out('uint32_t');
    }

    // Send an agent along a route.
    patrol(agent, route) {
        this.call('wend_crowd_patrol', this.agentAt(agent), int('uint32_t', route));
    }

    agentAt(agent) {
        return this.library.by('wend_agent_id', agent);
    }

    // Put an agent elsewhere at once.
    move(agent, cell) {
        this.call('wend_crowd_move', this.agentAt(agent), this.library.by('wend_cell', cell, 2));
    }

    step(agent, cell) {
        const { library } = this;
        library.check(library.c.wend_crowd_step(this.at, library.by('wend_agent_id', agent), library.by('wend_cell', cell, 2)));
    }

    // End the goals of agents.
    halt(agents) {
        this.each(agents, 'wend_crowd_halt');
    }

    setSpeed(agent, milli) {
        this.call('wend_crowd_set_speed', this.agentAt(agent), int('uint32_t', milli));
    }

    setUrgency(agent, urgency) {
        this.call('wend_crowd_set_urgency', this.agentAt(agent), int('int32_t', urgency));
    }

    setMover(agents, mover) {
        this.each(agents, 'wend_crowd_set_mover', int('int32_t', mover));
    }

    // Which costs by place agents mind: of map.addProfile(), or 0.
    setProfile(agents, profile) {
        this.each(agents, 'wend_crowd_set_profile', int('int32_t', profile));
    }

    // An agent never pushes these aside, in place of those set before.
    waitFor(agent, others) {
        this.library.withList('wend_agent_id', Array.isArray(others) ? others : [others],
            (...ids) => this.call('wend_crowd_wait_for', this.agentAt(agent), ...ids));
    }

    // The fields of its wend_crowd_goal, or null.
    getGoal(agent) {
        return this.fields('wend_crowd_goal', 'wend_crowd_get_goal', this.agentAt(agent));
    }

    // The rest of the path that an agent keeps, the cell that it holds first.
    getPath(agent) {
        const { c } = this.library;
        return this.library.list('wend_cell', (...out) => c.wend_crowd_get_path(this.at, this.agentAt(agent), ...out));
    }

    // Is no agent in a box?
    isClear(min, max) {
        this.call('wend_crowd_is_clear', this.library.box(min, max), this.library.room);
        return this.library.out('bool');
    }

    // Agents leave a box and do not enter it; the event 'clear' comes when none is in it.
    clearBox(min, max) {
        this.call('wend_crowd_clear_box', this.library.box(min, max));
    }

    releaseBox(min, max) {
        this.call('wend_crowd_release_box', this.library.box(min, max));
    }

    // The boxes that are kept clear: [min, max] of each.
    getBoxes() {
        return this.library.list('wend_box', (...out) => this.library.c.wend_crowd_get_boxes(this.at, ...out));
    }

    // Counts: agents, busy, searches …
    getStats() {
        return this.fields('wend_crowd_stats', 'wend_crowd_get_stats');
    }

    // The state of an agent in short, and the path that it keeps.
    inspect(agent) {
        const found = this.getAgent(agent);
        const { state, cell, speed_milli: speed, urgency, tries, waited } = found, path = this.getPath(agent);
        return { state, cell, speed, urgency, tries, waited, goal: found.has_goal ? found.goal_cell : null, path };
    }

    // All fields of its wend_agent_state.
    getAgent(agent) {
        const found = this.fields('wend_agent_state', 'wend_crowd_get_agent', this.agentAt(agent));
        return { ...found, state: STATES[found.state], waits: WAITS[found.waits] };
    }

    remove(agent) {
        this.call('wend_crowd_remove', this.agentAt(agent));
    }

    // elapsed: thousandths of a unit of time. limits: us, choices.
    update(elapsed = 1000, limits) {
        const milli = int('uint32_t', elapsed), run = budget => this.call('wend_crowd_update', milli, budget, 0);
        if (limits === undefined) run(0);
        else this.library.with('wend_update_budget', limits, run);
    }

    // The next event of a crowd without onEvent, or null.
    poll() {
        const { library } = this;
        return library.with('wend_agent_event', {}, at => {
            const number = library.c.wend_crowd_poll(this.at, at);
            library.check(number === constants.WEND_EMPTY ? 0 : number);
            return number ? null : this.read(at);
        });
    }

    // Agents, in the middle of their steps, with goals, groups and paths.
    save() {
        const { library, at } = this;
        return library.save((...out) => library.c.wend_crowd_save_state(at, ...out));
    }

    // Make an agent a disc that moves in continuous space. def: radius_milli, accel_milli, turn_degrees,
    // turning_radius_milli. All else is as of other agents; positions are in thousandths of a cell.
    setBody(agent, def = {}) {
        this.library.with('wend_body_def', def, at => this.call('wend_crowd_set_body', this.agentAt(agent), at));
    }

    // Take the body of an agent away: the agent steps from cell to cell.
    removeBody(agent) {
        this.call('wend_crowd_set_body', this.agentAt(agent), 0);
    }

    // The body of an agent: state, at, velocity, facing, radius_milli, speed_milli, waited.
    getBody(agent) {
        const found = this.fields('wend_body_state', 'wend_crowd_get_body', this.agentAt(agent));
        return { ...found, state: BODY_STATES[found.state] };
    }

    // Put a body where the host has moved it.
    placeBody(agent, at, velocity = [0, 0]) {
        const { library } = this, points = [at, velocity].map((one, i) => library.by('wend_point', one, 2 + i));
        this.call('wend_crowd_place_body', this.agentAt(agent), ...points);
    }

    // Replace the agents by those of a save. Map and service were restored before. Ids of agents stay good.
    restore(data) {
        const { library, at } = this;
        library.check(library.withBytes(data, (...bytes) => library.c.wend_crowd_restore_state(at, 0, ...bytes)));
    }

    look() {
        const { library } = this;
        library.check(library.c.wend_crowd_get_view(this.at, this.seen));
        return name => library.get('wend_crowd_view', this.seen, name);
    }

    cellOf(agent) {
        const get = this.look(), index = Number(whole('uint32_t', agent?.index));
        if (index >= get('count')) throw new RangeError(`there is no agent ${index}`);
        return READ.wend_cell(this.library.view, get('cells') + 12 * index);
    }

    // Typed arrays by index of agents.
    get view() {
        const get = this.look(), { buffer } = this.library.c.memory, count = get('count');
        return { count, points: new Int32Array(buffer, get('points'), 3 * count).slice(),
            cells: new Int32Array(buffer, get('cells'), 3 * count).slice(),
            facings: new Int8Array(buffer, get('facings'), 3 * count).slice(),
            velocities: new Int32Array(buffer, get('velocities'), 3 * count).slice(),
            radii: new Uint32Array(buffer, get('radii'), count).slice(),
            states: new Uint8Array(buffer, get('states'), count).slice() };
    }

    destroy() {
        if (this.ended) return;
        this.library.check(this.library.c.wend_crowd_destroy(this.at));
        this.at = 0;
        this.service.crowds--;
        this.library.calls.delete(this.id);
        this.library.c.free(this.seen);
    }
}
