// SPDX-License-Identifier: MIT
/// wend in C++17: objects that free themselves, errors as exceptions, callbacks as functions.
///
/// What is not here is called as in C, with get(). An exception that leaves a callback does not pass through the
/// library: it is kept, the other callbacks of the frame are called, and tick() or update() throws it then. Of several
/// the first counts; those of a destructor are lost.
#ifndef WEND_WEND_HPP
#define WEND_WEND_HPP

#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <wend/agents.h>
#include <wend/crowd_tuning.h>
#include <wend/mark.h>
#include <wend/query.h>
#include <wend/record.h>
#include <wend/search_options.h>
#include <wend/save.h>
#include <wend/service_tuning.h>
#include <wend/units.h>
#include <wend/wend.h>

namespace wend {

using cell = wend_cell;
using box = wend_box;
using agent = wend_agent_id;

/// An error of the library; what() has the reason.
class error : public std::runtime_error {
public:
    explicit error(wend_error number) : std::runtime_error(wend_error_detail(number)), number_(number) {}
    error(wend_error number, const std::string &text) : std::runtime_error(text), number_(number) {}
    /// WEND_BUSY, …
    wend_error number() const { return number_; }
    const char *name() const { return wend_error_name(number_); }

private:
    wend_error number_;
};

inline void check(wend_error number) {
    if (number != WEND_OK) throw error(number);
}

namespace detail {
/// What a handle has as long as it lives: after a move it has nothing.
template <class T> T *alive(T *at, const char *what) {
    if (!at) throw error(WEND_CLOSED, std::string("this ") + what + " has ended: it was moved from");
    return at;
}
} // namespace detail

/// A save of a map, a service or a crowd.
using save_data = std::vector<unsigned char>;

namespace detail {
/// What call(buffer, capacity, bytes) saves.
template <class Call> save_data save(Call &&call) {
    std::size_t size = 0;
    const wend_error counted = call(nullptr, std::size_t{0}, &size);
    if (counted != WEND_OUT_OF_MEMORY) check(counted);
    save_data out(size);
    check(call(out.data(), out.size(), &size));
    return out;
}
/// The bytes of a save, also where there are none.
inline const void *bytes_of(const save_data &data) {
    return data.empty() ? static_cast<const void *>("") : data.data();
}
} // namespace detail

/// A part of an array of the library's: valid as long as the library states.
template <class T> struct span {
    const T *first = nullptr;
    std::size_t count = 0;
    const T *begin() const { return first; }
    const T *end() const { return first + count; }
    std::size_t size() const { return count; }
    const T &operator[](std::size_t at) const { return first[at]; }
};

/// A struct with its defaults; the fields are those of C.
template <class T, void (*Init)(T *, std::size_t)> struct with_defaults : T {
    with_defaults() : T() { Init(this, sizeof(T)); }
};
using map_def = with_defaults<wend_map_def, wend_map_def_init>;
/// A request: the fields of wend_request and of wend_search_options.
struct request : with_defaults<wend_request, wend_request_init>, with_defaults<wend_search_options, wend_search_options_init> {};
/// A service's: the fields of wend_service_def and of wend_service_tuning.
struct service_def : with_defaults<wend_service_def, wend_service_def_init>, with_defaults<wend_service_tuning, wend_service_tuning_init> {};
/// Of a frame: the fields of wend_budget and of wend_frame_limits.
struct budget : with_defaults<wend_budget, wend_budget_init>, with_defaults<wend_frame_limits, wend_frame_limits_init> {};
/// A crowd's: the fields of wend_crowd_def and of wend_crowd_tuning.
struct crowd_def : with_defaults<wend_crowd_def, wend_crowd_def_init>, with_defaults<wend_crowd_tuning, wend_crowd_tuning_init> {};
using agent_def = with_defaults<wend_agent_def, wend_agent_def_init>;
using crowd_goal = with_defaults<wend_crowd_goal, wend_crowd_goal_init>;

/// Memory whose maps, services and crowds go back to earlier frames, exactly, with unfinished searches: those that are
/// made with allocator() before its first mark. They end before it, after the last rewind.
class arena {
public:
    explicit arena(uint32_t marks = 16, uint64_t bytes = 0) {
        wend_arena_def def;
        wend_arena_def_init(&def, sizeof def);
        def.marks = marks;
        if (bytes) def.bytes = bytes;
        check(wend_arena_create(&def, &at_));
    }
    arena(const arena &) = delete;
    arena &operator=(const arena &) = delete;
    ~arena() { (void)wend_arena_destroy(at_); }
    wend_arena *get() const { return at_; }
    /// For map_def, service_def, crowd_def.
    wend_allocator allocator() const {
        if (marked_) throw error(WEND_IN_USE, "objects of an arena are made before its first mark");
        return wend_arena_allocator(at_);
    }
    /// Remember all of it, between two frames.
    void mark(uint32_t slot) {
        check(wend_arena_mark(at_, slot));
        marked_ = true;
    }
    using done = std::function<void(const wend_completion &)>;
    /// Make all of it what it was, also forth to a later mark. Functions of requests do not go back: `ask` returns the one
    /// of a request that is pending again, or none, as for service::restore().
    /// @param services   all that are in it
    void rewind(uint32_t slot, const std::vector<class service *> &services,
                const std::function<done(const wend_request &)> &ask = {});

private:
    wend_arena *at_ = nullptr;
    bool marked_ = false;
};

/// Changes of a map that searches see together. It lives as long as the function that map::edit() calls.
class edit {
public:
    edit(const edit &) = delete;
    edit &operator=(const edit &) = delete;
    ~edit() {
        if (at_) wend_edit_discard(at_);
    }
    wend_edit *get() const { return at_; }
    operator wend_edit *() const { return at_; }
    void set(cell where, int32_t terrain) { check(wend_edit_set_cell(at_, where, to_class(terrain))); }
    void fill(box where, int32_t terrain) { check(wend_edit_fill_box(at_, where, to_class(terrain))); }
    /// Set the classes of a box, row after row, in space layer after layer.
    void set_box(box where, const std::vector<uint8_t> &terrain) {
        const double row = side(where.min.x, where.max.x);
        const double count = row * side(where.min.y, where.max.y) * side(where.min.z, where.max.z);
        if (count != static_cast<double>(terrain.size()))
            throw error(WEND_BAD_ARGUMENT, std::to_string(terrain.size()) + " classes for a box of another size");
        check(wend_edit_set_box(at_, where, terrain.data(), static_cast<std::size_t>(row)));
    }

private:
    friend class map;
    explicit edit(wend_map *map) { check(wend_edit_begin(map, &at_)); }
    uint64_t publish() {
        uint64_t epoch = 0;
        check(wend_edit_publish(std::exchange(at_, nullptr), &epoch));
        return epoch;
    }
    static double side(int32_t min, int32_t max) { return max < min ? 0 : 1.0 + max - min; }
    static uint8_t to_class(int32_t terrain) {
        if (terrain < 0 || terrain > UINT8_MAX)
            throw error(WEND_BAD_ARGUMENT, "a terrain is 0 to 255, not " + std::to_string(terrain));
        return static_cast<uint8_t>(terrain);
    }
    wend_edit *at_ = nullptr;
};

/// A map, shared with its other holders.
class map {
public:
    explicit map(const map_def &def) { check(wend_map_create(&def, &at_)); }
    map(int32_t width, int32_t height) {
        map_def def;
        def.width = width, def.height = height;
        check(wend_map_create(&def, &at_));
    }
    /// From a file, with the markers A and B where it has them. Of `def` the fields of wend_map_load().
    static map load(const std::string &path, const map_def &def = {}) {
        map out;
        wend_file_error where = {};
        return out.or_throw(out.read(path, def, where), path, where);
    }
    /// The same, and maps of Tiled: load(path, wend_tiled_load), with wend/extra.h and libwend-extra.
    template <class Def, class Tiled>
    static map load(const std::string &path,
                    wend_error (*read_tiled)(const char *, const Def *, const wend_map_def *, wend_map **, Tiled **,
                                             wend_file_error *),
                    const map_def &def = {}) {
        map out;
        wend_file_error where = {};
        wend_error number = out.read(path, def, where);
        if (number == WEND_UNSUPPORTED && std::strstr(where.text, "libwend-extra")) {
            Tiled *beside = nullptr;
            number = read_tiled(path.c_str(), nullptr, &def, &out.at_, &beside, &where);
            if (number == WEND_OK) {
                out.markers_ = *beside->markers;
                wend_tiled_free(beside);
            }
        }
        return out.or_throw(number, path, where);
    }
    static map parse(const std::string &bytes, const map_def &def = {}) {
        map out;
        wend_file_error where = {};
        where.struct_bytes = sizeof where;
        const wend_error number = wend_map_parse(bytes.data(), bytes.size(), &def, &out.at_, &out.markers_, &where);
        return out.or_throw(number, "map", where);
    }
    map(const map &other) : at_(other.at_), markers_(other.markers_) { wend_map_retain(at_); }
    map(map &&other) noexcept : at_(std::exchange(other.at_, nullptr)), markers_(other.markers_) {}
    map &operator=(map other) noexcept {
        std::swap(at_, other.at_);
        markers_ = other.markers_;
        return *this;
    }
    ~map() {
        if (at_) wend_map_release(at_);
    }

