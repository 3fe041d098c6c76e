-- SPDX-License-Identifier: MIT
local wend = require 'wend'

local map = wend.parse('type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n')
local service = wend.service()
service:submit(map, { 0, 0 }, { 4, 2 }, function(answer)
    print(string.format('%s, cost %d, %d cells', answer.status, answer.cost, #answer.cells))
end)
while service:pending() > 0 do service:tick() end
