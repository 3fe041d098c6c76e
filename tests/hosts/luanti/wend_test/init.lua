-- SPDX-License-Identifier: MIT
-- The test of the game: mobs get target after target while a bot walks among them, and nodes are dug and built. Each step
-- looks at each entity, in the nodes of the server: is one in a node, did one fall too far, is one where the bot is?
local SECONDS = tonumber(minetest.settings:get('wend_test.seconds'))
local MOBS = tonumber(minetest.settings:get('wend_test.mobs'))
local LAST_WAIT = 120 -- seconds for the last targets
local DROP, FEET = 3, 0.35 -- of an entity, its feet's node is so much lower
local land, HOUSE, POND = wend_mobs.land, wend_hills.HOUSE, wend_hills.POND
local world = minetest.get_worldpath() .. '/'
local draw = dofile(minetest.get_modpath('wend_test') .. '/picture.lua')
local random = PcgRandom(7)
local mobs, failures, counts, clock, bot = {}, {}, {}, 0, nil
local function count(what, more) counts[what] = (counts[what] or 0) + (more or 1) end
local function fail(...)
    count('failures')
    if #failures < 20 then failures[#failures + 1] = string.format(...) end
end
local function def_of(pos) return minetest.registered_nodes[minetest.get_node(pos).name] or {} end
local function text_of(pos) return minetest.pos_to_string(pos, 1) end
local function is_solid(pos) return def_of(pos).walkable ~= false end

-- ---- targets ----

local function on_land(near, limit)
    for _ = 1, 100 do
        local x, z = math.floor(near.x) + random:next(-35, 35), math.floor(near.z) + random:next(-35, 35)
        local pos = math.max(math.abs(x), math.abs(z)) <= limit and wend_hills.floor(x, z)
        if pos then return pos end
    end
end
local function in_house() -- downstairs or upstairs
    local floor = random:next(0, 1) == 0 and 1 or 6
    return vector.new(HOUSE.x + random:next(1, 12), HOUSE.ground + floor, HOUSE.z + random:next(3, 7))
end
local function target(mob)
    local kind = random:next(1, 14)
    if kind == 1 then return in_house() end
    if kind == 2 or kind <= 4 and mob.swims then
        return vector.new(POND.x + random:next(-6, 6), POND.level + 1, POND.z + random:next(-6, 6))
    end
    return on_land(mob.object:get_pos(), clock > SECONDS / 3 and 76 or 44) -- the land farther off is loaded then
end
local function send(mob)
    mob.target = target(mob)
    count('targets')
    wend_mobs.send(mob, mob.target)
end
local last_end = 0
local function on_end(mob, how)
    count(how)
    mob.arrived = how == 'arrived' and mob.target
    mob.target, last_end = nil, clock
    if clock < SECONDS / 2 then send(mob) end
end

-- ---- what is looked at in each step ----

local function look_at(index, mob)
    local pos = mob.object:get_pos()
    if not pos then
        if not mob.lost then fail('mob %d is lost', index) end
        mob.lost = true
        return
    end
    local feet = vector.round(vector.offset(pos, 0, -FEET, 0))
    for up = 0, 1 do
        local at = vector.offset(feet, 0, up, 0)
        if is_solid(at) then
            fail('%.2f s: mob %d at %s is in %s', clock, index, text_of(pos), minetest.get_node(at).name)
        end
    end
    if minetest.get_node(feet).name == 'wend_hills:door_open' then count('steps in a door') end
    if feet.y == HOUSE.ground + 6 and feet.x >= HOUSE.x and feet.x < HOUSE.x + HOUSE.length and feet.z > HOUSE.z
        and feet.z < HOUSE.z + HOUSE.width then count('steps upstairs') end
    local in_water = def_of(feet).liquidtype ~= 'none'
    if in_water then
        count('steps in water')
        if not mob.swims then fail('%.2f s: mob %d at %s walks in water', clock, index, text_of(pos)) end
    end
    if not mob.swims and def_of(vector.offset(feet, 0, -1, 0)).liquidtype ~= 'none' then
        fail('%.2f s: mob %d at %s is over water', clock, index, text_of(pos))
    end
    if mob.arrived and math.max(math.abs(pos.x - mob.arrived.x), math.abs(pos.z - mob.arrived.z)) > 0.5 then
        fail('arrived at %s, not at %s', text_of(pos), text_of(mob.arrived))
    end
    mob.arrived = nil
    local level = pos.y - FEET
    if in_water or math.abs(level - feet.y) < 0.05 and is_solid(vector.offset(feet, 0, -1, 0)) then
        if mob.level and mob.level - level > DROP + 0.1 then
            fail('%.2f s: mob %d fell from %.1f to %.1f at %s', clock, index, mob.level, level, text_of(pos))
        end
        mob.level = level
    end
    if bot and vector.equals(land.pos(unpack(mob.cell)), bot) then
        fail('%.2f s: mob %d is where the bot is, at %s', clock, index, text_of(bot))
    end
    if bot and vector.distance(pos, bot) < 2.5 then count('meetings with the bot') end