    wend_map *get() const { return detail::alive(at_, "map"); }
    cell start() const { return markers_.start; }
    cell goal() const { return markers_.goal; }
    void accelerate() { check(wend_map_accelerate(get(), nullptr)); }
    wend_map_info info() const {
        wend_map_info out = {};
        out.struct_bytes = sizeof out;
        check(wend_map_get_info(get(), &out));
        return out;
    }
    uint8_t terrain(cell where) const {
        uint8_t out = 0;
        check(wend_map_get_terrain(get(), where, &out));
        return out;
    }
    uint32_t occupants(cell where) const {
        uint32_t out = 0;
        check(wend_map_get_occupants(get(), where, &out));
        return out;
    }
    /// A cell that the default mover can reach from another one.
    cell random_cell(cell from, uint64_t seed) const {
        cell out = {};
        check(wend_map_random_cell(get(), WEND_MOVER_DEFAULT, from, seed, &out));
        return out;
    }
    /// Changes that searches see together: change(edit), then it is published. Where change throws, nothing happens.
    template <class Change> uint64_t edit(Change &&change) {
        class edit begun(get());
        change(begun);
        return begun.publish();
    }

    /// As it is between two frames. A game saves maps, services, then crowds, and restores them in that order.
    save_data save() const {
        return detail::save([at = get()](auto... out) { return wend_map_save_state(at, out...); });
    }
    void restore(const save_data &data) { check(wend_map_restore_state(get(), detail::bytes_of(data), data.size())); }

private:
    map() { markers_.struct_bytes = sizeof markers_; }
    wend_error read(const std::string &path, const map_def &def, wend_file_error &where) {
        if (path.find('\0') != std::string::npos) throw error(WEND_BAD_ARGUMENT, "a path has no zero byte");
        where.struct_bytes = sizeof where;
        return wend_map_load(path.c_str(), &def, &at_, &markers_, &where);
    }
    map or_throw(wend_error number, const std::string &name, const wend_file_error &where) {
        if (number == WEND_OK) return std::move(*this);
        throw error(number, name + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": " +
                                static_cast<const char *>(where.text));
    }
    wend_map *at_ = nullptr;
    wend_map_markers markers_ = {};
};

namespace detail {
/// Keeps the first exception of callbacks until the call that led to them has returned.
class catcher {
public:
    template <class Call> void run(Call &&call) noexcept {
        try {
            call();
        } catch (...) {
            if (!kept_) kept_ = std::current_exception();
        }
    }
    void check(wend_error number) {
        if (kept_) std::rethrow_exception(std::exchange(kept_, nullptr));
        wend::check(number);
    }

private:
    std::exception_ptr kept_;
};
} // namespace detail

/// A service. One thread calls it. Its callbacks may submit; they may not tick.
class service {
public:
    using done = std::function<void(const wend_completion &)>;
    explicit service(service_def def = {}) : state_(std::make_shared<state>()) {
        if (!def.tuning) def.tuning = &def;
        check(wend_service_create(&def, &state_->at));
    }
    service(service &&) noexcept = default;
    service &operator=(service &&) = delete;

