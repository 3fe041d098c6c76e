// SPDX-License-Identifier: MIT
// What every binding is tested for: both golden hashes, errors by name, callbacks that throw, a recording.
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <type_traits>
#include <wend/wend.hpp>
#include <wend/agents.h>
#include <wend/routes.h>
#ifdef WITH_EXTRA
#include <wend/extra.h>
#endif

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
    expect(hash_walks(map, service, budget) == 0xb932dc31, "a crowd has the golden hash");
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
    expect(std::string(wend::error(WEND_BLOCKED).name()) == "WEND_BLOCKED", "the last error has its name");
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
    service.submit(map, {0, 0, 0}, {7, 7, 0}, [](const wend_completion &) {});
    service.record([&](uint32_t file, const std::string &bytes) { files[file] += bytes; }, map);
    service.tick();
    service.end_recording();
    expect(files[1].find("state request 0 1\n") != std::string::npos, "a recording begins while a request is pending");
}

void saves() {
    wend::map map(8, 8);
    wend::service service;
    wend::crowd crowd(service, map, 4);
    wend::agent_def def;
    int context = 0;
    def.context = &context;
    const wend::agent who = crowd.add(def);
    crowd.go(who, {7, 0, 0});
    std::vector<int64_t> heard;
    std::vector<uint64_t> seen;
    wend::request what;
    what.map = map.get(), what.goal = {7, 7, 0}, what.agent = uint64_t{1} << 40;
    service.submit(what, [&](const wend_completion &done) { heard.push_back(done.cost); });
    service.submit(map, {0, 0, 0}, {7, 7, 0}, [&](const wend_completion &) { heard.push_back(0); });
    const wend::save_data saved[] = {map.save(), service.save({map}), crowd.save()};
    map.edit([](wend::edit &edit) { edit.set({3, 3, 0}, 0); });
    crowd.remove(who);
    map.restore(saved[0]);
    service.restore(saved[1], {map}, [&](const wend_request &request) -> wend::service::done {
        seen.push_back(request.agent);
        if (request.agent == WEND_NO_AGENT) return {};
        return [&](const wend_completion &done) { heard.push_back(-done.cost); };
    });
    int found = 0;
    crowd.restore(saved[2], [&](wend::agent) { return found++, &context; });
    expect(map.terrain({3, 3, 0}) == 1 && crowd.points().size() == 1 && found > 0, "map and crowd are as they were saved");
    service.tick();
    crowd.update();
    expect(heard == std::vector<int64_t>{-98}, "a restored request calls what resume() returned, and nothing else");
    expect(seen == std::vector<uint64_t>{uint64_t{1} << 40, WEND_NO_AGENT}, "resume() gets the requests");
    expect(crowd.points()[0].x > 0, "and the agent walks on");
    wend::map new_map(8, 8);
    wend::service new_service;
    wend::crowd new_crowd(new_service, new_map, 4);
    new_map.restore(saved[0]);
    new_service.restore(saved[1], {new_map}, [&](const wend_request &) { return [&](const wend_completion &) { heard.push_back(1); }; });
    new_crowd.restore(saved[2]);
    new_service.tick();
    expect(heard == std::vector<int64_t>{-98, 1, 1}, "new objects take a save");
    wend::save_data broken = saved[1];
    broken[broken.size() / 2] ^= 1;
    for (const std::function<void()> &call : {std::function<void()>([&] { new_service.restore(broken, {new_map}); }),
                                              std::function<void()>([&] { new_map.restore({}); }),
                                              std::function<void()>([&] { new_crowd.restore(wend::save_data(99)); })}) {
        wend_error number = WEND_OK;
        try {
            call();
        } catch (const wend::error &problem) {
            number = problem.number();
        }
        expect(number == WEND_BAD_FORMAT, "other bytes are refused by name");
    }
    new_service.submit(new_map, {0, 0, 0}, {7, 7, 0}, [&](const wend_completion &) { heard.push_back(2); });
    try {
        new_service.restore(broken, {new_map});
    } catch (const wend::error &) {
        new_service.tick();
    }
    expect(heard == std::vector<int64_t>{-98, 1, 1, 2}, "after bytes that are refused the requests are as before");
    std::string text;
    try {
        new_service.restore(saved[1], {new_map}, [](const wend_request &) -> wend::service::done { throw std::runtime_error("resume"); });
    } catch (const std::runtime_error &problem) {
        text = problem.what();
    }
    expect(text == "resume", "what resume() throws comes out of restore()");
    new_service.tick();
}

