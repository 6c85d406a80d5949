# SPDX-License-Identifier: MIT
# Completion of probity(1) for bash.

_probity_commands="explain loss select plan certify keygen verify release smalldb estimate ledger session report draw stat condensed random geometry experiment prove microdata accuracy audit deployment"

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
    # families begin: specs
    _probity_words "geometric:eps= tgeometric:eps= dgauss:sigma2= laplace:scale= microdata:eps= tmicrodata:eps=
        gmicrodata:sigma2= stlap:eps= threshold:eps= gthreshold:sigma2= range:eps= partition:eps= buckethist:eps=
        gauss:sigma2= exponential:eps= power:base= noisymax:eps= permuteflip:eps= smalldb:eps= ptr:eps= smooth:eps=
        choosing:eps= fbquantile:eps= depth:eps= fbsupport:eps= above:eps= sparse:sigma2= rr:eps= krr:eps= onebit:eps=
        rappor:bits= scatter:table= robust:rho= pure:eps= approx:eps= rdp:order= zcdp:rho= gdp:mu=" "$1"
    # families end
    ((${#COMPREPLY[@]})) && compopt -o nospace 2>/dev/null
    return 0
}

_probity_families()
{
    # families begin: select
    _probity_words "geometric tgeometric dgauss laplace microdata tmicrodata gmicrodata stlap threshold gthreshold
        range partition buckethist gauss exponential power noisymax permuteflip smalldb ptr smooth choosing fbquantile
        depth fbsupport above sparse rr krr onebit rappor rdp zcdp gdp" "$1"
    # families end
}

_probity_statistics()
{
    _probity_words "max min max_k min_k range support mode median quantile $2" "$1"
}

_probity_conversions()
{
    _probity_words "pure-to-renyi pure-to-renyi-classical pure-to-zcdp pure-to-zcdp-classical renyi-to-approx
        renyi-to-approx-classical zcdp-to-approx zcdp-to-approx-classical" "$1"
}

# Completes the value of an option; fails for an option without a value, or one of another kind.
_probity_value()
{
    case $1 in
        --neighbours) _probity_words "add-remove substitute local" "$2" ;;
        --accounting) _probity_words "exact basic filter zcdp renyi" "$2" ;;
        --composition) _probity_words "exact basic advanced optimal" "$2" ;;
        --conversion) _probity_conversions "$2" ;;
        --statistic) _probity_statistics "$2" ;;
        --features) _probity_words "output shape order value tail bits score" "$2" ;;
        --shape) _probity_words "histogram select gate local" "$2" ;;
        --metric) _probity_words "line discrete" "$2"; ((${#COMPREPLY[@]})) || _probity_files "$2" ;;
        --law | --certified) _probity_specs "$2" ;;
        -o | --key | --sign | --certify | --certificate | --plan | --ledger | --plot | --report | --state | --count-to | --inputs | --keep | --filter | --group-by | --scatter | --scores | --events | --coq | --page | --memo | --candidates | --proof | --prove | --junit | --sarif | --badge | --receipt | --against | --cache | --text | --objects) _probity_files "$2" ;;
        --epsilon | --delta | --order | --xi | --profile | --group | --digits | --uses | --resolution | --records | \
            --bound | --dimension | --alpha | --beta | --support | --width | --bucket | --rho | --n | --k | --q | --eta | --gamma | --theta | \
            --error | --command | --name | --user | --quasi | --distance | --bars | --seed | --threads | --truncate | --jobs | --timeout | --seconds | --memory | --command-seconds | -n) ;;
        *) return 1 ;;
    esac
}