    wend_service *get() const { return live().at; }
    wend_ticket submit(request what, done call) {
        wend_ticket ticket = {};
        state &own = live();
        if (!call) throw error(WEND_BAD_ARGUMENT, "a request without a function to call");
        own.calls.push_front({&own, std::move(call), {}});
        const auto at = own.calls.begin();
        at->at = at;
        what.context = &*at;
        what.on_done = on_done;
        if (!what.options) what.options = &what;
        const wend_error number = wend_service_submit(own.at, &what, &ticket);
        if (number != WEND_OK) own.calls.erase(at);
        check(number);
        return ticket;
    }
    wend_ticket submit(const map &on, cell start, cell goal, done call) {
        request what;
        what.map = on.get(), what.start = start, what.goal = goal;
        return submit(what, std::move(call));
    }
    /// The request ends as cancelled, in the next frame.
    void cancel(wend_ticket ticket) { check(wend_service_cancel(get(), ticket)); }
    void set_urgency(wend_ticket ticket, int32_t urgency) { check(wend_service_set_urgency(get(), ticket, urgency)); }
    void tick(budget own = {}) {
        if (!own.limits) own.limits = &own;
        live().thrown.check(wend_service_tick(get(), &own, nullptr));
    }
    uint64_t pending() const { return wend_service_get_pending(get()); }

