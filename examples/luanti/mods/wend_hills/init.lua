-- SPDX-License-Identifier: MIT
-- The land of the game: hills, a pond and a house of two storeys with doors; and mobs that wander about in it.
for name, old in pairs({ stone = 'mapgen_stone', water = 'mapgen_water_source', air = 'mapgen_singlenode' }) do
    minetest.register_alias(old, name == 'air' and name or 'wend_hills:' .. name)
end

-- ---- nodes ----

local function face(color) return 'blank.png^[noalpha^[colorize:' .. color .. ':255' end
local function node(name, color, fields)
    fields.description, fields.tiles = name, { face(color) }
    fields.groups = fields.groups or { oddly_breakable_by_hand = 1 }
    minetest.register_node('wend_hills:' .. name, fields)
    return minetest.get_content_id('wend_hills:' .. name)
end
local stone, dirt = node('stone', '#777777', {}), node('dirt', '#7a5a3a', {})
local grass, planks = node('grass', '#5a8a3a', {}), node('planks', '#b08a50', {})
local water = node('water', '#3060c0', { drawtype = 'liquid', walkable = false, pointable = false,
    liquidtype = 'source', liquid_alternative_source = 'wend_hills:water', liquid_alternative_flowing = 'wend_hills:flowing', groups = {} })
node('flowing', '#3060c0', { drawtype = 'flowingliquid', walkable = false, pointable = false,
    liquidtype = 'flowing', paramtype2 = 'flowingliquid', special_tiles = { 'blank.png', 'blank.png' }, liquid_alternative_source = 'wend_hills:water',
    liquid_alternative_flowing = 'wend_hills:flowing', groups = {} })
local function door(name, other, color, fields)
    fields._wend_open, fields._wend_closed = 'wend_hills:door_open', 'wend_hills:door_closed'
    fields.paramtype, fields.groups = 'light', { wend_door = 1, oddly_breakable_by_hand = 1 }
    function fields.on_rightclick(pos) minetest.swap_node(pos, { name = 'wend_hills:' .. other }) end
    return node(name, color, fields)
end
local closed = door('door_closed', 'door_open', '#803020', {})
door('door_open', 'door_closed', '#c09080', { walkable = false, drawtype = 'nodebox',
    node_box = { type = 'fixed', fixed = { -0.5, -0.5, -0.5, -0.4, 0.5, 0.5 } } })
minetest.register_item(':', { type = 'none', wield_image = 'blank.png',
    tool_capabilities = { groupcaps = { oddly_breakable_by_hand = { times = { 0.3 }, uses = 0 } } } })

-- ---- land ----

local HOUSE = { x = -24, z = -16, length = 14, width = 9, ground = 8 } -- ground: the floor; the upper one is 5 higher
local POND = { x = 22, z = 18, radius = 11, level = 6 }
wend_hills = { HOUSE = HOUSE, POND = POND }

local noise
function wend_hills.height(x, z)
    noise = noise or PerlinNoise({ offset = 9, scale = 8, spread = vector.new(48, 48, 48), seed = 5, octaves = 3,
        persist = 0.45 })
    local height = noise:get_2d({ x = x, y = z })
    local function level(distance, to) -- flat within 3 nodes, hills from 12 on
        local share = math.min(1, math.max(0, (distance - 3) / 9))
        height = to + (height - to) * share
    end
    level(math.max(HOUSE.x - x, x - HOUSE.x - HOUSE.length, HOUSE.z - z, z - HOUSE.z - HOUSE.width, 0), HOUSE.ground)
    level(math.max(0, math.sqrt((x - POND.x) ^ 2 + (z - POND.z) ^ 2) - POND.radius), POND.level)
    return math.floor(height + 0.5)
end

local function put_house(set)
    local length, width = HOUSE.length - 1, HOUSE.width - 1
    local function box(x1, y1, z1, x2, y2, z2, what)
        for x = x1, x2 do
            for y = y1, y2 do
                for z = z1, z2 do set(HOUSE.x + x, HOUSE.ground + y, HOUSE.z + z, what) end
            end
        end
    end
    box(0, 0, 0, length, 10, width, planks)
    box(1, 1, 1, length - 1, 4, width - 1, minetest.CONTENT_AIR)
    box(1, 6, 1, length - 1, 9, width - 1, minetest.CONTENT_AIR)
    for step = 1, 5 do box(2 + step, step, 1, 2 + step, step, 2, planks) end
    box(3, 5, 1, 6, 5, 2, minetest.CONTENT_AIR) -- over the stairs
    box(9, 6, 1, 9, 9, width - 1, planks) -- a room upstairs
    box(4, 2, width, 9, 3, width, minetest.CONTENT_AIR) -- a window
    box(10, 1, 0, 10, 2, 0, closed)
    box(0, 1, 4, 0, 2, 4, closed)
    box(9, 6, 4, 9, 7, 4, closed)
end

