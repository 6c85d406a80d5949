#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs one peer in a process of its own, within PEER_SECONDS.  usage: peer.sh NAME SCRIPT [ARGUMENT...]
# Another library must not end our benchmarks: one that is missing, raises an error or takes too long gets a line that
# says so, here and at the end of `make bench`, and exit status 1. Its row or ratio is then left out.
set -u
name=$1
shift
seconds=${PEER_SECONDS:-300}

leave_out() {
    echo "$name is left out: $1" >&2
    [ -z "${LEFT_OUT:-}" ] || echo "$name: $1" >>"$LEFT_OUT"
    exit 1
}

[ -x "$PYTHON" ] || leave_out 'no peers are installed'
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
timeout -k 5 "$seconds" "$PYTHON" "$@" 2>"$errors"
status=$?
case $status in
0) exit 0 ;;
124 | 137) leave_out "no answer in $seconds seconds" ;;
*) leave_out "$(grep . "$errors" | tail -1 | cut -c1-160)" ;;
esac
