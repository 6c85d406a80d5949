/* Misspelt names: of families, parameters, commands and options. */
#ifndef PBY_NEAREST_H
#define PBY_NEAREST_H

#include <stddef.h>

/* The name in the list (ended by NULL) that text is most likely a misspelling of, or NULL: the first of
 * those that the fewest letters inserted, dropped, changed or swapped with the next turn it into, at most
 * two of them and fewer than the name has. A name that is cut short or spelt out (three letters or more,
 * then nothing or any ending) counts as one letter away. */
const char *pby_nearest(const char *text, const char *const *names);

/* Appends "; did you mean NAME?" to the text in out, which holds size bytes, where there is such a name and
 * room for all of it. */
void pby_suggest(char *out, size_t size, const char *text, const char *const *names);

#endif
