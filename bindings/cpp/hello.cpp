// SPDX-License-Identifier: MIT
#include <iostream>
#include <wend/wend.hpp>

int main(int argc, char **argv) {
    const wend::map map = wend::map::load(argc > 1 ? argv[1] : "data/problem1.txt");
    wend::service service;
    service.submit(map, map.start(), map.goal(), [](const wend_completion &done) {
        std::cout << wend_status_name(done.status) << ", cost " << done.cost << ", " << done.cell_count << " cells\n";
    });
    while (service.pending()) service.tick();
}
