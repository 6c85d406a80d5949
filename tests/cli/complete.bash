# SPDX-License-Identifier: MIT
# Prints the completions of docs/completion/probity.bash: for each line of standard input one line of matches, sorted.
# The line is split as readline splits it, at spaces, and at = and :, which are words of their own.
source docs/completion/probity.bash || exit 3
while IFS= read -r line; do
    split=${line//=/ = }
    read -ra COMP_WORDS <<< "${split//:/ : }"
    [[ $line == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _probity
    printf '%s\n' "${COMPREPLY[@]}" | sort -u | paste -sd' '
done
