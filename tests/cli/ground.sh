#!/bin/sh
# SPDX-License-Identifier: MIT
# wend ground: a level file becomes a map that other commands read; what is no level is refused.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs ground

# A floor of 12 x 9, and a gallery 3 above its right half, with a ramp between.
cat >"$work/house.obj" <<'END'
v 0 0 0
v 17 0 0
v 17 0 9
v 0 0 9
f 1 4 3
f 1 3 2
v 8 3 0
v 12 3 0
v 12 3 9
v 8 3 9
f 5 8 7
f 5 7 6
v 2 0 3
v 8 3 3
v 8 3 6
v 2 0 6
f 9 12 11
f 9 11 10
END
expect 0 ground "$work/house.obj" --json -o "$work/house.wend"
expect_field triangles 6
expect_field sheets 2
expect 0 info "$work/house.wend" --json
links=$(field links)
[ "$links" -gt 0 ] || complain 'no step leads from sheet to sheet'
expect 0 ground "$work/house.obj" --output="$work/again.wend"
grep -q "^sheets *2, joined by $links steps$" "$work/out" || complain "$(cat "$work/out")"
cmp -s "$work/house.wend" "$work/again.wend" || complain 'the same level makes another map'
# A steeper ramp than the agent walks: two floors without a way.
expect 0 ground "$work/house.obj" --slope 20 --climb .3 --json -o "$work/steep.wend"
expect_field seams 0
# Stairs with steps of .35 lead to a gallery, and a roof lies far above. An agent stands on a deep step: its part is one
# more. Two shallow steps lie so near each other that the climb has to be greater than the height of one.
stairs() { # depth and number of the steps
    awk -v depth=$1 -v steps=$2 'function box(x0, x1, y) {
            printf "v %g %g 0\nv %g %g 0\nv %g %g 9\nv %g %g 9\n", x0, y, x1, y, x1, y, x0, y
            printf "f %d %d %d %d\n", n + 1, n + 4, n + 3, n + 2; n += 4
        }
        BEGIN { box(0, 9, 0); for (i = 1; i < steps; i++) box(9 + (i - 1) * depth, 9 + i * depth, i * .35)
            box(9 + (steps - 1) * depth, 20, steps * .35); box(0, 5, 7) }' >"$work/stairs.obj"
}
expect_parts() { # climb, the line of the parts
    expect 0 ground "$work/stairs.obj" --climb $1 --radius .3
    [ "$(sed -n 's/^parts *//p' "$work/out")" = "$2" ] || complain "--climb $1: $(cat "$work/out")"
}
no_climb="2; no --climb up to the agent's height joins any of them"
stairs 1.5 3
expect_parts .3 '4; --climb 0.4 would join 3 of them'
expect_parts .39 '4; --climb 0.4 would join 3 of them'
expect_parts .4 "$no_climb"
expect 0 ground "$work/stairs.obj" --climb .3 --radius .3 --json
expect_field parts 4
expect_field joined 3
expect_field join_climb 0.4
stairs .5 5
expect 0 ground "$work/stairs.obj" --climb .3 --radius .3 --json
climb=$(field join_climb)
expect_field joined 2
expect_parts "$climb" "$no_climb"
expect_parts "$(awk "BEGIN { print $climb - .2 }")" "3; --climb $climb would join 2 of them"
expect 0 ground "$work/house.obj" --json
expect_field parts 1
grep -q join "$work/out" && complain 'one part, and a climb that joins it'
# The same level with z up.
sed 's/^v \([^ ]*\) \([^ ]*\) \([^ ]*\)$/v \1 -\3 \2/; s/--/-/; s/ -0 / 0 /' "$work/house.obj" >"$work/z.obj"
expect 0 ground "$work/z.obj" --z-up -o "$work/z.wend"
cmp -s "$work/house.wend" "$work/z.wend" || complain 'z up is another map'

# A ceiling just high enough over a part of the floor: levels of .2, and the floor fills one.
for ceiling in 2.0:1 2.2:2 2.4:2; do
    printf 'v 0 0 0\nv 12 0 0\nv 12 0 12\nv 0 0 12\nv 5 %s -1\nv 7 %s -1\nv 7 %s 13\nv 5 %s 13\nf 1 4 3 2\nf 5 8 7 6\n' \
        ${ceiling%:*} ${ceiling%:*} ${ceiling%:*} ${ceiling%:*} >"$work/door.obj"
    expect 0 ground "$work/door.obj" --height 2 --json
    expect_field sheets ${ceiling#*:}
done

# Most corners of a face.
face() { # corners
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "v %.5f 0 %.5f\n", 9 * cos(6.2831853 * i / n), 9 * sin(6.2831853 * i / n)
        printf "f"; for (i = n; i > 0; i--) printf " %d", i; print "" }'
}
face 1024 >"$work/face.obj"
expect 0 ground "$work/face.obj" --json
expect_field triangles 1022
face 1025 >"$work/face.obj"
expect_refused 'face.obj:1026:.*: more than 1024 corners of a face' ground "$work/face.obj"

expect_refused 'none.obj' ground "$work/none.obj"
echo 'this is no level' >"$work/bad.obj"
expect_refused 'bad.obj: there are no triangles' ground "$work/bad.obj"
printf 'v 0 0 0\nv 1 0 x\n' >"$work/bad.obj"
expect_refused "bad.obj:2:7: expected z, a number, found 'x'" ground "$work/bad.obj"
printf 'v 0 0 0\nv 1 0 0\nv 1 0 1\nf 1 2 3\n' >"$work/down.obj"
expect_refused 'nowhere to stand' ground "$work/down.obj"
expect_refused 'more than 16,384 columns' ground "$work/house.obj" --cell .001 --level 1 --radius 0
expect_refused 'which level' ground
sed 's/^v 17 0 9/v 17 nan 9/' "$work/house.obj" >"$work/nan.obj"
expect_refused "nan.obj:3:6: expected y, a number, found 'nan'" ground "$work/nan.obj"

# Other names are read by assimp, which knows .obj, too, and makes the same map; or a build without it refuses them.
cp "$work/house.obj" "$work/HOUSE.OBJ"
expect 0 ground "$work/HOUSE.OBJ"
cp "$work/house.obj" "$work/house.level"
run ground "$work/house.level" -o "$work/other.wend"
if [ "$status" -eq 0 ]; then
    cmp -s "$work/house.wend" "$work/other.wend" || complain 'assimp makes another map'
else
    expect_refused 'house.level: this build has no assimp: it reads levels of .obj alone' ground "$work/house.level"
fi
finish
