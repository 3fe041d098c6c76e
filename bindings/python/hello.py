# SPDX-License-Identifier: MIT
import wend

field = wend.Map.parse("type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n")
service = wend.Service()
service.submit(field, (0, 0), (4, 2), lambda answer: print(f"{answer.status}, cost {answer.cost}, {len(answer.cells)} cells"))
while service.pending:
    service.tick()
