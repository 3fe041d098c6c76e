#!/bin/sh
# SPDX-License-Identifier: MIT
# Completions of the command line, made from what --help prints of the tables of options: completions.sh WEND SHELL, with
# bash, zsh or fish.
set -eu
wend=$1 shell=$2
# A line each: "command NAME SUMMARY", "option COMMAND NAME VALUE HELP", with tabs; VALUE is - where there is none.
options_of() { # command
    "$wend" "$1" --help | awk -v command="$1" '
        function put() { if (name != "") printf "option\t%s\t%s\t%s\t%s\n", command, name, value, help; name = "" }
        /^$/ && inside { put(); exit }
        /^Options:/ { inside = 1; next }
        inside && /^  --/ {
            put()
            name = $1; rest = substr($0, length(name) + 3); value = "-"; help = ""
            if (sub(/^  --help, -h$/, "--help")) { rest = ""; name = "--help" }
            if (match(rest, /^ [^ ]+/)) { value = substr(rest, 2, RLENGTH - 1); rest = substr(rest, RLENGTH + 1) }
            sub(/^ +/, "", rest); help = rest; next
        }
        inside { line = $0; sub(/^ +/, "", line); help = help (help == "" ? "" : " ") line }
        END { put() }'
}
"$wend" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) *\(.*\)/\1 \2/p' | while read -r name summary; do
    printf 'command\t%s\t%s\n' "$name" "$summary"
    options_of "$name"
done | awk -F '\t' -v shell="$shell" '
    function quoted(text) { gsub(/\047/, "\047\\\047\047", text); return "\047" text "\047" }
    function zsh(text) { gsub(/[\]\[:\\]/, "\\\\&", text); return text }
    function words(value) { if (value !~ /^[a-z0-9]+([|][a-z0-9]+)+$/) return ""; gsub(/[|]/, " ", value); return value }
    BEGIN { files = "local IFS=$\047\\n\047; COMPREPLY=($(compgen -f -- \"$cur\"))" }
    $1 == "command" { names = names " " $2; summaries[$2] = $3; order[++count] = $2; next }
    { option = $3; value = $4; choices = words(value); file = value ~ /FILE|DIR/
      all[$2] = all[$2] " " option
      if (value != "-") arms = arms "    " $2 ":" option ") " (choices != "" ? "COMPREPLY=($(compgen -W \"" choices "\" -- \"$cur\"))" : \
          file ? files : ":") "; return ;;\n"
      zsh_options[$2] = zsh_options[$2] " \\\n            " quoted("*" option "[" zsh($5) "]" (value == "-" ? "" : ":" zsh(value) ":" \
          (choices != "" ? "(" choices ")" : file ? "_files" : "")))
      fish_options = fish_options "complete -c wend -n " quoted("__fish_seen_subcommand_from " $2) " -l " substr(option, 3) \
          (choices != "" ? " -x -a " quoted(choices) : file ? " -r -F" : value != "-" ? " -x" : "") " -d " quoted($5) "\n" }
    function bash_file(   i) {
        print "_wend() {\n    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n    COMPREPLY=()"
        print "    if [ \"$COMP_CWORD\" -eq 1 ] || { [ \"$command\" = help ] && [ \"$COMP_CWORD\" -eq 2 ]; }; then"
        print "        COMPREPLY=($(compgen -W \"" substr(names, 2) " help --help --version\" -- \"$cur\"))\n        return\n    fi"
        printf "    case $command:$prev in\n%s    esac\n", arms
        print "    case $cur:$command in"
        for (i = 1; i <= count; i++) print "    -*:" order[i] ") COMPREPLY=($(compgen -W \"" substr(all[order[i]], 2) "\" -- \"$cur\")) ;;"
        print "    *) " files " ;;\n    esac\n}\ncomplete -o filenames -F _wend wend"
    }
    function zsh_file(   i) {
        print "#compdef wend\n_wend() {\n    local -a commands=("
        for (i = 1; i <= count; i++) print "        " quoted(order[i] ":" zsh(summaries[order[i]]))
        print "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi"
        print "    shift words\n    ((CURRENT--))\n    case $words[1] in"
        for (i = 1; i <= count; i++) print "    " order[i] ")\n        _arguments" zsh_options[order[i]] " \\\n            \047*:file:_files\047 ;;"
        print "    esac\n}\n_wend \"$@\""
    }
    function fish_file(   i) {
        print "complete -c wend -n __fish_use_subcommand -f"
        for (i = 1; i <= count; i++) print "complete -c wend -n __fish_use_subcommand -a " order[i] " -d " quoted(summaries[order[i]])
        printf "%s", fish_options
    }
    END {
        print (shell == "zsh" ? "" : "# Made from wend --help.")
        if (shell == "bash") bash_file(); else if (shell == "zsh") zsh_file(); else fish_file()
    }' | sed '1{/^$/d}'