/// Frames after a rewind are those after the mark, with budgets that cut searches.
void marks() {
    wend::arena arena(2);
    wend::map_def map_def;
    wend::service_def service_def;
    wend::crowd_def crowd_def;
    map_def.width = map_def.height = 32;
    map_def.allocator = arena.allocator();
    static_cast<wend_service_def &>(service_def).allocator = arena.allocator();
    static_cast<wend_crowd_def &>(crowd_def).allocator = arena.allocator();
    wend::map map(map_def);
    wend::service service(service_def);
    wend::crowd crowd(service, map, 8, {}, crowd_def);
    for (int32_t y = 0; y < 8; y++) {
        wend::agent_def def;
        def.cell = {0, y, 0};
        crowd.go(crowd.add(def), {31, 31 - y, 0});
    }
    std::vector<int64_t> heard;
    wend::request what;
    what.map = map.get(), what.start = {0, 31, 0}, what.goal = {31, 0, 0}, what.agent = 7;
    service.submit(what, [&](const wend_completion &) { heard.push_back(0); });
    const auto play = [&] {
        std::vector<int32_t> seen;
        for (int frame = 0; frame < 60; frame++) {
            wend::budget limits;
            limits.expansions = 20;
            service.tick(limits);
            crowd.update();
            for (const wend_point &point : crowd.points()) seen.push_back(point.x), seen.push_back(point.y);
        }
        return seen;
    };
    arena.mark(0);
    const std::vector<int32_t> first = play();
    arena.mark(1);
    expect(heard == std::vector<int64_t>{0}, "the request is answered");
    for (std::size_t turn = 1; turn <= 3; turn++) {
        arena.rewind(0, {&service}, [&](const wend_request &request) {
            return [&heard, agent = request.agent](const wend_completion &) { heard.push_back(static_cast<int64_t>(agent)); };
        });
        expect(play() == first, "the same frames follow");
        expect(heard.size() == turn + 1 && heard.back() == 7, "the request has the function of resume()");
        arena.rewind(1, {&service});
        expect(service.pending() == 0 && crowd.points()[0].x == first[first.size() - 16], "forth again");
    }
    std::string text;
    try {
        arena.rewind(0, {&service}, [](const wend_request &) -> wend::arena::done { throw std::runtime_error("resume"); });
    } catch (const std::runtime_error &problem) {
        text = problem.what();
    }
    expect(text == "resume", "what resume() throws comes out of rewind()");
}

// ---- misuse: each line of the table is a case, its error, and the languages in which it cannot be written ----

static_assert(!std::is_copy_constructible_v<wend::edit> && !std::is_move_constructible_v<wend::edit>, "an edit cannot be kept");

using call = std::function<void()>;

// Calls them, and each but the last has to throw this; the last one throws to the caller, as the row says.
void each_throws(wend_error number, const std::vector<call> &calls) {
    for (std::size_t i = 0; i + 1 < calls.size(); i++) {
        wend_error thrown = WEND_OK;
        try {
            calls[i]();
        } catch (const wend::error &problem) {
            thrown = problem.number();
        }
        expect(thrown == number, ("call " + std::to_string(i) + " throws " + wend_error_name(thrown)).c_str());
    }
    calls.back()();
}

