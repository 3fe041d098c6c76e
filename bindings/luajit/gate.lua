-- SPDX-License-Identifier: MIT
-- A save game: 500 agents walk to a wall with two gates. One closes. All is saved, and what follows is played twice.
local bit = require 'bit'
local wend = require 'wend'

local WIDTH, HEIGHT, AGENTS, CLOSES, SAVED, FRAMES, SCOUT = 96, 64, 500, 100, 150, 300, 7
local map, service = wend.map({ width = WIDTH, height = HEIGHT }), wend.service()
local hash, crowd = 0, nil

local function put(value)
    local a = bit.bxor(hash, bit.tobit(value))
    local low, high = bit.band(a, 0xffff), bit.rshift(a, 16)
    hash = bit.tobit((low * 16777619 + bit.lshift(bit.band(high * 16777619 % 65536, 0xffff), 16)) % 2 ^ 32)
end

local function take_answer(answer) put(answer.cost) end

-- No function is in a save. The host knows its request again by the number that it gave it.
local function resume(request) return request.agent == SCOUT and take_answer or nil end

-- Closes cells of the wall on which nobody stands.
local function close_wall(first, last)
    map:edit(function(edit)
        for y = first, last do
            if map:occupants({ 48, y }) == 0 then edit:set({ 48, y }, wend.BLOCKED) end
        end
    end)
end

local function run(first, last)
    hash = bit.tobit(2166136261)
    for frame = first, last - 1 do
        if frame >= CLOSES then close_wall(12, 15) end
        service:tick()
        crowd:update()
        local view = crowd:view()
        for i = 0, view.count - 1 do
            put(view.points[i].x)
            put(view.points[i].y)
        end
    end
    return bit.tohex(hash)
end

close_wall(0, 11)
close_wall(16, 47)
close_wall(52, HEIGHT - 1)
crowd = wend.crowd(service, map, AGENTS)
for i = 0, AGENTS - 1 do
    local x, y = i % 20 * 2, math.floor(i / 20) * 2
    crowd:go(crowd:add({ x, y }), { WIDTH - 1 - x, y })
end
run(0, SAVED)
service:submit(map, { 0, 0 }, { WIDTH - 1, 0 }, take_answer, { agent = SCOUT })
local saved_map, saved_service, saved_crowd = map:save(), service:save({ map }), crowd:save()
local before = run(SAVED, FRAMES)
map:restore(saved_map)
service:restore(saved_service, { map }, resume)
crowd:restore(saved_crowd)
local after = run(SAVED, FRAMES)
print(string.format('%d agents, saved in frame %d: %s, and after a restore %s', AGENTS, SAVED, before, after))
crowd:destroy()
