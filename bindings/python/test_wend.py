# SPDX-License-Identifier: MIT
"""What every binding is tested for: test_wend.py MAP."""
import asyncio
import gc
import json
import os
import sys

import wend

FAILED = []


def expect(good, what):
    print("ok" if good else "not ok", what)
    if not good:
        FAILED.append(what)


def raised(kind, call, *args, **more):
    try:
        call(*args, **more)
    except kind as problem:
        return problem
    return None


class Golden:
    def __init__(self):
        self.hash, self.random = 2166136261, 1

    def put(self, *values):
        for value in values:
            self.hash = (self.hash ^ (value & 0xFFFFFFFF)) * 16777619 & 0xFFFFFFFF

    def open_cell(self, map_):
        while True:
            self.random ^= self.random << 13 & 0xFFFFFFFF
            self.random ^= self.random >> 17
            self.random ^= self.random << 5 & 0xFFFFFFFF
            cell = (self.random % 512, (self.random >> 16) % 512)
            if map_.terrain(cell):
                return cell


STATUS = {wend.ffi.string(wend.lib.wend_status_name(n)).decode(): n for n in range(wend.lib.WEND_STATUS_COUNT)}


def requests(map_, service):
    golden = Golden()

    def done(answer):
        golden.put(answer.number, STATUS[answer.status], answer.cost, answer.expansions, answer.frames, len(answer.cells))
        for cell in answer.cells:
            golden.put(cell[0], cell[1])

    for i in range(300):
        start = golden.open_cell(map_)
        service.submit(map_, start, golden.open_cell(map_), done, urgency=i % 7)
    while service.pending:
        service.tick(expansions=20000)
    return golden.hash


def walks(map_, service):
    golden = Golden()

    def hear(event):
        golden.put(event.number, event.agent.index, event.cell[0], event.cell[1], event.update)
        if event.ends_goal and event.event != "replaced":
            crowd.go(event.agent, golden.open_cell(map_))

    crowd = wend.Crowd(service, map_, 200, hear)
    for _ in range(200):
        agent = None
        while not agent:
            try:
                agent = crowd.add(golden.open_cell(map_), speed_milli=1000)
            except wend.Error as problem:
                if problem.code != "WEND_BUSY":
                    raise
        crowd.go(agent, golden.open_cell(map_))
    for _ in range(200):
        service.tick(expansions=20000)
        crowd.update()
        for point, state in zip(crowd.points.tolist(), crowd.states.tolist()):
            golden.put(point[0], point[1], state)
    return golden.hash