_probity_options()
{
    case $1 in
        explain) echo "--neighbours --digits --json --report --self-checking" ;;
        loss)
            echo "--epsilon --delta --order --zcdp --xi --mu --profile --plot --group --conversion --composition" \
                "--width --events --neighbours --digits --json"
            ;;
        select)
            echo "--epsilon --delta --rho --mu --uses --neighbours --resolution --records --bound --dimension --alpha --beta" \
                "--certify --digits --json"
            ;;
        certify) echo "--epsilon --zcdp --xi --order --mu --delta --neighbours --user --records --n --support --bucket --beta --gamma --sign -o --coq --proof --page --json --quiet" ;;
        keygen) echo "-o --json" ;;
        verify) echo "--key --prove --coq --json" ;;
        release) echo "--keys --counts --by --user --contributions --sum --mean --variance --quantile --filter --group-by --scatter --truncate --statistic --k --q --ledger --after --timing-safe --range --queries --rounds --step --separator --utility --keep -n --along -o --json --quiet" ;;
        smalldb) echo "--queries --size --ledger -o --json --quiet" ;;
        ledger) echo "--plan --epsilon --delta --rho --order --renyi --split --neighbours --accounting --rows --user --curve --after --json" ;;
        plan) echo "--json --report -o --sign --ledger --certificate --after" ;;
        session) echo "--threshold --ledger --after --json" ;;
        report) echo "--memo --new --once --user --ledger --seed" ;;
        draw) echo "-n --scores --seed --stream --threads --timing-safe --coq --json" ;;
        estimate) echo "--candidates --error --digits --json" ;;
        stat) echo "--k --q --quasi --json" ;;
        geometry) echo "--levels --direction --point --svg --samples --digits --json" ;;
        deployment) echo "--json" ;;
        prove) echo "--shape --json --junit --sarif --badge --receipt --sign --against --text --objects --cc --flags --accept --mutate --lemmas --cache --no-cache --jobs --timeout --quiet --show --root --key" ;;
        experiment) echo "--panel --seed --sets --tuning -o --json" ;;
        random) echo "--alpha --omega --gamma --beta --mechanism --gamma1 --rho --epsilon --theta --utilities --new-utilities --digits --json" ;;
        condensed) echo "--metric --alpha --distance --digits --json" ;;
        microdata) echo "--bars --epsilon --digits --json" ;;
        accuracy)
            echo "--n --records --support --bucket --beta --gamma --statistic --k --q --eta --density --within --between" \
                "--average --zeros --relative --digits --sensitivity --neighbours --theta --input --alpha --not-private --json" ;;
        audit)
            echo "--epsilon --delta --rho --mu --error --json --report --certified --command --command-seconds --release --inputs -n --law --counts" \
                "--count-to --sequential --state --neighbours --columns --features --name --scores --guesses --runs --search --pairs" \
                "--keep --queries --dossier --sign --page --trace --recorded --slack --assume-fixed --allow-seeds --sarif"
            ;;
    esac
}

_probity()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    # bash may split words at = and at :
    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}
    [[ $word == = ]] && word=
    if ((COMP_CWORD == 1)); then
        _probity_words "$_probity_commands help --help --version" "$word"
        return
    fi
    _probity_value "$before" "$word" && return
    if [[ $word == -* ]]; then
        local limits="--seconds --memory"
        [[ $command == prove ]] && limits=
        _probity_words "$(_probity_options "$command") $limits --help" "$word"
        return
    fi
    case $command in
        select) _probity_families "$word" ;;
        stat) if ((COMP_CWORD == 2)); then _probity_statistics "$word" "anonymity separator"; else _probity_files "$word"; fi ;;
        experiment) ((COMP_CWORD == 2)) && _probity_words "figure1 figure4" "$word" ;;
        condensed)
            [[ -n $word ]] && _probity_specs "$word"
            ((${#COMPREPLY[@]})) || _probity_files "$word"
            ;;
        microdata)
            if ((COMP_CWORD == 2)); then _probity_words "weights error" "$word"; return; fi
            [[ ${COMP_WORDS[2]} == error && -n $word ]] && _probity_specs "$word"
            ((${#COMPREPLY[@]})) || _probity_files "$word"
            ;;
        ledger)
            if ((COMP_CWORD == 2)); then _probity_words "init show export spend" "$word"; return; fi
            [[ ${COMP_WORDS[2]} == spend && -n $word ]] && ((COMP_CWORD > 3)) && _probity_specs "$word"
            ((${#COMPREPLY[@]})) || _probity_files "$word"
            ;;
        deployment)
            if ((COMP_CWORD == 2)); then _probity_words "check" "$word"; else _probity_files "$word"; fi ;;
        plan)
            if ((COMP_CWORD == 2)); then _probity_words "init check certify release" "$word"; return; fi
            _probity_files "$word"
            ;;
        session)
            if ((COMP_CWORD == 2)); then _probity_words "open ask show close" "$word"; return; fi
            [[ ${COMP_WORDS[2]} == open && -n $word ]] && ((COMP_CWORD > 3)) && _probity_specs "$word"
            ((${#COMPREPLY[@]})) || _probity_files "$word"
            ;;
        release | accuracy | smalldb | estimate | report)
            [[ -n $word ]] && _probity_specs "$word"
            ((${#COMPREPLY[@]})) || _probity_files "$word"
            ;;
        prove)
            ((COMP_CWORD == 2)) && _probity_words "init sign" "$word"
            ((${#COMPREPLY[@]})) || _probity_files "$word"
            ;;
        verify | audit | geometry) _probity_files "$word" ;;
        help) ((COMP_CWORD == 2)) && _probity_words "$_probity_commands" "$word" ;;
        keygen) ;;
        *) _probity_specs "$word" ;;
    esac
}

complete -F _probity probity
