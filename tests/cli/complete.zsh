# SPDX-License-Identifier: MIT
# Prints the completions of docs/completion/_probity: for each line of standard input one line of matches, sorted.
#
# Without a line editor there is no completion, so a second zsh is driven through a pseudo-terminal. compadd, by which every
# completion function hands over its matches, is replaced by one that also writes them down.
zmodload zsh/zpty || exit 3
folder=$(mktemp -d) || exit 3
trap 'rm -rf $folder' EXIT
export ZDOTDIR=$folder
cat > $folder/.zshrc <<END
fpath=(${(q)PWD}/docs/completion \$fpath)
autoload -Uz compinit
compinit -D -u
bindkey '^I' complete-word '^U' kill-whole-line
compadd() {
    local -a hits
    [[ " \$* " == *' -'(O|A|D)' '* ]] || builtin compadd -A hits "\$@"
    ((\$#hits)) && print -rl -- \$hits >> $folder/hits
    builtin compadd "\$@"
}
finish() { comppostfuncs=(finish); : > $folder/done }
comppostfuncs=(finish)
PROMPT=READY
LISTMAX=10000 # a long list is not asked about
END

TERM=dumb zpty shell zsh -d -i
zpty -r shell output '*READY*'
while IFS= read -r line; do
    : > $folder/hits
    rm -f $folder/done
    zpty -w -n shell $'\C-U'"$line"$'\t'
    for ((i = 0; i < 12000; i++)); do # ten minutes
        [[ -e $folder/done ]] && break
        zpty -t shell || exit 3
        sleep 0.05
        zpty -r -t shell output
    done
    [[ -e $folder/done ]] || exit 3
    sort -u $folder/hits | paste -sd' '
done
zpty -d shell
