/* SPDX-License-Identifier: MIT */
#include "table/map/arguments.h"

const pby_arguments pby_arguments_library = {
    .keys = "keys",
    .counts = "counts",
    .filter = "map",
    .group = "map",
    .truncate = "truncate",
    .statistic = "statistic",
    .ledger = "ledger",
    .timing_safe = "timing_safe",
    .queries = "queries",
    .range = "range",
    .along = "along",
    .by = "by",
    .user = "user",
    .contributions = "contributions",
    .value = "value",
    .quantiles = "quantiles",
    .scatter = "scatter",
    .rounds = "rounds",
    .utility = "utility",
    .keep = "keep",
    .step = "step",
};
