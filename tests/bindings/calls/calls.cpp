// SPDX-License-Identifier: MIT
// Calls each function of the C interface from C++, as the headers declare it; echo.h says what is compared.
#include <cstring>
#include <iostream>
#include <type_traits>
#include <utility>

#include "echo.h"

namespace {

int failed = 0;

template <class T> T filled(std::size_t position) {
    T out;
    echo_fill(&out, sizeof out, static_cast<int>(position));
    return out;
}

template <class R, class... A, std::size_t... At>
bool returns_right(R (*function)(A...), std::index_sequence<At...>) {
    if constexpr (std::is_void_v<R>) {
        function(filled<A>(At)...);
        return true;
    } else {
        const R got = function(filled<A>(At)...), wanted = filled<R>(ECHO_RESULT);
        return std::memcmp(&got, &wanted, sizeof got) == 0;
    }
}

template <class R, class... A> void call(const char *name, R (*function)(A...)) {
    const bool returned = returns_right(function, std::index_sequence_for<A...>());
    const bool good = echo_right(name) == static_cast<int>(sizeof...(A)) && returned;
    std::cout << (good ? "ok " : "not ok ") << name << "()\n";
    failed += !good;
}

} // namespace

// `emit.py API.json calls` writes call_each().
#include "calls.inc"

int main() {
    call_each();
    return failed > 0 ? 1 : 0;
}
