# SPDX-License-Identifier: MIT
"""What every binding is tested for: test_wend.py MAP."""
import asyncio
import gc
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


def throw(what):
    raise RuntimeError(what)


def test_goldens():
    map_, service = wend.Map.load(sys.argv[1] if len(sys.argv) > 1 else "data/caves512.map").accelerate(), wend.Service()
    expect(requests(map_, service) == 0x08A1E302, "requests have the golden hash")
    expect(walks(map_, service) == 0x1531DEEF, "a crowd has the golden hash")
    expect("<svg" in map_._repr_svg_(), "a map is drawn")


def test_errors():
    for number in range(wend.lib.WEND_EMPTY, 1):
        expect(wend.Error(number).code.startswith("WEND_"), wend.Error(number).code)
    bad = raised(wend.Error, wend.Map, 0, 5)
    expect(bad.code == "WEND_BAD_ARGUMENT" and "width" in str(bad), "an error has name and reason")
    bad = raised(wend.Error, wend.Map.parse, "type octile\nheight 1\nwidth 2\nmap\n.?\n")
    expect(str(bad).startswith("map:5:2: "), "an error of a map says where")
    expect(raised(AttributeError, wend.Map, 5, 5, dept=1), "a field that does not exist is refused")


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


def test_arrays():
    rows = memoryview(bytes([1, 0, 1, 1, 1, 1])).cast("B", (2, 3))
    map_ = wend.Map.from_array(rows)
    expect(map_.rows().tolist() == rows.tolist() and map_.terrain((1, 0)) == 0, "a map from an array, and back")
    expect(raised(TypeError, wend.Map.from_array, b"123"), "a buffer without rows is refused")


def test_asyncio():
    async def main():
        map_, service = wend.Map(8, 8), wend.Service()
        ticking = asyncio.ensure_future(service.run(hz=200))
        answers = await asyncio.gather(*(service.path(map_, (0, 0), (7, y)) for y in range(8)))
        ticking.cancel()
        return [answer.status for answer in answers]

    expect(asyncio.run(main()) == ["found"] * 8, "await service.path()")


for test in (test_goldens, test_errors, test_callbacks, test_recording, test_arrays, test_asyncio):
    test()
    gc.collect()
sys.exit(bool(FAILED))
