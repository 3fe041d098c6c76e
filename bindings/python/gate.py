# SPDX-License-Identifier: MIT
"""A save game: 500 agents walk to a wall with two gates. One closes. All is saved, and what follows is played twice."""
import wend

WIDTH, HEIGHT, AGENTS, CLOSES, SAVED, FRAMES, SCOUT = 96, 64, 500, 100, 150, 300, 7
map_, service = wend.Map(WIDTH, HEIGHT), wend.Service()
hash_ = 0


def put(value):
    global hash_
    hash_ = (hash_ ^ (value & 0xFFFFFFFF)) * 16777619 & 0xFFFFFFFF


def take_answer(answer):
    put(answer.cost)


def resume(request):
    """No function is in a save. The host knows its request again by the number that it gave it."""
    return take_answer if request.agent == SCOUT else None


def close_wall(first, last):
    """Close cells of the wall on which nobody stands."""
    with map_.edit() as edit:
        for y in range(first, last + 1):
            if not map_.occupants((48, y)):
                edit.set((48, y), wend.BLOCKED)


def run(first, last):
    global hash_
    hash_ = 2166136261
    for frame in range(first, last):
        if frame >= CLOSES:
            close_wall(12, 15)
        service.tick()
        crowd.update()
        for x, y, _ in crowd.points.tolist():
            put(x)
            put(y)


close_wall(0, 11)
close_wall(16, 47)
close_wall(52, HEIGHT - 1)
crowd = wend.Crowd(service, map_, AGENTS)
for i in range(AGENTS):
    x, y = i % 20 * 2, i // 20 * 2
    crowd.go(crowd.add((x, y)), (WIDTH - 1 - x, y))
run(0, SAVED)
service.submit(map_, (0, 0), (WIDTH - 1, 0), take_answer, agent=SCOUT)
saves = map_.save(), service.save([map_]), crowd.save()
run(SAVED, FRAMES)
before = hash_
map_.restore(saves[0])
service.restore(saves[1], [map_], resume)
crowd.restore(saves[2])
run(SAVED, FRAMES)
print(f"{AGENTS} agents, saved in frame {SAVED}: {before:08x}, and after a restore {hash_:08x}")
