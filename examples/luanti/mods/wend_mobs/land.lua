-- SPDX-License-Identifier: MIT
-- The land as wend sees it: map blocks of 16³ nodes become chunks of a voxel map, placed and dug nodes become edits.
--
-- Cell x, y, z of the map is the node min.x + x, min.y + z, min.z + y: up is z. A walker stands on an open cell above
-- one that it cannot enter, unless it avoids that: water, and land that is not loaded.
local wend, ffi = ...
local SIDE, WIDTH, HEIGHT = 16, 256, 64
local COLUMNS, BLOCKS = WIDTH / SIDE, WIDTH * WIDTH * HEIGHT / SIDE ^ 3
local SOLID, AIR, DOOR, WATER, UNLOADED = 0, 1, 2, 3, 4
local min = vector.new(-WIDTH / 2, -16, -WIDTH / 2)

-- The default mover enters nothing, so only the movers of mobs cost time. Factors are by class, from AIR on.
local map = wend.map({ kind = wend.c.WEND_KIND_VOXEL, width = WIDTH, height = WIDTH, depth = HEIGHT,
    rules = wend.make('wend_map_rules', { factors = { 0, 0, 0, 0 } }) })
map:edit(function(edit) edit:fill({ 0, 0, 0 }, { WIDTH - 1, WIDTH - 1, HEIGHT - 1 }, UNLOADED) end)
local function add_mover(avoided)
    return map:add_mover({ walker = 1, step_up = 1, drop = 3, headroom = 2, factors = { 1, 3, 0, 0 },
        avoided = { avoided } })
end
local land = { map = map, blocks = 0, unchanged = 0, DOOR = DOOR, WATER = WATER }
land.walker = add_mover(2 ^ WATER + 2 ^ UNLOADED)
land.swimmer = add_mover(2 ^ UNLOADED) -- a swimmer stands on the water; its entity is drawn lower

function land.cell(pos)
    local x, y, z = math.floor(pos.x - min.x + 0.5), math.floor(pos.z - min.z + 0.5), math.floor(pos.y - min.y + 0.5)
    if x >= 0 and x < WIDTH and y >= 0 and y < WIDTH and z >= 0 and z < HEIGHT then return { x, y, z } end
end
function land.pos(x, y, z) return { x = x + min.x, y = z + min.y, z = y + min.z } end

-- ---- classes ----
local kinds = setmetatable({ [minetest.CONTENT_IGNORE] = UNLOADED }, { __index = function(self, id)
    local def, kind = minetest.registered_nodes[minetest.get_name_from_content_id(id)] or {}, SOLID
    if def.groups and def.groups.wend_door then kind = DOOR
    elseif (def.damage_per_second or 0) > 0 then kind = UNLOADED -- neither entered nor stood on
    elseif (def.liquidtype or 'none') ~= 'none' then kind = WATER
    elseif def.walkable == false then kind = AIR end
    self[id] = kind
    return kind
end })

-- ---- blocks ----
local loaded = {}
local data, bytes = {}, ffi.new('uint8_t[?]', SIDE ^ 3)
local function block_of(x, y, z) -- numbered layer by layer
    return math.floor(x / SIDE) + COLUMNS * (math.floor(y / SIDE) + COLUMNS * math.floor(z / SIDE))
end
local corners = {}
for block = 0, BLOCKS - 1 do
    local x, y, z = block % COLUMNS, math.floor(block / COLUMNS) % COLUMNS, math.floor(block / COLUMNS ^ 2)
    corners[block] = { x * SIDE, y * SIDE, z * SIDE, land.pos(x * SIDE, y * SIDE, z * SIDE) }
end
local function is_there(block)
    local node = minetest.get_node_or_nil(corners[block][4])
    return node ~= nil and node.name ~= 'ignore'
end

local function read_block(x, y, z)
    minetest.get_voxel_manip(land.pos(x, y, z), land.pos(x + SIDE - 1, y + SIDE - 1, z + SIDE - 1)):get_data(data)
    for row = 0, SIDE - 1 do
        for layer = 0, SIDE - 1 do
            local from, to = (row * SIDE + layer) * SIDE, (layer * SIDE + row) * SIDE
            for column = 0, SIDE - 1 do bytes[to + column] = kinds[data[from + column + 1]] end
        end
    end
end
local function load_block(block)
    local least, there = { unpack(corners[block], 1, 3) }, is_there(block)
    local most = { least[1] + SIDE - 1, least[2] + SIDE - 1, least[3] + SIDE - 1 }
    if there then read_block(unpack(least)) end
    map:edit(function(edit) if there then edit:set_box(least, most, bytes) else edit:fill(least, most, UNLOADED) end end)
    loaded[block], land.blocks = there, land.blocks + (there and 1 or -1)
end

-- Look at some blocks, in turn, from the bottom: has the server loaded or unloaded one? For so long at most.
local looked = 0
function land.step(looks, us)
    local ends = minetest.get_us_time() + us
    for _ = 1, looks do
        looked, land.unchanged = (looked + 1) % BLOCKS, land.unchanged + 1
        if is_there(looked) ~= (loaded[looked] == true) then
            load_block(looked)
            land.unchanged = 0
            if minetest.get_us_time() > ends then return end
        end
    end
end
-- Returns whether all land that the server has is in the map.
function land.is_ready() return land.unchanged >= BLOCKS and land.blocks > 0 end

-- ---- nodes ----
local dirty = {} -- columns, each with its lowest and highest node that changed
function land.column(cell) return cell[2] * WIDTH + cell[1] end
function land.changed(pos)
    local cell = land.cell(pos)
    if not cell then return end
    local column = dirty[land.column(cell)] or { cell[1], cell[2], cell[3], cell[3] }
    column[3], column[4] = math.min(column[3], cell[3]), math.max(column[4], cell[3])
    dirty[land.column(cell)] = column
end
minetest.register_on_placenode(land.changed)
minetest.register_on_dignode(land.changed)
minetest.register_on_liquid_transformed(function(list) for _, pos in ipairs(list) do land.changed(pos) end end)

local function set_column(edit, x, y, lowest, highest)
    for z = lowest, highest do
        local name = minetest.get_node(land.pos(x, y, z)).name
        if loaded[block_of(x, y, z)] then edit:set({ x, y, z }, kinds[minetest.get_content_id(name)]) end
    end
end
-- Publish what changed. Returns the columns, or nil.
function land.publish()
    if not next(dirty) then return end
    local columns = dirty
    dirty = {}
    map:edit(function(edit) for _, column in pairs(columns) do set_column(edit, unpack(column)) end end)
    return columns
end

return land
