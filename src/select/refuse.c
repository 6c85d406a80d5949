#include "select/refuse.h"

#include <stdlib.h>

pby_status pby_refuse_number(pby_error *err, const char *name, mpq_srcptr value, const char *expected)
{
    char *text = mpq_get_str(NULL, 10, value);
    const pby_status status = text == NULL ? pby_no_memory(err) : pby_refuse(err, name, text, expected);
    free(text);
    return status;
}
