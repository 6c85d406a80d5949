#include "table/arguments.h"

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
    .scatter = "scatter",
    .rounds = "rounds",
};
