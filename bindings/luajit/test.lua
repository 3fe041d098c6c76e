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
expect(walks(map, service) == '1531deef', 'a crowd has the golden hash')

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
os.exit(failed and 1 or 0)
