-- SPDX-License-Identifier: MIT
-- Mobs that walk by wend: wend_mobs.spawn(pos, fields), wend_mobs.send(mob, pos).
local outside = minetest.request_insecure_environment()
    or error('wend_mobs: add "secure.trusted_mods = wend_mobs" to minetest.conf: it loads a C library')
local path = minetest.get_modpath('wend_mobs') .. '/'
local wend = setfenv(assert(outside.loadfile(path .. 'wend.lua')), outside)() -- bindings/luajit of wend, and wend.cdef
local ffi = outside.require('ffi')
local land = assert(loadfile(path .. 'land.lua'))(wend, ffi)

local MOST, LAND_US, STEP_US = 256, 200, 500 -- mobs; microseconds for land, and until searches stop
local service = wend.service({ nodes = 2 ^ 18, queue = 1024 })
local mobs, doors, units, times, steps = {}, {}, {}, {}, 0
wend_mobs = { land = land, mobs = mobs }

local function hear(event)
    local mob = mobs[event.agent.index]
    if mob and mob.on_end and event.ends_goal and event.event ~= 'replaced' then
        mob.on_end(mob, event.event .. (event.why ~= 'none' and ' ' .. event.why or ''))
    end
end
local crowd = wend.crowd(service, land.map, MOST, hear, { fields = 0, head_start = 16, retry_updates = 2 })

-- ---- doors ----
local function set_door(pos, name)
    local node = minetest.get_node(pos)
    local other = (minetest.registered_nodes[node.name] or {})[name]
    if other then minetest.swap_node(pos, { name = other, param2 = node.param2 }) end
end
local function enter(mob, from, cell)
    mob.from, mob.cell = from, cell
    for height = cell[3], math.max(from[3], cell[3]) + 1 do -- who drops comes from above
        if land.map:terrain({ cell[1], cell[2], height }) == land.DOOR then
            local pos = land.pos(cell[1], cell[2], height)
            set_door(pos, '_wend_open')
            doors[minetest.hash_node_position(pos)] = { pos = pos, cell = cell, ticks = 20, mob = mob }
        end
    end
end
-- Uphill and out of a door a step may take longer than a second.
local function leaves(mob, cell)
    local to = mob.cell
    return mobs[mob.agent.index] == mob and mob.from == cell and (mob.x ~= to[1] or mob.y ~= to[2] or mob.z ~= to[3])
end
local function close_doors()
    for key, door in pairs(doors) do
        local busy = land.map:occupants(door.cell) > 0 or leaves(door.mob, door.cell)
        door.ticks = busy and 20 or door.ticks - 1
        if door.ticks <= 0 then
            set_door(door.pos, '_wend_closed')
            doors[key] = nil
        end
    end
end

-- ---- mobs ----
minetest.register_entity('wend_mobs:mob', {
    initial_properties = { visual = 'cube', visual_size = { x = 0.7, y = 1.7, z = 0.7 }, static_save = false,
        collisionbox = { -0.35, -0.85, -0.35, 0.35, 0.85, 0.35 } },
    on_deactivate = function(self)
        if not self.mob then return end
        mobs[self.mob.agent.index] = nil
        crowd:remove(self.mob.agent)
    end,
})

-- fields: speed (nodes a second), swims, on_end(mob, how), properties of the object. Returns a mob, or nil and why.
function wend_mobs.spawn(pos, fields)
    local cell = land.cell(pos)
    if not cell then return nil, 'beyond the map' end
    local mover = fields.swims and land.swimmer or land.walker
    local speed = math.floor((fields.speed or 2) * 1000)
    local good, agent = pcall(crowd.add, crowd, cell, { mover = mover, speed_milli = speed })
    if not good then return nil, agent.text end
    local object = minetest.add_entity(pos, 'wend_mobs:mob')
    if not object then crowd:remove(agent) return nil, 'its land is not loaded' end
    local mob = { agent = agent, object = object, swims = fields.swims, on_end = fields.on_end }
    enter(mob, cell, cell)
    object:set_properties(fields.properties or {})
    object:get_luaentity().mob, mobs[agent.index] = mob, mob
    return mob
end
function wend_mobs.send(mob, pos)
    local cell = land.cell(pos)
    if not cell then return nil, 'beyond the map' end
    crowd:go(mob.agent, cell)
    return true
end

