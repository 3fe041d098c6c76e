# SPDX-License-Identifier: MIT
# Shared by the tests of games with a window: a screen in memory, the mouse, counts of pixels.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
LC_ALL=C
export LC_ALL
need_packages() { # packages as Debian has them, then commands
    packages=$1
    shift
    for tool; do command -v "$tool" >/dev/null 2>&1 || skip "no $tool here; Debian: $packages"; done
}
open_screen() {
    Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3>"$work/display" 2>"$work/stderr" &
    screen=$! game=
    trap 'kill $game $screen 2>/dev/null; wait; rm -rf "$work"' EXIT
    comes 'a screen' test -s "$work/display"
    DISPLAY=:$(cat "$work/display") SDL_VIDEODRIVER=x11 HOME=$work
    export DISPLAY SDL_VIDEODRIVER HOME
}
comes() { # what, command...: waits up to ten minutes for what has to come
    what=$1
    shift
    for _ in $(seq 3000); do
        "$@" && return
        [ -z "$game" ] || kill -0 "$game" 2>/dev/null || break
        sleep 0.2
    done
    echo "$what did not come"
    tail -n 20 "$work/stderr"
    exit 1
}
shoot() { import -window root "$work/$1.png"; } # name
# Prints how many pixels of a picture are of a colour, as the machine draws it.
pixels() { # picture, colour as #RRGGBB, WxH+X+Y of the part that counts
    convert "$1" -crop "${3:-1280x800+0+0}" +repage -fuzz 2% -fill black +opaque "$2" -fill white -opaque "$2" -format '%[fx:int(mean*w*h+.5)]' info:
}
# Takes a picture `now`, and says whether so many pixels are of a colour.
shows() { # least number, colour, part
    least=$1
    shift
    shoot now && [ "$(pixels "$work/now.png" "$@")" -ge "$least" ]
}
find_window() { # name
    window=$(xdotool search --name "$1" 2>/dev/null | head -n 1) && [ -n "$window" ] || return 1
    eval "$(xdotool getwindowgeometry --shell "$window")" # X and Y
}
to() { # X Y: the mouse goes to this pixel of the window
    xdotool mousemove $((X + $1)) $((Y + $2))
    sleep 0.1
}
drag() { # button, from, to
    to "$2" "$3" && xdotool mousedown "$1" && to $((($2 + $4) / 2)) $((($3 + $5) / 2)) && to "$4" "$5" && xdotool mouseup "$1"
}
