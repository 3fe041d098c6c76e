// SPDX-License-Identifier: MIT
/** x, y and, in space, z. */
export type Cell = [number, number, number?];
export type Box = [min: [number, number, number], max: [number, number, number]];
/** In thousandths of a cell; z is 0 where it is left out. */
export type Point = [number, number, number];
export interface Agent { index: number; generation: number }
/** Of a request. */
export interface Ticket { index: number; generation: number }

/** Numbers of the C interface: WEND_CLASS_OPEN, WEND_MODE_NEAREST, … */
export const constants: Record<string, number | bigint>;

/** An error of the library. */
export class WendError extends Error {
    /** 'WEND_BUSY', … */
    code: string;
}

export interface Answer {
    status: 'found' | 'partial' | 'no_path' | 'start_blocked' | 'goal_blocked' | 'cancelled' | 'expired' | 'limit' |
        'out_of_nodes' | 'stale' | 'too_long' | 'replaced' | 'displaced';
    cost: number;
    cells: [number, number, number][];
    /** x, y and z of each cell. */
    numbers: Int32Array;
    expansions: number;
    frames: number;
    number: number;
}

export interface AgentEvent {
    event: 'arrived' | 'partial' | 'rerouted' | 'gave_up' | 'replaced' | 'displaced' | 'away' | 'back' | 'clear' |
        'link_ahead';
    /** The reason of gave_up: 'no_path', 'blocked' … */
    why: string;
    /** The box of clear. */
    box: Box | null;
    number: number;
    agent: Agent;
    cell: [number, number, number];
    /** Of link_ahead: the link's end, and 1 a step before the leap, 0 when it begins. */
    to: [number, number, number];
    ahead: number;
    update: number;
    endsGoal: boolean;
}

/** Fields of wend_request and wend_search_options: urgency, mover, mode, engine, … */
export type RequestOptions = Record<string, number | bigint>;

/** A request that a restore has brought back. */
export interface Resumed {
    /** The number that submit() was given; above 2^53 not exact. */
    agent: number | null;
    start: [number, number, number];
    goal: [number, number, number];
    urgency: number;
}

export interface Edit {
    set(cell: Cell, terrain: number): void;
    fill(min: Cell, max: Cell, terrain: number): void;
    /** A class for each cell, row after row; in space layer after layer. */
    setBox(min: Cell, max: Cell, classes: Uint8Array): void;
}

export interface WendMap {
    /** Its address, for functions of `c`. */
    readonly at: number;
    readonly info: Record<string, number>;
    start?: [number, number, number];
    goal?: [number, number, number];
    /** Jump tables and landmarks: searches are faster. */
    accelerate(): this;
    terrain(cell: Cell): number;
    /** Classes row by row; in space layer by layer. */
    box(min: Cell, max: Cell): Uint8Array;
    occupants(cell: Cell): number;
    randomCell(from: Cell, seed: number | bigint): [number, number, number];
    addLayer(def?: { half_life?: number; within?: number }): Layer;
    /** Time passes for all layers. */
    layerUpdate(steps?: number): void;
    /** A number for the field `profile` of requests and agents. */
    addProfile(weights: Iterable<[Layer, number]>): number;
    getProfile(profile: number): [Layer, number][];
    /** Also of a map that was restored. */
    getLayer(number: number): Layer;
    /** Changes that searches see together; where `change` throws, nothing happens. */
    edit(change: (edit: Edit) => void): void;
    /** As it is between two frames. A game saves maps, services, then crowds, and restores them in that order. */
    save(): Uint8Array;
    restore(data: Uint8Array): void;
    release(): void;
}

/** Values of cells, from 0 to 255, that make steps cost more. */
export interface Layer {
    readonly number: number;
    readonly info: { half_life: number; within: number; updates: number; layers: number };
    addDisc(centre: Cell, radius: number, peak: number): void;
    get(cell: Cell): number;
    /** A byte for each cell, row after row. */
    setBox(min: Cell, max: Cell, values: Uint8Array): void;
    getBox(min: Cell, max: Cell): Uint8Array;
}

export interface Frame {
    frame: number;
    expansions: number;
    us: number;
    waiting: number;
    running: number;
    finished: number;
    deliveries: number;
}

export interface Queue {
    frame: number;
    waiting: number;
    running: number;
    finished: number;
    lanes: number;
    bands: { least: number; most: number; waiting: number; running: number; oldest_frames: number }[];
}

export interface AgentState {
    state: string;
    cell: [number, number, number];
    speed: number;
    urgency: number;
    tries: number;
    waited: number;
    goal: [number, number, number] | null;
    path: [number, number, number][];
}

export interface Service {
    /** Its address, for functions of `c`. */
    readonly at: number;
    submit(map: WendMap, start: Cell, goal: Cell, done: (answer: Answer) => void, options?: RequestOptions): Ticket;
    /** The request ends as cancelled, in the next frame. */
    cancel(ticket: Ticket): void;
    setUrgency(ticket: Ticket, urgency: number): void;
    /** Is answered as cancelled by destroy(), and by a restore() that takes the request away (its number is then 0). */
    path(map: WendMap, start: Cell, goal: Cell, options?: RequestOptions): Promise<Answer>;
    /** One frame; returns its counts, or throws what a callback threw. */
    tick(limits?: { expansions?: number; us?: number }): Frame;
    readonly queue: Queue;
    readonly pending: number;
    /** Pending requests, on these maps. */
    save(maps?: WendMap[]): Uint8Array;
    /** Replaces the requests; resume() returns the function of each, or null. */
    restore(data: Uint8Array, maps?: WendMap[],
        resume?: (request: Resumed) => ((answer: Answer) => void) | null | undefined): void;
    record(write: (file: number, bytes: Uint8Array) => void, map?: WendMap, crowd?: Crowd): void;
    endRecording(): void;
    /** Its crowds are destroyed before. */
    destroy(): void;
}