struct scene {
    wend::map map{8, 8};
    wend::service service;
    std::optional<wend::crowd> crowd{std::in_place, service, map, 4u};
    wend::agent add(int x, int y) {
        wend::agent_def def;
        def.cell = {x, y, 0};
        return crowd->add(def);
    }
};
const wend::cell here = {0, 0, 0}, there = {1, 1, 0};
const auto nothing = [](const wend_completion &) {};

const std::map<std::string, std::function<void(scene &)>> misused = {
    {"edit_dropped",
     [](scene &on) {
         try {
             on.map.edit([](wend::edit &edit) { edit.set(there, 0), throw std::runtime_error("dropped"); });
         } catch (const std::runtime_error &) {
         }
         on.map.edit([](wend::edit &edit) { edit.set({2, 2, 0}, 0); });
         expect(on.map.terrain(there) == 1 && on.map.terrain({2, 2, 0}) == 0, "an edit that was dropped changed nothing");
     }},
    {"box_of_another_size",
     [](scene &on) { on.map.edit([](wend::edit &edit) { edit.set_box({here, there}, {1, 2, 3}); }); }},
    {"object_after_a_mark",
     [](scene &) {
         wend::arena arena;
         wend::map_def def;
         def.width = def.height = 8;
         def.allocator = arena.allocator();
         const wend::map map(def);
         arena.mark(0);
         (void)arena.allocator();
     }},
    {"crowd_across_arenas",
     [](scene &on) {
         wend::arena arena;
         wend::service_def def;
         static_cast<wend_service_def &>(def).allocator = arena.allocator();
         wend::service service(def);
         wend::crowd(service, on.map, 4);
     }},
    {"edit_in_an_edit", [](scene &on) { on.map.edit([&](wend::edit &) { on.map.edit([](wend::edit &) {}); }); }},
    {"map_after_its_end",
     [](scene &on) {
         const wend::map other = std::move(on.map);
         each_throws(WEND_CLOSED, {[&] { on.map.terrain(here); }, [&] { on.map.info(); }, [&] { on.map.accelerate(); },
                                   [&] { on.map.edit([](wend::edit &) {}); }, [&] { on.map.random_cell(here, 1); },
                                   [&] { on.service.submit(on.map, here, there, nothing); },
                                   [&] { wend::crowd(on.service, on.map, 4); }, [&] { on.map.occupants(here); }});
     }},
    {"service_after_its_end",
     [](scene &on) {
         const wend::service other = std::move(on.service);
         each_throws(WEND_CLOSED, {[&] { on.service.submit(on.map, here, there, nothing); }, [&] { on.service.pending(); },
                                   [&] { on.service.record([](uint32_t, const std::string &) {}); },
                                   [&] { on.service.end_recording(); }, [&] { wend::crowd(on.service, on.map, 4); },
                                   [&] { on.service.tick(); }});
     }},
    {"crowd_outlives_its_service",
     [](scene &on) {
         std::optional<wend::service> service(std::in_place);
         wend::crowd crowd(*service, on.map, 4);
         wend::agent_def def;
         crowd.go(crowd.add(def), {7, 7, 0});
         service.reset();
         crowd.update();
     }},
    {"crowd_after_its_end",
     [](scene &on) {
         const wend::agent who = on.add(0, 0);
         const wend::crowd other = std::move(*on.crowd);
         each_throws(WEND_CLOSED, {[&] { on.add(0, 0); }, [&] { on.crowd->go(who, there); }, [&] { on.crowd->step(who, there); },
                                   [&] { on.crowd->remove(who); }, [&] { on.crowd->points(); }, [&] { on.crowd->update(); }});
     }},
    {"record_twice",
     [](scene &on) {
         wend::service service;
         std::string first;
         wend_error number = WEND_OK;
         service.record([&](uint32_t, const std::string &bytes) { first += bytes; });
         try {
             service.record([](uint32_t, const std::string &) { throw std::runtime_error("the second"); });
         } catch (const wend::error &problem) {
             number = problem.number();
         }
         service.submit(on.map, here, there, nothing);
         service.tick();
         service.end_recording();
         expect(first.find("request") != std::string::npos, "the first recording goes on");
         wend::check(number);
     }},
    {"cell_off_the_map", [](scene &on) { on.map.terrain({99, 0, 0}); }},
    {"terrain_out_of_range",
     [](scene &on) {
         on.map.edit([](wend::edit &edit) {
             each_throws(WEND_BAD_ARGUMENT, {[&] { edit.set(here, 256); }, [&] { edit.fill({here, there}, -1); }, [&] { edit.set(here, 1 << 30); }});
         });
     }},
    {"urgency_out_of_range",
     [](scene &on) {
         wend::request what;
         what.map = on.map.get(), what.urgency = 1001;
         on.service.submit(what, nothing);
     }},
    {"agent_removed",
     [](scene &on) {
         const wend::agent who = on.add(0, 0);
         on.crowd->remove(who);
         on.crowd->go(who, there);
     }},
    {"agent_on_an_agent", [](scene &on) { on.add(0, 0), on.add(0, 0); }},
    {"agent_on_a_wall",
     [](scene &on) {
         on.map.edit([](wend::edit &edit) { edit.set(here, WEND_CLASS_BLOCKED); });
         on.add(0, 0);
     }},
    {"goal_off_the_map", [](scene &on) { on.crowd->go(on.add(0, 0), {99, 0, 0}); }},
    {"update_in_an_event",
     [](scene &on) {
         on.crowd.emplace(on.service, on.map, 4u, [&](const wend_agent_event &) { on.crowd->update(); });
         on.crowd->go(on.add(0, 0), here);
         for (int i = 0; i < 4; i++) on.service.tick(), on.crowd->update();
     }},
    {"callback_missing",
     [](scene &on) {
         each_throws(WEND_BAD_ARGUMENT, {[&] { on.service.submit(on.map, here, there, {}); }, [&] { on.service.record({}); },
                                         [&] { on.service.submit(wend::request(), nullptr); }});
     }},
    {"path_with_a_zero", [](scene &) { wend::map::load(std::string("data\0", 5)); }},
    {"restore_of_another_kind",
     [](scene &on) {
         each_throws(WEND_BAD_ARGUMENT, {[&] { on.service.restore(on.crowd->save()); }, [&] { on.map.restore(on.service.save()); },
                                         [&] { on.crowd->restore(on.map.save()); }});
     }},
    {"save_without_its_map",
     [](scene &on) {
         on.service.submit(on.map, here, there, nothing);
         (void)on.service.save({wend::map(8, 8)});
     }},
    {"restore_in_a_callback",
     [](scene &on) {
         const wend::save_data saved = on.service.save();
         on.service.submit(on.map, here, {7, 7, 0}, [&](const wend_completion &) { on.service.restore(saved); });
         on.service.tick();
     }},
    {"tick_in_a_callback",
     [](scene &on) {
         on.service.submit(on.map, here, {7, 7, 0}, [&](const wend_completion &) { on.service.tick(); });
         on.service.tick();
     }},
};

