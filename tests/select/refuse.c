#include "select/refuse.h"

#include <criterion/criterion.h>

Test(select_refuse, shows_the_number_in_lowest_terms)
{
    pby_error err;
    mpq_t q;
    mpq_init(q);
    mpq_set_si(q, -6, 4);
    mpq_canonicalize(q);
    cr_assert_eq(pby_refuse_number(&err, "it", q, "more"), PBY_BAD);
    cr_assert_str_eq(err.text, "it '-3/2': expected more");
    cr_assert_eq(pby_refuse_number(NULL, "it", q, "more"), PBY_BAD);
    mpq_clear(q);
}
