/* SPDX-License-Identifier: MIT */
/* The scenes. The first number of a limit is the result of the better of cells and discs when the row was written, the
 * second the mixes that do not meet it. */
#include "crowd/scenes.h"

enum { CELLS = 1 << SCENE_CELLS, DISCS = 1 << SCENE_DISCS, MIXED = 1 << SCENE_MIXED };

const scene scene_table[] = {
    {.name = "room with one door, one goal cell",
     .rows = "aa.#.....\n"
             "aa.#...A.\n"
             "aa.#.....\n"
             "a........\n",
     .groups = {{.of = 'a', .near = 2}},
     .limit = {67, 0}},
    {.name = "room with one door, near enough",
     .rows = "aaa#.....\n"
             "aaa#.....\n"
             "aa....A..\n"
             "...#.....\n",
     .groups = {{.of = 'a', .reach = 3}},
     .limit = {61, MIXED}},
    {.name = "corridor that fills from its end",
     .rows = "aaa.########\n"
             "aa.........A\n"
             "....########\n",
     .groups = {{.of = 'a', .near = 4}},
     .limit = {287, 0}},
    {.name = "two meet, a niche in the middle",
     .rows = "####################\n"
             "#aB..............bA#\n"
             "##########.#########\n",
     .groups = {{.of = 'a'}, {.of = 'b'}},
     .limit = {72, 0}},
    {.name = "two meet, a niche at one end",
     .rows = "####################\n"
             "#aB..............bA#\n"
             "###.################\n",
     .groups = {{.of = 'a'}, {.of = 'b'}},
     .limit = {188, 0}},
    {.name = "one backs out of a dead end",
     .rows = "####################\n"
             "#.....B.....a....bA#\n"
             "#.....#####.########\n",
     .groups = {{.of = 'a'}, {.of = 'b'}},
     .limit = {56, 0}},
    {.name = "four change in two dead ends",
     .rows = "####################\n"
             "#.aC....d....b..cBD#\n"
             "#A....######.#######\n",
     .groups = {{.of = 'a'}, {.of = 'b'}, {.of = 'c'}, {.of = 'd'}},
     .limit = {249, 0}},
    {.name = "two a side, rooms with a corridor",
     .rows = "######################\n"
             "#ab..............dc..#\n"
             "#CD..............AB..#\n"
             "#....###########.....#\n"
             "######################\n",
     .groups = {{.of = 'a'}, {.of = 'b'}, {.of = 'c'}, {.of = 'd'}},
     .limit = {81, 0}},
    {.name = "five in rooms with a long corridor",
     .rows = "########################\n"
             "#Cab.######.#######dcB.#\n"
             "#DDe.................A.#\n"
             "#...E################..#\n"
             "########################\n",
     .groups = {{.of = 'a'}, {.of = 'b'}, {.of = 'c'}, {.of = 'd'}, {.of = 'e'}},
     .limit = {157, 0}},
    {.name = "five in the wrong order in a dead end",
     .rows = "...######\n"
             "...abcde#\n"
             "...######\n",
     .groups = {{.of = 'a', .to = 'e'}, {.of = 'b', .to = 'd'}, {.of = 'd', .to = 'b'}, {.of = 'e', .to = 'a'}},
     .limit = {184, 0}},
    {.name = "one-wide corridor of eight, 2 a side",
     .rows = "a...########...b\n"
             "................\n"
             "a...########...b\n",
     .groups = {{.of = 'a', .to = 'b'}, {.of = 'b', .to = 'a'}},
     .limit = {111, 0}},
    {.name = "one-wide corridor of eight, 4 a side",
     .rows = "aa..########..bb\n"
             "................\n"
             "aa..########..bb\n",
     .groups = {{.of = 'a', .to = 'b'}, {.of = 'b', .to = 'a'}},
     .limit = {129, 0}},
    {.name = "one-wide corridor of eight, 6 a side",
     .rows = "aa..########..bb\n"
             "aa............bb\n"
             "aa..########..bb\n",
     .groups = {{.of = 'a', .to = 'b'}, {.of = 'b', .to = 'a'}},
     .limit = {148, DISCS}},
    {.name = "fast one behind three slow ones",
     .rows = "..............................\n"
             "a..b.b.b........B.B.B........A\n"
             "..............................\n",
     .groups = {{.of = 'a', .speed_milli = 500}, {.of = 'b', .speed_milli = 50, .free = true}},
     .limit = {63, 0}},
    {.name = "door, 14 a side",
     .rows = "aaa....#....bbb\n"
             "aaa....#....bbb\n"
             "aa...........bb\n"
             "aaa....#....bbb\n"
             "aaa....#....bbb\n",
     .groups = {{.of = 'a', .to = 'b'}, {.of = 'b', .to = 'a'}},
     .limit = {247, MIXED}},
    {.name = "two-cell door, 14 a side",
     .rows = "aaa....#....bbb\n"
             "aaa....#....bbb\n"
             "aa...........bb\n"
             "aaa.........bbb\n"
             "aaa....#....bbb\n",
     .groups = {{.of = 'a', .to = 'b'}, {.of = 'b', .to = 'a'}},
     .limit = {150, DISCS | MIXED}},
    {.name = "gate, 25 stream through",
     .rows = "aaaaa.....#..AAAAA\n"
             "aaaaa.....#..AAAAA\n"
             "aaaaa........AAAAA\n"
             "aaaaa.....#..AAAAA\n"
             "aaaaa.....#..AAAAA\n",
     .groups = {{.of = 'a'}},
     .limit = {202, DISCS | MIXED}},
    {.name = "gate, 20 stream through",
     .rows = "aaaaa.....#..AAAAA\n"
             "aaaaa.....#..AAAAA\n"
             "aaaaa........AAAAA\n"
             "aaaaa.....#..AAAAA\n",
     .groups = {{.of = 'a'}},
     .limit = {178, DISCS}},
    {.name = "crossing, four streams of 3",
     .rows = "####ccc####\n"
             "####...####\n"
             "a.........b\n"
             "a.........b\n"
             "a.........b\n"
             "####...####\n"
             "####ddd####\n",
     .groups = {{.of = 'a', .to = 'b'}, {.of = 'b', .to = 'a'}, {.of = 'c', .to = 'd'}, {.of = 'd', .to = 'c'}},
     .limit = {53, MIXED}},
    {.name = "full room, 4 a side",
     .rows = "aa.bb\n"
             "aa.bb\n",
     .groups = {{.of = 'a', .to = 'b'}, {.of = 'b', .to = 'a'}},
     .limit = {49, DISCS | MIXED}},
    {.name = "pushed off its place in a corridor",
     .rows = "####.####\n"
             "B...a...b\n",
     .groups = {{.of = 'a', .act = SCENE_HOME}, {.of = 'b', .begins = 20}},
     .limit = {53, 0}},
    {.name = "six at home in a street, six pass",
     .rows = "b...........B\n"
             "bb.aaa.aaa.BB\n"
             "bb.........BB\n"
             "b...........B\n",
     .groups = {{.of = 'a', .act = SCENE_HOME}, {.of = 'b'}},
     .limit = {50, MIXED}},
    {.name = "idle one in a doorway",
     .rows = "b..#...\n"
             "b..a..B\n"
             "b..#..B\n"
             "...#..B\n",
     .groups = {{.of = 'a', .act = SCENE_STAND}, {.of = 'b'}},
     .limit = {45, 0}},
    {.name = "idle one on a link's end",
     .rows = ".......#.......\n"
             "b......#a.....B\n"
             ".......#.......\n",
     .groups = {{.of = 'a', .act = SCENE_STAND}, {.of = 'b'}},
     .limit = {53, 0},
     .links = {{.from = {6, 1, 0}, .to = {8, 1, 0}, .cost = 10}}},
    {.name = "3 a side through a pair of links",
     .rows = "a......#......b\n"
             ".......#.......\n"
             "a......#......b\n"
             ".......#.......\n"
             "a......#......b\n",
     .groups = {{.of = 'a', .to = 'b'}, {.of = 'b', .to = 'a'}},
     .limit = {75, 0},
     .links = {{.from = {6, 1, 0}, .to = {8, 1, 0}, .cost = 10}, {.from = {6, 3, 0}, .to = {8, 3, 0}, .cost = 10}}},
    {.name = "10 a side through one link",
     .rows = "aa.....#.....bb\n"
             "aa.....#.....bb\n"
             "aa.....#.....bb\n"
             "aa.....#.....bb\n"
             "aa.....#.....bb\n",
     .groups = {{.of = 'a', .to = 'b'}, {.of = 'b', .to = 'a'}},
     .limit = {144, DISCS | MIXED},
     .links = {{.from = {6, 2, 0}, .to = {8, 2, 0}, .cost = 10}}},
    {.name = "12 follow one that stands",
     .rows = "bbb.............\n"
             "bbb.............\n"
             "bbb.......a.....\n"
             "bbb.............\n"
             "................\n",
     .groups = {{.of = 'a', .act = SCENE_STAND}, {.of = 'b', .act = SCENE_FOLLOW, .to = 'a', .near = 2}},
     .limit = {63, MIXED}},
    {.name = "6 follow one that walks through a door",
     .rows = "bb.....#........\n"
             "bba............A\n"
             "bb.....#........\n",
     .groups = {{.of = 'a'}, {.of = 'b', .act = SCENE_FOLLOW, .to = 'a', .near = 3}},
     .limit = {70, 0}},
    {.name = "box of 4 x 4 is cleared",
     .rows = "........\n"
             "..aaaa..\n"
             "..aaaa..\n"
             "..aaaa..\n"
             "..aaaa..\n"
             "........\n",
     .groups = {{.of = 'a', .act = SCENE_STAND, .free = true}},
     .limit = {8, MIXED},
     .box = {{2, 1, 0}, {5, 4, 0}}},
    {.name = "box in a dead end is cleared",
     .rows = "####....\n"
             "aaaa....\n"
             "####....\n",
     .groups = {{.of = 'a', .act = SCENE_STAND, .free = true}},
     .limit = {16, MIXED},
     .box = {{0, 1, 0}, {3, 1, 0}}},
    {.name = "9 march as a box",
     .rows = "..............................\n"
             "aaa...........................\n"
             "aaa......................A....\n"
             "aaa...........................\n"
             "..............................\n",
     .groups = {{.of = 'a', .act = SCENE_FORM, .formation = WEND_AS_BOX}},
     .limit = {95, 0}},
    {.name = "7 march as a wedge through a door",
     .rows = "..........#...................\n"
             "aa........#...................\n"
             "aaa......................A....\n"
             "aa........#...................\n"
             "..........#...................\n",
     .groups = {{.of = 'a', .act = SCENE_FORM, .formation = WEND_AS_WEDGE}},
     .limit = {116, 0}},
    {.name = "player in a doorway for 30 updates",
     .rows = "b..#...\n"
             "b..a..A\n"
             "b..#..B\n"
             "b..#BBB\n",
     .groups = {{.of = 'a', .act = SCENE_STEER, .begins = 30}, {.of = 'b'}},
     .limit = {63, MIXED}},
    {.name = "player through a crowd at home",
     .rows = "...bbb....\n"
             "a..bbb...A\n"
             "...bbb....\n",
     .groups = {{.of = 'a', .act = SCENE_STEER}, {.of = 'b', .act = SCENE_HOME}},
     .limit = {33, MIXED}},
    {.name = "player comes out of a corridor, six follow",
     .rows = "....##########\n"
             "A......bbbbbba\n"
             "....##########\n",
     .groups = {{.of = 'a', .act = SCENE_STEER, .begins = 20},
                {.of = 'b', .act = SCENE_FOLLOW, .to = 'a', .near = 3, .free = true}},
     .limit = {72, MIXED}},
};

const size_t scene_count = sizeof scene_table / sizeof *scene_table;