/* What has no method is called as in C. */
void whole_interface() {
    scene on;
    const wend::agent one = on.add(0, 0);
    const wend::cell corners[] = {{5, 0, 0}, {0, 5, 0}};
    wend::with_defaults<wend_route_def, wend_route_def_init> def;
    uint32_t route = 9;
    def.corners = corners, def.corner_count = 2;
    wend::check(wend_crowd_add_route(on.crowd->get(), &def, &route));
    wend::check(wend_crowd_patrol(on.crowd->get(), one, route));
    for (int i = 0; i < 80; i++) on.service.tick(), on.crowd->update();
    const wend::cell end = on.crowd->cells()[one.index];
    expect(end.x == 0 && end.y == 5, "a route is walked to its end");
    int32_t heard = -1;
    const wend_ticket ticket = on.service.submit(on.map, here, there, [&](const wend_completion &done) { heard = done.status; });
    on.service.set_urgency(ticket, 5);
    on.service.cancel(ticket);
    on.service.tick();
    expect(heard == WEND_STATUS_CANCELLED, "a request is cancelled by its ticket");
    std::string thrown;
    try {
        on.service.cancel(ticket);
    } catch (const wend::error &problem) {
        thrown = problem.name();
    }
    expect(thrown == "WEND_STALE_TICKET", "which is stale then");
}

