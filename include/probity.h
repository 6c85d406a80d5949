/* SPDX-License-Identifier: MIT */
/* Probity: differential privacy that can be checked. */
#ifndef PROBITY_H
#define PROBITY_H

#include "probity/accuracy.h"
#include "probity/anonymity.h"
#include "probity/arrow.h"
#include "probity/audit.h"
#include "probity/bucketing.h"
#include "probity/canary.h"
#include "probity/certificate.h"
#include "probity/condensed.h"
#include "probity/draw.h"
#include "probity/enclosure.h"
#include "probity/entropy.h"
#include "probity/estimate.h"
#include "probity/experiment.h"
#include "probity/family.h"
#include "probity/interrupt.h"
#include "probity/key.h"
#include "probity/keyed.h"
#include "probity/ledger.h"
#include "probity/loss.h"
#include "probity/memo.h"
#include "probity/microdata.h"
#include "probity/plan.h"
#include "probity/projection.h"
#include "probity/random.h"
#include "probity/rational.h"
#include "probity/record.h"
#include "probity/records.h"
#include "probity/release.h"
#include "probity/report.h"
#include "probity/robust.h"
#include "probity/search.h"
#include "probity/select.h"
#include "probity/separator.h"
#include "probity/session.h"
#include "probity/spec.h"
#include "probity/stable.h"
#include "probity/statistic.h"
#include "probity/status.h"
#include "probity/table.h"
#include "probity/trace.h"
#include "probity/work.h"

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
