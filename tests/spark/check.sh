#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh BUILD: the tests of tests/spark on a Spark of two executors, in the environment that tests/python/check.sh has
# made. Spark comes from pip; where pip cannot fetch it the tests are left out with a word.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
fresh=$build/python/fresh

if [ ! -x "$fresh/bin/pytest" ]; then
    echo "spark: skipped, without the environment of tests/python/check.sh"
    exit 0
fi
if ! "$fresh/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt" 2>"$build/spark-pip.log"; then
    echo "spark: skipped, pip cannot fetch pyspark"
    exit 0
fi
# Names of this machine need not resolve.
export SPARK_LOCAL_IP=127.0.0.1
cd "$build" && "$fresh/bin/pytest" -q -p no:cacheprovider "$here"