minetest.register_on_generated(function(from, to)
    local vm, least, most = minetest.get_mapgen_object('voxelmanip')
    local area, data = VoxelArea:new({ MinEdge = least, MaxEdge = most }), vm:get_data()
    local function set(x, y, z, what)
        local inside = x >= from.x and x <= to.x and y >= from.y and y <= to.y and z >= from.z and z <= to.z
        if inside then data[area:index(x, y, z)] = what end
    end
    for z = from.z, to.z do
        for x = from.x, to.x do
            local height, depth = wend_hills.height(x, z), math.sqrt((x - POND.x) ^ 2 + (z - POND.z) ^ 2)
            local in_pond = depth < POND.radius
            if in_pond then height = POND.level - math.ceil((POND.radius - depth) / 2) end
            for y = from.y, math.min(to.y, math.max(height, in_pond and POND.level or height)) do
                local ground = y < height - 2 and stone or (y < height or in_pond) and dirt or grass
                set(x, y, z, y > height and water or ground)
            end
        end
    end
    put_house(set)
    vm:set_data(data)
    vm:calc_lighting()
    vm:write_to_map()
end)

-- Load a box of the world, and keep it loaded.
function wend_hills.keep(from, to)
    for z = math.floor(from.z / 16) * 16, to.z, 16 do
        for y = math.floor(from.y / 16) * 16, to.y, 16 do
            for x = math.floor(from.x / 16) * 16, to.x, 16 do
                local good = minetest.forceload_block(vector.new(x, y, z), true)
                if not good then error('max_forceloaded_blocks is too low') end
            end
        end
    end
    minetest.emerge_area(from, to)
end

-- ---- mobs ----

-- The highest place in a column where a mob can stand; nil on water and on land that is not loaded.
function wend_hills.floor(x, z)
    for y = 47, -16, -1 do
        local def = minetest.registered_nodes[minetest.get_node({ x = x, y = y, z = z }).name]
        if not def or def.liquidtype ~= 'none' then return end
        if def.walkable then return vector.new(x, y + 1, z) end
    end
end
local function somewhere(near, within)
    for _ = 1, 20 do
        local x, z = math.floor(near.x) + math.random(-within, within), math.floor(near.z) + math.random(-within, within)
        local pos = wend_hills.floor(x, z)
        if pos then return pos end
    end
    return near
end
local reached, missed = 0, 0
local function wander(mob, how)
    if how == 'arrived' then reached = reached + 1 elseif how then missed = missed + 1 end
    minetest.after(how and 1 or 0, function()
        local pos = mob.object:get_pos()
        if pos then wend_mobs.send(mob, somewhere(pos, 40)) end
    end)
end
local function populate(count, near)
    local added, why = 0, nil
    for try = 1, 2 * count do -- another mob may stand there
        if added == count then return added end
        local swims, side, mob = try % 4 == 0, face(try % 4 == 0 and '#3060c0' or '#c08030'), nil
        mob, why = wend_mobs.spawn(somewhere(near, 30), { swims = swims, speed = 2 + math.random() * 2, on_end = wander,
            properties = { textures = { face('#303030'), side, side, side, side, side } } })
        if mob then
            added = added + 1
            wander(mob)
        end
    end
    if added < count then minetest.log('warning', 'wend: ' .. added .. ' mobs, not ' .. count .. ': ' .. (why or 'no room')) end
    return added
end
minetest.register_chatcommand('mobs', {
    params = '<count>', description = 'Add mobs around you', privs = { server = true },
    func = function(name, count)
        local player = minetest.get_player_by_name(name)
        if not player or not tonumber(count) then return false, 'A player says /mobs and a number.' end
        return true, populate(tonumber(count), player:get_pos()) .. ' mobs more'
    end })
minetest.register_on_newplayer(function(player)
    player:set_pos(vector.offset(wend_hills.floor(0, 0) or vector.new(0, 30, 0), 0, 1, 0))
    for _, name in ipairs({ 'planks', 'stone', 'door_closed', 'water' }) do
        player:get_inventory():add_item('main', 'wend_hills:' .. name .. ' 99')
    end
end)

local count = tonumber(minetest.settings:get('wend_mobs.count')) or 0
local function report()
    local half, most = wend_mobs.times()
    local text = 'wend: %d mobs, %d targets reached, %d not; globalstep p50 %.2f ms, p99 %.2f ms'
    minetest.log('action', text:format(count, reached, missed, half / 1000, most / 1000))
    minetest.after(10, report)
end
-- The land around the middle of the world is loaded first.
local function begin()
    if not wend_mobs.land.is_ready() then return minetest.after(0.5, begin) end
    count = populate(count, vector.new(0, 0, 0))
    minetest.after(10, report)
end
if count > 0 then
    minetest.after(0, function()
        wend_hills.keep(vector.new(-64, -16, -64), vector.new(63, 47, 63))
        begin()
    end)
end
