// SPDX-License-Identifier: MIT
#include <iostream>
#include <wend/wend.hpp>

int main() {
    const wend::map map = wend::map::parse("type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n");
    wend::service service;
    service.submit(map, {0, 0, 0}, {4, 2, 0}, [](const wend_completion &done) {
        std::cout << wend_status_name(done.status) << ", cost " << done.cost << ", " << done.cell_count << " cells\n";
    });
    while (service.pending()) service.tick();
}
