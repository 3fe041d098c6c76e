// SPDX-License-Identifier: MIT
// A village at 20 Hz: people wander about, doors open and close, the guards gather at the well when the bell rings, and
// a player walks along the street, step by step. village [FRAMES]
#include <iostream>
#include <set>
#include <wend/wend.hpp>
#include <wend/agents.h>

namespace {
constexpr int WIDTH = 64, HEIGHT = 40, HOUSES = 12, GUARDS = 12, VILLAGERS = 60, BELL = 200;

struct house {
    wend::cell door;
    bool open;
};

class village {
public:
    village() : map_(WIDTH, HEIGHT), crowd_(service_, map_, GUARDS + VILLAGERS + 1, [this](auto &event) { hear(event); }) {
        map_.edit([this](wend::edit &edit) {
            for (int i = 0; i < HOUSES; i++) build(edit, 3 + i % 4 * 15, 3 + i / 4 * 12);
        });
        map_.accelerate();
        player_ = add({1, HEIGHT - 2, 0}, 0, 1000);
        for (int i = 0; i < GUARDS; i++) guards_.push_back(settle(10));
        for (const wend::agent guard : guards_) is_guard_.insert(guard.index);
        for (int i = 0; i < VILLAGERS; i++) settle(0);
    }

    void run_frame() {
        frame_++;
        if (frame_ % 10 == 0) move_a_door();
        if (frame_ == BELL) crowd_.go(guards_, {WIDTH / 2 - 1, HEIGHT - 2, 0});
        const wend::cell at = crowd_.cells()[player_.index];
        if (frame_ % 5 == 0 && at.x < WIDTH - 2) crowd_.step(player_, {at.x + 1, at.y, 0});
        wend::budget budget;
        budget.expansions = 5000;
        service_.tick(budget);
        crowd_.update();
    }

    void tell() const {
        const wend::cell at = crowd_.cells()[player_.index];
        std::cout << frame_ << " frames: " << walks_ << " walks, " << gathered_ << " guards at the well, the player at "
                  << at.x << "," << at.y << "\n";
    }

private:
    uint32_t dice(uint32_t sides) {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 17;
        random_ ^= random_ << 5;
        return random_ % sides;
    }

    void build(wend::edit &edit, int left, int top) {
        const wend::cell door = {left + 5, top + 7, 0};
        edit.fill({{left, top, 0}, {left + 10, top + 7, 0}}, WEND_CLASS_BLOCKED);
        edit.fill({{left + 1, top + 1, 0}, {left + 9, top + 6, 0}}, WEND_CLASS_OPEN);
        edit.set(door, WEND_CLASS_OPEN);
        houses_.push_back({door, true});
    }

    wend::agent add(wend::cell where, int urgency, uint32_t speed) {
        wend::agent_def def;
        def.cell = where, def.urgency = urgency, def.speed_milli = speed;
        return crowd_.add(def);
    }

    // Somewhere: where a wall or somebody is, elsewhere.
    wend::agent settle(int urgency) {
        const uint32_t speed = 200 + dice(100);
        for (;;) {
            const int x = static_cast<int>(dice(WIDTH)), y = static_cast<int>(dice(HEIGHT));
            if (map_.terrain({x, y, 0}) == WEND_CLASS_BLOCKED || map_.occupants({x, y, 0}) > 0) continue;
            const wend::agent who = add({x, y, 0}, urgency, speed);
            wander(who, {x, y, 0});
            return who;
        }
    }

    void wander(wend::agent who, wend::cell from) { crowd_.go(who, map_.random_cell(from, seed_++)); }

    void hear(const wend_agent_event &event) {
        const bool guard = is_guard_.count(event.agent.index) > 0, arrived = event.event == WEND_AGENT_EVENT_ARRIVED;
        walks_ += arrived;
        gathered_ += arrived && guard && frame_ > BELL;
        if (!wend_agent_event_ends_goal(event.event) || event.event == WEND_AGENT_EVENT_REPLACED) return;
        if (event.agent.index != player_.index && (!guard || frame_ < BELL)) wander(event.agent, event.cell);
    }

    // None closes on somebody.
    void move_a_door() {
        house &one = houses_[dice(HOUSES)];
        if (map_.occupants(one.door) > 0 || (one.open && dice(4) > 0)) return;
        one.open = !one.open;
        map_.edit([&one](wend::edit &edit) {
            edit.set(one.door, one.open ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED);
        });
    }

    wend::map map_;
    wend::service service_;
    wend::crowd crowd_;
    std::vector<house> houses_;
    std::vector<wend::agent> guards_;
    std::set<uint32_t> is_guard_;
    wend::agent player_ = {};
    uint32_t random_ = 7;
    uint64_t seed_ = 1;
    int frame_ = 0, walks_ = 0, gathered_ = 0;
};

} // namespace

int main(int argc, char **argv) {
    village one;
    for (int left = argc > 1 ? std::stoi(argv[1]) : 400; left > 0; left--) one.run_frame();
    one.tell();
}
