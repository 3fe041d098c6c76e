-- SPDX-License-Identifier: MIT
-- A village at 20 Hz: people wander about, doors open and close, the guards gather at the well when the bell rings, and
-- a player walks along the street, step by step. village.lua [FRAMES]
local bit = require 'bit'
local wend = require 'wend'

local WIDTH, HEIGHT, HOUSES, GUARDS, VILLAGERS, BELL = 64, 40, 12, 12, 60, 200
local map, service = wend.map({ width = WIDTH, height = HEIGHT }), wend.service()
local houses, guards, is_guard, player = {}, {}, {}, nil
local random, seed, frame, walks, gathered = 7, 1, 0, 0, 0
local crowd

local function dice(sides)
    random = bit.bxor(random, bit.lshift(random, 13))
    random = bit.bxor(random, bit.rshift(random, 17))
    random = bit.bxor(random, bit.lshift(random, 5))
    return random % 2 ^ 32 % sides
end

map:edit(function(edit)
    for i = 0, HOUSES - 1 do
        local left, top = 3 + i % 4 * 15, 3 + math.floor(i / 4) * 12
        edit:fill({ left, top }, { left + 10, top + 7 }, wend.BLOCKED)
        edit:fill({ left + 1, top + 1 }, { left + 9, top + 6 }, wend.OPEN)
        edit:set({ left + 5, top + 7 }, wend.OPEN)
        houses[i] = { door = { left + 5, top + 7 }, open = true }
    end
end)
map:accelerate()

local function wander(agent, from)
    crowd:go(agent, map:random_cell(from, seed))
    seed = seed + 1
end

local function hear(event)
    local guard, arrived = is_guard[event.agent.index], event.event == 'arrived'
    if arrived then walks = walks + 1 end
    if arrived and guard and frame > BELL then gathered = gathered + 1 end
    if not event.ends_goal or event.event == 'replaced' or event.agent.index == player.index then return end
    if not guard or frame < BELL then wander(event.agent, event.cell) end
end

-- Somewhere: where a wall or somebody is, elsewhere.
local function settle(urgency)
    local speed = 200 + dice(100)
    while true do
        local x = dice(WIDTH)
        local cell = { x, dice(HEIGHT) }
        if map:terrain(cell) ~= wend.BLOCKED and map:occupants(cell) == 0 then
            local agent = crowd:add(cell, { urgency = urgency, speed_milli = speed })
            wander(agent, cell)
            return agent
        end
    end
end

-- None closes on somebody.
local function move_a_door()
    local house = houses[dice(HOUSES)]
    if map:occupants(house.door) > 0 or (house.open and dice(4) > 0) then return end
    house.open = not house.open
    map:edit(function(edit) edit:set(house.door, house.open and wend.OPEN or wend.BLOCKED) end)
end

crowd = wend.crowd(service, map, GUARDS + VILLAGERS + 1, hear)
player = crowd:add({ 1, HEIGHT - 2 }, { speed_milli = 1000 })
for i = 1, GUARDS do guards[i] = settle(10) end
for _, guard in ipairs(guards) do is_guard[guard.index] = true end
for _ = 1, VILLAGERS do settle(0) end

for _ = 1, tonumber(arg[1] or 400) do
    frame = frame + 1
    if frame % 10 == 0 then move_a_door() end
    if frame == BELL then crowd:go(guards, { WIDTH / 2 - 1, HEIGHT - 2 }) end
    local at = crowd:view().cells[player.index]
    if frame % 5 == 0 and at.x < WIDTH - 2 then crowd:step(player, { at.x + 1, at.y }) end
    service:tick({ expansions = 5000 })
    crowd:update()
end
local at = crowd:view().cells[player.index]
print(string.format('%d frames: %d walks, %d guards at the well, the player at %d,%d', frame, walks, gathered, at.x, at.y))
crowd:destroy()
