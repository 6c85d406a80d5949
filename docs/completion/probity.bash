# SPDX-License-Identifier: MIT
# Completion of probity(1) for bash.

# options begin: commands
_probity_commands="loss explain select accuracy certify verify keygen prove plan release ledger session draw stat
    microdata smalldb report estimate audit deployment experiment condensed random geometry"
# options end

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
        gauss:sigma2= matrix:sigma2= exponential:eps= power:base= noisymax:eps= permuteflip:eps= smalldb:eps= ptr:eps=
        smooth:eps= choosing:eps= fbquantile:eps= depth:eps= fbsupport:eps= fbsteiner:eps= above:eps= sparse:sigma2=
        rr:eps= krr:eps= onebit:eps= memobit:eps= rappor:bits= scatter:table= robust:rho= pure:eps= approx:eps=
        rdp:order= zcdp:rho= gdp:mu=" "$1"
    # families end
    ((${#COMPREPLY[@]})) && compopt -o nospace 2>/dev/null
    return 0
}

_probity_families()
{
    # families begin: select
    _probity_words "geometric tgeometric dgauss laplace microdata tmicrodata gmicrodata stlap threshold gthreshold
        range partition buckethist gauss matrix exponential power noisymax permuteflip smalldb ptr smooth choosing
        fbquantile depth fbsupport fbsteiner above sparse rr krr onebit rappor rdp zcdp gdp" "$1"
    # families end
}

_probity_statistics()
{
    _probity_words "max min max_k min_k range support mode median quantile $2" "$1"
}

# Completes the value of an option of a command; fails for an option without a value, or one of another kind.
_probity_value()
{
    case $3:$1 in
        # options begin: values
        *:--epsilon | *:--delta | *:--order | select:--mu | ledger:--mu | audit:--mu | *:--profile | *:--xi | \
            *:--group | *:--width | *:--digits | *:--seconds | *:--memory | *:--rho | *:--uses | *:--resolution | \
            *:--records | *:--bound | *:--dimension | *:--alpha | *:--beta | *:--n | *:--support | *:--bucket | \
            *:--gamma | *:--k | *:--q | *:--eta | *:--density | *:--within | *:--theta | *:--zeros | *:--relative | \
            *:--tails | *:--sigma | *:--tau | *:--user | *:--cc | *:--flags | *:--jobs | *:--timeout | *:--after | \
            *:--part | *:--keys | release:--counts | *:--by | *:--contributions | *:--sum | *:--mean | \
            *:--variance | *:--quantile | *:--truncate | *:--range | *:--along | *:--rounds | *:--utility | \
            *:--step | *:--separator | *:-n | *:--renyi | *:--split | *:--refill | *:--every | *:--from | \
            *:--parts | *:--planned | *:--threshold | *:--seed | *:--threads | *:--quasi | *:--bars | *:--size | \
            *:--error | *:--command | *:--command-seconds | *:--columns | *:--name | *:--pairs | *:--recorded | \
            *:--slack | *:--sets | *:--distance | *:--omega | *:--gamma1 | *:--levels | *:--direction | *:--point | \
            *:--halfplane | *:--move)
            ;;
        *:--stream)
            _probity_words "1 2" "$2" ;;
        *:--panel)
            _probity_words "1 2 3 4 5 6" "$2" ;;
        loss:--neighbours | explain:--neighbours | select:--neighbours | certify:--neighbours | \
            ledger:--neighbours | audit:--neighbours)
            _probity_words "add-remove substitute local" "$2" ;;
        accuracy:--neighbours)
            _probity_words "all next" "$2"; ((${#COMPREPLY[@]})) || _probity_files "$2" ;;
        *:--tuning)
            _probity_words "best cited" "$2" ;;
        *:--rows)
            _probity_words "disjoint overlapping=" "$2" ;;
        *:--composition)
            _probity_words "exact basic advanced optimal" "$2" ;;
        *:--accounting)
            _probity_words "exact basic filter zcdp renyi gdp odometer" "$2" ;;
        *:--plot | *:--events | random:--neighbours | prove:--json | *:--report | *:--certify | *:--input | \
            *:--sign | *:-o | *:--coq | *:--proof | *:--deployment | *:--page | *:--key | *:--prove | *:--junit | \
            *:--sarif | *:--badge | *:--receipt | *:--against | *:--text | *:--objects | *:--cache | *:--ledger | \
            *:--certificate | *:--filter | *:--group-by | *:--queries | *:--scatter | *:--keep | *:--plan | \
            *:--curve | draw:--scores | *:--memo | *:--candidates | *:--count-to | *:--state | *:--search | \
            *:--dossier | *:--mechanism | *:--utilities | *:--new-utilities | *:--new-neighbours | *:--samples | \
            *:--svg)
            _probity_files "$2" ;;
        *:--shape)
            _probity_words "histogram select gate local" "$2" ;;
        *:--form)
            _probity_words "json jsonl csv" "$2" ;;
        *:--metric)
            _probity_words "line discrete" "$2"; ((${#COMPREPLY[@]})) || _probity_files "$2" ;;
        *:--features)
            _probity_words "output shape order value tail bits score" "$2" ;;
        *:--conversion)
            _probity_words "pure-to-renyi pure-to-renyi-classical pure-to-zcdp pure-to-zcdp-classical renyi-to-approx renyi-to-approx-classical zcdp-to-approx zcdp-to-approx-classical zcdp-to-approx-bs" "$2" ;;
        *:--release | *:--law | *:--certified)
            _probity_specs "$2" ;;
        *:--statistic)
            _probity_statistics "$2" ;;
        # options end
        *) return 1 ;;
    esac
}