    /// The pending requests, on these maps.
    save_data save(const std::vector<map> &maps = {}) const {
        const host_maps on(maps);
        return detail::save([at = get(), &on](auto... out) { return wend_service_save_state(at, &on.host, out...); });
    }
    /// Returns the function of a request that a restore has brought back, or none. It knows the request by `agent`, the
    /// number that the host gave it.
    using resume = std::function<done(const wend_request &)>;
    /// Replace the requests by those of a save; the maps are those of save(), in the same order. The functions of those
    /// that are gone are not called.
    void restore(const save_data &data, const std::vector<map> &maps = {}, resume ask = {}) {
        resume_with(maps, std::move(ask), [&](wend_service *at, const wend_save_host *host) {
            return wend_service_restore_state(at, host, detail::bytes_of(data), data.size());
        });
    }

    using write = std::function<void(uint32_t file, const std::string &bytes)>;
    /// Record what the service and its crowds get: wend/record.h.
    void record(write call) {
        state &own = live();
        if (!call) throw error(WEND_BAD_ARGUMENT, "a recording without a function to call");
        check(wend_service_record(own.at, on_write, &own));
        own.writes = std::move(call);
    }
    /// The same of a service that may be running, on a map, with its crowd: wend/save.h.
    void record(write call, map &where, wend_crowd *crowd = nullptr) {
        state &own = live();
        if (!call) throw error(WEND_BAD_ARGUMENT, "a recording without a function to call");
        own.writes.swap(call);
        const wend_error number = wend_service_record_state(own.at, where.get(), crowd, on_write, &own);
        if (number) own.writes.swap(call);
        check(number);
    }
    void end_recording() { live().thrown.check(wend_service_end_recording(get())); }

private:
    friend class arena;
    friend class crowd;
    struct state;
    state &live() const { return *detail::alive(state_.get(), "service"); }
    struct waiting {
        state *owner;
        done call;
        typename std::list<waiting>::iterator at;
    };
    struct state {
        state() = default;
        state(const state &) = delete;
        state &operator=(const state &) = delete;
        ~state() { (void)wend_service_destroy(at); }
        wend_service *at = nullptr;
        std::list<waiting> calls;
        write writes;
        detail::catcher thrown;
    };
    struct host_maps {
        explicit host_maps(const std::vector<map> &maps) {
            for (const map &one : maps) list.push_back(one.get());
            wend_save_host_init(&host, sizeof host);
            host.maps = list.data(), host.map_count = static_cast<uint32_t>(list.size());
        }
        host_maps(const host_maps &) = delete;
        host_maps &operator=(const host_maps &) = delete;
        std::vector<wend_map *> list;
        wend_save_host host;
    };
    struct resuming {
        state *owner;
        resume ask;
        std::list<waiting> calls;
    };
    template <class Call> void resume_with(const std::vector<map> &maps, resume ask, Call &&call) {
        state &own = live();
        host_maps on(maps);
        resuming asked{&own, std::move(ask), {}};
        if (asked.ask) on.host.request = on_resume, on.host.context = &asked;
        const wend_error number = call(own.at, &on.host);
        if (number == WEND_OK) own.calls.swap(asked.calls);
        else if (number != WEND_IN_CALLBACK && pending() == 0) own.calls.clear();
        own.thrown.check(number);
    }
    static void on_resume(void *context, wend_ticket, wend_request *request) {
        auto *asked = static_cast<resuming *>(context);
        asked->owner->thrown.run([&] {
            done call = asked->ask(*request);
            if (!call) return;
            asked->calls.push_front({asked->owner, std::move(call), {}});
            const auto at = asked->calls.begin();
            at->at = at;
            request->on_done = on_done, request->context = &*at;
        });
    }
    static void on_done(void *context, const wend_completion *what) {
        auto *one = static_cast<waiting *>(context);
        state *owner = one->owner;
        const done call = std::move(one->call);
        owner->calls.erase(one->at);
        owner->thrown.run([&] { call(*what); });
    }
    static wend_error on_write(void *context, uint32_t file, const void *bytes, std::size_t size) {
        auto *owner = static_cast<state *>(context);
        bool good = false;
        owner->thrown.run([&] {
            owner->writes(file, std::string(static_cast<const char *>(bytes), size));
            good = true;
        });
        return good ? WEND_OK : WEND_IO;
    }
    std::shared_ptr<state> state_; // its crowds have it, too: the service ends after them
};

inline void arena::rewind(uint32_t slot, const std::vector<service *> &services,
                          const std::function<done(const wend_request &)> &ask) {
    for (const service *one : services) (void)one->get(); // all live
    check(wend_arena_rewind(at_, slot));
    for (service *one : services) one->resume_with({}, ask, wend_service_adopt);
}

/// A crowd on a service and a map, both of which live as long as it.
class crowd {
public:
    using on_event = std::function<void(const wend_agent_event &)>;
    crowd(service &on, const map &where, uint32_t agents, on_event call = {}, crowd_def def = {})
        : state_(std::make_unique<state>()) {
        state_->service = on.state_;
        def.service = on.get(), def.map = where.get(), def.agents = agents;
        state_->call = std::move(call);
        if (state_->call) def.on_event = hear, def.context = state_.get();
        if (!def.tuning) def.tuning = &def;
        check(wend_crowd_create(&def, &at_));
    }
    crowd(crowd &&other) noexcept : at_(std::exchange(other.at_, nullptr)), state_(std::move(other.state_)) {}
    crowd &operator=(crowd &&) = delete;
    ~crowd() {
        if (at_) (void)wend_crowd_destroy(at_);
    }

