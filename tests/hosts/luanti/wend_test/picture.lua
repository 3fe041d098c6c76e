-- SPDX-License-Identifier: MIT
-- The trails of mobs from above, as svg: hills by their height, the pond, the house.
local SCALE, LIMIT, MOST = 5, 64, 60 -- pixels a node, nodes from the middle, trails

local function shade(x, z)
    local pond, house = wend_hills.POND, wend_hills.HOUSE
    if (x - pond.x) ^ 2 + (z - pond.z) ^ 2 < pond.radius ^ 2 then return '#9cc4e8' end
    local in_x, in_z = x >= house.x and x < house.x + house.length, z >= house.z and z < house.z + house.width
    if in_x and in_z then return '#c8a878' end
    local light = math.min(8, math.max(0, math.floor(wend_hills.height(x, z) / 2)))
    return string.format('#%02x%02x%02x', 150 + 10 * light, 170 + 8 * light, 130 + 11 * light)
end
local function place(x, z) return (x + LIMIT) * SCALE, (LIMIT - z) * SCALE end

local function draw_land(out)
    for z = LIMIT - 2, -LIMIT, -2 do
        local from, color = -LIMIT, shade(-LIMIT, z)
        for x = -LIMIT + 1, LIMIT do
            local here = x < LIMIT and shade(x, z) or ''
            if here ~= color then
                local left, top = place(from, z + 2)
                local length, text = (x - from) * SCALE, '<path fill="%s" d="M%d %dh%dv%dh-%dz"/>\n'
                out:write(text:format(color, left, top, length, 2 * SCALE, length))
                from, color = x, here
            end
        end
    end
end
local function draw_trail(out, trail, color)
    local last
    local points = {}
    for _, pos in ipairs(trail) do
        local x, y = place(pos.x + 0.5, pos.z + 0.5)
        local text = string.format('%.0f,%.0f', x, y)
        if text ~= last then points[#points + 1] = text end
        last = text
    end
    if #points < 2 then return end
    out:write(string.format('<polyline stroke="%s" points="%s"/>\n', color, table.concat(points, ' ')))
end

return function(mobs, name)
    local out = assert(io.open(name, 'w'))
    local side = 2 * LIMIT * SCALE
    local head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">\n'
    out:write(head:format(side, side))
    draw_land(out)
    out:write('<g fill="none" stroke-width="1.6" stroke-opacity="0.75" stroke-linejoin="round"'
        .. ' shape-rendering="auto">\n')
    local walkers = { '#b03030', '#a05000', '#803080', '#205020', '#704010' }
    for i = 1, math.min(#mobs, MOST) do
        draw_trail(out, mobs[i].trail, mobs[i].swims and '#1040c0' or walkers[i % #walkers + 1])
    end
    out:write('</g>\n</svg>\n')
    out:close()
end
