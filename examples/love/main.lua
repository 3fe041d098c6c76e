-- SPDX-License-Identifier: MIT
-- A market in LÖVE: 120 bodies cross it, to and fro. The left button drawn over bodies selects them, and a click sends
-- them. The right button paints walls, or from a wall on opens them. The slider is the budget of a frame, in expansions.
-- love examples/love [FRAMES RECORDING]: ends after FRAMES with a script for `wend run`, and prints where the bodies are.
local wend = require 'wend'

local WIDTH, HEIGHT, CELL, EACH, UPDATE, MOST = 64, 40, 15, 60, 1 / 20, 4000
local map, service = wend.map({ width = WIDTH, height = HEIGHT }), wend.service()
local bodies, view, recording
local ids, is_left, waits, headings, selected = {}, {}, {}, {}, {} -- all by index of agents
local frames, late, budget, busy_ms, last_frame = 0, 0, 1000, 0, nil
local drag, stroke, ground, picture

local function to_cell(x, y)
    return { math.max(0, math.min(WIDTH - 1, math.floor(x / CELL))), math.max(0, math.min(HEIGHT - 1, math.floor(y / CELL))) }
end
local function to_pixel(part) return (part / wend.BODY_UNITS + 0.5) * CELL end

-- ---- the market ----

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
    for y = 0, HEIGHT - 1 do
        for x = 0, WIDTH - 1 do
            local shade = map:terrain({ x, y }) == wend.BLOCKED and 0.25 or 0.93
            ground:setPixel(x, y, shade, shade, shade, 1)
        end
    end
    picture:replacePixels(ground)
end

-- Home is on the left for one half, and on the right for the other one: each goes to its partner's home, and back.
local function cross(agent)
    local place = agent.index % EACH
    local x, y = 2 + place % 5 * 2, 2 + math.floor(place / 5) * 3
    is_left[agent.index] = not is_left[agent.index]
    bodies:go(agent, { is_left[agent.index] and x or WIDTH - 1 - x, y })
end

local function hear(event)
    if event.ends_goal and event.event ~= 'replaced' and not waits[event.agent.index] then cross(event.agent) end
end

local function settle()
    bodies = wend.bodies(service, map, { agents = 2 * EACH }, hear)
    for i = 0, 2 * EACH - 1 do
        local place, left = i % EACH, i < EACH
        local x, y = 2 + place % 5 * 2, 2 + math.floor(place / 5) * 3
        local id = bodies:add({ left and x or WIDTH - 1 - x, y }, { speed_milli = 180 + i % 9 * 10, radius_milli = 300 + i % 4 * 40 })
        ids[id.index], is_left[id.index], headings[id.index] = id, left, left and 0 or math.pi
        cross(id)
    end
    view = bodies:view()
end

-- ---- the mouse ----

local function paint(x, y)
    local cell = to_cell(x, y)
    if y >= HEIGHT * CELL or map:terrain(cell) == stroke then return end
    map:edit(function(edit) edit:set(cell, stroke) end)
    draw_ground()
end

local function select_in(x1, y1, x2, y2)
    selected = {}
    for i = 0, view.count - 1 do
        local x, y = to_pixel(view.points[i].x), to_pixel(view.points[i].y)
        selected[i] = math.min(x1, x2) <= x and x <= math.max(x1, x2) and math.min(y1, y2) <= y and y <= math.max(y1, y2) or nil
    end
end

local function send(x, y)
    local list = {}
    for i in pairs(selected) do list[#list + 1], waits[i] = ids[i], true end
    table.sort(list, function(a, b) return a.index < b.index end)
    if #list > 0 then bodies:go(list, to_cell(x, y)) end
end

function love.mousepressed(x, y, button)
    drag = { x, y, button == 1 and (y >= HEIGHT * CELL and 'slider' or 'box') or 'paint' }
    if drag[3] == 'paint' then stroke = map:terrain(to_cell(x, y)) == wend.OPEN and wend.BLOCKED or wend.OPEN end
    love.mousemoved(x, y)
end

function love.mousemoved(x, y)
    if drag and drag[3] == 'paint' then paint(x, y) end
    if drag and drag[3] == 'slider' then budget = math.max(0, math.min(MOST, math.floor(x / (WIDTH * CELL - 1) * MOST))) end
end

function love.mousereleased(x, y)
    if drag and drag[3] == 'box' then
        if math.abs(x - drag[1]) + math.abs(y - drag[2]) < 6 then send(x, y) else select_in(drag[1], drag[2], x, y) end
    end
    drag = nil
end

-- ---- frames ----

function love.load(args)
    ground = love.image.newImageData(WIDTH, HEIGHT)
    picture = love.graphics.newImage(ground)
    picture:setFilter('nearest', 'nearest')
    build()
    last_frame, recording = tonumber(args[1]), args[2] and assert(io.open(args[2], 'w'))
    if recording then service:record(function(number, bytes) if number == 1 then recording:write(bytes) end end) end
    settle()
    draw_ground()
end

local function finish()
    service:end_recording()
    recording:close()
    for i = 0, view.count - 1 do print(i, view.points[i].x, view.points[i].y) end
    love.event.quit()
end

function love.update(elapsed)
    for _ = 1, math.min(4, math.floor((late + elapsed) / UPDATE)) do -- a slow machine plays slowly
        local begun = love.timer.getTime()
        if frames == last_frame then return finish() end
        service:tick({ expansions = budget })
        bodies:update()
        view, frames, busy_ms = bodies:view(), frames + 1, (love.timer.getTime() - begun) * 1000
    end
    late = (late + elapsed) % UPDATE
end

function love.draw()
    love.graphics.setColor(1, 1, 1)
    love.graphics.draw(picture, 0, 0, 0, CELL, CELL)
    local before = 1 - late / UPDATE -- the part of an update that is not to be seen so far
    for i = 0, view.count - 1 do
        local velocity, radius = view.velocities[i], view.radii[i] / wend.BODY_UNITS * CELL
        local x, y = to_pixel(view.points[i].x - velocity.x * before), to_pixel(view.points[i].y - velocity.y * before)
        if velocity.x ~= 0 or velocity.y ~= 0 then headings[i] = math.atan2(velocity.y, velocity.x) end
        love.graphics.setColor(selected[i] and { 0.95, 0.65, 0.1 } or i < EACH and { 0.2, 0.45, 0.8 } or { 0.75, 0.25, 0.3 })
        love.graphics.circle('fill', x, y, radius)
        love.graphics.setColor(1, 1, 1)
        love.graphics.line(x, y, x + math.cos(headings[i]) * radius, y + math.sin(headings[i]) * radius)
    end
    if drag and drag[3] == 'box' then
        love.graphics.setColor(0.95, 0.65, 0.1)
        love.graphics.rectangle('line', drag[1], drag[2], love.mouse.getX() - drag[1], love.mouse.getY() - drag[2])
    end
    love.graphics.setColor(0.35, 0.6, 0.35)
    love.graphics.rectangle('fill', 0, HEIGHT * CELL, budget / MOST * WIDTH * CELL, 40)
    love.graphics.setColor(1, 1, 1)
    love.graphics.print(string.format('%d expansions a frame    %d searches wait    frame %d: %.2f ms', budget, service:pending(),
        frames, busy_ms), 12, HEIGHT * CELL + 12)
end