// Maps from files, of Tiled, too, and in an arena; boxes of an edit.
void files(const std::string &path) {
    const char *const tiled = std::getenv("WEND_TILED");
    wend::arena arena;
    wend::map_def def;
    def.allocator = arena.allocator();
    if (tiled) {
        std::string thrown;
        try {
            wend::map::load(tiled);
        } catch (const wend::error &problem) {
            thrown = problem.what();
        }
        expect(thrown.find("libwend-extra") != std::string::npos, "what reads a map of Tiled is named");
#ifdef WITH_EXTRA
        const wend::map town = wend::map::load(tiled, wend_tiled_load, def), other = wend::map::load(tiled, wend_tiled_load);
        expect(town.start().x == 2 && town.goal().y == 11 && other.goal().x == 17, "a map of Tiled has start and goal");
        expect(!town.terrain({0, 0, 0}) && town.terrain({12, 2, 0}) == 5 && other.terrain({5, 3, 0}) == 3, "and terrain");
        expect(wend::map::load(path, wend_tiled_load).info().width == 512, "another file is read as before");
#endif
    }
    expect(wend::map::load(path, def).info().width == 512, "a file in an arena");
    wend::map map = wend::map::parse("type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n", def);
    map.edit([](wend::edit &edit) { edit.set_box({{1, 0, 0}, {2, 1, 0}}, {5, 6, 7, 8}); });
    arena.mark(0);
    map.edit([](wend::edit &edit) { edit.set_box({{0, 0, 0}, {0, 1, 0}}, {9, 9}); });
    arena.rewind(0, {});
    std::string all;
    for (int32_t i = 0; i < 6; i++) all += std::to_string(map.terrain({i % 3, i / 3, 0}));
    expect(all == "156178", "a box is set, in a map that goes back");
    map.edit([](wend::edit &edit) {
        const wend::box whole = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
        for (const wend::box &box : {wend::box{here, there}, wend::box{there, here}, whole}) {
            bool refused = false;
            try {
                edit.set_box(box, {1, 2, 3, 4, 5});
            } catch (const wend::error &problem) {
                refused = problem.number() == WEND_BAD_ARGUMENT;
            }
            expect(refused, "classes for another box");
        }
    });
}

void misuse(const std::string &path) {
    std::ifstream table(path);
    int rows = 0;
    for (std::string line, name, kind; std::getline(table, line);) {
        std::istringstream words(line);
        if (!(words >> name >> kind) || name[0] == '#') continue;
        rows++;
        const auto found = misused.find(name);
        const bool ruled_out = line.find(" cpp") != std::string::npos, known = found != misused.end();
        if (ruled_out || !known) {
            expect(ruled_out != known, (name + " is in the table or here").c_str());
            continue;
        }
        if (kind == "type" || kind == "range" || kind == "path") kind = "BAD_ARGUMENT";
        std::string thrown = "fine";
        try {
            scene on;
            found->second(on);
        } catch (const wend::error &problem) {
            thrown = problem.name() + std::string("WEND_").size();
        }
        expect(thrown == kind, ("misuse: " + name + ": " + kind + ", and " + thrown).c_str());
    }
    expect(rows > 20, "the table has rows");
}

} // namespace

int main(int argc, char **argv) {
    golden_hashes(argc > 1 ? argv[1] : "data/caves512.map");
    errors();
    callbacks_that_throw();
    recordings();
    saves();
    marks();
    files(argc > 1 ? argv[1] : "data/caves512.map");
    whole_interface();
    misuse(argc > 2 ? argv[2] : "tests/bindings/misuse.txt");
    return failed > 0 ? 1 : 0;
}
