#!/bin/sh
# SPDX-License-Identifier: MIT
# The completions that are installed: every command and option of --help is in each, and each shell that is here offers
# what it should.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
for shell in bash zsh fish; do
    sh "$srcdir/src/cli/completions.sh" "$wend" $shell >"$work/$shell" || complain "$shell: exit $?"
    [ "$(wc -l <"$work/$shell")" -gt 100 ] || complain "$shell: few lines"
done
offered=0
options() { "$wend" "$1" --help | sed -n '/^Options:/,/^$/s/^  --\([a-z-]*\).*/\1/p'; }
for command in $("$wend" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    for option in $(options "$command"); do
        grep -q "^    -\*:$command) .*[ \"]--$option[ \"]" "$work/bash" || complain "bash: no $command --$option"
        sed -n "/^    $command)/,/;;/p" "$work/zsh" | grep -q -e "'\*--$option\[" || complain "zsh: no $command --$option"
        grep -q "from $command' -l $option " "$work/fish" || complain "fish: no $command --$option"
        offered=$((offered + 1))
    done
done
[ $offered -gt 80 ] || complain "only $offered options"

cd "$work" && touch 'a map.txt' || exit 99
in_bash() { # wanted word...: completes the last word
    wanted=$1
    shift
    got=$(bash --norc -c '. ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wend; printf "%s\n" "${COMPREPLY[@]}"' - wend "$@")
    [ "$got" = "$wanted" ] || complain "bash: wend $*: '$got', not '$wanted'"
}
if command -v bash >/dev/null; then
    in_bash solve so
    in_bash plan help pl
    in_bash '--draw
--draw-expanded' solve --dr
    in_bash png solve x --draw p
    in_bash '' solve x --from 1
    in_bash 'a map.txt' solve a
    in_bash 'a map.txt' solve x --output a
fi
in_fish() { # wanted line
    got=$(HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work fish --no-config -c "source fish; complete -C '$2'" 2>&1 | cut -f 1 | sort)
    [ "$got" = "$1" ] || complain "fish: $2: '$got', not '$1'"
}
if command -v fish >/dev/null; then
    in_fish solve 'wend so'
    in_fish '--draw
--draw-expanded' 'wend solve --dr'
    in_fish png 'wend solve x --draw p'
    in_fish 'a map.txt' 'wend solve x --output a'
fi
if command -v zsh >/dev/null; then
    zsh -f -n zsh || complain 'zsh: it is no script'
    # The function that _arguments would call prints what it is given.
    zsh -f -c 'words=(wend solve --dr) CURRENT=3; _arguments() { print -l -- "$@"; }; _describe() { print -l -- $commands; }
        source ./zsh' >"$work/out" || complain 'zsh: it does not run'
    grep -q -F '*--draw[a picture instead of the coordinates]:ansi|svg|png:(ansi svg png)' "$work/out" || complain "zsh: $(cat "$work/out")"
fi
finish
