/* SPDX-License-Identifier: MIT */
/* Certifies and releases in C++17, with probity.hpp: objects that free themselves, and errors as exceptions.
 *
 *     c++ -std=c++17 $(pkg-config --cflags probity) face.cpp $(pkg-config --libs probity) -o face
 *
 * or with CMake: find_package(probity 0.2 REQUIRED) and target_link_libraries(face probity::probity).
 *
 * It prints:
 *     stlap:eps=1/2,q=40 at epsilon 1/2: delta in [1.4726e-05, 1.4727e-05]
 *     certified: delta at most 1.4726618650060221602e-05
 *     adults: lost 40 at most
 *     spent: delta up to 1.4727e-05
 *     refused (status 1, reason budget): nothing was released
 *     refused (status 2, reason argument): stlap:eps '-1': expected a rational above 0
 */
#include <fstream>
#include <iostream>
#include <probity.hpp>
#include <sstream>

static void refused(const probity::error &e, const std::string &text)
{
    std::cout << "refused (status " << e.status() << ", reason " << pby_reason_text(e.reason())
              << "): " << text << "\n";
}

static void run()
{
    const probity::spec spec("stlap:eps=1/2,q=40");
    const probity::bounds delta = probity::delta(spec, "1/2", PBY_ADD_REMOVE, 5);
    std::cout << spec.text() << " at epsilon 1/2: delta in [" << delta.lo << ", " << delta.hi << "]\n";

    const std::string certificate = probity::certify(spec, "1/2");
    std::ofstream("certificate.json") << certificate;
    std::cout << "certified: delta at most " << probity::certificate(certificate).delta_hi() << "\n";
    probity::ledger::create("ages.ledger", "1/2", "2e-5");

    std::istringstream csv("age,people\n0-17,1200\n18-64,4500\n65+,2100\n");
    probity::table ages = probity::table::csv(csv);
    probity::table groups = ages.group_by({"18-64", "65+"}, {"adults", "adults"});
    probity::permission by = probity::permission::certificate("certificate.json", "ages.ledger");
    probity::table out = probity::release(by, groups);
    while (out.next())
        if (out.count() <= 6600 && out.count() >= 6560)
            std::cout << out.key() << ": lost 40 at most\n";
    out.write("noisy.csv");
    std::cout << "spent: delta up to " << probity::ledger("ages.ledger").spent(5).delta.hi << "\n";
    try {
        probity::release(by, groups);
    } catch (const probity::error &e) {
        refused(e, "nothing was released");
    }
}

int main()
{
    try {
        run();
        const probity::spec bad("stlap:eps=-1,q=40");
    } catch (const probity::error &e) {
        refused(e, e.what());
        return e.reason() == PBY_REASON_ARGUMENT ? 0 : 1;
    }
    return 1;
}