    wend_crowd *get() const { return detail::alive(at_, "crowd"); }
    agent add(const agent_def &what) {
        agent out = {};
        check(wend_crowd_add(get(), &what, &out));
        return out;
    }
    void go(agent who, cell where) { go(std::vector<agent>{who}, where); }
    /// A group: each gets a place of its own.
    void go(const std::vector<agent> &who, cell where) {
        crowd_goal goal;
        goal.cell = where;
        check(wend_crowd_go(get(), who.data(), who.size(), &goal));
    }
    void step(agent who, cell where) { check(wend_crowd_step(get(), who, where)); }
    void remove(agent who) { check(wend_crowd_remove(get(), who)); }
    void update(uint32_t elapsed_milli = 1000) {
        const wend_error number = wend_crowd_update(get(), elapsed_milli, nullptr, nullptr);
        state_->thrown.check(number);
    }

    /// Agents, in the middle of their steps, with goals, groups and paths.
    save_data save() const {
        return detail::save([at = get()](auto... out) { return wend_crowd_save_state(at, out...); });
    }
    /// Replace the agents by those of a save. Map and service were restored before. Ids stay good. Agents with a
    /// `context` get it from `find`.
    void restore(const save_data &data, std::function<void *(agent)> find = {}) {
        wend_save_host host;
        wend_save_host_init(&host, sizeof host);
        std::pair<state *, std::function<void *(agent)> *> asked{state_.get(), &find};
        if (find) host.context = &asked, host.agent = on_agent;
        const wend_error number = wend_crowd_restore_state(get(), &host, detail::bytes_of(data), data.size());
        state_->thrown.check(number);
    }

    /// By index of agents; valid until the next call that changes the crowd.
    span<wend_point> points() const { return {view().points, view().count}; }
    span<cell> cells() const { return {view().cells, view().count}; }
    span<uint8_t> states() const { return {view().states, view().count}; }

private:
    struct state {
        std::shared_ptr<void> service;
        on_event call;
        detail::catcher thrown;
    };
    static void hear(void *context, const wend_agent_event *event) {
        auto *owner = static_cast<state *>(context);
        owner->thrown.run([&] { owner->call(*event); });
    }
    static void *on_agent(void *context, wend_agent_id who) {
        auto *asked = static_cast<std::pair<state *, std::function<void *(agent)> *> *>(context);
        void *found = nullptr;
        asked->first->thrown.run([&] { found = (*asked->second)(who); });
        return found;
    }
    wend_crowd_view view() const {
        wend_crowd_view out = {};
        out.struct_bytes = sizeof out;
        check(wend_crowd_get_view(get(), &out));
        return out;
    }
    wend_crowd *at_ = nullptr;
    std::unique_ptr<state> state_;
};

} // namespace wend

#endif