-- Where a step leads up, the mob rises before it goes on; where it leads down, it goes on and then drops.
local function show(mob, point)
    local from, to, x, y, z = mob.from, mob.cell, point.x / 1000, point.y / 1000, point.z / 1000
    if mob.x == x and mob.y == y and mob.z == z then return end
    mob.x, mob.y, mob.z = x, y, z
    if to[3] ~= from[3] then
        local share = (z - from[3]) / (to[3] - from[3])
        local along, up = math.min(1, 2 * share), math.max(0, 2 * share - 1)
        if to[3] > from[3] then along, up = up, along end
        x, y = from[1] + (to[1] - from[1]) * along, from[2] + (to[2] - from[2]) * along
        z = from[3] + (to[3] - from[3]) * up
    end
    local pos = land.pos(x, y, z)
    local below = mob.swims and land.cell(vector.offset(pos, 0, -1, 0))
    pos.y = pos.y + (below and land.map:terrain(below) == land.WATER and -0.55 or 0.35)
    mob.object:move_to(pos)
end

-- ---- players, and land that changes under mobs ----
-- Mobs go round this place; `name` has one place at a time, and none with nil.
function wend_mobs.avoid(name, pos)
    local cell, old = pos and land.cell(vector.offset(pos, 0, 0.1, 0)), units[name]
    if old then land.map:vacate(old) end
    if cell then land.map:occupy(cell) end
    units[name] = cell
end
minetest.register_on_leaveplayer(function(player) wend_mobs.avoid(player:get_player_name(), nil) end)

-- Where the node below is gone a mob falls; where a node or water came to its place, it steps out.
local places = { { 0, 0, 1 }, { 0, 0, 2 }, { 0, 0, -1 }, { 0, 0, -2 }, { 0, 0, -3 } }
for _, up in ipairs({ 0, 1, -1, 2, 3, -2, -3 }) do
    for side = -1, 1, 2 do places[#places + 1], places[#places + 2] = { side, 0, up }, { 0, side, up } end
end
local function make_stand(mob)
    local function stand(cell)
        local good = pcall(crowd.move, crowd, mob.agent, cell)
        if good then enter(mob, cell, cell) end
        return good
    end
    if stand(mob.cell) or stand(mob.from) then return end
    for _, place in ipairs(places) do
        if stand({ mob.cell[1] + place[1], mob.cell[2] + place[2], mob.cell[3] + place[3] }) then return end
    end
    land.changed(land.pos(unpack(mob.cell))) -- try again in the next step
end
local function mend(columns)
    for _, mob in pairs(mobs) do
        for _, cell in ipairs({ mob.from, mob.cell }) do
            local column = columns[land.column(cell)]
            if column and cell[3] >= column[3] - 1 and cell[3] <= column[4] + 1 then make_stand(mob) break end
        end
    end
end

-- ---- each step ----
local function step(dtime, begun)
    local columns = land.publish()
    if columns then mend(columns) end
    if not next(mobs) then land.step(1024, 20000)
    elseif not columns or steps % 8 == 0 then land.step(16, LAND_US) end
    for _, player in ipairs(minetest.get_connected_players()) do
        wend_mobs.avoid(player:get_player_name(), player:get_pos())
    end
    service:tick({ us = math.max(100, begun + STEP_US - minetest.get_us_time()) }) -- what the rest of the step leaves
    crowd:update(math.min(math.floor(dtime * 1000 + 0.5), 200))
    local view = crowd:view()
    for index, mob in pairs(mobs) do
        local cell = view.cells[index]
        if cell.x ~= mob.cell[1] or cell.y ~= mob.cell[2] or cell.z ~= mob.cell[3] then
            enter(mob, mob.cell, { cell.x, cell.y, cell.z })
            mob.object:set_yaw(math.atan2(mob.from[1] - cell.x, cell.y - mob.from[2]))
        end
        show(mob, view.points[index])
    end
    close_doors()
end
minetest.register_globalstep(function(dtime)
    local begun = minetest.get_us_time()
    step(dtime, begun)
    if next(mobs) then times[steps % 1200 + 1], steps = minetest.get_us_time() - begun, steps + 1 end
end)
-- Microseconds of the last steps: the median, the 99th percentile, the most.
function wend_mobs.times()
    local sorted = table.copy(times)
    table.sort(sorted)
    return sorted[math.ceil(#sorted * 0.5)], sorted[math.ceil(#sorted * 0.99)], sorted[#sorted]
end
