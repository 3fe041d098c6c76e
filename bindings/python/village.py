# SPDX-License-Identifier: MIT
"""A village at 20 Hz: people wander about, doors open and close, the guards gather at the well when the bell rings, and
a player walks along the street, step by step. village.py [FRAMES]"""
import sys

import wend

WIDTH, HEIGHT, HOUSES, GUARDS, VILLAGERS, BELL = 64, 40, 12, 12, 60, 200


class Village:
    def __init__(self):
        self.random, self.seed, self.frame, self.walks, self.gathered = 7, 1, 0, 0, 0
        self.map, self.service, self.doors = wend.Map(WIDTH, HEIGHT), wend.Service(), []
        with self.map.edit() as edit:
            for i in range(HOUSES):
                self.build(edit, 3 + i % 4 * 15, 3 + i // 4 * 12)
        self.map.accelerate()
        self.crowd = wend.Crowd(self.service, self.map, GUARDS + VILLAGERS + 1, self.hear)
        self.player = self.crowd.add((1, HEIGHT - 2), speed_milli=1000)
        self.guards = [self.settle(10) for _ in range(GUARDS)]
        for _ in range(VILLAGERS):
            self.settle(0)

    def dice(self, sides):
        self.random ^= self.random << 13 & 0xFFFFFFFF
        self.random ^= self.random >> 17
        self.random ^= self.random << 5 & 0xFFFFFFFF
        return self.random % sides

    def build(self, edit, left, top):
        edit.fill((left, top), (left + 10, top + 7), wend.BLOCKED)
        edit.fill((left + 1, top + 1), (left + 9, top + 6), wend.OPEN)
        edit.set((left + 5, top + 7), wend.OPEN)
        self.doors.append([(left + 5, top + 7), True])

    def settle(self, urgency):
        """Somewhere: where a wall or somebody is, elsewhere."""
        speed = 200 + self.dice(100)
        while True:
            cell = (self.dice(WIDTH), self.dice(HEIGHT))
            if self.map.terrain(cell) == wend.BLOCKED or self.map.occupants(cell):
                continue
            agent = self.crowd.add(cell, urgency=urgency, speed_milli=speed)
            self.wander(agent, cell)
            return agent

    def wander(self, agent, origin):
        self.crowd.go(agent, self.map.random_cell(origin, self.seed))
        self.seed += 1

    def hear(self, event):
        guard = event.agent in self.guards
        if event.event == "arrived":
            self.walks += 1
            self.gathered += guard and self.frame > BELL
        if event.ends_goal and event.event != "replaced" and event.agent != self.player:
            if not guard or self.frame < BELL:
                self.wander(event.agent, event.cell)

    def move_a_door(self):
        """None closes on somebody."""
        door = self.doors[self.dice(HOUSES)]
        if self.map.occupants(door[0]) or (door[1] and self.dice(4)):
            return
        door[1] = not door[1]
        with self.map.edit() as edit:
            edit.set(door[0], wend.OPEN if door[1] else wend.BLOCKED)

    def players_cell(self):
        return self.crowd.cells.tolist()[self.player.index]

    def run_frame(self):
        self.frame += 1
        if self.frame % 10 == 0:
            self.move_a_door()
        if self.frame == BELL:
            self.crowd.go(self.guards, (WIDTH // 2 - 1, HEIGHT - 2))
        x, y, _ = self.players_cell()
        if self.frame % 5 == 0 and x < WIDTH - 2:
            self.crowd.step(self.player, (x + 1, y))
        self.service.tick(expansions=5000)
        self.crowd.update()


village = Village()
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 400):
    village.run_frame()
X, Y, _ = village.players_cell()
print(f"{village.frame} frames: {village.walks} walks, {village.gathered} guards at the well, the player at {X},{Y}")