def group(service):
    """A group with bodies passes a gate and a danger; a guard goes round, a hound follows it, a hare flees."""
    map_, golden = wend.Map(48, 32), Golden()
    with map_.edit() as edit:
        edit.fill((24, 0), (24, 13), wend.BLOCKED)
        edit.fill((24, 18), (24, 31), wend.BLOCKED)
    danger = map_.add_layer(half_life=50)
    danger.add_disc((24, 12), 8, 200)
    profile = map_.add_profile({danger: 16})
    crowd = wend.Crowd(service, map_, 19, lambda event: golden.put(event.number, event.agent.index, event.update))
    walkers = []
    for i in range(16):
        walkers.append(crowd.add((2 + i % 4 * 2, 8 + i // 4 * 4), profile=profile if i % 2 else 0))
        if i % 3:
            crowd.set_body(walkers[i], radius_milli=300 + 10 * i)
    crowd.go(walkers, (38, 16), formation=wend.lib.WEND_AS_WEDGE, spacing=2)
    guard, hound, hare = (crowd.add(cell) for cell in ((46, 1), (44, 1), (34, 15)))
    crowd.patrol(guard, crowd.add_route([(46, 1), (46, 30), (30, 30), (30, 1)], wend.lib.WEND_ROUTE_LOOP))
    crowd.follow(hound, guard, reach=2)
    crowd.flee(hare, guard, distance=8, keep=True)
    for _ in range(300):
        map_.layer_update()
        service.tick(expansions=20000)
        crowd.update()
        for point, state, velocity, radius in zip(crowd.points.tolist(), crowd.states, crowd.velocities.tolist(), crowd.radii):
            golden.put(point[0], point[1], state, velocity[0], velocity[1], radius)
    return golden.hash


def throw(what):
    raise RuntimeError(what)


def test_goldens():
    map_, service = wend.Map.load(sys.argv[1] if len(sys.argv) > 1 else "data/caves512.map").accelerate(), wend.Service()
    expect(requests(map_, service) == 0x08A1E302, "requests have the golden hash")
    expect(walks(map_, service) == 0xB932DC31, "a crowd has the golden hash")
    expect(group(service) == 0x21B0B51B, "a group with bodies has the golden hash")
    expect("<svg" in map_._repr_svg_(), "a map is drawn")


def test_errors():
    for number in range(wend.lib.WEND_EMPTY, 1):
        expect(wend.Error(number).code.startswith("WEND_"), wend.Error(number).code)
    bad = raised(wend.Error, wend.Map, 0, 5)
    expect(bad.code == "WEND_BAD_ARGUMENT" and "width" in str(bad), "an error has name and reason")
    bad = raised(wend.Error, wend.Map.parse, "type octile\nheight 1\nwidth 2\nmap\n.?\n")
    expect(str(bad).startswith("map:5:2: "), "an error of a map says where")


def test_callbacks():
    map_, service, called = wend.Map(8, 8), wend.Service(), []
    service.submit(map_, (0, 0), (7, 7), lambda answer: throw("mine"))
    service.submit(map_, (0, 0), (7, 7), called.append)
    problem = raised(RuntimeError, service.tick)
    expect(str(problem) == "mine" and len(called) == 1, "what a callback raises comes out of tick(), after the others were called")
    service.tick()
    crowd = wend.Crowd(service, map_, 1, lambda event: throw("event"))
    crowd.go(crowd.add((0, 0)), (0, 0))
    problem = None
    for _ in range(4):
        service.tick()
        problem = problem or raised(RuntimeError, crowd.update)
    expect(str(problem) == "event", "and out of update()")

    def stop():
        with map_.edit() as edit:
            edit.set((1, 1), wend.BLOCKED)
            throw("stop")

    expect(raised(RuntimeError, stop) and map_.terrain((1, 1)) == wend.OPEN, "an edit that raises changes nothing")


def test_recording():
    map_, service, files = wend.Map(8, 8), wend.Service(), {}
    service.record(lambda file, data: files.__setitem__(file, files.get(file, b"") + data))
    service.submit(map_, (0, 0), (7, 7), lambda answer: None)
    service.tick()
    service.end_recording()
    expect(len(files) == 2 and b"request" in files[1], "a recording has a script for the map")
    crowd = wend.Crowd(service, map_, agents=2)
    service.submit(map_, (0, 0), (7, 7), lambda answer: None)
    service.record(lambda file, data: files.__setitem__(file, files[file] + data), map_, crowd)
    service.tick()
    service.end_recording()
    expect(b"state request 0 1\n" in files[1], "a recording begins while a request is pending")


def run(service, crowd, frames):
    for _ in range(frames):
        service.tick()
        crowd.update()


def code_of(call, *args, **more):
    problem = raised(wend.Error, call, *args, **more)
    return problem.code if problem else None


def test_bodies():
    map_, service, crowd = a_crowd()
    agent, other = crowd.add((1, 1)), crowd.add((6, 6))
    crowd.set_body(agent, radius_milli=300, turn_degrees=90)
    expect(crowd.points.tolist()[0] == [1000, 1000, 0] and crowd.radii.tolist() == [300, 0],
           f"a body stands on its agent's cell; the other has none: {crowd.points.tolist()}, {crowd.radii.tolist()}")
    expect(crowd.get_body(agent).__dict__ == {"state": "rests", "at": (1000, 1000, 0), "velocity": (0, 0, 0), "facing": (0, 0, 0),
                                              "radius_milli": 300, "speed_milli": 0, "waited": 0, "exact_at": (16384, 16384),
                                              "exact_velocity": (0, 0)}, f"{crowd.get_body(agent)}")
    crowd.go(agent, (6, 1))
    run(service, crowd, 8)
    moved = crowd.get_body(agent)
    expect(moved.state == "goes" and moved.speed_milli > 0 and moved.facing == (1000, 0, 0), f"it goes: {moved}")
    try:
        import numpy
        expect(numpy.asarray(crowd.velocities).tolist() == crowd.velocities.tolist(), "velocities as an array of numpy")
    except ImportError:
        pass
    expect(crowd.velocities.tolist() == [list(moved.velocity), [0] * 3] and crowd.points.tolist()[0] == list(moved.at), "the view, too")
    saved = map_.save(), service.save([map_]), crowd.save()
    run(service, crowd, 40)
    first = crowd.points.tolist()
    expect(crowd.cells.tolist()[0] == [6, 1, 0], "and arrives")
    map_.restore(saved[0])
    service.restore(saved[1], [map_])
    crowd.restore(saved[2])
    expect(crowd.get_body(agent) == moved, "a restore brings bodies back")
    run(service, crowd, 40)
    expect(crowd.points.tolist() == first, "and the same frames follow")
    crowd.place_body(agent, (3000, 4000), (100, 0))
    expect(crowd.get_body(agent).velocity == (100, 0, 0) and crowd.cells.tolist()[0] == [3, 4, 0], "the host puts it elsewhere")
    crowd.halt(agent)
    run(service, crowd, 20)
    expect(code_of(crowd.set_body, agent) == "WEND_IN_USE" and code_of(crowd.set_body, other, radius_milli=5) == "WEND_BAD_ARGUMENT", "one body")
    expect(code_of(crowd.place_body, agent, (-5000, 0)) == "WEND_OUT_OF_RANGE", "a body stays on the map")
    expect(code_of(crowd.place_body, agent, (6000, 6000)) == "WEND_BUSY", "and where no other is")
    expect(code_of(crowd.remove_body, other) == code_of(crowd.get_body, other) == "WEND_STALE_TICKET", "no body, no answer")
    raises_all(TypeError, lambda: crowd.set_body(5), lambda: crowd.set_body(agent, radius_milli="5"), lambda: crowd.get_body(None),
               lambda: crowd.place_body(agent, 5), lambda: crowd.place_body(agent, ("1", 2)), lambda: crowd.remove_body("a"),
               lambda: crowd.place_body(agent, (1, 2, 3, 4)))
    raises_all((OverflowError, ValueError), lambda: crowd.set_body(other, radius_milli=-1), lambda: crowd.place_body(agent, (2**31, 0)))
    expect(str(raised(TypeError, crowd.set_body, other, radius=5)) ==
           "unknown option `radius`; known: radius_milli, accel_milli, turn_degrees, turning_radius_milli", "the options of a body")
    crowd.remove_body(agent)
    expect(crowd.radii.tolist() == [0, 0], "a body is taken away")
    crowd.set_body(agent)
    crowd.go(other, (6, 1))
    before = crowd.points.tolist()[1]
    run(service, crowd, 1)
    velocity = crowd.velocities.tolist()[1]
    expect(any(velocity) and [a - v for a, v in zip(crowd.points.tolist()[1], velocity)] == before, "the velocity of one without a body")
    arena = wend.Arena()
    map_, service = wend.Map(8, 8, arena=arena), wend.Service(arena=arena)
    crowd = wend.Crowd(service, map_, 4)
    agent = crowd.add((0, 0))
    arena.mark(0)
    crowd.set_body(agent)  # the first one takes memory, which goes back with the mark
    crowd.go(agent, (7, 3))
    arena.mark(1)
    run(service, crowd, 20)
    first = crowd.get_body(agent)
    arena.rewind(0)
    expect(code_of(crowd.get_body, agent) == "WEND_STALE_TICKET", "a body goes back")
    arena.rewind(1)
    run(service, crowd, 20)
    expect(crowd.get_body(agent) == first, "and forth again")


def test_layers():
    map_, service = wend.Map(9, 9), wend.Service()
    danger, walls = map_.add_layer(half_life=2), map_.add_layer(within=2)
    danger.add_disc((4, 4), 1, 100)
    expect(danger.get_box((3, 3), (5, 5)).tolist() == [[50, 75, 50], [75, 100, 75], [50, 75, 50]], "a disc")
    map_.layer_update(2)
    expect(danger.get((4, 4)) == 50 and danger.info.updates == 2, "it fades")
    expect((danger.info.half_life, danger.info.within, walls.info.within, walls.info.layers) == (2, 0, 2, 2), "what layers are")
    expect(walls.get((0, 4)) == 255 and walls.get((4, 4)) == 0, "a layer of walls: the rim counts")
    rows = memoryview(bytes(range(6))).cast("B", (2, 3))
    danger.set_box((0, 0), (2, 1), rows)
    expect(danger.get_box((0, 0), (2, 1)).tolist() == rows.tolist(), "values are set")
    danger.set_box((0, 0), (2, 1), [[5, 4, 3], b"\2\1\0"])
    expect(danger.get_box((0, 0), (2, 1)).tolist() == [[5, 4, 3], [2, 1, 0]], "values are set from a list of rows")
    danger.set_box((0, 0), (2, 1), rows)
    danger.set_box((0, 0), (8, 8), bytes(81))
    danger.set_box((4, 0), (4, 7), bytes([255] * 8))
    profile = map_.add_profile({danger: 1000})
    expect([(one.number, weight) for one, weight in map_.get_profile(profile)] == [(0, 1000)], "a profile has its weights")
    expect(map_.add_profile(map_.get_profile(profile)) == profile, "an equal one has its number")
    answers = []
    service.submit(map_, (0, 0), (8, 0), answers.append)
    service.submit(map_, (0, 0), (8, 0), answers.append, profile=profile)
    service.tick()
    expect((4, 8, 0) in answers[1].cells and (4, 8, 0) not in answers[0].cells, "a request goes round the danger that it minds")
    crowd = wend.Crowd(service, map_, 4)
    timid, bold, seen = crowd.add((0, 2), profile=profile), crowd.add((0, 1)), set()
    crowd.go(timid, (8, 2))
    for _ in range(90):
        run(service, crowd, 1)
        seen.add(tuple(crowd.cells.tolist()[timid.index]))
    expect((4, 8, 0) in seen and (8, 2, 0) in seen, "so does an agent")
    crowd.set_profile([bold], profile)
    expect(crowd.get_agent(bold).profile == profile, "an agent minds it from now on")
    saved, other = map_.save(), wend.Map(9, 9)
    other.restore(saved)
    expect(other.get_layer(0).get((4, 4)) == 255 and other.get_layer(1).info.within == 2, "a save has the layers")
    expect(code_of(map_.get_layer, 2) == code_of(map_.get_profile, 9) == "WEND_BAD_ARGUMENT", "there are no others")
    for call in (lambda: map_.add_layer(within=99), lambda: map_.add_layer(half_life=2, within=2), lambda: walls.add_disc((4, 4), 1, 9),
                 lambda: walls.set_box((0, 0), (0, 0), b"1"), lambda: danger.add_disc((4, 4), 256, 9), lambda: danger.add_disc((4, 4), 1, 0),
                 lambda: map_.add_profile({danger: 0}), lambda: map_.add_profile({}), lambda: danger.get_box((3, 3), (1, 1)),
                 lambda: crowd.set_profile(bold, 7)):
        expect(code_of(call) == "WEND_BAD_ARGUMENT", "a number out of its range is refused")
    for call in (lambda: danger.get((9, 0)), lambda: danger.add_disc((0, -1), 1, 9), lambda: danger.get_box((0, 0), (2**31 - 1, 5)),
                 lambda: danger.set_box((8, 8), (9, 8), b"12")):
        expect(code_of(call) == "WEND_OUT_OF_RANGE", "a cell off the map, too")
    raises_all(TypeError, lambda: danger.get("ab"), lambda: danger.add_disc((4, 4), 1.5, 9), lambda: danger.set_box((0, 0), (0, 0), 5),
               lambda: danger.set_box((0, 0), (0, 0), memoryview(bytes(4)).cast("i")), lambda: map_.add_profile({0: 5}),
               lambda: map_.add_profile({danger: "5"}), lambda: map_.layer_update("1"), lambda: map_.get_layer("a"),
               lambda: map_.add_layer(halflife=2))
    for bad in (lambda: danger.set_box((0, 0), (2, 0), b"12"), lambda: danger.set_box((0, 0), (1, 1), [[1, 2, 3, 4]])):
        expect(code_of(bad) == "WEND_BAD_ARGUMENT", "values for another box")
    raises_all((ValueError, OverflowError), lambda: danger.set_box((0, 0), (1, 1), [[1, 256], [1, 1]]), lambda: map_.layer_update(-1),
               lambda: other.add_profile({danger: 1}))


def test_groups():
    map_, service, heard = wend.Map(24, 24), wend.Service(), []
    crowd = wend.Crowd(service, map_, 8, lambda event: heard.append((event.event, event.agent, event.why, event.box)))
    agents = [crowd.add((2 + i, 2), speed_milli=500) for i in range(4)]
    crowd.go(agents, (10, 12), formation=wend.lib.WEND_AS_LINE, spacing=2, pace=True)
    goals = sorted(crowd.get_goal(one).cell for one in agents)
    run(service, crowd, 80)
    expect(sorted(map(tuple, crowd.cells.tolist())) == goals and len({goal[1] for goal in goals}) == 4, f"a line stands: {goals}")
    expect([one[0] for one in heard] == ["arrived"] * 4 and heard[0][2:] == ("none", None), "each agent has its event")
    stats = crowd.get_stats()
    expect((stats.agents, stats.busy, stats.updates, stats.event_counts[1]) == (4, 0, 80, 4) and stats.states[5] == 4, "and the counts")
    expect(crowd.get_goal(agents[0]) is None, "none has a goal then")

    dog, cat = crowd.add((20, 20)), crowd.add((20, 22))
    crowd.follow(agents[0], dog, reach=3)
    crowd.flee([cat], dog, distance=6)
    expect(crowd.get_goal(agents[0]).target == dog and crowd.get_goal(agents[0]).reach == 3, "a goal has its target")
    expect(crowd.get_goal(cat).distance == 6 and not crowd.get_goal(cat).keep, "and its distance")
    run(service, crowd, 60)
    apart = [max(abs(a - b) for a, b in zip(crowd.get_agent(one).cell, (20, 20, 0))) for one in (agents[0], cat)]
    expect(apart[0] <= 3 and apart[1] >= 6, f"one follows, one has fled: {apart}")
    expect(crowd.get_agent(agents[0]).waits == "target" and crowd.get_agent(cat).state == "arrived", "and is so in its state")
    heard.clear()
    crowd.halt([agents[0], agents[1]])
    crowd.go(cat, (2, 20))
    crowd.remove(dog)
    run(service, crowd, 1)
    expect(heard == [("replaced", agents[0], "none", None)], f"a halt ends goals: {heard}")
    expect(crowd.get_path(cat)[0] == crowd.get_agent(cat).cell and crowd.get_path(cat)[-1] == (2, 20, 0), "an agent keeps its path")
    expect(crowd.facings.tolist()[cat.index] != [0, 0, 0], "and faces where it went")

    loop = crowd.add_route([(2, 20), (8, 20)], wend.lib.WEND_ROUTE_BACK)
    crowd.patrol(cat, loop)
    seen = set()
    for _ in range(200):
        run(service, crowd, 1)
        seen.add(crowd.get_agent(cat).cell)
    expect({(2, 20, 0), (8, 20, 0)} <= seen and crowd.get_agent(cat).route == loop == 0, "a patrol goes to and fro")
    expect(crowd.add_route([(1, 1)]) == 1, "the next route has the next number")

    crowd.move(agents[1], (15, 3))
    crowd.set_speed(agents[1], 700)
    crowd.set_urgency(agents[1], 9)
    one = crowd.get_agent(agents[1])
    expect((one.cell, one.speed_milli, one.urgency, one.blocker) == ((15, 3, 0), 700, 9, None), f"an agent is changed: {one}")
    mover = wend.ffi.new("int32_t *")
    wend.check(wend.lib.wend_map_add_mover(map_.handle, wend.make("wend_mover", size=2), mover))
    crowd.set_mover(agents[1], mover[0])
    expect(crowd.get_agent(agents[1]).mover == mover[0] and map_.occupants((16, 4)) == 1, "another mover covers more cells")
    crowd.move(agents[2], (15, 10))
    crowd.wait_for(agents[1], agents[2:4])
    expect(code_of(crowd.wait_for, agents[1], [agents[1]]) == "WEND_BAD_ARGUMENT", "an agent waits for others")

    heard.clear()
    expect(not crowd.is_clear((14, 9), (16, 11)) and crowd.is_clear((0, 0), (1, 1)), "a box with an agent, and one without")
    crowd.clear_box((14, 9), (16, 11))
    expect(crowd.get_boxes() == [((14, 9, 0), (16, 11, 0))], "it is being cleared")
    run(service, crowd, 40)
    expect(crowd.is_clear((14, 9), (16, 11)) and ("clear", "none", ((14, 9, 0), (16, 11, 0))) in [(a, b, c) for a, _, b, c in heard],
           f"the agent has left it: {heard}")
    crowd.release_box((14, 9), (16, 11))
    expect(crowd.get_boxes() == [] and code_of(crowd.release_box, (0, 0), (1, 1)) == "WEND_EMPTY", "and released")

    silent = wend.Crowd(service, map_, 4)
    lone = silent.add((0, 23))
    silent.go(lone, (0, 23))
    service.tick()
    for _ in range(3):
        silent.update(us=1000, choices=5)
    event = silent.poll()
    expect(event and (event.event, event.agent, event.cell) == ("arrived", lone, (0, 23, 0)) and silent.poll() is None, "events are polled")


def test_groups_misuse():
    _, _, crowd = a_crowd()
    agent, other, gone = crowd.add((0, 0)), crowd.add((2, 0)), crowd.add((4, 0))
    crowd.remove(gone)
    calls = (crowd.halt, crowd.get_agent, crowd.get_goal, crowd.get_path, lambda one: crowd.follow(one, other), lambda one: crowd.flee(other, one),
             lambda one: crowd.patrol(one, 0), lambda one: crowd.move(one, (5, 5)), lambda one: crowd.set_speed(one, 5),
             lambda one: crowd.set_urgency(one, 5), lambda one: crowd.set_mover(one, 0), lambda one: crowd.set_profile(one, 0),
             lambda one: crowd.wait_for(agent, [one]))
    for call in calls:
        expect(code_of(call, gone) == "WEND_STALE_TICKET", "an agent that was removed is refused")
        raises_all(TypeError, lambda: call(5), lambda: call(None), lambda: call("a"))
    for call in (lambda: crowd.follow(agent, agent), lambda: crowd.flee(agent, other, distance=0), lambda: crowd.follow(agent, other, reach=999),
                 lambda: crowd.go([agent], (1, 1), formation=99), lambda: crowd.add_route([]), lambda: crowd.add_route([(1, 1)], 7),
                 lambda: crowd.patrol(agent, 5), lambda: crowd.set_speed(agent, 0), lambda: crowd.set_urgency(agent, 2000),
                 lambda: crowd.set_mover(agent, 3), lambda: crowd.is_clear((3, 3), (1, 1)), lambda: crowd.clear_box((3, 3), (1, 1)),
                 lambda: crowd.update(1000001)):
        expect(code_of(call) == "WEND_BAD_ARGUMENT", "a number out of its range is refused")
    for call in (lambda: crowd.add_route([(1, 1), (8, 8)]), lambda: crowd.move(agent, (-1, 0)), lambda: crowd.is_clear((0, 0), (8, 8)),
                 lambda: crowd.clear_box((0, 0), (8, 8))):
        expect(code_of(call) == "WEND_OUT_OF_RANGE", "a cell off the map, too")
    expect(code_of(crowd.move, agent, (2, 0)) == "WEND_BUSY", "no agent is put on another")
    raises_all(TypeError, lambda: crowd.add_route(5), lambda: crowd.add_route([5]), lambda: crowd.add_route([(1, 1)], "loop"),
               lambda: crowd.patrol(agent, "0"), lambda: crowd.is_clear(1, 2), lambda: crowd.set_mover(agent, 1.5), lambda: crowd.update(us="1"))
    raises_all(TypeError, lambda: crowd.go(agent, (1, 1), spede=5), lambda: crowd.follow(agent, other, near=1),
               lambda: crowd.update(expansions=5))
    raises_all(OverflowError, lambda: crowd.patrol(agent, -1), lambda: crowd.set_urgency(agent, 2**31))


def test_readme():
    """Its snippet of bodies runs, and all have passed the door."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "README.md"), encoding="utf-8") as file:
        blocks = [block.split("\n```")[0] for block in file.read().split("```python\n")[1:]]
    names = {}
    exec(next(block for block in blocks if "set_body" in block), names)
    columns = [x for x, _, _ in names["points"].tolist()]
    expect(len(columns) == 12 and min(columns) > 16000, f"the bodies of the README are behind the wall: {columns}")


def test_arrays():
    rows = memoryview(bytes([1, 0, 1, 1, 1, 1])).cast("B", (2, 3))
    map_ = wend.Map.from_array(rows)
    expect(map_.rows().tolist() == rows.tolist() and map_.terrain((1, 0)) == 0, "a map from an array, and back")
    expect(raised(TypeError, wend.Map.from_array, b"123"), "a buffer without rows is refused")
    for one in (rows.tolist(), tuple(map(tuple, rows.tolist())), [b"\1\0\1", bytearray(b"\1\1\1")], [[True, False, True], [1, 1, 1]]):
        expect(wend.Map.from_array(one).rows().tolist() == rows.tolist(), f"a map from {one}")
    for bad, kind, where in (([[1, 1], [1]], ValueError, "row 1 has 1 cells"), ([[1, 1], [1, 256]], ValueError, "row 1: "),
                             ([[1, -1]], ValueError, "row 0: "), ([[1, 1.5]], TypeError, "row 0: "), ([[1, 1], 3], TypeError, "row 1: "),
                             (["##"], TypeError, "row 0: "), ([], wend.Error, ""), ([[]], wend.Error, "")):
        expect(str(raised(kind, wend.Map.from_array, bad)).startswith(where), f"no map from {bad}")
    back = map_.rows()
    expect([row for row in back] == [(1, 0, 1), (1, 1, 1)] and back[1][0] == back[-1][2] == 1 and back[:1] == [(1, 0, 1)] and
           len(back) == 2 and raised(IndexError, lambda: back[2]), "rows are walked as they are")
    expect(wend.Map.from_array(back).rows().tolist() == rows.tolist() and bytes(back.buffer) == bytes(rows), "and taken again")
    expect(vars(map_.info)["width"] == 3 and {"agents", "busy"} <= set(vars(a_crowd()[2].get_stats())), "so are figures, by name")
    try:
        import numpy
    except ImportError:
        return
    array = numpy.array(rows.tolist(), numpy.uint8)
    expect(wend.Map.from_array(array).rows().tolist() == rows.tolist(), "a map from an array of numpy")
    expect(wend.Map.from_array(list(array.astype(int))).rows().tolist() == rows.tolist(), "a map from a list of such rows")
    expect(numpy.asarray(map_.rows()).tolist() == rows.tolist(), "rows as such an array")
    expect(raised(TypeError, wend.Map.from_array, array.astype(float)), "an array of other numbers is refused")


def test_boxes():
    map_ = wend.Map(4, 3)
    with map_.edit() as edit:
        edit.set_box((1, 0), (2, 1), [[0, 5], [6, 0]])
        edit.set_box((0, 2), (3, 2), bytes([9, 8, 7, 6]))
        for bad in ([[0, 5]], [[0], [6]], b"123", b"12345"):
            expect(code_of(edit.set_box, (1, 0), (2, 1), bad) == "WEND_BAD_ARGUMENT", f"not the box: {bad}")
        raises_all(TypeError, lambda: edit.set_box((1, 0), (2, 1), 5), lambda: edit.set_box((1, 0), (2, 1), memoryview(bytes(16)).cast("i")))
        expect(code_of(edit.set_box, (2, 1), (1, 0), b"") == "WEND_BAD_ARGUMENT", "a box without cells")
    expect(map_.rows().tolist() == [[1, 0, 5, 1], [1, 6, 0, 1], [9, 8, 7, 6]], f"boxes are set: {map_.rows().tolist()}")
    expect(code_of(map_.edit().set_box, (3, 2), (4, 2), b"12") == "WEND_OUT_OF_RANGE", "a box beyond the map")
    space = wend.Map(2, 2, kind=wend.lib.WEND_KIND_VOXEL, depth=2)
    with space.edit() as edit:
        edit.set_box((0, 0, 0), (1, 1, 1), [[1, 2], [3, 4], [5, 6], [7, 8]])
    expect(space.rows(1).tolist() == [[5, 6], [7, 8]], "in space, layer behind layer")


def test_files():
    """Maps from files, of Tiled, too; with fields, and in an arena."""
    tiled, text = os.environ["WEND_TILED"], "type octile\nheight 1\nwidth 3\nmap\n.@.\n"
    if not os.environ["WEND_EXTRA"]:
        expect("libwend-extra" in str(raised(wend.Error, wend.Map.load, tiled)), "what reads a map of Tiled is named")
    for arena in (None, wend.Arena()):
        if os.environ["WEND_EXTRA"]:
            map_ = wend.Map.load(tiled, arena=arena, max_versions=3)
            expect((map_.info.width, map_.info.height, map_.start, map_.goal) == (20, 15, (2, 2, 0), (17, 11, 0)),
                   f"a map of Tiled: {map_.info}, {map_.start}, {map_.goal}")
            expect([map_.terrain(cell) for cell in ((0, 0), (1, 1), (12, 2), (5, 3))] == [0, 1, 5, 3], "its terrain")
        expect(wend.Map.load(sys.argv[1], arena=arena).info.width == 512, "a file")
        expect(wend.Map.parse(text, arena=arena, max_versions=2).rows().tolist() == [[1, 0, 1]], "a text")
        map_ = wend.Map.from_array([[1, 1, 0], [1, 1, 1]], arena=arena, wrap=0)
    service, answers = wend.Service(arena=arena), []
    arena.mark(0)
    with map_.edit() as edit:
        edit.set((0, 0), wend.BLOCKED)
    arena.rewind(0)
    expect(map_.rows().tolist() == [[1, 1, 0], [1, 1, 1]], "a map from an array goes back")
    for call, what in ((wend.Map.load, sys.argv[1]), (wend.Map.parse, text), (wend.Map.from_array, [[1]])):
        expect(code_of(call, what, arena=arena) == "WEND_IN_USE", "no map after the first mark")
        expect("known: arena, kind, width" in str(raised(TypeError, call, what, arean=arena)), "the options of a map")
    with open(tiled, "rb") as file:
        expect(code_of(wend.Map.parse, file.read()[:-90]) == "WEND_UNSUPPORTED", "Tiled's files name others: parse() takes none")
    expect(code_of(wend.Map.load, tiled + ".none") == "WEND_IO", "no file")


def test_asyncio():
    async def main():
        map_, service = wend.Map(8, 8), wend.Service()
        ticking = asyncio.ensure_future(service.run(hz=200))
        answers = await asyncio.gather(*(service.path(map_, (0, 0), (7, y)) for y in range(8)))
        ticking.cancel()
        return [answer.status for answer in answers]

    expect(asyncio.run(main()) == ["found"] * 8, "await service.path()")

    async def replaced():
        map_, service = wend.Map(8, 8), wend.Service()
        saved = service.save([map_])
        refused = service.path(map_, (0, 0), (7, 7))
        raised(wend.Error, service.restore, saved[:-1], [map_])
        service.tick()
        first, dropped, heard = service.path(map_, (0, 0), (7, 7)), service.path(map_, (0, 0), (7, 7)), []
        service.submit(map_, (0, 0), (7, 7), heard.append)
        dropped.cancel()
        service.restore(saved, [map_])
        answers = [await asyncio.wait_for(one, 10) for one in (refused, first)]
        service.tick()
        return [(one.status, one.cost, len(one.cells)) for one in answers], heard, len(service._futures)

    expect(asyncio.run(replaced()) == ([("found", 98, 8), ("cancelled", -1, 0)], [], 0),
           "a restore answers the future of a request that it takes away, and calls no function of submit()")


def test_saves():
    map_, service, heard = wend.Map(8, 8), wend.Service(), []
    crowd = wend.Crowd(service, map_, 4)
    agent = crowd.add((0, 0))
    crowd.go(agent, (7, 0))
    service.submit(map_, (0, 0), (7, 7), lambda answer: heard.append(answer.cost), agent=2**40)
    service.submit(map_, (0, 0), (7, 7), lambda answer: heard.append("lost"))
    saved = map_.save(), service.save([map_]), crowd.save()
    with map_.edit() as edit:
        edit.set((3, 3), wend.BLOCKED)
    crowd.remove(agent)
    seen = []

    def resume(request):
        seen.append((request.agent, request.start, request.goal, request.urgency))
        return (lambda answer: heard.append(-answer.cost)) if request.agent else None

    map_.restore(saved[0])
    service.restore(bytearray(saved[1]), [map_], resume)
    crowd.restore(saved[2])
    expect(map_.terrain((3, 3)) == 1 and crowd.cells.tolist() == [[0, 0, 0]], "map and crowd are as they were saved")
    service.tick()
    crowd.update()
    expect(heard == [-98], f"a restored request calls what resume() returned, and nothing else: {heard}")
    expect(seen == [(2**40, (0, 0, 0), (7, 7, 0), 0), (None, (0, 0, 0), (7, 7, 0), 0)], "resume() gets the requests")
    expect(not service._calls and crowd.points.tolist()[0][0] > 0, "and the agent walks on")
    other_map, other = wend.Map(8, 8), wend.Service()
    other_map.restore(saved[0])
    other.restore(saved[1], [other_map], lambda request: lambda answer: heard.append(1))
    crowd = wend.Crowd(other, other_map, 4)
    crowd.restore(saved[2])
    other.tick()
    expect(heard == [-98, 1, 1], "new objects take a save")
    broken = bytearray(saved[1])
    broken[len(broken) // 2] ^= 1
    for call in (lambda: other.restore(broken, [other_map]), lambda: other_map.restore(b""), lambda: crowd.restore(b"no save at all")):
        expect(raised(wend.Error, call).code == "WEND_BAD_FORMAT", "other bytes are refused by name")
    other.submit(other_map, (0, 0), (7, 7), lambda answer: heard.append(2))
    raised(wend.Error, other.restore, broken, [other_map])
    other.tick()
    expect(heard == [-98, 1, 1, 2], "after bytes that are refused the requests are as before")
    problem = raised(RuntimeError, other.restore, saved[1], [other_map], lambda request: throw("resume"))
    expect(str(problem) == "resume", "what resume() raises comes out of restore()")
    other.tick()


def test_marks():
    """Frames after a rewind are those after the mark, with budgets that cut searches."""
    arena = wend.Arena(marks=2)
    map_, service = wend.Map(32, 32, arena=arena), wend.Service(arena=arena)
    crowd, heard = wend.Crowd(service, map_, 8), []
    for y in range(8):
        crowd.go(crowd.add((0, y)), (31, 31 - y))
    service.submit(map_, (0, 31), (31, 0), lambda answer: heard.append("first"), agent=7)

    def play(frames):
        seen = []
        for _ in range(frames):
            service.tick(expansions=20)
            crowd.update()
            seen.append(crowd.points.tolist())
        return seen

    arena.mark(0)
    first = play(60)
    expect(heard == ["first"] and first[5] != first[-1], "agents walk, and the request is answered")
    arena.mark(1)
    for turn in range(3):
        arena.rewind(0, lambda request: lambda answer: heard.append(request.agent))
        expect(play(60) == first, "the same frames follow")
        expect(heard == ["first"] + [7] * (turn + 1), f"the request has the function of resume(): {heard}")
        arena.rewind(1)
        expect(crowd.points.tolist() == first[-1] and not service.pending, "forth again")
    problem = raised(RuntimeError, arena.rewind, 0, lambda request: throw("resume"))
    expect(str(problem) == "resume", "what resume() raises comes out of rewind()")
    expect(raised(wend.Error, arena.rewind, 5).code == "WEND_OUT_OF_RANGE", "there is no such slot")


def misuse_box_of_another_size():
    with wend.Map(8, 8).edit() as edit:
        edit.set_box((0, 0), (1, 1), b"123")


def misuse_object_after_a_mark():
    arena = wend.Arena()
    wend.Map(8, 8, arena=arena)
    arena.mark(0)
    raises_all(wend.Error, lambda: wend.Map(8, 8, arena=arena))
    wend.Service(arena=arena)


def misuse_crowd_across_arenas():
    arena = wend.Arena()
    wend.Crowd(wend.Service(arena=arena), wend.Map(8, 8), 4)


def raises_all(kind, *calls):
    """Each of the calls raises it: what the last raised."""
    problem = None
    for number, call in enumerate(calls):
        problem = raised(BaseException, call)
        expect(isinstance(problem, kind), f"call {number} raises {problem!r}")
    return problem


def misuse_edit_after_its_end():
    map_ = wend.Map(8, 8)
    with map_.edit() as edit:
        pass
    raises_all(wend.Error, lambda: edit.set((1, 1), 0), edit.__enter__, lambda: edit.__exit__(None, None, None))
    edit.fill((0, 0), (1, 1), 0)


def misuse_edit_dropped():
    map_ = wend.Map(8, 8)
    map_.edit().set((1, 1), 0)
    gc.collect()
    with map_.edit() as edit:
        edit.set((2, 2), 0)
    expect(map_.terrain((1, 1)) == 1 and map_.terrain((2, 2)) == 0, "an edit that was dropped changed nothing")


def misuse_edit_in_an_edit():
    map_ = wend.Map(8, 8)
    with map_.edit():
        map_.edit()


def misuse_record_twice():
    map_, service, first = wend.Map(8, 8), wend.Service(), []
    service.record(lambda file, data: first.append(data))
    try:
        service.record(lambda file, data: throw("the second"))
    finally:
        gc.collect()
        service.submit(map_, (0, 0), (7, 7), lambda answer: None)
        service.tick()
        service.end_recording()
        expect(b"request" in b"".join(first), "the first recording goes on")


def a_crowd(hear=None):
    map_, service = wend.Map(8, 8), wend.Service()
    return map_, service, wend.Crowd(service, map_, 4, hear)


def misuse_positions_after_the_crowd():
    _, _, crowd = a_crowd()
    expect(crowd.points.tolist() == [], "no agents")
    agent = crowd.add((3, 4))
    points, states = crowd.points, crowd.states
    crowd.remove(agent)
    del crowd
    gc.collect()
    expect(points.tolist() == [[3000, 4000, 0]] and states.nbytes == 1, "positions are as they were")


def misuse_crowd_outlives_its_service():
    map_, service, crowd = a_crowd(lambda event: crowd)  # a circle
    crowd.go(crowd.add((0, 0)), (7, 7))
    service.submit(map_, (0, 0), (7, 7), lambda answer: crowd)
    del service
    gc.collect()
    crowd.update()
    del crowd
    gc.collect()


NOT_CELLS = ("ab", b"ab", None, 5, (), (1,), (1, 2, 3, 4), (1.5, 2), ("1", "2"), (float("nan"), 0), (None, 0), [[1], [2]])


def misuse_cell_of_wrong_type():
    map_, service, crowd = a_crowd()
    agent = crowd.add((0, 0))
    for cell in NOT_CELLS:
        raises_all(TypeError, lambda: map_.terrain(cell), lambda: service.submit(map_, (0, 0), cell, print),
                   lambda: crowd.go(agent, cell), lambda: crowd.add(cell), lambda: map_.random_cell(cell, 1))
    map_.occupants("ab")


def misuse_cell_beyond_numbers():
    map_ = wend.Map(8, 8)
    raises_all(OverflowError, lambda: map_.terrain((2**32 + 3, 0)), lambda: map_.random_cell((0, -2**31 - 1), 1))
    map_.occupants((2**31, 0))


def misuse_cell_off_the_map():
    wend.Map(8, 8).terrain((99, 0))


def misuse_terrain_out_of_range():
    with wend.Map(8, 8).edit() as edit:
        raises_all(OverflowError, lambda: edit.set((0, 0), 256), lambda: edit.fill((0, 0), (1, 1), -1))
        edit.set((0, 0), 2**32)


def misuse_number_of_wrong_type():
    map_, service, crowd = a_crowd()
    raises_all(TypeError, lambda: wend.Map("8", 8), lambda: wend.Map(8.5, 8), lambda: wend.Service(queue=None),
               lambda: crowd.update("1"), lambda: crowd.update(1.5), lambda: service.tick(expansions="1"),
               lambda: service.tick(5), lambda: map_.random_cell((0, 0), 1.5), lambda: map_.edit().set((0, 0), "1"))
    service.submit(map_, (0, 0), (1, 1), print, urgency="5")


def misuse_number_out_of_range():
    map_, service, crowd = a_crowd()
    raises_all(OverflowError, lambda: wend.Map(2**32 + 5, 8), lambda: crowd.update(-1), lambda: crowd.update(2**32),
               lambda: service.tick(expansions=-1), lambda: map_.random_cell((0, 0), -1),
               lambda: crowd.add((0, 0), speed_milli=2**32))
    service.submit(map_, (0, 0), (1, 1), print, urgency=2**31)


def misuse_urgency_out_of_range():
    wend.Service().submit(wend.Map(8, 8), (0, 0), (1, 1), print, urgency=1001)


def misuse_field_unknown():
    map_, service, crowd = a_crowd()
    told = raises_all(TypeError, lambda: service.tick(expansion=1), lambda: crowd.add((0, 0), spede=1), lambda: wend.Arena(mark=1),
                      lambda: wend.Crowd(service, map_, 4, struct_bytes=1), lambda: service.submit(map_, (0, 0), (1, 1), print, urgent=1),
                      lambda: wend.make("wend_mover", sise=2), lambda: wend.Service(queu=1))
    expect(str(told).startswith("unknown option `queu`; known: arena, queue, ") and "prefault" in str(told), f"options are named: {told}")
    wend.Map(8, 8, dept=1)


def misuse_handle_of_wrong_kind():
    map_, service, crowd = a_crowd()
    raises_all(TypeError, lambda: service.submit(service, (0, 0), (1, 1), print), lambda: wend.Crowd(map_, service),
               lambda: service.submit(None, (0, 0), (1, 1), print), lambda: wend.Crowd(service, None))
    crowd.go([5], (0, 0))


def misuse_agent_of_wrong_type():
    _, _, crowd = a_crowd()
    raises_all(TypeError, lambda: crowd.go(None, (0, 0)), lambda: crowd.step({}, (0, 0)), lambda: crowd.remove(5))
    crowd.go([crowd.add((0, 0)), "agent"], (0, 0))


def misuse_agent_removed():
    _, _, crowd = a_crowd()
    agent = crowd.add((0, 0))
    crowd.remove(agent)
    crowd.go(agent, (1, 1))


def misuse_agent_on_an_agent():
    _, _, crowd = a_crowd()
    crowd.add((0, 0))
    crowd.add((0, 0))


def misuse_agent_on_a_wall():
    map_, _, crowd = a_crowd()
    with map_.edit() as edit:
        edit.set((0, 0), wend.BLOCKED)
    crowd.add((0, 0))


def misuse_goal_off_the_map():
    _, _, crowd = a_crowd()
    crowd.go(crowd.add((0, 0)), (99, 0))


def misuse_update_in_an_event():
    _, service, crowd = a_crowd(lambda event: crowd.update())
    crowd.go(crowd.add((0, 0)), (0, 0))
    for _ in range(4):
        service.tick()
        crowd.update()


def misuse_callback_missing():
    map_, service, _ = a_crowd()
    raises_all(TypeError, lambda: service.submit(map_, (0, 0), (1, 1), None), lambda: service.record(5),
               lambda: wend.Crowd(service, map_, 4, 5))
    expect(not service.pending, "nothing was submitted")
    service.submit(map_, (0, 0), (1, 1), "done")


def misuse_bytes_of_wrong_type():
    raises_all(TypeError, lambda: wend.Map.parse(5), lambda: wend.Map.parse([1, 2]), lambda: wend.Map.load(5.5))
    wend.Map.parse(None)


def misuse_path_with_a_zero():
    wend.Map.load("data\0")


def misuse_restore_of_wrong_type():
    map_, service, crowd = a_crowd()
    raises_all(TypeError, lambda: map_.restore(5), lambda: service.restore("text"), lambda: service.restore(service.save(), [service]),
               lambda: service.restore(service.save(), [], 5))
    crowd.restore(None)


def misuse_restore_of_another_kind():
    map_, service, crowd = a_crowd()
    raises_all(wend.Error, lambda: service.restore(crowd.save()), lambda: map_.restore(service.save()))
    crowd.restore(map_.save())


def misuse_save_without_its_map():
    map_, service, _ = a_crowd()
    service.submit(map_, (0, 0), (1, 1), print)
    service.save([wend.Map(8, 8)])


def misuse_restore_in_a_callback():
    map_, service, _ = a_crowd()
    saved = service.save()
    service.submit(map_, (0, 0), (7, 7), lambda answer: service.restore(saved))
    service.tick()


def misuse_tick_in_a_callback():
    map_, service, crowd = a_crowd()
    service.submit(map_, (0, 0), (7, 7), lambda answer: service.tick())
    service.tick()


def test_whole_interface():
    """What has no method is called by its name in C."""
    with open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "..", "..", "bindings", "api", "api.json"), encoding="ascii") as file:
        names = json.load(file)["functions"]
    absent = [name for name in names if not callable(getattr(wend.lib, name, None))]
    expect(len(names) > 200 and not absent, f"lib has each function; absent: {absent}")
    map_, service, crowd = a_crowd()
    agent = crowd.add((0, 0))
    corners, route = wend.ffi.new("wend_cell[]", [(5, 0, 0), (0, 5, 0)]), wend.ffi.new("uint32_t *")
    wend.check(wend.lib.wend_crowd_add_route(crowd.handle, wend.make("wend_route_def", corners=corners, corner_count=2), route))
    wend.check(wend.lib.wend_crowd_patrol(crowd.handle, agent.id, route[0]))
    for _ in range(80):
        service.tick()
        crowd.update()
    expect(crowd.cells[0] == (0, 5, 0), "a route is walked to its end")
    expect(raised(wend.Error, lambda: wend.check(wend.lib.wend_crowd_patrol(crowd.handle, agent.id, 9))), "an error is raised")
    heard = []
    ticket = service.submit(map_, (0, 0), (7, 7), lambda answer: heard.append(answer.status))
    service.set_urgency(ticket, 5)
    service.cancel(ticket)
    service.tick()
    expect(heard == ["cancelled"], "a request is cancelled by its ticket")
    expect(raised(wend.Error, lambda: service.cancel(ticket)).code == "WEND_STALE_TICKET", "which is stale then")


KINDS = {"type": (TypeError, AttributeError), "range": OverflowError, "path": ValueError}


def test_misuse():
    """Each line of the table: case, error, and the languages in which it cannot be written."""
    with open(sys.argv[2], encoding="ascii") as table:
        rows = [line.split() for line in table if line.strip() and line[0] != "#"]
    for case, kind, *others in rows:
        call = globals().get("misuse_" + case)
        if "python" in others or not call:
            expect(("python" in others) != bool(call), f"{case} is in the table or here")
            continue
        problem = raised(BaseException, call)
        good = problem is None if kind == "fine" else isinstance(problem, KINDS.get(kind, wend.Error)) and (
            kind in KINDS or problem.code == "WEND_" + kind)
        expect(good, f"misuse: {case}: {kind}, and {problem!r}")
        gc.collect()


for test in (test_goldens, test_errors, test_callbacks, test_recording, test_arrays, test_boxes, test_files, test_asyncio, test_saves, test_marks, test_bodies, test_layers,
             test_groups, test_groups_misuse, test_readme, test_whole_interface, test_misuse):
    test()
    gc.collect()
sys.exit(bool(FAILED))
