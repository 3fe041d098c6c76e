// SPDX-License-Identifier: MIT
/// wend in C++17: objects that free themselves, errors as exceptions, callbacks as functions.
///
/// What is not here is called as in C, with get(). An exception that leaves a callback does not pass through the
/// library: it is kept, the other callbacks of the frame are called, and tick() or update() throws it then. Of several
/// the first counts; those of a destructor are lost.
#ifndef WEND_WEND_HPP
#define WEND_WEND_HPP

#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <wend/record.h>
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

/// A part of an array of the library's: valid as long as the library says.
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
using request = with_defaults<wend_request, wend_request_init>;
using service_def = with_defaults<wend_service_def, wend_service_def_init>;
using budget = with_defaults<wend_budget, wend_budget_init>;
using crowd_def = with_defaults<wend_crowd_def, wend_crowd_def_init>;
using agent_def = with_defaults<wend_agent_def, wend_agent_def_init>;
using crowd_goal = with_defaults<wend_crowd_goal, wend_crowd_goal_init>;

/// A map, shared with whoever else holds it.
class map {
public:
    explicit map(const map_def &def) { check(wend_map_create(&def, &at_)); }
    map(int32_t width, int32_t height) {
        map_def def;
        def.width = width, def.height = height;
        check(wend_map_create(&def, &at_));
    }
    /// From a file, with the markers A and B where it has them.
    static map load(const std::string &path) {
        map out;
        wend_file_error where = {};
        where.struct_bytes = sizeof where;
        const wend_error number = wend_map_load(path.c_str(), nullptr, &out.at_, &out.markers_, &where);
        return out.or_throw(number, path, where);
    }
    static map parse(const std::string &bytes) {
        map out;
        wend_file_error where = {};
        where.struct_bytes = sizeof where;
        const wend_error number =
            wend_map_parse(bytes.data(), bytes.size(), nullptr, &out.at_, &out.markers_, &where);
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

    wend_map *get() const { return at_; }
    cell start() const { return markers_.start; }
    cell goal() const { return markers_.goal; }
    void accelerate() { check(wend_map_accelerate(at_, nullptr)); }
    wend_map_info info() const {
        wend_map_info out = {};
        out.struct_bytes = sizeof out;
        check(wend_map_get_info(at_, &out));
        return out;
    }
    uint8_t terrain(cell where) const {
        uint8_t out = 0;
        check(wend_map_get_terrain(at_, where, &out));
        return out;
    }
    uint32_t occupants(cell where) const {
        uint32_t out = 0;
        check(wend_map_get_occupants(at_, where, &out));
        return out;
    }
    /// A cell that the default mover can reach from another one.
    cell random_cell(cell from, uint64_t seed) const {
        cell out = {};
        check(wend_map_random_cell(at_, WEND_MOVER_DEFAULT, from, seed, &out));
        return out;
    }
    /// Changes that searches see together: change(edit), then it is published. Where change throws, nothing happens.
    template <class Change> uint64_t edit(Change &&change) {
        wend_edit *begun = nullptr;
        uint64_t epoch = 0;
        check(wend_edit_begin(at_, &begun));
        try {
            change(begun);
        } catch (...) {
            wend_edit_discard(begun);
            throw;
        }
        check(wend_edit_publish(begun, &epoch));
        return epoch;
    }

private:
    map() { markers_.struct_bytes = sizeof markers_; }
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
    explicit service(const service_def &def = {}) : state_(std::make_unique<state>()) {
        check(wend_service_create(&def, &at_));
    }
    service(service &&other) noexcept : at_(std::exchange(other.at_, nullptr)), state_(std::move(other.state_)) {}
    service &operator=(service &&) = delete;
    ~service() {
        if (at_) (void)wend_service_destroy(at_);
    }

    wend_service *get() const { return at_; }
    wend_ticket submit(request what, done call) {
        wend_ticket ticket = {};
        state_->calls.push_front({state_.get(), std::move(call), {}});
        state_->calls.front().at = state_->calls.begin();
        what.context = &state_->calls.front();
        what.on_done = on_done;
        const auto at = state_->calls.begin();
        const wend_error number = wend_service_submit(at_, &what, &ticket);
        if (number != WEND_OK) state_->calls.erase(at);
        check(number);
        return ticket;
    }
    wend_ticket submit(const map &on, cell start, cell goal, done call) {
        request what;
        what.map = on.get(), what.start = start, what.goal = goal;
        return submit(what, std::move(call));
    }
    void tick(const budget &limits = {}) { state_->thrown.check(wend_service_tick(at_, &limits, nullptr)); }
    uint64_t pending() const { return wend_service_get_pending(at_); }

    using write = std::function<void(uint32_t file, const std::string &bytes)>;
    /// Record what the service and its crowds get: wend/record.h.
    void record(write call) {
        state_->writes = std::move(call);
        check(wend_service_record(at_, on_write, state_.get()));
    }
    void end_recording() { state_->thrown.check(wend_service_end_recording(at_)); }

private:
    struct state;
    struct waiting {
        state *owner;
        done call;
        typename std::list<waiting>::iterator at;
    };
    struct state {
        std::list<waiting> calls;
        write writes;
        detail::catcher thrown;
    };
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
    wend_service *at_ = nullptr;
    std::unique_ptr<state> state_;
};

/// A crowd on a service, which outlives it, and on a map.
class crowd {
public:
    using on_event = std::function<void(const wend_agent_event &)>;
    crowd(service &on, const map &where, uint32_t agents, on_event call = {}, crowd_def def = {})
        : state_(std::make_unique<state>()) {
        def.service = on.get(), def.map = where.get(), def.agents = agents;
        state_->call = std::move(call);
        if (state_->call) def.on_event = hear, def.context = state_.get();
        check(wend_crowd_create(&def, &at_));
    }
    crowd(crowd &&other) noexcept : at_(std::exchange(other.at_, nullptr)), state_(std::move(other.state_)) {}
    crowd &operator=(crowd &&) = delete;
    ~crowd() {
        if (at_) (void)wend_crowd_destroy(at_);
    }

    wend_crowd *get() const { return at_; }
    agent add(const agent_def &what) {
        agent out = {};
        check(wend_crowd_add(at_, &what, &out));
        return out;
    }
    void go(agent who, cell where) { go(std::vector<agent>{who}, where); }
    /// A group: each gets a place of its own.
    void go(const std::vector<agent> &who, cell where) {
        crowd_goal goal;
        goal.cell = where;
        check(wend_crowd_go(at_, who.data(), who.size(), &goal));
    }
    void step(agent who, cell where) { check(wend_crowd_step(at_, who, where)); }
    void remove(agent who) { check(wend_crowd_remove(at_, who)); }
    void update(uint32_t elapsed_milli = 1000) { state_->thrown.check(wend_crowd_update(at_, elapsed_milli)); }

    /// By index of agents; valid until the next call that changes the crowd.
    span<wend_point> points() const { return {view().points, view().count}; }
    span<cell> cells() const { return {view().cells, view().count}; }
    span<uint8_t> states() const { return {view().states, view().count}; }

private:
    struct state {
        on_event call;
        detail::catcher thrown;
    };
    static void hear(void *context, const wend_agent_event *event) {
        auto *owner = static_cast<state *>(context);
        owner->thrown.run([&] { owner->call(*event); });
    }
    wend_crowd_view view() const {
        wend_crowd_view out = {};
        out.struct_bytes = sizeof out;
        check(wend_crowd_get_view(at_, &out));
        return out;
    }
    wend_crowd *at_ = nullptr;
    std::unique_ptr<state> state_;
};

} // namespace wend

#endif
