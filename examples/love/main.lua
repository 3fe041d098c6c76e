-- SPDX-License-Identifier: MIT
-- A market in LÖVE: 120 bodies cross it, to and fro. A left drag selects the bodies in it, and a click sends them.
-- A right drag paints walls; one that begins on a wall opens them. The slider is the budget of a frame, in expansions.
-- love examples/love [RECORDING]: a script for `wend run` of all that happens; at the end it prints where bodies are.
local wend = require 'wend'

local WIDTH, HEIGHT, CELL, EACH, UPDATE, MOST = 64, 40, 15, 60, 1 / 20, 4000
local map, service = wend.map({ width = WIDTH, height = HEIGHT }), wend.service()
local crowd, view, recording
local ids, is_left, is_sent, headings, selected = {}, {}, {}, {}, {} -- by index of agents
local frames, late, budget, update_ms, drag, ground, picture = 0, 0, 1000, 0

local function clamp(value, most) return math.max(0, math.min(most, math.floor(value))) end
local function to_cell(x, y) return { clamp(x / CELL, WIDTH - 1), clamp(y / CELL, HEIGHT - 1) } end
local function to_pixel(part) return (part / 1000 + 0.5) * CELL end

local function build()
    map:edit(function(edit)
        for _, x in ipairs({ 16, 47 }) do
            edit:fill({ x, 0 }, { x, HEIGHT - 1 }, wend.BLOCKED)
            for _, y in ipairs({ 5, 18, 33 }) do edit:fill({ x, y }, { x, y + 3 }, wend.OPEN) end
        end
        for x = 21, 39, 6 do
            for y = 3, 33, 6 do edit:fill({ x, y }, { x + 3, y + 1 }, wend.BLOCKED) end
        end
    end)
    map:accelerate()
end

local function draw_ground()
    ground:mapPixel(function(x, y) return 0.25, 0.25, 0.25, map:terrain({ x, y }) == wend.BLOCKED and 1 or 0 end)
    picture = picture or love.graphics.newImage(ground)
    picture:replacePixels(ground)
end

-- Half of the homes are on the left, half on the right. Each body goes to its partner's home, and back.
local function to_home(i, left)
    local x, y = 2 + i % EACH % 5 * 2, 2 + math.floor(i % EACH / 5) * 3
    return { left and x or WIDTH - 1 - x, y }
end

local function cross(agent)
    is_left[agent.index] = not is_left[agent.index]
    crowd:go(agent, to_home(agent.index, is_left[agent.index]))
end

local function settle()
    crowd = wend.crowd(service, map, 2 * EACH, function(event)
        if event.ends_goal and event.event ~= 'replaced' and not is_sent[event.agent.index] then cross(event.agent) end
    end)
    for i = 0, 2 * EACH - 1 do
        ids[i] = crowd:add(to_home(i, i < EACH), { speed_milli = 180 + i % 9 * 10 })
        crowd:set_body(ids[i], { radius_milli = 300 + i % 4 * 40 })
        is_left[i], headings[i] = i < EACH, i < EACH and 0 or math.pi
        cross(ids[i])
    end
    view = crowd:view()
end

local function select_between(x1, y1, x2, y2)
    selected = {}
    for i = 0, view.count - 1 do
        local x, y = to_pixel(view.points[i].x), to_pixel(view.points[i].y)
        if (x - x1) * (x - x2) <= 0 and (y - y1) * (y - y2) <= 0 then selected[i] = true end
    end
end

local function send(cell)
    local list = {}
    for i = 0, view.count - 1 do
        if selected[i] then list[#list + 1], is_sent[i] = ids[i], true end
    end
    if #list > 0 then crowd:go(list, cell) end
end

function love.mousepressed(x, y, button)
    drag = { x = x, y = y, kind = button > 1 and 'paint' or y < HEIGHT * CELL and 'box' or 'slider' }
    drag.terrain = map:terrain(to_cell(x, y)) == wend.OPEN and wend.BLOCKED or wend.OPEN
    love.mousemoved(x, y)
end

function love.mousemoved(x, y)
    if not drag then return end
    if drag.kind == 'slider' then budget = clamp(x / (WIDTH * CELL - 1) * MOST, MOST) end
    if drag.kind == 'paint' and y < HEIGHT * CELL and map:terrain(to_cell(x, y)) ~= drag.terrain then
        map:edit(function(edit) edit:set(to_cell(x, y), drag.terrain) end)
        draw_ground()
    end
end

function love.mousereleased(x, y)
    local box = drag and drag.kind == 'box' and drag
    local is_click = box and math.abs(x - box.x) + math.abs(y - box.y) < CELL / 2
    drag = nil
    if is_click then send(to_cell(x, y)) elseif box then select_between(box.x, box.y, x, y) end
end

function love.load(args)
    love.graphics.setDefaultFilter('nearest')
    love.graphics.setBackgroundColor(0.93, 0.93, 0.93)
    ground = love.image.newImageData(WIDTH, HEIGHT)
    build()
    recording = args[1] and assert(io.open(args[1], 'w'))
    if recording then service:record(function(file, bytes) if file == 1 then recording:write(bytes) end end) end
    settle()
    draw_ground()
end

function love.update(elapsed)
    late = math.min(late + elapsed, 4 * UPDATE) -- a slow machine plays slowly
    while late >= UPDATE do
        local begun = love.timer.getTime()
        service:tick({ expansions = budget })
        crowd:update()
        view, frames, late = crowd:view(), frames + 1, late - UPDATE
        update_ms = (love.timer.getTime() - begun) * 1000
    end
end

local function draw_body(i, before)
    local velocity, radius = view.velocities[i], view.radii[i] / 1000 * CELL
    local x, y = to_pixel(view.points[i].x - velocity.x * before), to_pixel(view.points[i].y - velocity.y * before)
    if velocity.x ~= 0 or velocity.y ~= 0 then headings[i] = math.atan2(velocity.y, velocity.x) end
    love.graphics.setColor(selected[i] and { 1, 0.6, 0 } or i < EACH and { 0.2, 0.4, 0.8 } or { 0.8, 0.2, 0.2 })
    love.graphics.circle('fill', x, y, radius)
    love.graphics.setColor(1, 1, 1)
    love.graphics.line(x, y, x + math.cos(headings[i]) * radius, y + math.sin(headings[i]) * radius)
end

function love.draw()
    love.graphics.setColor(1, 1, 1)
    love.graphics.draw(picture, 0, 0, 0, CELL, CELL)
    for i = 0, view.count - 1 do draw_body(i, 1 - late / UPDATE) end -- the part of the last update that is not over
    love.graphics.setColor(0.5, 0.5, 0.5)
    if drag and drag.kind == 'box' then
        love.graphics.rectangle('line', drag.x, drag.y, love.mouse.getX() - drag.x, love.mouse.getY() - drag.y)
    end
    love.graphics.setColor(0.2, 0.6, 0.2)
    love.graphics.rectangle('fill', 0, HEIGHT * CELL, budget / MOST * WIDTH * CELL, 40)
    love.graphics.setColor(1, 1, 1)
    local text = '%d expansions a frame, update %d took %.2f ms'
    love.graphics.print(text:format(budget, frames, update_ms), 12, HEIGHT * CELL + 12)
end

function love.quit()
    if not recording then return end
    service:end_recording()
    recording:close()
    for i = 0, view.count - 1 do print(i, crowd:get_body(ids[i]).exact_at.x, crowd:get_body(ids[i]).exact_at.y) end
end
