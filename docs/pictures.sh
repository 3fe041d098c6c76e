#!/bin/sh
# SPDX-License-Identifier: MIT
# The pictures of docs/, and how each is made: `pictures.sh FOLDER` draws them into a folder, in a build's folder.
# `make pictures` writes those of docs/; tests/repo/pictures.sh compares.
set -u
source=$(cd "${WEND_SRCDIR:-.}" && pwd) || exit 99
build=$(cd "${WEND_BUILDDIR:-.}" && pwd) || exit 99
. "$source/tests/repo/blocks.sh" # write_files(): the files that a page shows

# A name and the command that writes it, run in the folder of the sources, with the file behind it.
drawn() {
    cat <<END
agents.png       wend stress data/caves512.map --agents 300 --draw png --output
door.svg         wend run examples/door.wend --animate
field.svg        horde
fire.svg         wend run examples/fire.wend --animate
house.svg        wend solve examples/house.wend --from 1,6,0 --to 20,8,8 --mover guest --draw svg --output
market.svg       wend run examples/market.wend --animate
mixed-door.svg   wend run examples/mixed_door.wend --animate
mixed-rooms.svg  wend run examples/mixed_rooms.wend --animate
path.png         wend solve data/tutorial.tmj --draw png --output
streets.svg      wend run examples/streets.wend --animate
town.svg         wend run $work/town/town.wend --animate
vehicle.svg      wend solve docs/vehicle.map --from 2,8 --to 22,7 --smooth arc --radius .4 --turning 2 --heading 0,-1 --draw svg --output
wall.svg         wend explain $work/astar/wall.wend --from 1,2 --to 5,2 --film
END
}

# What takes minutes, a browser, a game or a quiet machine.
by_hand() {
    cat <<END
journey.svg      build/journey FOLDER 16384 docs/journey.svg
love.png         love examples/love, and a shot of its window
luanti.svg       tests/hosts/luanti.sh 60 docs/luanti.svg
page.png         make page-picture
race.svg         make bench-race
scale.svg        make bench-scale
sdl_town.png     ./sdl_town 600 town.bmp, and convert town.bmp docs/sdl_town.png
END
}

# The words of the page: its tools, and the texts of its document. make page-picture writes them to docs/page.words.
page_words() {
    site=$source/server/live/page/site
    sed -n "s/.*word: '\([^']*\)'.*/\1/p" "$site/tools/tools.js"
    tr '\n' ' ' <"$site/index.html" | sed 's/<[^>]*>/\n/g' | sed 's/^ *//; s/ *$//; /^$/d'
}

case ${1:-} in
'') echo 'usage: pictures.sh FOLDER | --by-hand | --page-words' >&2 && exit 2 ;;
--by-hand) by_hand && exit ;;
--page-words) page_words && exit ;;
esac
out=$(cd "$1" && pwd) || exit 2
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
write_files "$source/docs/astar.md" "$work/astar"
write_files "$source/docs/town.md" "$work/town"
ln -s "$source/data" "$work/town/data"
bad=0
cd "$source" || exit 99
drawn >"$work/table"
while read -r name command; do
    # shellcheck disable=SC2086
    "$build"/$command "$out/$name" >"$work/out" 2>&1 </dev/null && [ -s "$out/$name" ] ||
        { echo "$name: exit $?" && cat "$work/out" && bad=1; }
done <"$work/table"
exit "$bad"
