// SPDX-License-Identifier: MIT
// What every binding is tested for: both golden hashes, errors by name, callbacks that throw, a recording.
#include <cstdlib>
#include <iostream>
#include <map>
#include <wend/wend.hpp>

namespace {

int failed = 0;

void expect(bool good, const char *what) {
    std::cout << (good ? "ok " : "not ok ") << what << "\n";
    failed += !good;
}

struct golden {
    uint32_t hash = 2166136261u, random = 1;
    void put(uint64_t value) { hash = (hash ^ static_cast<uint32_t>(value)) * 16777619u; }
    uint32_t draw() {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        return random;
    }
    wend::cell open_cell(const wend::map &map) {
        for (;;) {
            const uint32_t one = draw();
            const wend::cell at = {static_cast<int32_t>(one % 512), static_cast<int32_t>((one >> 16) % 512), 0};
            if (map.terrain(at) != WEND_CLASS_BLOCKED) return at;
        }
    }
};

uint32_t hash_requests(const wend::map &map, wend::service &service, const wend::budget &budget) {
    golden g;
    for (int i = 0; i < 300; i++) {
        wend::request what;
        what.map = map.get(), what.start = g.open_cell(map), what.goal = g.open_cell(map), what.urgency = i % 7;
        service.submit(what, [&g](const wend_completion &done) {
            for (const uint64_t one : {done.number, static_cast<uint64_t>(done.status), static_cast<uint64_t>(done.cost),
                                       done.expansions, done.frames, static_cast<uint64_t>(done.cell_count)})
                g.put(one);
            for (std::size_t k = 0; k < done.cell_count; k++)
                g.put(static_cast<uint64_t>(done.cells[k].x)), g.put(static_cast<uint64_t>(done.cells[k].y));
        });
    }
    while (service.pending()) service.tick(budget);
    return g.hash;
}

uint32_t hash_walks(const wend::map &map, wend::service &service, const wend::budget &budget) {
    golden g;
    wend::crowd *self = nullptr;
    wend::crowd crowd(service, map, 200, [&](const wend_agent_event &event) {
        for (const uint64_t one : {static_cast<uint64_t>(event.event), static_cast<uint64_t>(event.agent.index),
                                   static_cast<uint64_t>(event.cell.x), static_cast<uint64_t>(event.cell.y), event.update})
            g.put(one);
        if (wend_agent_event_ends_goal(event.event) && event.event != WEND_AGENT_EVENT_REPLACED)
            self->go(event.agent, g.open_cell(map));
    });
    self = &crowd;
    for (int i = 0; i < 200; i++) {
        wend::agent_def def;
        def.speed_milli = 1000;
        wend::agent who = {};
        do def.cell = g.open_cell(map);
        while (wend_crowd_add(crowd.get(), &def, &who) == WEND_BUSY);
        crowd.go(who, g.open_cell(map));
    }
    for (int frame = 0; frame < 200; frame++) {
        service.tick(budget);
        crowd.update();
        const auto points = crowd.points();
        const auto states = crowd.states();
        for (std::size_t i = 0; i < points.size(); i++) {
            g.put(static_cast<uint64_t>(points[i].x)), g.put(static_cast<uint64_t>(points[i].y));
            g.put(states[i]);
        }
    }
    return g.hash;
}

void golden_hashes(const std::string &path) {
    wend::map map = wend::map::load(path);
    map.accelerate();
    wend::service service;
    wend::budget budget;
    budget.expansions = 20000;
    expect(hash_requests(map, service, budget) == 0x08a1e302, "requests have the golden hash");
    expect(hash_walks(map, service, budget) == 0x1531deef, "a crowd has the golden hash");
}

void errors() {
    const char *name = "";
    std::string text;
    try {
        wend::map(0, 5);
    } catch (const wend::error &problem) {
        name = problem.name(), text = problem.what();
    }
    expect(std::string(name) == "WEND_BAD_ARGUMENT" && text.find("width") != std::string::npos, "an error has name and reason");
    try {
        wend::map::parse("type octile\nheight 1\nwidth 2\nmap\n.?\n");
    } catch (const wend::error &problem) {
        text = problem.what();
    }
    expect(text.rfind("map:5:2: ", 0) == 0, "an error of a file says where");
#define NAMED(word, number, text_of) expect(std::string(wend::error(WEND_##word).name()) == "WEND_" #word, #word);
    WEND_ERRORS(NAMED)
#undef NAMED
}

void callbacks_that_throw() {
    wend::map map(8, 8);
    wend::service service;
    int called = 0;
    service.submit(map, {0, 0, 0}, {7, 7, 0}, [](const wend_completion &) { throw std::runtime_error("mine"); });
    service.submit(map, {0, 0, 0}, {7, 7, 0}, [&](const wend_completion &) { called++; });
    std::string text;
    try {
        service.tick();
    } catch (const std::runtime_error &problem) {
        text = problem.what();
    }
    expect(text == "mine" && called == 1, "what a callback throws comes out of tick(), after the others were called");
    service.tick();
    wend::crowd crowd(service, map, 1, [](const wend_agent_event &) { throw std::runtime_error("event"); });
    wend::agent_def def;
    const wend::agent who = crowd.add(def);
    crowd.go(who, {0, 0, 0});
    text.clear();
    for (int i = 0; i < 4 && text.empty(); i++) {
        service.tick();
        try {
            crowd.update();
        } catch (const std::runtime_error &problem) {
            text = problem.what();
        }
    }
    expect(text == "event", "and out of update()");
    crowd.update();
}

void recordings() {
    wend::map map(8, 8);
    wend::service service;
    std::map<uint32_t, std::string> files;
    service.record([&](uint32_t file, const std::string &bytes) { files[file] += bytes; });
    service.submit(map, {0, 0, 0}, {7, 7, 0}, [](const wend_completion &) {});
    service.tick();
    service.end_recording();
    expect(files.size() == 2 && files[1].find("request") != std::string::npos, "a recording has a script for the map");
}

} // namespace

int main(int argc, char **argv) {
    golden_hashes(argc > 1 ? argv[1] : "data/caves512.map");
    errors();
    callbacks_that_throw();
    recordings();
    return failed > 0 ? 1 : 0;
}
