#!/bin/sh
# SPDX-License-Identifier: MIT
# Goals that install packages may run at once: only one apt-get runs at a time. The tools that find and install packages
# are others here, that install nothing.  usage: packages.sh
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"

# Nothing is installed, and a second apt-get at the same time fails, as Debian's does.
printf '#!/bin/sh\nexit 1\n' >"$work/bin/dpkg-query"
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
cat >"$work/bin/apt-get" <<END
#!/bin/sh
mkdir "$work/running" 2>/dev/null || { echo 'packages: two apt-get at once' >&2; exit 100; }
sleep 0.1
echo "\$*" >>"$work/calls"
rmdir "$work/running"
END
chmod +x "$work"/bin/*

PATH="$work/bin:$PATH" MAKEFLAGS= MAKELEVEL= make --no-print-directory -j4 "BUILD=$work/build" \
    setup-build setup-check setup-prove setup-bench >/dev/null
[ "$(wc -l <"$work/calls")" = 8 ] || { echo 'packages: not every set was installed' >&2; exit 1; }
echo "packages: sets of them are installed one after the other"
