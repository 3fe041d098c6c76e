-- SPDX-License-Identifier: MIT
-- wend for LuaJIT: local wend = require 'wend'. Cells are tables: {x, y} or {x, y, z}.
--
-- It reads wend.cdef beside itself or in bindings/api, and loads libwend: WEND_LIBRARY names the file, else the system
-- finds it. An error that leaves a callback does not pass through the library: it is kept, the other callbacks of the
-- frame are called, and tick() or update() raises it then. An error of the library is a table with `code` and `text`.
local ffi = require 'ffi'

local here = debug.getinfo(1, 'S').source:match('^@(.*)[/\\][^/\\]*$') or '.'
local file = io.open(here .. '/wend.cdef') or assert(io.open(here .. '/../api/wend.cdef'))
local cdef = file:read('*a')
file:close()
ffi.cdef(cdef)
local library = os.getenv('WEND_LIBRARY') or 'wend'
local c = ffi.load(library)

local wend = { c = c, version = ffi.string(c.wend_version()), BLOCKED = c.WEND_CLASS_BLOCKED, OPEN = c.WEND_CLASS_OPEN }

local problem = { __tostring = function(self) return self.code .. ': ' .. self.text end }
local function fail(number, text)
    error(setmetatable({ code = ffi.string(c.wend_error_name(number)),
        text = text or ffi.string(c.wend_error_detail(number)) }, problem), 0)
end
local function check(number)
    if number ~= 0 then fail(number) end
end
wend.check = check -- raises what a function of `wend.c` returns, if it is an error

-- ---- arguments ----

local function refuse(...) fail(c.WEND_BAD_ARGUMENT, string.format(...)) end
local function whole(value, least, most, what)
    if type(value) ~= 'number' or value % 1 ~= 0 or value < least or value > most then
        refuse('%s is a whole number from %.0f to %.0f, not %s', what, least, most, tostring(value))
    end
    return value
end
local function is(kind, value)
    if type(value) ~= kind then refuse('this takes a %s, not %s', kind, tostring(value)) end
    return value
end
-- The address of a handle, which has one as long as it lives.
local function open(kind, self)
    if getmetatable(self) ~= kind then refuse('this takes a %s, not %s', kind.noun, tostring(self)) end
    return self.at or fail(c.WEND_CLOSED, 'this ' .. kind.noun .. ' has ended')
end
local function to_id(agent)
    if not ffi.istype('wend_agent_id', agent) then refuse('this takes an agent, not %s', tostring(agent)) end
    return agent
end
local function to_cell(at)
    if type(at) ~= 'table' or #at < 2 or #at > 3 then refuse('a cell is {x, y} or {x, y, z}, not %s', tostring(at)) end
    for i = 1, #at do whole(at[i], -2 ^ 31, 2 ^ 31 - 1, 'a part of a cell') end
    return ffi.new('wend_cell', at[1], at[2], at[3] or 0)
end
local function from_cell(at) return { at.x, at.y, at.z } end

local function has_field(struct, field)
    return type(field) == 'string' and field ~= 'struct_bytes' and field ~= 'reserved'
        and pcall(function() return struct[field] end)
end

