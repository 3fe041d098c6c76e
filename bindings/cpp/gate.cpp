// SPDX-License-Identifier: MIT
// A save game: 500 agents walk to a wall with two gates. One closes. All is saved, and what follows is played twice.
#include <cstdio>
#include <wend/wend.hpp>

namespace {
constexpr int WIDTH = 96, HEIGHT = 64, AGENTS = 500, CLOSES = 100, SAVED = 150, FRAMES = 300, SCOUT = 7;

class game {
public:
    game() : map_(WIDTH, HEIGHT), crowd_(service_, map_, AGENTS) {
        close_wall(0, 11), close_wall(16, 47), close_wall(52, HEIGHT - 1);
        for (int i = 0; i < AGENTS; i++) {
            wend::agent_def def;
            def.cell = {i % 20 * 2, i / 20 * 2, 0};
            crowd_.go(crowd_.add(def), {WIDTH - 1 - def.cell.x, def.cell.y, 0});
        }
    }

    void send_scout() {
        wend::request scout;
        scout.map = map_.get(), scout.goal = {WIDTH - 1, 0, 0}, scout.agent = SCOUT;
        service_.submit(scout, take_answer());
    }

    void save() {
        saved_map_ = map_.save();
        saved_service_ = service_.save({map_});
        saved_crowd_ = crowd_.save();
    }

    // No function is in a save. The host knows its request again by the number that it gave it.
    void restore() {
        map_.restore(saved_map_);
        service_.restore(saved_service_, {map_}, [this](const wend_request &request) {
            return request.agent == SCOUT ? take_answer() : nullptr;
        });
        crowd_.restore(saved_crowd_);
    }

    uint32_t run(int first, int last) {
        hash_ = 2166136261u;
        for (int frame = first; frame < last; frame++) {
            if (frame >= CLOSES) close_wall(12, 15);
            service_.tick();
            crowd_.update();
            for (const wend_point &point : crowd_.points()) put(point.x), put(point.y);
        }
        return hash_;
    }

private:
    void put(int64_t value) { hash_ = (hash_ ^ static_cast<uint32_t>(value)) * 16777619u; }
    wend::service::done take_answer() {
        return [this](const wend_completion &done) { put(done.cost); };
    }

    // Closes cells of the wall on which nobody stands.
    void close_wall(int first, int last) {
        map_.edit([&](wend::edit &edit) {
            for (int y = first; y <= last; y++)
                if (map_.occupants({48, y, 0}) == 0) edit.set({48, y, 0}, WEND_CLASS_BLOCKED);
        });
    }

    wend::map map_;
    wend::service service_;
    wend::crowd crowd_;
    wend::save_data saved_map_, saved_service_, saved_crowd_;
    uint32_t hash_ = 0;
};
} // namespace

int main() {
    game one;
    one.run(0, SAVED);
    one.send_scout();
    one.save();
    const uint32_t before = one.run(SAVED, FRAMES);
    one.restore();
    std::printf("%d agents, saved in frame %d: %08x, and after a restore %08x\n", AGENTS, SAVED, before, one.run(SAVED, FRAMES));
}
