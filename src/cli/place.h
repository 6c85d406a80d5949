/* Keys as places: what a key is where the bars of a histogram are to stand in order, and what they are together. */
#ifndef PBY_CLI_PLACE_H
#define PBY_CLI_PLACE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum pby_key_kind {
    PBY_PLACE_NAME,
    PBY_PLACE_NUMBER, /* as probity/rational.h reads it */
    PBY_PLACE_POINT,  /* two numbers or more with a space between, as a release writes the centre of a cube */
    PBY_PLACE_BEYOND  /* written as a number, of more digits or with a larger exponent than are read */
} pby_key_kind;

/* Sets at, which must be initialised, to the position of a number; of any other key it is left with some value. */
pby_key_kind pby_key_kind_of(mpq_t at, const char *key);

/* All keys so far; all zero before the first. */
typedef struct pby_places {
    uint64_t count[PBY_PLACE_BEYOND + 1]; /* of each kind */
    uint64_t beyond;                      /* the line of the first that is beyond */
} pby_places;

void pby_places_add(pby_places *places, pby_key_kind place, uint64_t line);

/* Whether bars stand at their positions: every key is a number. */
bool pby_places_numbers(const pby_places *places);

/* Whether every key is a point, and there is one: then there is no order. */
bool pby_places_points(const pby_places *places);

/* Whether bars stand in the order of the rows although some keys are numbers. */
bool pby_places_mixed(const pby_places *places);

/* The line of the first key that alone, by being beyond what is read, would take the order of the numbers away: 0 if
 * there is none, or a key is not written as a number at all. Such a key is refused. */
uint64_t pby_places_beyond(const pby_places *places);
extern const char pby_places_expected[];

#endif