-- Those fields of structs that have a value of the caller's.
local function options_of(...)
    local options = {}
    for _, name in ipairs({ ... }) do
        if name == 'wend_map_def' or name == 'wend_service_def' then options[#options + 1] = 'arena' end
        for line in cdef:match('\nstruct ' .. name .. ' {\n(.-)\n};'):gmatch('[^\n]+') do
            local kind, field = line:match('([%w_]+) ([%w_]+)[%[%]%d]*;$') -- no pointer, no function
            local inner = kind == 'wend_allocator' or kind == 'wend_clock' or kind == 'wend_jobs'
            if field and not inner and field ~= 'struct_bytes' and field ~= 'reserved' then
                options[#options + 1] = field
            end
        end
    end
    return table.concat(options, ', ')
end

-- A struct with its defaults and these values; a field that it has not is an error, which names also those of `further`.
-- `factors` is a table from terrain classes to factors; the other classes keep theirs.
local function make(name, values, further)
    local made = ffi.new(name)
    local has, init = pcall(function() return c[name .. '_init'] end)
    if has then init(made, ffi.sizeof(made)) else made.struct_bytes = ffi.sizeof(made) end
    for field, value in pairs(is('table', values or {})) do
        if not has_field(made, field) then
            refuse('unknown option `%s`; known: %s', tostring(field), options_of(name, further))
        elseif field == 'factors' and type(value) == 'table' then
            for class, factor in pairs(value) do
                made.factors[whole(class, 0, 255, 'a terrain')] = whole(factor, 0, 255, 'a factor')
            end
        elseif not pcall(function() made[field] = value end)
            or type(value) == 'number' and tonumber(made[field]) ~= value then
            refuse('%s: %s cannot be %s', name, tostring(field), tostring(value))
        end
    end
    return made
end

wend.make = make -- for functions of `wend.c`

-- The fields that a struct has, and the others.
local function split(name, values)
    local own, others, probe = {}, {}, ffi.new(name)
    for field, value in pairs(is('table', values or {})) do
        if has_field(probe, field) then own[field] = value else others[field] = value end
    end
    return own, others
end

-- The same, where a struct behind the field `link` has some of the fields; both, as the first does not hold the second.
local function make_with(name, link, further, values)
    local own, others = split(further, values)
    local made, behind = make(name, others, further), make(further, own)
    made[link] = behind
    return made, behind
end

-- ---- callbacks: one for each kind, which finds its function by a number ----

local NO_AGENT = 0xffffffffffffffffULL
local calls, next_call, thrown = {}, 1, nil
local function listen(call)
    is('function', call)
    local id = next_call
    calls[id], next_call = call, next_call + 1
    return ffi.cast('void *', id), id
end
local function guard(context, ...)
    local good, what = pcall(calls[tonumber(ffi.cast('intptr_t', context))], ...)
    if not good then thrown = thrown or { what } end
    return good
end
local on_done = ffi.cast('wend_done_fn *', function(context, done) guard(context, done) end)
local on_event = ffi.cast('wend_agent_event_fn *', function(context, event) guard(context, event) end)
local on_write = ffi.cast('wend_record_fn *', function(context, number, bytes, size)
    return guard(context, number, ffi.string(bytes, size)) and 0 or c.WEND_IO
end)

-- LuaJIT has no callbacks that take a struct by value; a ticket is passed as a number of 64 bits is.
local on_resume = ffi.cast('void (*)(void *, uint64_t, wend_request *)', function(context, _, request)
    guard(context, request)
end)

local function check_calls(number)
    local kept = thrown
    thrown = nil
    if kept then error(kept[1], 0) end
    check(number)
end
-- What calls back must not be compiled by the JIT compiler.
local function calls_back(call)
    jit.off(call)
    return call
end

-- What call(buffer, capacity, bytes) saves, as a string.
local function save(call)
    local size = ffi.new('size_t[1]')
    local number = call(nil, 0, size) -- it counts them
    if number ~= c.WEND_OUT_OF_MEMORY then check(number) end
    local room = ffi.new('uint8_t[?]', size[0])
    check(call(room, size[0], size))
    return ffi.string(room, size[0])
end

-- ---- arenas ----

local Arena = { noun = 'arena' }
Arena.__index = Arena

-- Memory whose maps, services and crowds go back to earlier frames, exactly, with unfinished searches: those made with
-- { arena = ... } before its first mark. They live as long as it does. fields: those of wend_arena_def.
function wend.arena(fields)
    local out = ffi.new('wend_arena *[1]')
    check(c.wend_arena_create(make('wend_arena_def', fields), out))
    local owned = {}
    return setmetatable({ owned = owned, services = {}, at = ffi.gc(out[0], calls_back(function(at)
        for i = #owned, 1, -1 do owned[i]() end
        c.wend_arena_destroy(at)
    end)) }, Arena)
end

-- The fields of a definition without `arena`, but with its allocator; and the arena.
local function in_arena(fields)
    local own, arena = {}, fields and is('table', fields).arena
    for field, value in pairs(fields or {}) do own[field] = value end
    if arena then own.arena, own.allocator = nil, c.wend_arena_allocator(open(Arena, arena)) end
    return own, arena
end

-- The garbage collector frees an object, or its arena does.
local function own(arena, at, free)
    if not arena then return ffi.gc(at, free) end
    if arena.marked then
        free(at)
        fail(c.WEND_IN_USE, 'objects of an arena are made before its first mark')
    end
    arena.owned[#arena.owned + 1] = function() free(at) end
    return at
end

-- ---- maps ----

local Map = { noun = 'map' }
Map.__index = Map

local function new_map(at, ends, arena)
    return setmetatable({ arena = arena, at = own(arena, at, c.wend_map_release),
        start = ends and ends.has_start and from_cell(ends.start) or nil,
        goal = ends and ends.has_goal and from_cell(ends.goal) or nil }, Map)
end

-- fields: width, height and others of wend_map_def; arena.
function wend.map(fields)
    local out, def, arena = ffi.new('wend_map *[1]'), in_arena(fields)
    check(c.wend_map_create(make('wend_map_def', def), out))
    return new_map(out[0], nil, arena)
end

-- libwend-extra, next to libwend, or nil. One that was linked with another libwend than ours is of no use.
local extra = nil
local function load_extra()
    if extra == nil then
        ffi.cdef [[
            wend_error wend_tiled_load(const char *path, const void *how, const wend_map_def *def, wend_map **out,
                                       void **beside, wend_file_error *error);
            void wend_tiled_free(void *beside);
        ]]
        local good, found = pcall(function()
            local at = ffi.load((library:gsub('wend([^/\\]*)$', 'wend-extra%1')))
            return ffi.cast('void *', at.wend_map_load) == ffi.cast('void *', c.wend_map_load) and at
        end)
        extra = good and found
    end
    return extra or nil
end

local function load_tiled(path, def, out, ends, where)
    local beside = ffi.new('void *[1]')
    local number = extra.wend_tiled_load(path, nil, def, out, beside, where)
    if number ~= 0 then return number end
    -- wend_tiled has struct_bytes, then its markers.
    ffi.copy(ends, ffi.cast('wend_map_markers **', beside[0])[1], ffi.sizeof(ends))
    extra.wend_tiled_free(beside[0])
    return 0
end

local function read_map(name, fields, read, read_tiled)
    local def, arena = in_arena(fields)
    def = make('wend_map_def', def)
    local out, ends, where = ffi.new('wend_map *[1]'), make('wend_map_markers'), make('wend_file_error')
    local number = read(def, out, ends, where)
    local tiled = read_tiled and number == c.WEND_UNSUPPORTED and ffi.string(where.text):find('libwend-extra', 1, true)
    if tiled and load_extra() then number = read_tiled(name, def, out, ends, where) end
    if number ~= 0 then
        local place = where.line > 0 and string.format(':%d:%d', where.line, where.column) or ''
        fail(number, string.format('%s%s: %s', name, place, ffi.string(where.text)))
    end
    return new_map(out[0], ends, arena)
end

-- From a file of any format that the library reads; of Tiled, where libwend-extra is next to it. fields: as of map().
function wend.load(path, fields)
    if is('string', path):find('\0', 1, true) then refuse('a path has no zero byte') end
    return read_map(path, fields, function(...) return c.wend_map_load(path, ...) end, load_tiled)
end

-- From the text of a file. fields: as of map().
function wend.parse(text, fields)
    is('string', text)
    return read_map('map', fields, function(...) return c.wend_map_parse(text, #text, ...) end)
end

function Map:info()
    local out = make('wend_map_info')
    check(c.wend_map_get_info(open(Map, self), out))
    return out
end

-- fields: those of wend_acceleration.
function Map:accelerate(fields)
    check(c.wend_map_accelerate(open(Map, self), fields and make('wend_acceleration', fields)))
    return self
end

local byte, count = ffi.new('uint8_t[1]'), ffi.new('uint32_t[1]')
function Map:terrain(cell)
    check(c.wend_map_get_terrain(open(Map, self), to_cell(cell), byte))
    return byte[0]
end

function Map:occupants(cell)
    check(c.wend_map_get_occupants(open(Map, self), to_cell(cell), count))
    return count[0]
end

-- A unit of the host, such as a player: agents go round its cell.
function Map:occupy(cell) check(c.wend_map_occupy(open(Map, self), to_cell(cell))) end
function Map:vacate(cell) check(c.wend_map_vacate(open(Map, self), to_cell(cell))) end

-- fields: those of wend_mover. Returns its number, for `mover` of agents and requests.
function Map:add_mover(fields)
    local out = ffi.new('int32_t[1]')
    check(c.wend_map_add_mover(open(Map, self), make('wend_mover', fields), out))
    return out[0]
end

-- A cell that the default mover can reach from another one; the same seed gives the same.
function Map:random_cell(from, seed)
    local out = ffi.new('wend_cell[1]')
    check(c.wend_map_random_cell(open(Map, self), c.WEND_MOVER_DEFAULT, to_cell(from), whole(seed, 0, 2 ^ 53, 'a seed'), out))
    return from_cell(out[0])
end

-- The map as it is between two frames, as a string. A game saves maps, services, then crowds.
function Map:save()
    local at = open(Map, self)
    return save(function(...) return c.wend_map_save_state(at, ...) end)
end

-- Back to what was saved, of this map or of one with the same definition.
function Map:restore(data)
    check(c.wend_map_restore_state(open(Map, self), is('string', data), #data))
end

local Edit = { noun = 'edit' }
Edit.__index = Edit
function Edit:set(cell, terrain)
    check(c.wend_edit_set_cell(open(Edit, self), to_cell(cell), whole(terrain, 0, 255, 'a terrain')))
end
function Edit:fill(min, max, terrain)
    check(c.wend_edit_fill_box(open(Edit, self), ffi.new('wend_box', { to_cell(min), to_cell(max) }),
        whole(terrain, 0, 255, 'a terrain')))
end

-- The cells of a box from bytes, a class each, row by row and layer by layer: a string or an array of uint8_t.
function Edit:set_box(min, max, bytes)
    local box = ffi.new('wend_box', { to_cell(min), to_cell(max) })
    local least, most = box.min, box.max
    local width = most.x - least.x + 1
    local needed = width * (most.y - least.y + 1) * (most.z - least.z + 1)
    local size = type(bytes) == 'string' and #bytes or ffi.istype('uint8_t[?]', bytes) and ffi.sizeof(bytes)
    if not size then refuse('this takes a string or an array of uint8_t, not %s', tostring(bytes)) end
    if width > 0 and size < needed then refuse('the box has %.0f cells, not %.0f', needed, size) end
    check(c.wend_edit_set_box(open(Edit, self), box, bytes, math.max(width, 0)))
end

-- Changes that searches see together. Where change(edit) fails, nothing happens.
function Map:edit(change)
    local out = ffi.new('wend_edit *[1]')
    is('function', change)
    check(c.wend_edit_begin(open(Map, self), out))
    local edit = setmetatable({ at = out[0] }, Edit)
    local good, what = pcall(change, edit)
    edit.at = nil
    if not good then
        c.wend_edit_discard(out[0])
        error(what, 0)
    end
    check(c.wend_edit_publish(out[0], nil))
end

-- ---- services ----

local Service = { noun = 'service' }
Service.__index = Service

-- fields: those of wend_service_def and wend_service_tuning; arena.
function wend.service(fields)
    local given, arena = in_arena(fields)
    local def, tuning = make_with('wend_service_def', 'tuning', 'wend_service_tuning', given)
    local out = ffi.new('wend_service *[1]')
    check(tuning and c.wend_service_create(def, out)) -- it lives as long as the call
    local crowds = {} -- those that are not destroyed, in no arena
    local at = own(arena, out[0], calls_back(function(at)
        for kept in pairs(crowds) do c.wend_crowd_destroy(kept.at) end
        c.wend_service_destroy(at)
    end))
    local self = setmetatable({ own = {}, at = at, arena = arena, crowds = crowds }, Service)
    if arena then table.insert(arena.services, self) end
    return self
end

-- Give a request its function. `own` has the numbers of the calls of a service.
local function set_done(own, request, done)
    local context, id = listen(is('function', done))
    request.on_done, request.context, own[id] = on_done, context, true
    calls[id] = function(what)
        calls[id], own[id] = nil, nil
        local cells = {}
        for i = 0, tonumber(what.cell_count) - 1 do cells[i + 1] = from_cell(what.cells[i]) end
        done({ status = ffi.string(c.wend_status_name(what.status)), status_number = what.status, cells = cells,
            cost = tonumber(what.cost), expansions = tonumber(what.expansions), frames = tonumber(what.frames),
            number = tonumber(what.number) })
    end
    return id
end
local function forget(own)
    for id in pairs(own) do calls[id] = nil end
end

-- Queue a request: done(answer) is called in the tick that delivers it. fields: those of wend_request and
-- wend_search_options. Returns its ticket.
Service.submit = calls_back(function(self, map, start, goal, done, fields)
    local request, options = make_with('wend_request', 'options', 'wend_search_options', fields)
    request.map, request.start, request.goal = open(Map, map), to_cell(start), to_cell(goal)
    local id = set_done(self.own, request, done)
    local ticket = ffi.new('wend_ticket[1]')
    local number = c.wend_service_submit(open(Service, self), request, ticket)
    if number ~= 0 then calls[id], self.own[id] = nil, nil end
    check(options and number) -- it lives as long as the call
    return ffi.new('wend_ticket', ticket[0])
end)

local function to_ticket(ticket)
    if not ffi.istype('wend_ticket', ticket) then refuse('this takes a ticket, not %s', tostring(ticket)) end
    return ticket
end
-- The request ends as cancelled, in the next frame.
function Service:cancel(ticket) check(c.wend_service_cancel(open(Service, self), to_ticket(ticket))) end
function Service:set_urgency(ticket, urgency)
    check(c.wend_service_set_urgency(open(Service, self), to_ticket(ticket), whole(urgency, -2 ^ 31, 2 ^ 31 - 1, 'an urgency')))
end

-- One frame. limits: expansions, us; none: all that waits.
Service.tick = calls_back(function(self, limits)
    local budget, behind = make_with('wend_budget', 'limits', 'wend_frame_limits', limits)
    check_calls(behind and c.wend_service_tick(open(Service, self), budget, nil)) -- it lives as long as the call
end)

function Service:pending() return tonumber(c.wend_service_get_pending(open(Service, self))) end

local function make_host(maps)
    local list = {}
    for i, map in ipairs(is('table', maps or {})) do list[i] = open(Map, map) end
    local kept, host = ffi.new('wend_map *[?]', #list, list), make('wend_save_host')
    host.maps, host.map_count = ffi.cast('void *', kept), #list
    return host, kept
end

-- The requests that are pending, as a string. `maps` is a list of theirs.
function Service:save(maps)
    local at, host, kept = open(Service, self), make_host(maps)
    local data = save(function(...) return c.wend_service_save_state(at, host, ...) end)
    return kept and data -- it lives as long as the call
end

-- Ask resume() for the functions of the requests that call(at, host) finds.
local resume_with = calls_back(function(self, resume, maps, call)
    local at, host, kept = open(Service, self), make_host(maps)
    local own, id = {}, nil
    if resume ~= nil then
        is('function', resume)
        host.context, id = listen(function(request)
            local done = resume({ agent = request.agent ~= NO_AGENT and tonumber(request.agent) or nil,
                start = from_cell(request.start), goal = from_cell(request.goal), urgency = request.urgency })
            if done ~= nil then set_done(own, request, done) end
        end)
        host.request = ffi.cast('void *', on_resume)
    end
    local number = call(at, host)
    if id then calls[id] = nil end
    if number == 0 or kept and number ~= c.WEND_IN_CALLBACK and self:pending() == 0 then
        forget(self.own)
        self.own = {}
    end
    if number == 0 then self.own = own else forget(own) end
    check_calls(number)
end)

-- Replace the requests by those of a save; `maps` are those of save(), in the same order. The functions of those that
-- are gone are not called. No function is in a save: resume(request) returns the one of a request, or nil. A request is
-- a table: agent (the number that submit() was given, or nil), start, goal, urgency.
Service.restore = calls_back(function(self, data, maps, resume)
    is('string', data)
    resume_with(self, resume, maps, function(at, host) return c.wend_service_restore_state(at, host, data, #data) end)
end)

-- Remember all of it, between two frames.
function Arena:mark(slot)
    check(c.wend_arena_mark(open(Arena, self), whole(slot, 0, 2 ^ 32 - 1, 'a slot')))
    self.marked = true
end

-- Make all of it what it was, also forth to a later mark. Functions of requests do not go back: resume(request) returns
-- the one of a request that is pending again, or nil.
Arena.rewind = calls_back(function(self, slot, resume)
    check(c.wend_arena_rewind(open(Arena, self), whole(slot, 0, 2 ^ 32 - 1, 'a slot')))
    for _, service in ipairs(self.services) do resume_with(service, resume, {}, c.wend_service_adopt) end
end)

local Crowd = { noun = 'crowd' }

-- Record what the service and its crowds get: write(file, bytes). With a map it may be running.
Service.record = calls_back(function(self, write, map, crowd)
    local at, on, with = open(Service, self), map and open(Map, map), crowd and open(Crowd, crowd)
    local context, id = listen(write)
    local number = on and c.wend_service_record_state(at, on, with, on_write, context)
        or c.wend_service_record(at, on_write, context)
    if number ~= 0 then calls[id] = nil end
    check_calls(number)
end)
Service.end_recording = calls_back(function(self) check_calls(c.wend_service_end_recording(open(Service, self))) end)

-- ---- crowds ----

Crowd.__index = Crowd

-- hear(event): event, why, agent, cell, update, ends_goal, to, ahead. fields: those of wend_crowd_def and
-- wend_crowd_tuning.
function wend.crowd(service, map, agents, hear, fields)
    local def, tuning = make_with('wend_crowd_def', 'tuning', 'wend_crowd_tuning', fields)
    local arena, kept = getmetatable(service) == Service and service.arena, {}
    if arena then def.allocator = c.wend_arena_allocator(open(Arena, arena)) end
    local out = ffi.new('wend_crowd *[1]')
    local self = setmetatable({ service = service, map = map }, Crowd)
    def.service, def.map, def.agents = open(Service, service), open(Map, map), whole(agents, 0, 2 ^ 32 - 1, 'agents')
    if hear ~= nil then
        is('function', hear)
        def.on_event, def.context = on_event, (listen(function(event)
            hear({ event = ffi.string(c.wend_constant_name(c.WEND_NAME_AGENT_EVENT, event.event)), number = event.event,
                why = ffi.string(c.wend_constant_name(c.WEND_NAME_WHY, event.why)), agent = ffi.new('wend_agent_id', event.agent),
                cell = from_cell(event.cell), update = tonumber(event.update),
                ends_goal = c.wend_agent_event_ends_goal(event.event), to = from_cell(event.to), ahead = event.ahead })
        end))
    end
    check(tuning and c.wend_crowd_create(def, out)) -- it lives as long as the call
    kept.at = out[0]
    if arena then own(arena, kept, calls_back(function() c.wend_crowd_destroy(kept.at) end)) end
    if not arena then service.crowds[kept] = true end
    self.at, self.seen, self.kept = out[0], make('wend_crowd_view'), kept
    return self
end

-- fields: speed_milli, urgency, mover. Returns an id, with `index`.
function Crowd:add(cell, fields)
    local out, def = ffi.new('wend_agent_id[1]'), make('wend_agent_def', fields)
    def.cell = to_cell(cell)
    check(c.wend_crowd_add(open(Crowd, self), def, out))
    return ffi.new('wend_agent_id', out[0])
end

-- Make an agent a disc that moves in continuous space. fields: those of wend_body_def: radius_milli, ...
function Crowd:set_body(agent, fields)
    check(c.wend_crowd_set_body(open(Crowd, self), to_id(agent), make('wend_body_def', fields)))
end

-- The agent steps from cell to cell again.
function Crowd:remove_body(agent) check(c.wend_crowd_set_body(open(Crowd, self), to_id(agent), nil)) end

-- Returns the wend_body_state of a body: at, velocity, facing, state, ...
function Crowd:get_body(agent)
    local out = make('wend_body_state')
    check(c.wend_crowd_get_body(open(Crowd, self), to_id(agent), out))
    return out
end

-- One agent, or a list of them, each of which gets a place of its own.
Crowd.go = calls_back(function(self, agents, cell)
    local list, goal = type(agents) == 'table' and agents or { to_id(agents) }, make('wend_crowd_goal')
    goal.cell = to_cell(cell)
    for _, agent in ipairs(list) do to_id(agent) end
    check(c.wend_crowd_go(open(Crowd, self), ffi.new('wend_agent_id[?]', #list, list), #list, goal))
end)

function Crowd:step(agent, cell) check(c.wend_crowd_step(open(Crowd, self), to_id(agent), to_cell(cell))) end
-- Put it there at once.
function Crowd:move(agent, cell) check(c.wend_crowd_move(open(Crowd, self), to_id(agent), to_cell(cell))) end
function Crowd:remove(agent) check(c.wend_crowd_remove(open(Crowd, self), to_id(agent))) end

Crowd.update = calls_back(function(self, elapsed_milli)
    check_calls(c.wend_crowd_update(open(Crowd, self), whole(elapsed_milli or 1000, 0, 2 ^ 32 - 1, 'elapsed_milli'),
        nil, nil))
end)

-- Agents, in the middle of their steps, with goals, groups and paths, as a string.
function Crowd:save()
    local at = open(Crowd, self)
    return save(function(...) return c.wend_crowd_save_state(at, ...) end)
end

-- Replace the agents by those of a save. Map and service were restored before. Ids of agents stay good.
function Crowd:restore(data)
    check(c.wend_crowd_restore_state(open(Crowd, self), nil, is('string', data), #data))
end

-- Copies of the arrays of a view, by index of agents, from 0. types: those of their elements, by name.
local function copy_view(seen, types)
    local view = { count = seen.count }
    for name, of in pairs(types) do
        view[name] = ffi.new(of .. '[?]', seen.count)
        ffi.copy(view[name], seen[name], ffi.sizeof(view[name]))
    end
    return view
end

-- count, points, velocities, radii, cells and states by index of agents, from 0; lengths are in thousandths of a cell. A
-- radius of 0 is no body. At the part t of the time from the last update to the next, draw at point - velocity * (1 - t).
function Crowd:view()
    check(c.wend_crowd_get_view(open(Crowd, self), self.seen))
    return copy_view(self.seen, { points = 'wend_point', velocities = 'wend_point', radii = 'uint32_t', cells = 'wend_cell',
        states = 'uint8_t' })
end

-- Where it is not called, the crowd goes with its service.
Crowd.destroy = calls_back(function(self)
    if not self.at then return end
    check(c.wend_crowd_destroy(self.at))
    self.service.crowds[self.kept] = nil
    self.at, self.kept.at = nil, nil
end)

-- The addresses, for functions of `wend.c`.
for _, kind in ipairs({ Arena, Map, Edit, Service, Crowd }) do
    kind.handle = function(self) return open(kind, self) end
end

return wend
