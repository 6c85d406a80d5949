/* SPDX-License-Identifier: MIT */
/* Probity: differential privacy that can be checked. */
#ifndef PROBITY_H
#define PROBITY_H

#include "probity/audit.h"
#include "probity/certificate.h"
#include "probity/enclosure.h"
#include "probity/family.h"
#include "probity/interrupt.h"
#include "probity/key.h"
#include "probity/ledger.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "probity/record.h"
#include "probity/release.h"
#include "probity/report.h"
#include "probity/select.h"
#include "probity/spec.h"
#include "probity/status.h"
#include "probity/table.h"
#include "probity/value.h"

/* These may change in a minor version (docs/library.md). */
#include "probity/experimental/accuracy.h"
#include "probity/experimental/anonymity.h"
#include "probity/experimental/arrow.h"
#include "probity/experimental/auditing.h"
#include "probity/experimental/bucketing.h"
#include "probity/experimental/buckets.h"
#include "probity/experimental/canary.h"
#include "probity/experimental/certified.h"
#include "probity/experimental/condensed.h"
#include "probity/experimental/draw.h"
#include "probity/experimental/entropy.h"
#include "probity/experimental/estimate.h"
#include "probity/experimental/experiment.h"
#include "probity/experimental/keyed.h"
#include "probity/experimental/ledgers.h"
#include "probity/experimental/losses.h"
#include "probity/experimental/memo.h"
#include "probity/experimental/microdata.h"
#include "probity/experimental/parts.h"
#include "probity/experimental/plan.h"
#include "probity/experimental/projection.h"
#include "probity/experimental/random.h"
#include "probity/experimental/records.h"
#include "probity/experimental/reports.h"
#include "probity/experimental/robust.h"
#include "probity/experimental/search.h"
#include "probity/experimental/separator.h"
#include "probity/experimental/session.h"
#include "probity/experimental/stable.h"
#include "probity/experimental/statistic.h"
#include "probity/experimental/timing.h"
#include "probity/experimental/trace.h"
#include "probity/experimental/work.h"

/* The version of these headers, for #if. */
#define PBY_VERSION_MAJOR 1
#define PBY_VERSION_MINOR 0
#define PBY_VERSION_PATCH 0
#define PBY_VERSION_STAGE "-rc1" /* "" in a release */

PBY_BEGIN_API

/* The version of the library that is linked, such as "1.0.0-rc1". */
PBY_CHECKED
const char *pby_version(void);

/* Gives back what the arithmetic below keeps for the calling thread: numbers that it has worked out once and
 * memory to reuse, some hundred kilobytes. For the end of a thread that has called the library; what the
 * thread has made stays, and it may call the library again. */
void pby_thread_end(void);

PBY_END_API

#endif
