#!/bin/sh
# SPDX-License-Identifier: MIT
# From raw records in CSV to the released tables of a plan: count, sum and mean of 200 groups, of each user at most two
# rows in each of two groups. Beside the counts alone, which must cost two thirds of that or more; beside pandas, Polars
# and DuckDB, which bound the same way and add no noise; and plan check of ten statistics in 52 releases, within 10
# seconds. Seconds of processor time of whole processes, in one run.
set -eu
here=$(dirname "$0")
rows=${ROWS:-10000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk -v n="$rows" 'BEGIN {
    srand(1); print "shop,customer,amount"
    for (i = 0; i < n; i++) printf "shop%03d,c%d,%d\n", 200 * rand() * rand(), n / 5 * rand(), 100 * rand()
}' >"$folder/records.csv"
awk 'BEGIN { for (i = 0; i < 200; i++) printf "shop%03d\n", i }' >"$folder/shops.txt"

# plan NAME TIMES STATISTIC...: a plan of statistics by shop, each KIND or KIND:WEIGHT
plan() {
    name=$1 times=$2
    shift 2
    cat >"$folder/$name.toml" <<END
format = "probity-plan"
version = 1
[unit]
user = "customer"
rows = 4
[budget]
epsilon = 1
delta = "1e-6"
[horizon]
times = $times
[columns.amount]
low = 0
high = 60
step = 1
[groupings.shops]
by = ["shop"]
file = "shops.txt"
groups_per_user = 2
rows_per_group = 2
expect = 20000
END
    number=0
    for kind in "$@"; do
        number=$((number + 1))
        printf '[[statistics]]\nname = "s%d"\nkind = "%s"\ngroup = "shops"\n' "$number" "$kind" >>"$folder/$name.toml"
        case $kind in count | users) ;; *) printf 'of = "amount"\n' >>"$folder/$name.toml" ;; esac
        case $kind in histogram) printf 'width = %d\n' "$number" >>"$folder/$name.toml" ;; esac
        case $kind in quantile) printf 'q = ["%d/20"]\n' "$number" >>"$folder/$name.toml" ;; esac
    done
}

# The processor time of a command, of whose threads all count.
cost() {
    command time -o "$folder/time" -f '%U %S' "$@" >/dev/null
    awk 'END { printf "%.2f", $1 + $2 }' "$folder/time"
}

# The processor time of one release of a plan.
released() {
    "$PROBITY" ledger init "$folder/$1.ledger" --plan "$folder/$1.toml"
    cost "$PROBITY" plan release "$folder/$1.toml" "$folder/records.csv" -o "$folder/$1" --ledger "$folder/$1.ledger"
}

over() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }

plan counts 12 count
plan three 12 count sum mean
plan ten 52 count users sum mean variance histogram histogram histogram sum users
counts=$(released counts)
three=$(released three)
printf '%-38s %10s %10s\n' "$rows records to tables" 'seconds' 'of ours'
printf '%-38s %10s\n' 'probity, counts' "$counts"
printf '%-38s %10s\n' 'probity, counts, sums and means' "$three"
for peer in pandas polars duckdb; do
    sh "$PEER" "$peer" -c "import $peer" || continue
    theirs=$(cost sh "$PEER" "$peer" "$here/peer.py" "$peer" "$folder") || continue
    printf '%-38s %10s %10s\n' "$peer, without privacy" "$theirs" "$(over "$theirs" "$three")"
done
checked=$(cost "$PROBITY" plan check "$folder/ten.toml")
printf '%-38s %10s\n' 'plan check, 10 statistics, 52 releases' "$checked"
printf '%-38s %10s\n' 'three statistics over counts' "$(over "$three" "$counts")"
awk "BEGIN { exit !($three <= 1.5 * $counts) }" || { echo 'three statistics cost more than 1.5 times the counts' >&2; exit 1; }
awk "BEGIN { exit !($checked <= 10) }" || { echo 'plan check took more than 10 seconds' >&2; exit 1; }
