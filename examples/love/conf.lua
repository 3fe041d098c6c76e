-- SPDX-License-Identifier: MIT
-- The window of main.lua; what it does not use stays off.
function love.conf(t)
    t.identity = 'wend-market'
    t.window.title = 'wend: a market'
    t.window.width, t.window.height = 960, 640
    for _, name in ipairs({ 'audio', 'joystick', 'physics', 'sound', 'thread', 'touch', 'video' }) do
        t.modules[name] = false
    end
end
