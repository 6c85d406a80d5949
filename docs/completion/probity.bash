# Completion of probity(1) for bash.

_probity_words()
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_probity_files()
{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_probity_specs()
{
    compopt -o nospace 2>/dev/null
    _probity_words "stlap:eps= geometric:eps=" "$1"
}

_probity()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options
    # bash may split words at = and at :
    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}
    [[ $word == = ]] && word=
    if ((COMP_CWORD == 1)); then
        _probity_words "loss certify verify release draw --help --version" "$word"
        return
    fi
    case $before in
        --neighbours) _probity_words "add-remove substitute" "$word"; return ;;
        -o) _probity_files "$word"; return ;;
        --epsilon | --delta | --digits | -n | --seed) return ;;
    esac
    case $command in
        loss) options="--epsilon --delta --neighbours --digits --json --help" ;;
        certify) options="--epsilon --neighbours -o --help" ;;
        verify) options="--json --help" ;;
        release) options="-o --help" ;;
        draw) options="-n --seed --help" ;;
        *) return ;;
    esac
    if [[ $word == -* ]]; then
        _probity_words "$options" "$word"
        return
    fi
    case $command in
        verify) _probity_files "$word" ;;
        release) _probity_files "$word" ;;
        *) _probity_specs "$word" ;;
    esac
}

complete -F _probity probity
