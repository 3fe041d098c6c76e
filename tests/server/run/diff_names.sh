#!/bin/sh
# SPDX-License-Identifier: MIT
# What `wend diff` names: pairs of scripts with one difference, of each kind of object. And scripts that have marks.
set -u
wend=${WEND_PROGRAMS:-${WEND_BUILDDIR:-.}}/wend
. "${WEND_SRCDIR:-$(dirname "$0")/../../..}/tests/repo/needs.sh"
needs extra
case $wend in /*) ;; *) echo "WEND_BUILDDIR must be absolute"; exit 99 ;; esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
bad=0
rows=0
complain() {
    echo "FAIL: $1"
    bad=$((bad + 1))
}

# first lines of both | lines of a | lines of b | last lines of both | frame, what, name | a | b
# `;` ends a line of a script. What each of them has is a pattern.
says() {
    rows=$((rows + 1))
    printf '%s;%s;%s' "$1" "$2" "$4" | tr ';' '\n' >a
    printf '%s;%s;%s' "$1" "$3" "$4" | tr ';' '\n' >b
    echo >>a && echo >>b
    "$wend" diff a b >out 2>err
    status=$?
    text=$(cat out)
    [ $status -eq 1 ] && [ ! -s err ] || complain "$1 | $2 | $3: exit $status: $(cat err)"
    case $text in
        '{"frame":'"$5"',"a":{'$6'},"b":{'$7'}}') ;;
        *) complain "$1 | $2 | $3: $text" ;;
    esac
    "$wend" diff b a >out 2>err
    case $(cat out) in
        *',"a":{'$7'},"b":{'$6'}}') ;;
        *) complain "the other way round: $1 | $2 | $3: $(cat out)" ;;
    esac
}
g='grid 70 9'
v='voxels 4 4 3'
n='graph;node 0 0 0;node 1 9 0;edge 0 1 9'
f='frame 3'
map='1,"what":"map","name":"map"'

# ---- settings of a map
says "$g" '' 'corners one' "$f" "$map" '"corners":"never"' '"corners":"one"'
says "$g" '' 'neighbours 4' "$f" "$map" '"neighbours":8' '"neighbours":4'
says "$v" '' 'neighbours 6' "$f" "$map" '"neighbours":26' '"neighbours":6'
says "$g" '' 'cost 10 15' "$f" "$map" '"cost":\[10,14,17\]' '"cost":\[10,15,17\]'
says '' 'grid 9 9' 'grid 9 8' "$f" "$map" '"height":9' '"height":8'
says '' 'grid 64 64' 'grid 64 64 wrap=x' "$f" "$map" '"wrap":0' '"wrap":1'
says "$g" 'mover m 2=3' 'mover m 2=4' "$f" '1,"what":"map","name":"mover m"' '"2":3' '"2":4'
says "$g" 'mover default 2=3' 'mover default 2=4' "$f" '1,"what":"map","name":"mover default"' '"2":3' '"2":4'
says "$g" 'mover m 2=3' 'mover m 2=3 size=2' "$f" '1,"what":"map","name":"mover m"' '"size":1' '"size":2'
says "$g" 'mover m' 'mover m;mover k 2=9' "$f" '1,"what":"map","name":"mover k"' '' '"size":1,*'
says "$v" 'mover m walker' 'mover m walker drop=2' "$f" '1,"what":"map","name":"mover m"' '"drop":1' '"drop":2'

# ---- layers and weights
says "$g;frame" '' 'layer L values' "$f" '2,"what":"layer","name":"L"' '' '"half_life":0,"within":0,"updates":1'
says "$g" 'layer L values half_life=9' 'layer L values half_life=8' "$f" '1,"what":"layer","name":"L"' \
    '"half_life":9' '"half_life":8'
says "$g" 'layer L walls within=3' 'layer L walls within=4' "$f" '1,"what":"layer","name":"L"' '"within":3' '"within":4'
says "$g;layer K values;layer L values" '' 'paint L 3,4 5,4 value=7' "$f" '1,"what":"layer","name":"L 3,4"' '"value":0' \
    '"value":7'
says "$g;layer L values" 'agent a 1,1 layers=L:3' 'agent a 1,1 layers=L:4' "$f" '1,"what":"agent","name":"a"' \
    '"layers":{"L":3}' '"layers":{"L":4}'
says "$g;layer L,\"} values" 'agent a 1,1 layers=L,"}:3' 'agent a 1,1 layers=L,"}:4' "$f" '1,"what":"agent","name":"a"' \
    '"layers":{"L,\\"}":3}' '"layers":{"L,\\"}":4}'
says "$g;layer L values" '' 'nearest q 0,0 cells=9,0 layers=L:5' "$f" '1,"what":"map","name":"weights 1"' '' '"layers":{"L":5}'

# ---- what lies on a map
says "$g" '' 'set 65,2 blocked' "$f" '1,"what":"cell","name":"65,2"' '"class":1' '"class":0'
says "$v" '' 'set 1,2,2 3' "$f" '1,"what":"cell","name":"1,2,2"' '"class":1' '"class":3'
says 'grid 128 64 streamed' '' 'load 1,0 open' "$f" '1,"what":"chunk","name":"1,0"' '"land":"absent"' '"land":"loaded"'
says "$g" '' 'link 1,1 60,8 25' "$f" '1,"what":"link","name":"1,1 to 60,8"' '' '"cost":25'
says "$g" 'link 1,1 60,8 24' 'link 1,1 60,8 25' "$f" '1,"what":"link","name":"1,1 to 60,8"' '"cost":24' '"cost":25'
says "$g" '' 'step 3,3 4,3 blocked' "$f" '1,"what":"step","name":"3,3 to 4,3"' '"open":true' '"open":false'
says "$n" '' 'edge 1 0 8' "$f" '1,"what":"edge","name":"1 to 0"' '' '"cost":8'
says "$n;frame" 'edge 1 0 7' 'edge 1 0 8' "$f" '2,"what":"edge","name":"1 to 0"' '"cost":7' '"cost":8'
says "$n;frame" '' 'node 5 9 9' "$f" '2,"what":"cell","name":"5"' '' '"class":1'
says "$g" '' 'occupy 7,7' "$f" '1,"what":"unit","name":"7,7"' '"units":0' '"units":1'

# ---- agents
says "$g;agent a 1,1;frame 5" '' 'agent b 5,5' "$f" '6,"what":"agent","name":"b"' '' '"cell":\[5,5,0\]*'
says "$g" 'agent a 1,1;agent b 5,5' 'agent x 3,3;agent a 1,1;agent b 5,5' "$f" '1,"what":"agent","name":"x"' '' \
    '"cell":\[3,3,0\]*'
says "$g;mover m 2=3" 'agent a 1,1' 'agent a 1,1 mover=m' "$f" '1,"what":"agent","name":"a"' '"mover":"default"' '"mover":"m"'
says "$g" 'agent a 1,1 urgency=1' 'agent a 1,1 urgency=2' "$f" '1,"what":"agent","name":"a"' '"urgency":1' '"urgency":2'
says "$g" 'agent a 1,1' 'agent a 1,1 parked' "$f" '1,"what":"agent","name":"a"' '"hash":"*"' '"hash":"*"'
says "$g" 'agent a 1,1 radius=300' 'agent a 1,1 radius=301' "$f" '1,"what":"agent","name":"a"' '"body":{*"radius":300,*}' \
    '"body":{*"radius":301,*}'
says "$g" 'agent a 1,1 radius=300' 'agent a 1,1 radius=300 accel=9' "$f" '1,"what":"agent","name":"a"' '"hash":"*"' \
    '"hash":"*"'
says "$g;agent a 1,1" '' 'go a to 9,7' "$f" '1,"what":"agent","name":"a"' '"cell":\[1,1,0\],*' '"cell":\[2,2,0\],*'
says "$g;agent a 1,1;frame" '' 'route R once 1,1 5,5' "$f" '2,"what":"route","name":"R"' '' \
    '"mode":0,"cells":\[\[1,1,0\],\[5,5,0\]\]'
says "$g;agent a 1,1" 'route R once 1,1 5,5' 'route R loop 1,1 5,5' "$f" '1,"what":"route","name":"R"' '"mode":0' '"mode":1'
says "$g" 'route R once 1,1 5,5' '' 'agent a 1,1;frame' '1,"what":"route","name":"R"' '"mode":0,"cells":\[\[1,1,0\],\[5,5,0\]\]' ''
says "$g;agent a 1,1" '' 'clear 4,4 5,5' "$f" '1,"what":"box","name":"4,4 5,5"' '' '"box":"4,4 5,5"'

# ---- requests
slow='frame 3 budget=1'
says "$g" '' 'request r 0,0 69,8' "$slow" '1,"what":"request","name":"r"' '' '"start":\[0,0,0\],"goal":\[69,8,0\]*'
says "$g" 'request r 0,0 69,8 urgency=1' 'request r 0,0 69,8' "$slow" '1,"what":"request","name":"r"' '"urgency":1' '"urgency":0'
says "$g" 'request r 0,0 69,8 max=500' 'request r 0,0 69,8 max=501' "$slow" '1,"what":"request","name":"r"' '"max":500' '"max":501'
says "$g" 'request r 0,0 69,8 reach=1' 'request r 0,0 69,8 reach=2' "$slow" '1,"what":"request","name":"r"' '"reach":1' '"reach":2'
says "$g;mover m 2=3" 'request r 0,0 69,8' 'request r 0,0 69,8 mover=m' "$slow" '1,"what":"request","name":"r"' '"mover":"default"' '"mover":"m"'
says "$g;layer L values" 'request r 0,0 69,8 layers=L:1' 'request r 0,0 69,8 layers=L:2' "$slow" \
    '1,"what":"request","name":"r"' '"layers":{"L":1}' '"layers":{"L":2}'
says "$g" '' 'request r 0,0 4,4' "$f" '1,"what":"request","name":"r"' '' '*"status":"found"*'

# ---- frames, and what came before them
says "$g" 'frame 3' 'frame 4' '' '4,"what":"frame","name":"frame"' '"frames":3' '"frames":4'
says "$g;agent a 1,1;mark one;frame 10" 'set 1,1 blocked' 'set 2,1 blocked' "$f" '11,"what":"cell","name":"1,1"' \
    '"class":0' '"class":1'
says "$g;agent a 1,1;mark one;frame 4" 'rewind one' 'frame' "agent b 3,3;$f" '1,"what":"agent","name":"b"' \
    '"cell":\[3,3,0\]*' ''
echo "$rows rows, $bad failures"
[ "$bad" -eq 0 ]
