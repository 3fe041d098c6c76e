-- SPDX-License-Identifier: MIT
-- What every binding is tested for: test.lua MAP.
local bit = require 'bit'
local wend = require 'wend'

local failed = false
local function expect(good, what)
    print((good and 'ok ' or 'not ok ') .. what)
    failed = failed or not good
end

local function golden()
    local g = { hash = bit.tobit(2166136261), random = 1 }
    local function times(a) -- by 16777619, modulo 2^32
        local low, high = bit.band(a, 0xffff), bit.rshift(a, 16)
        return bit.tobit((low * 16777619 + bit.lshift(bit.band(high * 16777619 % 65536, 0xffff), 16)) % 2 ^ 32)
    end
    function g.put(...)
        for _, value in ipairs({ ... }) do g.hash = times(bit.bxor(g.hash, bit.tobit(value % 2 ^ 32))) end
    end
    function g.open_cell(map)
        while true do
            local r = g.random
            r = bit.bxor(r, bit.lshift(r, 13))
            r = bit.bxor(r, bit.rshift(r, 17))
            r = bit.bxor(r, bit.lshift(r, 5))
            g.random = r
            local cell = { r % 2 ^ 32 % 512, bit.rshift(r, 16) % 512 }
            if map:terrain(cell) ~= wend.BLOCKED then return cell end
        end
    end
    return g
end

