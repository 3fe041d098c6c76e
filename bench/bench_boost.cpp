/* SPDX-License-Identifier: MIT */
/* Graph searches beside Boost Graph's astar_search on the same file: bench_boost GRAPH.gr [QUERIES [TURNS]], the nodes'
 * places in GRAPH.co. Both get the same random pairs, turn by turn, and steer by straight distance times the least cost of
 * an edge for each unit of it; the costs have to be the same. Boost searches an adjacency_list of vectors, as its manual
 * does, and a compressed_sparse_row_graph, the quickest that it has; its nodes' distances, parents, keys and colours are
 * set anew outside of the clock. Prints CSV, the best turn of each. */
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

extern "C" {
#include "scenery.h"
}

namespace {

struct Road {
    int cost;
};
using Lists = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Road>;
using Rows = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Road>;
using Node = std::size_t;

struct Place {
    double x, y;
};

[[noreturn]] void fail(const char *what) {
    std::fprintf(stderr, "bench_boost: %s\n", what);
    std::exit(2);
}

struct File {
    std::vector<std::pair<int, int>> ends;
    std::vector<Road> roads;
    std::vector<Place> places;
};

/* Lines "a FROM TO COST" and "v NODE X Y"; nodes count from 1. */
File read_file(std::string name) {
    File file;
    char line[256];
    std::FILE *in = std::fopen(name.c_str(), "r");
    if (!in) fail("the graph cannot be read");
    int nodes = 0, from, to, cost;
    while (std::fgets(line, sizeof line, in)) {
        std::sscanf(line, "p sp %d", &nodes);
        if (std::sscanf(line, "a %d %d %d", &from, &to, &cost) != 3) continue;
        file.ends.emplace_back(from, to);
        file.roads.push_back({cost});
    }
    std::fclose(in);
    file.places.resize(nodes + 1);
    in = std::fopen((name.substr(0, name.size() - 2) + "co").c_str(), "r");
    if (!in) fail("the places cannot be read");
    double x, y;
    while (std::fgets(line, sizeof line, in))
        if (std::sscanf(line, "v %d %lf %lf", &from, &x, &y) == 3) file.places[from] = {x, y};
    std::fclose(in);
    return file;
}

double distance(const Place &a, const Place &b) {
    return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/* Least cost of an edge for each unit of distance. */
double least_rate(const File &file) {
    double least = std::numeric_limits<double>::max();
    for (size_t i = 0; i < file.ends.size(); i++) {
        double length = distance(file.places[file.ends[i].first], file.places[file.ends[i].second]);
        if (length > 0) least = std::min(least, file.roads[i].cost / length);
    }
    return least;
}

template <class Graph> struct Estimate : boost::astar_heuristic<Graph, int> {
    const std::vector<Place> &places;
    Place goal;
    double rate;
    Estimate(const std::vector<Place> &all, Node to, double per_unit) : places(all), goal(all[to]), rate(per_unit) {}
    int operator()(Node node) const { return (int)(rate * distance(places[node], goal)); }
};

struct Arrived {};

struct Watch : boost::default_astar_visitor {
    Node goal;
    uint64_t *expansions;
    Watch(Node to, uint64_t *count) : goal(to), expansions(count) {}
    template <class Graph> void examine_vertex(Node node, const Graph &) {
        ++*expansions;
        if (node == goal) throw Arrived();
    }
};

struct Tally {
    uint64_t expansions = 0;
    double us = 0;
    long long costs = 0;
};

template <class Graph> struct Boost {
    const Graph &graph;
    const File &file;
    double rate;
    std::vector<int> distances, keys;
    std::vector<Node> parents;
    std::vector<boost::default_color_type> colors;

    Boost(const Graph &g, const File &f) : graph(g), file(f), rate(least_rate(f) * (1 - 1e-9)) {}

    void run(Node from, Node to, Tally *tally) {
        const size_t nodes = boost::num_vertices(graph);
        const int far = std::numeric_limits<int>::max() / 2;
        distances.assign(nodes, far), keys.assign(nodes, far), parents.assign(nodes, 0);
        colors.assign(nodes, boost::white_color);
        const Estimate<Graph> estimate(file.places, to, rate);
        distances[from] = 0, keys[from] = estimate(from);
        auto index = boost::get(boost::vertex_index, graph);
        const double begun = cpu_us();
        try {
            boost::astar_search_no_init(graph, from, estimate,
                                        boost::weight_map(boost::get(&Road::cost, graph))
                                            .distance_map(boost::make_iterator_property_map(distances.begin(), index))
                                            .rank_map(boost::make_iterator_property_map(keys.begin(), index))
                                            .predecessor_map(boost::make_iterator_property_map(parents.begin(), index))
                                            .color_map(boost::make_iterator_property_map(colors.begin(), index))
                                            .distance_inf(far)
                                            .distance_zero(0)
                                            .visitor(Watch(to, &tally->expansions)));
        } catch (const Arrived &) {
        }
        tally->us += cpu_us() - begun;
        tally->costs += distances[to] == far ? -1 : distances[to];
    }
};

void run_wend(wend_search *search, wend_map *map, Node from, Node to, Tally *tally) {
    wend_request request;
    wend_request_init(&request, sizeof request);
    wend_completion completion = {.struct_bytes = sizeof completion};
    uint64_t used;
    request.map = map;
    request.start.x = (int)from, request.goal.x = (int)to;
    const double begun = cpu_us();
    if (wend_search_begin(search, &request) != WEND_OK) fail("a request is refused");
    wend_search_step(search, WEND_NO_LIMIT, &used);
    tally->us += cpu_us() - begun;
    tally->expansions += used;
    completion.struct_bytes = sizeof completion;
    wend_search_get_result(search, &completion);
    tally->costs += completion.cost;
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 2) fail("usage: bench_boost GRAPH.gr [QUERIES [TURNS]]");
    const int queries = argc > 2 ? std::atoi(argv[2]) : 50, turns = argc > 3 ? std::atoi(argv[3]) : 3;
    const File file = read_file(argv[1]);
    const Lists lists(file.ends.begin(), file.ends.end(), file.roads.begin(), file.places.size());
    const Rows rows(boost::edges_are_unsorted_multi_pass, file.ends.begin(), file.ends.end(), file.roads.begin(),
                    file.places.size());
    wend_map *map;
    wend_search *search;
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    def.nodes = UINT64_C(1) << 23;
    if (wend_map_load(argv[1], NULL, &map, NULL, NULL) != WEND_OK) fail("the graph cannot be loaded");
    if (wend_search_create(&def, &search) != WEND_OK) fail("no memory for a search");
    Boost<Lists> on_lists(lists, file);
    Boost<Rows> on_rows(rows, file);
    static const char *const names[3] = {"wend", "boost adjacency_list", "boost compressed_sparse_row_graph"};
    Tally best[3];
    for (int turn = 0; turn < turns; turn++) {
        Tally now[3];
        uint64_t state = 5;
        for (int i = 0; i < queries; i++) {
            const uint32_t nodes = (uint32_t)file.places.size() - 1;
            const Node from = 1 + bench_random(&state, nodes), to = 1 + bench_random(&state, nodes);
            run_wend(search, map, from, to, &now[0]);
            on_lists.run(from, to, &now[1]);
            on_rows.run(from, to, &now[2]);
        }
        if (now[0].costs != now[1].costs || now[0].costs != now[2].costs) fail("the costs are not the same");
        for (int i = 0; i < 3; i++)
            if (turn == 0 || now[i].us < best[i].us) best[i] = now[i];
    }
    std::printf("graph,program,queries,expansions_a_query,us_a_query,ns_an_expansion,expansions_a_us,"
                "wends_expansions_a_second_to_these,wends_time_to_this\n");
    for (int i = 0; i < 3; i++) {
        const Tally &t = best[i];
        const double rates = (double)best[0].expansions / best[0].us * t.us / (double)t.expansions;
        std::printf("%s,%s,%d,%.1f,%.1f,%.1f,%.2f,%.2f,%.2f\n", argv[1], names[i], queries,
                    (double)t.expansions / queries, t.us / queries, t.us * 1e3 / (double)t.expansions,
                    (double)t.expansions / t.us, rates, best[0].us / t.us);
    }
    wend_search_destroy(search);
    wend_map_release(map);
    return 0;
}
