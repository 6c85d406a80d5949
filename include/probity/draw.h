/* Exact noise, one integer at a time or a million.
 *
 * A sampler holds the integer cut table of a mechanism's noise law. Every draw has exactly that law:
 * a word that the table cannot decide is refined with more words and more precision until it is
 * decided, and a value beyond the table is drawn by the law's own structure.
 *
 * A sampler is read-only once made: threads may share one, each with an entropy source of its own.
 */
#ifndef PROBITY_DRAW_H
#define PROBITY_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "probity/entropy.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_sampler pby_sampler;

/* The sampler of a spec's noise; refused for a spec of several mechanisms, and for one that is known
 * by its guarantee alone. */
PBY_CHECKED pby_status pby_sampler_new(pby_sampler **out, const pby_spec *spec, pby_error *err);
void pby_sampler_free(pby_sampler *sampler);

/* Draws noise[0 .. count-1]; about one word each. On failure the buffer is wiped. */
PBY_CHECKED pby_status pby_draw_many(pby_sampler *sampler, pby_entropy *source, int64_t *noise,
                                     size_t count, pby_error *err);

PBY_END_API

#endif