_probity_options()
{
    case $1 in
        # options begin: options
        loss) echo "--epsilon --delta --order --zcdp --mu --profile --xi --group --conversion --composition --width
            --plot --events --neighbours --digits --json --seconds --memory" ;;
        explain) echo "--neighbours --digits --json --report --self-checking --seconds --memory" ;;
        select) echo "--epsilon --delta --rho --mu --neighbours --uses --resolution --records --bound --dimension
            --alpha --beta --certify --digits --json --seconds --memory" ;;
        accuracy) echo "--n --records --support --bucket --beta --gamma --statistic --k --q --eta --density --within
            --between --sensitivity --neighbours --theta --input --alpha --not-private --average --zeros --relative
            --tails --then --sigma --tau --digits --json --seconds --memory" ;;
        certify) echo "--epsilon --zcdp --order --mu --xi --delta --neighbours --user --records --n --support --bucket
            --beta --gamma --sign -o --coq --proof --deployment --page --json --quiet --seconds --memory" ;;
        verify) echo "--key --prove --coq --deployment --json --seconds --memory" ;;
        keygen) echo "-o --json --seconds --memory" ;;
        prove) echo "--shape --json --junit --sarif --badge --receipt --sign --against --text --objects --cc --flags
            --accept --mutate --lemmas --cache --no-cache --jobs --timeout --quiet --show --root --key" ;;
        plan) echo "--json --report -o --sign --ledger --certificate --after --part --seconds --memory" ;;
        release) echo "--keys --counts --by --user --contributions --sum --mean --variance --quantile --filter
            --group-by --truncate --statistic --k --q --ledger --after --part --timing-safe --range --queries --along
            --scatter --rounds --utility --keep --step --separator -n -o --json --quiet --seconds --memory" ;;
        ledger) echo "--epsilon --delta --rho --renyi --mu --order --split --refill --every --from --parts
            --neighbours --accounting --rows --user --plan --part --curve --form --report --planned --after --json
            --seconds --memory" ;;
        session) echo "--threshold --ledger --after --json --seconds --memory" ;;
        draw) echo "-n --scores --seed --stream --threads --timing-safe --coq --json --seconds --memory" ;;
        stat) echo "--k --q --quasi --json --seconds --memory" ;;
        microdata) echo "--bars --epsilon --digits --json --seconds --memory" ;;
        smalldb) echo "--queries --size --ledger -o --alpha --records --beta --json --quiet --seconds --memory" ;;
        report) echo "--memo --new --once --user --ledger --seed --seconds --memory" ;;
        estimate) echo "--error --candidates --digits --json --seconds --memory" ;;
        audit) echo "--epsilon --delta --rho --mu --error --json --report --command --command-seconds --release
            --inputs -n --law --counts --count-to --sequential --state --certified --neighbours --queries --features
            --columns --name --keep --scores --guesses --runs --search --pairs --dossier --sign --page --time --trace
            --recorded --slack --assume-fixed --allow-seeds --sarif --seconds --memory" ;;
        deployment) echo "-o --sign --json --seconds --memory" ;;
        experiment) echo "--panel --seed --sets --tuning -o --json --seconds --memory" ;;
        condensed) echo "--metric --alpha --distance --digits --json --seconds --memory" ;;
        random) echo "--mechanism --alpha --omega --gamma --beta --gamma1 --rho --epsilon --theta --utilities
            --new-utilities --neighbours --new-neighbours --digits --json --seconds --memory" ;;
        geometry) echo "--levels --direction --point --samples --svg --halfplane --move --digits --json --seconds
            --memory" ;;
        # options end
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
    _probity_value "$before" "$word" "$command" && return
    if [[ $word == -* ]]; then
        _probity_words "$(_probity_options "$command") --help" "$word"
        return
    fi
    case $command in
        select) _probity_families "$word" ;;
        stat) if ((COMP_CWORD == 2)); then _probity_statistics "$word" "anonymity separator"; else _probity_files "$word"; fi ;;
        experiment) ((COMP_CWORD == 2)) && _probity_words "central figure1 figure4" "$word" ;;
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