local function requests(map, service)
    local g = golden()
    for i = 0, 299 do
        local start = g.open_cell(map)
        service:submit(map, start, g.open_cell(map), function(answer)
            g.put(answer.number, answer.status_number, answer.cost, answer.expansions, answer.frames, #answer.cells)
            for _, cell in ipairs(answer.cells) do g.put(cell[1], cell[2]) end
        end, { urgency = i % 7 })
    end
    while service:pending() > 0 do service:tick({ expansions = 20000 }) end
    return bit.tohex(g.hash)
end

local function walks(map, service)
    local g, crowd = golden(), nil
    crowd = wend.crowd(service, map, 200, function(event)
        g.put(event.number, event.agent.index, event.cell[1], event.cell[2], event.update)
        if event.ends_goal and event.event ~= 'replaced' then crowd:go(event.agent, g.open_cell(map)) end
    end)
    for _ = 1, 200 do
        local good, agent
        repeat
            local cell = g.open_cell(map)
            good, agent = pcall(crowd.add, crowd, cell, { speed_milli = 1000 })
            if not good and agent.code ~= 'WEND_BUSY' then error(agent, 0) end
        until good
        crowd:go(agent, g.open_cell(map))
    end
    for _ = 1, 200 do
        service:tick({ expansions = 20000 })
        crowd:update()
        local view = crowd:view()
        for i = 0, view.count - 1 do g.put(view.points[i].x, view.points[i].y, view.states[i]) end
    end
    crowd:destroy()
    return bit.tohex(g.hash)
end

local map, service = wend.load(arg[1] or 'data/caves512.map'):accelerate(), wend.service()
expect(requests(map, service) == '08a1e302', 'requests have the golden hash')
expect(walks(map, service) == 'b932dc31', 'a crowd has the golden hash')

for number = wend.c.WEND_EMPTY, 0 do
    local name = require('ffi').string(wend.c.wend_error_name(number))
    expect(name:sub(1, 5) == 'WEND_', name)
end
local good, problem = pcall(wend.map, { width = 0, height = 5 })
expect(not good and problem.code == 'WEND_BAD_ARGUMENT' and problem.text:find('width'), 'an error has name and reason')
good, problem = pcall(wend.parse, 'type octile\nheight 1\nwidth 2\nmap\n.?\n')
expect(not good and problem.text:find('^map:5:2: '), 'an error of a map says where')
expect(not pcall(wend.map, { widht = 5 }), 'a field that does not exist is refused')

local field, called = wend.map({ width = 8, height = 8 }), 0
service:submit(field, { 0, 0 }, { 7, 7 }, function() error('mine', 0) end)
service:submit(field, { 0, 0 }, { 7, 7 }, function() called = called + 1 end)
good, problem = pcall(service.tick, service)
expect(problem == 'mine' and called == 1, 'what a callback raises comes out of tick(), after the others were called')
service:tick()
local crowd = wend.crowd(service, field, 1, function() error('event', 0) end)
crowd:go(crowd:add({ 0, 0 }), { 0, 0 })
problem = nil
for _ = 1, 4 do
    service:tick()
    local fine, what = pcall(crowd.update, crowd)
    if not fine then problem = what end
end
expect(problem == 'event', 'and out of update()')
crowd:destroy()
pcall(field.edit, field, function(edit)
    edit:set({ 1, 1 }, 0)
    error('stop')
end)
expect(field:terrain({ 1, 1 }) == 1, 'an edit that fails changes nothing')

local files, other = {}, wend.service()
other:record(function(number, bytes) files[number] = (files[number] or '') .. bytes end)
other:submit(field, { 0, 0 }, { 7, 7 }, function() end)
other:tick()
other:end_recording()
expect(files[0] and files[1]:find('request'), 'a recording has a script for the map')
other:submit(field, { 0, 0 }, { 7, 7 }, function() end)
other:record(function(number, bytes) files[number] = (files[number] or '') .. bytes end, field)
other:tick()
other:end_recording()
expect(files[1]:find('state request 0 1\n'), 'a recording begins while a request is pending')

do
    local on, queue, heard = wend.map({ width = 8, height = 8 }), wend.service(), {}
    local few = wend.crowd(queue, on, 4)
    local agent = few:add({ 0, 0 })
    few:go(agent, { 7, 0 })
    queue:submit(on, { 0, 0 }, { 7, 7 }, function(answer) heard[#heard + 1] = answer.cost end, { agent = 2 ^ 40 })
    queue:submit(on, { 0, 0 }, { 7, 7 }, function() heard[#heard + 1] = 'lost' end)
    local saved, seen = { on:save(), queue:save({ on }), few:save() }, {}
    on:edit(function(edit) edit:set({ 3, 3 }, wend.BLOCKED) end)
    few:remove(agent)
    on:restore(saved[1])
    queue:restore(saved[2], { on }, function(request)
        seen[#seen + 1] = tostring(request.agent) .. ' ' .. table.concat(request.goal, ',') .. ' ' .. request.urgency
        return request.agent and function(answer) heard[#heard + 1] = -answer.cost end
    end)
    few:restore(saved[3])
    expect(on:terrain({ 3, 3 }) == 1 and few:view().count == 1, 'map and crowd are as they were saved')
    queue:tick()
    few:update()
    expect(#heard == 1 and heard[1] == -98, 'a restored request calls what resume() returned, and nothing else')
    expect(seen[1] == '1099511627776 7,7,0 0' and seen[2] == 'nil 7,7,0 0' and #seen == 2, 'resume() gets the requests')
    expect(next(queue.own) == nil and few:view().points[0].x > 0, 'and the agent walks on')
    few:destroy()
    local new_map, new_queue = wend.map({ width = 8, height = 8 }), wend.service()
    new_map:restore(saved[1])
    new_queue:restore(saved[2], { new_map }, function() return function() heard[#heard + 1] = 1 end end)
    few = wend.crowd(new_queue, new_map, 4)
    few:restore(saved[3])
    new_queue:tick()
    expect(#heard == 3 and heard[3] == 1, 'new objects take a save')
    local broken = saved[2]:sub(1, -2) .. string.char(bit.bxor(saved[2]:byte(-1), 1))
    for _, call in ipairs({ function() new_queue:restore(broken, { new_map }) end, function() new_map:restore('') end,
        function() few:restore('no save at all') end }) do
        local fine, what = pcall(call)
        expect(not fine and what.code == 'WEND_BAD_FORMAT', 'other bytes are refused by name')
    end
    new_queue:submit(new_map, { 0, 0 }, { 7, 7 }, function() heard[#heard + 1] = 2 end)
    pcall(new_queue.restore, new_queue, broken, { new_map })
    new_queue:tick()
    expect(#heard == 4 and heard[4] == 2, 'after bytes that are refused the requests are as before')
    local fine, what = pcall(new_queue.restore, new_queue, saved[2], { new_map }, function() error('resume', 0) end)
    expect(not fine and what == 'resume', 'what resume() raises comes out of restore()')
    new_queue:tick()
    few:destroy()
end

-- Frames after a rewind are those after the mark, with budgets that cut searches.
do
    local arena, heard = wend.arena({ marks = 2 }), {}
    local on, queue = wend.map({ width = 32, height = 32, arena = arena }), wend.service({ arena = arena })
    local few = wend.crowd(queue, on, 8)
    for y = 0, 7 do few:go(few:add({ 0, y }), { 31, 31 - y }) end
    queue:submit(on, { 0, 31 }, { 31, 0 }, function() heard[#heard + 1] = 'first' end, { agent = 7 })
    local function play(frames)
        local seen = {}
        for _ = 1, frames do
            queue:tick({ expansions = 20 })
            few:update()
            local view = few:view()
            for i = 0, view.count - 1 do seen[#seen + 1] = view.points[i].x .. ',' .. view.points[i].y end
        end
        return table.concat(seen, ' ')
    end
    arena:mark(0)
    local first = play(60)
    arena:mark(1)
    expect(#heard == 1 and heard[1] == 'first', 'the request is answered')
    for turn = 1, 3 do
        arena:rewind(0, function(request) return function() heard[#heard + 1] = request.agent end end)
        expect(play(60) == first, 'the same frames follow')
        expect(#heard == turn + 1 and heard[#heard] == 7, 'the request has the function of resume()')
        arena:rewind(1)
        expect(queue:pending() == 0, 'forth again')
    end
    local fine, what = pcall(arena.rewind, arena, 0, function() error('resume', 0) end)
    expect(not fine and what == 'resume', 'what resume() raises comes out of rewind()')
    fine, what = pcall(arena.rewind, arena, 5)
    expect(not fine and what.code == 'WEND_OUT_OF_RANGE', 'there is no such slot')
end

-- Maps from files, of Tiled, too; with fields, and in an arena.
do
    local tiled, arena = os.getenv('WEND_TILED'), wend.arena()
    local fine, what = pcall(wend.load, tiled, { arena = arena, max_versions = 3 })
    if os.getenv('WEND_EXTRA') == '' then
        expect(not fine and what.text:find('libwend-extra', 1, true), 'what reads a map of Tiled is named: ' .. tostring(what))
    else
        expect(fine and what:info().width == 20 and what.start[1] == 2 and what.goal[2] == 11, 'a map of Tiled: ' .. tostring(what))
        expect(what:terrain({ 0, 0 }) == 0 and what:terrain({ 12, 2 }) == 5 and what:terrain({ 5, 3 }) == 3, 'its terrain')
        expect(wend.load(tiled):info().height == 15, 'and without an arena')
        fine, what = pcall(wend.load, tiled .. '.none')
        expect(not fine and what.code == 'WEND_IO', 'no file')
    end
    local on = wend.parse('type octile\nheight 1\nwidth 3\nmap\n.@.\n', { arena = arena })
    wend.load(arg[1] or 'data/caves512.map', { arena = arena })
    arena:mark(0)
    on:edit(function(edit) edit:set({ 0, 0 }, wend.BLOCKED) end)
    arena:rewind(0)
    expect(on:terrain({ 0, 0 }) == 1 and on:terrain({ 1, 0 }) == 0, 'a map from a text goes back')
    for _, row in ipairs({ { function() wend.map({ dept = 1 }) end, 'dept', 'arena, kind, width' }, { function() service:tick({ expansion = 1 }) end,
        'expansion', 'expansions, us, rounds' }, { function() wend.service({ queu = 1 }) end, 'queu', 'arena, queue' } }) do
        fine, what = pcall(row[1])
        expect(not fine and what.text:find('unknown option `' .. row[2] .. '`; known: ' .. row[3], 1, true), 'options are named: ' .. tostring(what))
    end
end

-- A walker in space, as in a game of blocks.
do
    local on, queue, heard = wend.map({ kind = wend.c.WEND_KIND_VOXEL, width = 8, height = 4, depth = 6 }), wend.service(), {}
    local bytes = require('ffi').new('uint8_t[?]', 8 * 4)
    for i = 0, 31 do bytes[i] = i % 8 < 4 and wend.BLOCKED or 7 end
    on:edit(function(edit)
        edit:set_box({ 0, 0, 0 }, { 7, 3, 0 }, string.rep('\0', 32))
        edit:set_box({ 0, 0, 1 }, { 7, 3, 1 }, bytes)
        edit:set_box({ 2, 1, 2 }, { 3, 2, 2 }, '\1\2\3\4')
    end)
    expect(on:terrain({ 3, 3, 1 }) == 0 and on:terrain({ 4, 0, 1 }) == 7, 'a box is set from an array')
    expect(on:terrain({ 3, 1, 2 }) == 2 and on:terrain({ 2, 2, 2 }) == 3, 'and from a string, row by row')
    local walker = on:add_mover({ walker = 1, step_up = 1, drop = 3, factors = { [7] = 1, [3] = 0 } })
    local crowd = wend.crowd(queue, on, 2, function(event) heard[#heard + 1] = event.event .. ' ' .. event.why end)
    local agent = crowd:add({ 0, 0, 2 }, { mover = walker })
    local shy = on:add_mover({ walker = 1, avoided = { 2 ^ 0 } }) -- the blocked class: there is no other ground here
    expect(not pcall(crowd.add, crowd, { 1, 0, 2 }, { mover = shy }), 'what is avoided is not stood on')
    expect(not pcall(crowd.add, crowd, { 2, 2, 2 }, { mover = walker }), 'a class of factor 0 is not stood on')
    expect(not pcall(crowd.move, crowd, agent, { 1, 0, 3 }), 'a walker does not stand in the air')
    crowd:move(agent, { 1, 0, 2 })
    on:occupy({ 3, 0, 2 })
    expect(on:occupants({ 3, 0, 2 }) == 1, 'a unit of the host takes a cell')
    crowd:go(agent, { 7, 3, 1 })
    for _ = 1, 100 do
        queue:tick()
        crowd:update()
        local at = crowd:view().cells[agent.index]
        if at.x == 3 and at.y == 0 then heard[#heard + 1] = 'on the unit' end
    end
    expect(table.concat(heard, ', ') == 'arrived none', 'the walker goes round it and down: ' .. table.concat(heard, ', '))
    on:vacate({ 3, 0, 2 })
    expect(on:occupants({ 3, 0, 2 }) == 0 and not pcall(on.vacate, on, { 3, 0, 2 }), 'and leaves it again')
    for x = 4, 7 do for y = 2, 3 do if x < 7 or y < 3 then on:occupy({ x, y, 1 }) end end end
    crowd:go(agent, { 0, 0, 2 })
    for _ = 1, 4000 do
        queue:tick()
        crowd:update()
    end
    expect(heard[#heard] == 'gave_up blocked', 'an event says why: ' .. heard[#heard])
    crowd:destroy()
end
collectgarbage()
collectgarbage()

-- A service that nobody has any more ends, with crowds that were never destroyed.
do
    local ended = {}
    local function forget(make)
        local on, queue = wend.map({ width = 8, height = 8 }), wend.service()
        make(queue, on):add({ 1, 1 })
        queue:submit(on, { 0, 0 }, { 7, 7 }, function(answer) ended[#ended + 1] = answer.status end)
    end
    forget(function(queue, on) return wend.crowd(queue, on, 4) end)
    forget(function(queue, on)
        local with_a_body = wend.crowd(queue, on, 4)
        with_a_body:set_body(with_a_body:add({ 5, 5 }))
        return with_a_body
    end)
    collectgarbage()
    collectgarbage()
    expect(table.concat(ended, ' ') == 'cancelled cancelled', 'forgotten crowds go with their service')
end

-- Bodies: discs that go where they are sent, and a view that has what is needed to draw all agents between two updates.
do
    local on, queue, arrived = wend.map({ width = 16, height = 8 }), wend.service(), 0
    on:edit(function(edit) edit:fill({ 8, 0 }, { 8, 4 }, wend.BLOCKED) end)
    expect(on:accelerate({ landmarks = 2 }):info().landmarks == 2, 'a map is accelerated as the fields say')
    local crowd = wend.crowd(queue, on, 4, function(event)
        if event.event == 'arrived' then arrived = arrived + 1 end
    end, { patience_updates = 50 })
    local first, second, third = crowd:add({ 1, 1 }, { speed_milli = 400 }), crowd:add({ 3, 1 }), crowd:add({ 14, 1 })
    crowd:set_body(first, { radius_milli = 300 })
    crowd:set_body(third)
    expect(crowd:get_body(first).at.x == 1000 and crowd:get_body(first).radius_milli == 300, 'a body is in its cell')
    crowd:go({ first, second }, { 14, 6 })
    crowd:go(third, { 1, 6 })
    local before, differ = crowd:view(), 0
    for _ = 1, 200 do
        queue:tick()
        crowd:update()
        local view = crowd:view()
        for i = 0, view.count - 1 do
            local x, y = view.points[i].x - view.velocities[i].x, view.points[i].y - view.velocities[i].y
            local most = view.radii[i] > 0 and 1 or 0 -- those of bodies are rounded
            if math.abs(x - before.points[i].x) > most or math.abs(y - before.points[i].y) > most then differ = differ + 1 end
        end
        before = view
    end
    expect(differ == 0, 'point - velocity is the point before')
    expect(arrived == 3 and crowd:get_body(first).at.x > 12000, 'all arrive behind the wall')
    expect(before.radii[0] == 300 and before.radii[1] == 0 and before.radii[2] == 400, 'a radius of 0 is no body')
    crowd:remove_body(third)
    expect(crowd:view().radii[third.index] == 0, 'it is taken away')
    good, problem = pcall(crowd.get_body, crowd, third)
    expect(not good and problem.code == 'WEND_STALE_TICKET', 'and gone')
    good, problem = pcall(crowd.set_body, crowd, third, { radius_milli = 50 })
    expect(not good and problem.text:find('radius'), 'a body that is refused')
    local saved = crowd:save()
    crowd:remove(first)
    crowd:restore(saved)
    expect(crowd:get_body(first).radius_milli == 300, 'a save of the crowd has bodies')
    crowd:destroy()
    local space = wend.crowd(queue, wend.parse('Layers 2\nRows 1\nColumns 3\n0 0 0\n0 0 0\n'), 1)
    good, problem = pcall(space.set_body, space, space:add({ 0, 0 }))
    expect(not good and problem.code == 'WEND_UNSUPPORTED', 'no bodies in space')
    local arena = wend.arena()
    local level, frames = wend.map({ width = 8, height = 8, arena = arena }), wend.service({ arena = arena })
    local kept = wend.crowd(frames, level, 1)
    local disc = kept:add({ 0, 0 })
    arena:mark(0)
    kept:set_body(disc) -- the first one takes memory, which goes back with the mark
    kept:go(disc, { 7, 7 })
    arena:mark(1)
    local function play()
        for _ = 1, 20 do
            frames:tick()
            kept:update()
        end
        local point = kept:view().points[0]
        return point.x .. ',' .. point.y
    end
    local there = play()
    arena:rewind(0)
    expect(kept:view().radii[0] == 0, 'bodies go back to a mark')
    arena:rewind(1)
    expect(play() == there, 'and forth')
end
collectgarbage()
collectgarbage()

-- ---- misuse: each line of the table is a case, its error, and the languages in which it cannot be written ----

local function each_fails(...)
    local calls = { ... }
    for number, call in ipairs(calls) do
        local fine, what = pcall(call)
        if number == #calls then return fine or error(what, 0) end -- to the caller, as the row says
        expect(not fine and what.code == 'WEND_BAD_ARGUMENT', 'call ' .. number .. ' fails: ' .. tostring(what))
    end
end
local function a_crowd(hear)
    local on, queue = wend.map({ width = 8, height = 8 }), wend.service()
    return on, queue, wend.crowd(queue, on, 4, hear)
end
local here, there, nothing = { 0, 0 }, { 1, 1 }, function() end
local misuse = {}
function misuse.edit_after_its_end()
    local kept
    a_crowd():edit(function(edit) kept = edit end)
    local fine, what = pcall(kept.fill, kept, here, there, 0)
    expect(not fine and what.code == 'WEND_CLOSED', 'fill() after the end of its edit')
    kept:set(there, 0)
end
function misuse.edit_dropped()
    local on = a_crowd()
    pcall(on.edit, on, function(edit) edit:set(there, 0) error('dropped') end)
    on:edit(function(edit) edit:set({ 2, 2 }, 0) end)
    expect(on:terrain(there) == 1 and on:terrain({ 2, 2 }) == 0, 'an edit that was dropped changed nothing')
end
function misuse.edit_in_an_edit()
    local on = a_crowd()
    on:edit(function() on:edit(nothing) end)
end
function misuse.crowd_outlives_its_service()
    local crowd_alone = select(3, a_crowd())
    crowd_alone:go(crowd_alone:add(here), { 7, 7 })
    collectgarbage()
    collectgarbage()
    crowd_alone:update()
    crowd_alone:destroy()
end
function misuse.crowd_after_its_end()
    local _, _, gone = a_crowd()
    local agent = gone:add(here)
    gone:destroy()
    for name, call in pairs({ add = function() gone:add(here) end, go = function() gone:go(agent, here) end,
        step = function() gone:step(agent, here) end, view = function() gone:view() end, set_body = function() gone:set_body(agent) end,
        get_body = function() gone:get_body(agent) end, remove_body = function() gone:remove_body(agent) end }) do
        local fine, what = pcall(call)
        expect(not fine and what.code == 'WEND_CLOSED', name .. ' after the end')
    end
    gone:update()
end
function misuse.crowd_ended_twice()
    local _, _, gone = a_crowd()
    gone:destroy()
    gone:destroy()
end
function misuse.positions_after_the_crowd()
    local _, _, gone = a_crowd()
    gone:add({ 3, 4 })
    local view = gone:view()
    gone:destroy()
    select(3, a_crowd()):add(there)
    expect(view.count == 1 and view.points[0].x == 3000 and view.points[0].y == 4000, 'positions are as they were')
end
function misuse.record_twice()
    local on, queue = a_crowd()
    local first, fresh = '', wend.service()
    fresh:record(function(_, bytes) first = first .. bytes end)
    local fine, what = pcall(fresh.record, fresh, function() error('the second') end)
    fresh:submit(on, here, there, nothing)
    fresh:tick()
    fresh:end_recording()
    expect(not fine and first:find('request'), 'the first recording goes on')
    error(what, 0)
end
function misuse.cell_of_wrong_type()
    local on, queue, crowd_there = a_crowd()
    local agent = crowd_there:add(here)
    for _, cell in ipairs({ 'ab', 5, false, {}, { 1 }, { 1, 2, 3, 4 }, { 1.5, 2 }, { '1', '2' }, { 0 / 0, 0 }, { {}, {} }, { x = 1, y = 2 } }) do
        pcall(each_fails, function() on:terrain(cell) end, function() queue:submit(on, here, cell, nothing) end,
            function() crowd_there:go(agent, cell) end, function() crowd_there:add(cell) end,
            function() on:random_cell(cell, 1) end, nothing)
    end
    on:occupants(nil)
end
function misuse.cell_beyond_numbers()
    local on = a_crowd()
    each_fails(function() on:terrain({ 0, -2 ^ 31 - 1 }) end, function() on:terrain({ 2 ^ 32 + 3, 0 }) end)
end
function misuse.cell_off_the_map() a_crowd():terrain({ 99, 0 }) end
function misuse.terrain_out_of_range()
    a_crowd():edit(function(edit)
        each_fails(function() edit:set(here, 256) end, function() edit:fill(here, there, -1) end, function() edit:set(here, 2 ^ 32) end)
    end)
    local on = wend.map({ kind = wend.c.WEND_KIND_VOXEL, width = 4, height = 4, depth = 4 })
    each_fails(function() on:add_mover({ factors = { [256] = 1 } }) end, function() on:add_mover({ factors = { 256 } }) end,
        function() on:add_mover({ factors = { stone = 1 } }) end, nothing)
end
function misuse.number_of_wrong_type()
    local on, queue, crowd_there = a_crowd()
    each_fails(function() wend.map({ width = '8', height = 8 }) end, function() wend.map({ width = 8.5, height = 8 }) end,
        function() wend.service({ queue = {} }) end, function() crowd_there:update('1') end, function() crowd_there:update(1.5) end,
        function() queue:tick({ expansions = {} }) end, function() queue:tick(5) end, function() queue:tick({ expansions = 0 / 0 }) end,
        function() crowd_there:set_body(crowd_there:add(here), { radius_milli = '300' }) end, function() on:accelerate({ far = '1' }) end,
        function() on:random_cell(here, 1.5) end, function() on:edit(function(edit) edit:set(here, '1') end) end,
        function() wend.crowd(queue, on, '4') end, function() queue:submit(on, here, there, nothing, { urgency = '5' }) end)
end
function misuse.number_out_of_range()
    local on, queue, crowd_there = a_crowd()
    each_fails(function() wend.map({ width = 2 ^ 32 + 5, height = 8 }) end, function() crowd_there:update(-1) end,
        function() crowd_there:update(2 ^ 32) end, function() queue:tick({ expansions = -1 }) end, function() on:random_cell(here, -1) end,
        function() crowd_there:set_body(crowd_there:add(here), { radius_milli = 500 }) end, function() on:accelerate({ landmarks = -1 }) end,
        function() crowd_there:add(here, { speed_milli = 2 ^ 32 }) end, function() wend.crowd(queue, on, -1) end,
        function() queue:submit(on, here, there, nothing, { urgency = 2 ^ 31 }) end)
end
function misuse.urgency_out_of_range()
    local on, queue = a_crowd()
    queue:submit(on, here, there, nothing, { urgency = 1001 })
end
function misuse.field_unknown()
    local _, queue, crowd_there = a_crowd()
    each_fails(function() queue:tick({ expansion = 1 }) end, function() crowd_there:add(here, { spede = 1 }) end,
        function() crowd_there:set_body(crowd_there:add(here), { radius = 300 }) end, function() wend.map({ width = 8, height = 8 }):accelerate({ mark = 1 }) end,
        function() wend.map({ struct_bytes = 8 }) end, function() wend.map({ dept = 1 }) end)
end
function misuse.box_of_another_size()
    local on = a_crowd()
    on:edit(function(edit) edit:set_box(here, there, '123') end)
end
function misuse.handle_of_wrong_kind()
    local on, queue, crowd_there = a_crowd()
    each_fails(function() crowd_there.view(queue) end, function() crowd_there.set_body(queue, crowd_there:add(here)) end,
        function() queue:submit(queue, here, there, nothing) end, function() wend.crowd(on, queue, 4) end,
        function() queue:submit(nil, here, there, nothing) end, function() wend.crowd(queue, nil, 4) end, function() on.terrain(queue, here) end,
        function() queue:submit({ at = on.at }, here, there, nothing) end)
end
function misuse.agent_of_wrong_type()
    local _, _, crowd_there = a_crowd()
    each_fails(function() crowd_there:get_body() end, function() crowd_there:go({ 5 }, here) end, function() crowd_there:remove(here) end,
        function() crowd_there:get_body({ index = 0 }) end, function() crowd_there:set_body(5) end,
        function() crowd_there:go(nil, here) end, function() crowd_there:step({}, here) end, function() crowd_there:remove(5) end,
        function() crowd_there:go({ crowd_there:add(here), 'agent' }, here) end)
end
function misuse.agent_removed()
    local _, _, crowd_there = a_crowd()
    local agent = crowd_there:add(here)
    crowd_there:remove(agent)
    for _, name in ipairs({ 'get_body', 'set_body', 'remove_body' }) do
        local fine, what = pcall(crowd_there[name], crowd_there, agent)
        expect(not fine and what.code == 'WEND_STALE_TICKET', name .. ' of an agent that is gone')
    end
    crowd_there:go(agent, there)
end
function misuse.agent_on_an_agent()
    local _, _, crowd_there = a_crowd()
    crowd_there:add(here)
    crowd_there:add(here)
end
function misuse.agent_on_a_wall()
    local on, _, crowd_there = a_crowd()
    on:edit(function(edit) edit:set(here, wend.BLOCKED) end)
    crowd_there:add(here)
end
function misuse.goal_off_the_map()
    local _, _, crowd_there = a_crowd()
    crowd_there:go(crowd_there:add(here), { 99, 0 })
end
function misuse.update_in_an_event()
    local _, queue, crowd_there
    _, queue, crowd_there = a_crowd(function() crowd_there:update() end)
    crowd_there:go(crowd_there:add(here), here)
    for _ = 1, 4 do
        queue:tick()
        crowd_there:update()
    end
end
function misuse.callback_missing()
    local on, queue = a_crowd()
    each_fails(function() queue:submit(on, here, there) end, function() queue:record(5) end, function() on:edit() end,
        function() wend.crowd(queue, on, 4, 5) end, function() queue:submit(on, here, there, 'done') end)
end
function misuse.bytes_of_wrong_type()
    local on = a_crowd()
    for _, bytes in ipairs({ 5, {}, 'abc', require('ffi').new('uint8_t[?]', 3), require('ffi').new('int32_t[4]') }) do
        on:edit(function(edit) pcall(each_fails, function() edit:set_box(here, there, bytes) end, nothing) end)
    end
    each_fails(function() on:edit(function(edit) edit:set_box(there, here, 'abcd') end) end, function() wend.parse(5) end, function() wend.parse({ 1, 2 }) end, function() wend.load(5) end, function() wend.parse() end)
end
function misuse.path_with_a_zero() wend.load('data\0') end
function misuse.restore_of_wrong_type()
    local on, queue, crowd_there = a_crowd()
    each_fails(function() on:restore(5) end, function() queue:restore({}) end, function() queue:restore(queue:save(), { queue }) end,
        function() queue:restore(queue:save(), {}, 5) end, function() crowd_there:restore() end)
end
function misuse.restore_of_another_kind()
    local on, queue, crowd_there = a_crowd()
    each_fails(function() queue:restore(crowd_there:save()) end, function() on:restore(queue:save()) end,
        function() crowd_there:restore(on:save()) end)
end
function misuse.save_without_its_map()
    local on, queue = a_crowd()
    queue:submit(on, here, there, nothing)
    queue:save({ (a_crowd()) })
end
function misuse.restore_in_a_callback()
    local on, queue = a_crowd()
    local saved = queue:save()
    queue:submit(on, here, { 7, 7 }, function() queue:restore(saved) end)
    queue:tick()
end
function misuse.tick_in_a_callback()
    local on, queue = a_crowd()
    queue:submit(on, here, { 7, 7 }, function() queue:tick() end)
    queue:tick()
end

-- What has no method is called by its name in C.
do
    local ffi = require 'ffi'
    local names, absent = 0, {}
    for line in io.lines(debug.getinfo(1, 'S').source:match('^@(.*)[/\\]') .. '/../api/wend.cdef') do
        local name = line:match('(wend_[%w_]+)%(') -- of a function, or of the type of a callback
        if name and not line:match('^typedef') and not line:match('^%s') then
            names = names + 1
            if not pcall(function() return wend.c[name] end) then absent[#absent + 1] = name end
        end
    end
    expect(names > 200 and #absent == 0, 'c has each function; absent: ' .. table.concat(absent, ' '))
    local on, queue, crowd = a_crowd()
    local agent, corners, route = crowd:add({ 0, 0 }), ffi.new('wend_cell[2]', { { 5, 0 }, { 0, 5 } }), ffi.new('uint32_t[1]')
    wend.check(wend.c.wend_crowd_add_route(crowd:handle(), wend.make('wend_route_def', { corners = corners, corner_count = 2 }), route))
    wend.check(wend.c.wend_crowd_patrol(crowd:handle(), agent, route[0]))
    for _ = 1, 80 do
        queue:tick()
        crowd:update()
    end
    local cell = crowd:view().cells[agent.index]
    expect(cell.x == 0 and cell.y == 5, 'a route is walked to its end')
    expect(not pcall(function() wend.check(wend.c.wend_crowd_patrol(crowd:handle(), agent, 9)) end), 'an error is raised')
    local heard
    local ticket = queue:submit(on, { 0, 0 }, { 7, 7 }, function(answer) heard = answer.status end)
    queue:set_urgency(ticket, 5)
    queue:cancel(ticket)
    queue:tick()
    expect(heard == 'cancelled', 'a request is cancelled by its ticket')
    local good, what = pcall(queue.cancel, queue, ticket)
    expect(not good and what.code == 'WEND_STALE_TICKET', 'which is stale then')
end

function misuse.object_after_a_mark()
    local arena = wend.arena()
    wend.map({ width = 8, height = 8, arena = arena })
    arena:mark(0)
    local text = 'type octile\nheight 1\nwidth 1\nmap\n.\n'
    for _, call in ipairs({ function() wend.parse(text, { arena = arena }) end, function() wend.load(arg[1], { arena = arena }) end }) do
        local fine, what = pcall(call)
        expect(not fine and what.code == 'WEND_IN_USE', 'no map after the first mark: ' .. tostring(what))
    end
    wend.service({ arena = arena })
end
function misuse.crowd_across_arenas()
    wend.crowd(wend.service({ arena = wend.arena() }), wend.map({ width = 8, height = 8 }), 4)
end

local kinds = { type = 'BAD_ARGUMENT', range = 'BAD_ARGUMENT', path = 'BAD_ARGUMENT' }
for line in io.lines(arg[2]) do
    local name, kind, others = line:match('^(%l[%l_]*)%s+(%S+)(.*)')
    local ruled_out = name and others:find('luajit')
    if name and (ruled_out or not misuse[name]) then
        expect(not ruled_out == not not misuse[name], name .. ' is in the table or here')
    elseif name then
        local fine, what = pcall(misuse[name])
        local code = type(what) == 'table' and what.code
        local wanted = kind == 'fine' and fine or not fine and code == 'WEND_' .. (kinds[kind] or kind)
        expect(wanted, 'misuse: ' .. name .. ': ' .. kind .. ', and ' .. tostring(what))
        collectgarbage()
    end
end
os.exit(failed and 1 or 0)
