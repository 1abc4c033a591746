#!/usr/bin/env python3
"""Packs the sources of a unit (docs/fmu.md): what the linker took into motorcade_fmu.so, with its headers.

usage: fmu_sources.py ROOT BUILD MAP OUT.zip

MAP is the linker's map of motorcade_fmu.so. Every source file gets a copy that begins with what
the build gives the compiler as options, so that an importer needs none; vector code gets one copy
per processor level. buildDescription.xml lists them with @ID@ for the model identifier.
"""

import re
import sys
import zipfile
from pathlib import Path

EXTERNAL = ("fyaml lapack blas amd suitesparseconfig sundials_cvode sundials_nvecserial "
            "sundials_generic expat z sleef m").split()
EXACT = '#pragma GCC optimize("fp-contract=off", "no-math-errno")\n'
LEVELS = {  # of CMakeLists.txt
    "lanes_plain": ("plain", "", ""),
    "lanes_avx2": ("avx2", '#pragma GCC target("avx2,fma")\n', ""),
    "lanes_avx512": ("avx512", '#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512vl")\n', "#define LANES_WIDE\n"),
}
# Where a program would look for shipped files and other programs: a unit has all it needs.
NOWHERE = ("MOTORCADE_DATA_FROM_BIN", "MOTORCADE_DATA_FROM_LIB", "MOTORCADE_SOURCE_DIR", "MOTORCADE_DATA_DIR",
           "MOTORCADE_FMU_FROM_BIN", "MOTORCADE_FMU_BUILT", "MOTORCADE_HOST_FROM_BIN", "MOTORCADE_HOST_FROM_LIB",
           "MOTORCADE_HOST_BUILT")


def headers(text, folders, found):
    """All headers of ours that a text includes, and those that these include."""
    for name in re.findall(r'^#include "([^"]+)"', text, re.M):
        if name in found:
            continue
        path = next((folder / name for folder in folders if (folder / name).is_file()), None)
        if path is None:
            sys.exit(f"fmu_sources.py: no header {name}")
        found[name] = path.read_text()
        headers(found[name], folders, found)


def prefixed(part, name, text):
    lines = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n"
    if part in LEVELS:
        variant, target, wide = LEVELS[part]
        lines += target + EXACT + f"#define LANES_VARIANT {variant}\n{wide}"
        return f"{variant}/{name}", lines + f'#line 1 "{name}"\n' + text
    lines += EXACT
    lines += "".join(f'#define {word} "none"\n' for word in NOWHERE if word in text)
    return name, lines + f'#include "base/plain.h"\n#line 1 "{name}"\n' + text


def build_description(names):
    files = "".join(f'      <SourceFile name="{name}"/>\n' for name in names)
    libraries = "".join(f'    <Library name="{name}" external="true"/>\n' for name in EXTERNAL)
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<fmiBuildDescription fmiVersion="3.0">\n'
            f'  <BuildConfiguration modelIdentifier="@ID@">\n'
            f'    <SourceFileSet language="C17" compiler="gcc" compilerOptions="-std=gnu17 -O2 -fPIC">\n'
            f"{files}    </SourceFileSet>\n{libraries}  </BuildConfiguration>\n</fmiBuildDescription>\n")


def main():
    root, build, map_file, out = (Path(a) for a in sys.argv[1:])
    taken = sorted(set(re.findall(r"CMakeFiles/(\w+)\.dir/(?:\./)?src/(\S+?\.c)\.o", map_file.read_text())))
    folders = [root / "src", root / "include", build / "include"]
    found, files = {}, {}
    for part, name in taken:
        if name == "fmi/alone.c":  # for static libraries only
            continue
        text = (root / "src" / name).read_text()
        headers('#include "base/plain.h"\n' + text, folders, found)
        name, text = prefixed(part, name, text)
        files[name] = text
    if len(files) < 100:
        sys.exit(f"fmu_sources.py: {map_file} does not name the files of src")
    names = sorted(files)
    files.update(found)
    files["buildDescription.xml"] = build_description(names)
    files["LICENSE"] = (root / "LICENSE").read_text()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name], zipfile.ZIP_DEFLATED)


main()
