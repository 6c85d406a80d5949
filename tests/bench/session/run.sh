#!/bin/sh
# SPDX-License-Identifier: MIT
# A session: questions that stay below, by the hundred thousand, and positive answers, each on the disk before it is shown.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
below=1000000
tops=200
now() { date +%s%N; }

"$PROBITY" session open "$folder/below" above:eps=1 --threshold 1000000
seq 1 $below | sed 's/.*/0/' > "$folder/zeros"
start=$(now)
"$PROBITY" session ask "$folder/below" "$folder/zeros" > "$folder/answers"
end=$(now)
[ "$(sort -u "$folder/answers")" = below ] && [ "$(wc -l < "$folder/answers")" -eq $below ]
awk "BEGIN { printf \"below: %.0f answers a second, of %d\n\", $below / (($end - $start) / 1e9), $below }"

"$PROBITY" session open "$folder/above" $tops*above:eps=1 --threshold 0
seq 1 $tops | sed 's/.*/1000000/' > "$folder/ones"
start=$(now)
"$PROBITY" session ask "$folder/above" "$folder/ones" > "$folder/answers"
end=$(now)
[ "$(sort -u "$folder/answers")" = above ] && [ "$(wc -l < "$folder/answers")" -eq $tops ]
awk "BEGIN { printf \"above: %.2f ms an answer, each durable before it is shown, of %d\n\", ($end - $start) / 1e6 / $tops, $tops }"