export interface Crowd {
    /** Its address, for functions of `c`. */
    readonly at: number;
    add(def: { cell: Cell; speed_milli?: number; urgency?: number; mover?: number; profile?: number; ghost?: boolean;
        steered?: boolean; parked?: boolean }): Agent;
    /** A group's agents get places of their own, in a formation: constants.WEND_AS_LINE … */
    go(agents: Agent | Agent[], cell: Cell, options?: { reach?: number; near_enough?: number; formation?: number;
        spacing?: number; pace?: boolean }): void;
    /** For ever. */
    follow(agents: Agent | Agent[], target: Agent, options?: { reach?: number }): void;
    /** With `keep` for ever. */
    flee(agents: Agent | Agent[], target: Agent, options?: { distance?: number; keep?: boolean }): void;
    /** A way by its corners, for patrol(); mode: constants.WEND_ROUTE_LOOP … */
    addRoute(corners: Iterable<Cell>, mode?: number): number;
    patrol(agent: Agent, route: number): void;
    step(agent: Agent, cell: Cell): void;
    halt(agents: Agent | Agent[]): void;
    /** Elsewhere at once. */
    move(agent: Agent, cell: Cell): void;
    setMover(agents: Agent | Agent[], mover: number): void;
    setProfile(agents: Agent | Agent[], profile: number): void;
    /** The agent never pushes the others aside. */
    waitFor(agent: Agent, others: Agent | Agent[]): void;
    setSpeed(agent: Agent, milli: number): void;
    setUrgency(agent: Agent, urgency: number): void;
    inspect(agent: Agent): AgentState;
    /** The fields of wend_agent_state; state and waits in words. */
    getAgent(agent: Agent): Record<string, any>;
    /** The fields of wend_crowd_goal. */
    getGoal(agent: Agent): Record<string, any> | null;
    getPath(agent: Agent): [number, number, number][];
    isClear(min: Cell, max: Cell): boolean;
    /** Agents leave it and do not enter it; the event is 'clear'. */
    clearBox(min: Cell, max: Cell): void;
    releaseBox(min: Cell, max: Cell): void;
    getBoxes(): Box[];
    /** The fields of wend_crowd_stats. */
    getStats(): Record<string, any>;
    remove(agent: Agent): void;
    update(elapsedMilli?: number, limits?: { us?: number; choices?: number }): void;
    /** Make an agent a disc that moves in continuous space. */
    setBody(agent: Agent, def?: { radius_milli?: number; accel_milli?: number; turn_degrees?: number;
        turning_radius_milli?: number }): void;
    /** The agent steps from cell to cell. */
    removeBody(agent: Agent): void;
    getBody(agent: Agent): { state: 'rests' | 'goes' | 'waits' | 'returns' | 'aside' | 'away'; at: Point; velocity: Point;
        facing: Point; radius_milli: number; speed_milli: number; waited: number; exact_at: [number, number];
        exact_velocity: [number, number] };
    /** Where the host has moved it. */
    placeBody(agent: Agent, at: Point | [number, number], velocity?: Point | [number, number]): void;
    /** The next event of a crowd without onEvent. */
    poll(): AgentEvent | null;
    save(): Uint8Array;
    /** Map and service were restored before. */
    restore(data: Uint8Array): void;
    cellOf(agent: Agent): [number, number, number];
    /** Copies, by index of agents. */
    readonly view: { count: number; points: Int32Array; cells: Int32Array; facings: Int8Array;
        velocities: Int32Array; radii: Uint32Array; states: Uint8Array };
    destroy(): void;
}

/** Memory whose maps, services and crowds go back to earlier frames; they are made before its first mark. */
export interface Arena {
    /** Its address, for functions of `c`. */
    readonly at: number;
    /** Between two frames. */
    mark(slot: number): void;
    /** Also forth to a later mark; resume() returns the function of each request that is pending again, or null. */
    rewind(slot: number, resume?: (request: Resumed) => ((answer: Answer) => void) | null | undefined): void;
    /** Its objects are destroyed before. */
    destroy(): void;
}

export interface Wend {
    version: string;
    constants: typeof constants;
    /** The C interface: addresses are numbers, structs that are passed by value their addresses; 64 bits are a bigint. */
    c: Record<string, (...words: (number | bigint)[]) => any> & { memory: WebAssembly.Memory };
    /** Throws what a function of `c` returned, if it is an error. */
    check(number: number): void;
    /** A struct of C with its defaults and these fields. c.free() ends it. */
    make(type: string, fields?: Record<string, any>): number;
    /** A field of a struct. */
    get(type: string, address: number, field: string): any;
    /** Options: the fields of wend_map_def, and an arena. */
    parse(data: string | Uint8Array, options?: { arena?: Arena } & Record<string, unknown>): WendMap;
    Arena: new (def?: { marks?: number; bytes?: number | bigint; mark_bytes?: number | bigint }) => Arena;
    Map: new (def: { width: number; height: number; depth?: number; kind?: number; arena?: Arena }) => WendMap;
    Service: new (def?: Record<string, number | Arena>) => Service;
    Crowd: new (service: Service, map: WendMap, options: { agents?: number; onEvent?: (event: AgentEvent) => void }) => Crowd;
}

/** Load the library: from its bytes, a module, or wend.wasm beside this file. */
export function load(source?: BufferSource | WebAssembly.Module): Promise<Wend>;