end

-- ---- the bot ----

local function nearest_mob()
    local best, least
    for _, mob in ipairs(mobs) do
        local pos = mob.object:get_pos()
        local far = pos and vector.distance(pos, bot)
        if far and (not least or far < least) then best, least = pos, far end
    end
    return best or bot
end
-- To a place next to it where no mob is: mostly nearer to the nearest one.
local function walk()
    local to, best, least = nearest_mob(), nil, nil
    for _, side in ipairs({ { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }) do
        for up = -1, 1 do
            local pos = vector.offset(bot, side[1], up, side[2])
            local cell = land.cell(pos)
            local free = not is_solid(pos) and not is_solid(vector.offset(pos, 0, 1, 0))
            local stands = free and is_solid(vector.offset(pos, 0, -1, 0))
            if cell and stands and land.map:occupants(cell) == 0 then
                local far = vector.distance(pos, to) + random:next(0, 300) / 100
                if not least or far < least then best, least = pos, far end
            end
        end
    end
    if best then
        bot = best
        wend_mobs.avoid('bot', bot)
        count('steps of the bot')
    end
end
-- Under a mob, in front of it, in its place, or anywhere; pits are up to five deep.
local function dig_or_build()
    local mob = mobs[random:next(1, #mobs)]
    local pos, kind = mob.object:get_pos(), random:next(1, 8)
    if not pos then return end
    local feet = vector.round(vector.offset(pos, 0, -FEET, 0))
    if kind <= 2 then
        for down = 1, kind == 1 and random:next(1, 5) or 1 do
            if minetest.dig_node(vector.offset(feet, 0, -down, 0)) then count('nodes dug') end
        end
    else
        local at = kind == 3 and feet or kind == 4 and vector.offset(feet, 0, 1, 0)
            or vector.offset(feet, random:next(-3, 3), random:next(0, 1), random:next(-3, 3))
        local def = def_of(at)
        if def.buildable_to and def.liquidtype == 'none' and not (bot and vector.distance(at, bot) < 1.5) then
            minetest.place_node(at, { name = 'wend_hills:stone' })
            count('nodes built')
        end
    end
end

-- ---- what a globalstep of the mod takes ----

-- Where other programs take the processor, the clock goes on: so the thread's processor time, too.
local outside, begun = minetest.request_insecure_environment(), false
local ffi = outside.require('ffi')
ffi.cdef('typedef struct { long seconds, nanoseconds; } wend_test_time; int clock_gettime(int, wend_test_time *);')
local CLOCK_THREAD_CPUTIME_ID, now, taken, processor = 3, ffi.new('wend_test_time[1]'), {}, {}
local function processor_us()
    ffi.C.clock_gettime(CLOCK_THREAD_CPUTIME_ID, now)
    return tonumber(now[0].seconds) * 1e6 + tonumber(now[0].nanoseconds) / 1e3
end
for i, call in ipairs(minetest.registered_globalsteps) do
    local origin = minetest.callback_origins[call]
    local function measured(dtime)
        local clock_then, processor_then = minetest.get_us_time(), processor_us()
        call(dtime)
        if not begun then return end
        taken[#taken + 1] = minetest.get_us_time() - clock_then
        processor[#processor + 1] = processor_us() - processor_then
    end
    if origin.mod == 'wend_mobs' then
        minetest.registered_globalsteps[i], minetest.callback_origins[measured] = measured, origin
    end
end
local function percentiles(list) -- as milliseconds
    table.sort(list)
    local half, most = list[math.ceil(#list * 0.5)], list[math.ceil(#list * 0.99)]
    local text = 'p50 %.2f ms, p99 %.2f ms, longest %.2f ms'
    return half / 1000, text:format(half / 1000, most / 1000, list[#list] / 1000)
end

-- ---- the run ----

local function finish()
    local waiting = 0
    for index, mob in ipairs(mobs) do
        if mob.target then
            waiting = waiting + 1
            if waiting <= 5 then fail('mob %d at %s has no answer', index, text_of(mob.object:get_pos())) end
        end
    end
    for _, what in ipairs({ 'arrived', 'nodes dug', 'nodes built', 'steps in a door', 'steps upstairs',
        'steps in water', 'meetings with the bot', 'blocks unloaded' }) do
        if not counts[what] then fail('none: %s', what) end
    end
    draw(mobs, world .. 'picture.svg')
    local half, text = percentiles(taken)
    local out = assert(io.open(world .. 'result.txt', 'w'))
    local names = {}
    for name in pairs(counts) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do out:write(string.format('%d %s\n', counts[name], name)) end
    local summary = '%d mobs, %.0f s, the last answer at %.0f s, %d blocks\n'
    out:write(summary:format(#mobs, clock, last_end, land.blocks))
    out:write('globalstep: ' .. text .. '\nits processor time: ' .. select(2, percentiles(processor)) .. '\n')
    for _, text in ipairs(failures) do out:write('failed: ' .. text .. '\n') end
    out:write((half < 50 and #failures == 0) and 'all good\n' or 'not good\n')
    out:close()
    minetest.request_shutdown('the test is over')
end

local function spawn()
    for i = 1, MOBS * 2 do
        if #mobs == MOBS then break end
        local swims, pos = i % 5 == 0, i % 10 == 0 and in_house() or on_land({ x = 0, z = 0 }, 44)
        local mob = wend_mobs.spawn(pos, { swims = swims, speed = 3 + i % 4 / 2, on_end = on_end })
        if mob then
            mobs[#mobs + 1], mob.trail = mob, {}
            send(mob)
        end
    end
    if #mobs < MOBS then fail('%d mobs, not %d', #mobs, MOBS) end
    bot = wend_hills.floor(HOUSE.x + 6, HOUSE.z - 4)
    wend_mobs.avoid('bot', bot)
end

local next_walk, next_dig, next_trail, blocks, more, over = 0, 0, 0, 0, false, false
local function step(dtime)
    if over then return end
    clock = clock + math.min(dtime, 0.2) -- as the mobs' time
    for index, mob in ipairs(mobs) do look_at(index, mob) end
    if clock >= next_walk then next_walk = clock + 0.3 walk() end
    if clock >= next_dig and clock < SECONDS then next_dig = clock + 0.25 dig_or_build() end
    if clock >= next_trail then
        next_trail = clock + 0.5
        for _, mob in ipairs(mobs) do
            local pos = mob.object:get_pos()
            if pos then table.insert(mob.trail, pos) end
        end
    end
    if not more and clock > SECONDS / 3 - 5 then
        more = true
        wend_hills.keep(vector.new(-80, -16, -80), vector.new(79, 47, 79))
    end
    if land.blocks < blocks then count('blocks unloaded', blocks - land.blocks) end
    blocks = land.blocks
    local busy = false
    for _, mob in ipairs(mobs) do busy = busy or mob.target end
    if clock > SECONDS and not busy or clock > SECONDS + LAST_WAIT then
        over = true
        finish()
    end
end

minetest.after(0, function() wend_hills.keep(vector.new(-48, -16, -48), vector.new(47, 47, 47)) end)
minetest.register_globalstep(function(dtime)
    if begun then return step(dtime) end
    if land.blocks < 144 or not land.is_ready() then return end
    begun = true
    spawn()
end)
