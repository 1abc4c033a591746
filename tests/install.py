#!/usr/bin/env python3
"""Installs a build under a prefix it does not know, and builds programs there as a user would.

usage: install.py ROOT BUILD VERSION

1. Licence and docs are installed. The installed libraries export exactly the names of the installed
   headers (symbols.py).
2. tests/install/outside.c, whose functions have the same names as internal ones of the library, is
   built with CMake's find_package and by pkg-config, each with the shared and the static library, without
   warnings. All four programs run a shipped scenario with the same bits.
3. Another version is not found, nor a component that does not exist.
4. The programs of the reports answer under their own names.
5. After the tree is moved, a program still finds the library and its data.

Prints which step fails, with its output; the exit code is then 1.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

WARNINGS = "-std=c17 -Wall -Wextra -Wpedantic -Werror".split()


class Failure(Exception):
    pass


def run(*command, fails=False, **variables):
    """What a command prints. fails: it must, and what it says is returned."""
    words = [str(word) for word in command]
    environment = {**os.environ, "LC_ALL": "C", **{k: str(v) for k, v in variables.items()}}
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    if (done.returncode != 0) != fails:
        how = "succeeds" if fails else f"fails with {done.returncode}"
        raise Failure(f"{' '.join(words)}: {how}\n{done.stdout}{done.stderr}")
    return done.stderr if fails else done.stdout


def expect(holds, message):
    if not holds:
        raise Failure(message)


def check_names(root, prefix, libraries):
    both = [libraries / "libmotorcade.a", libraries / "libmotorcade.so"]
    run(sys.executable, root / "tests/symbols.py", prefix / "include", *both)
    soname = run("readelf", "-d", both[1])
    expect("[libmotorcade.so.0]" in soname, f"no soname libmotorcade.so.0:\n{soname}")


def build_by_cmake(root, prefix, folder, version):
    options = ["-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_FLAGS={' '.join(WARNINGS)}"]
    run("cmake", "-S", root / "tests/install", "-B", folder, f"-DVERSION={version}", *options)
    run("cmake", "--build", folder)
    return [folder / "by_cmake_shared", folder / "by_cmake_static"]


def build_by_pkg_config(root, libraries, folder, version):
    source, path = root / "tests/install/outside.c", libraries / "pkgconfig"
    programs = []
    for package in ("motorcade", "motorcade-static"):
        ask = ["pkg-config", "--cflags", "--libs", f"{package} = {version}"]
        flags = run(*ask, PKG_CONFIG_PATH=path).split()
        programs.append(folder / f"by_pkg_config_{package}")
        run("cc", *WARNINGS, source, "-o", programs[-1], *flags)
    # --static adds what the archive needs, here instead of the shared library.
    flags = run("pkg-config", "--static", "--cflags", "--libs", "motorcade", PKG_CONFIG_PATH=path)
    flags = flags.replace("-lmotorcade", "-l:libmotorcade.a").split()
    programs.append(folder / "by_pkg_config_--static")
    run("cc", *WARNINGS, source, "-o", programs[-1], *flags)
    return programs


def check_programs(programs, libraries, version, data):
    """All print the same motion; those with the shared library find its data."""
    motions = set()
    for program in programs:
        found, folder, motion = run(program, LD_LIBRARY_PATH=libraries).splitlines()
        needed = run("ldd", program, LD_LIBRARY_PATH=libraries)
        shared = "libmotorcade.so.0 => " in needed
        expect(shared == (program.name.split("_")[-1] in ("shared", "motorcade")), needed)
        expect(found == version, f"{program}: version {found}, expected {version}")
        expect(not shared or folder == str(data), f"{program}: data in {folder}, expected {data}")
        motions.add(motion)
    expect(len(motions) == 1, f"the programs' motions differ: {motions}")


def check_rejections(root, prefix, folder):
    def configure(text, name):
        project = folder / name
        project.mkdir()
        lines = ["cmake_minimum_required(VERSION 3.22)", "project(x LANGUAGES C)", text]
        (project / "CMakeLists.txt").write_text("\n".join(lines))
        options = [f"-DCMAKE_PREFIX_PATH={prefix}", "-G", "Ninja"]
        return run("cmake", "-S", project, "-B", project / "build", *options, fails=True)

    said = configure("find_package(motorcade 99.0 REQUIRED)", "newer")
    expect('requested version "99.0"' in said, said)
    said = configure("find_package(motorcade REQUIRED COMPONENTS wings)", "component")
    expect("unknown component wings" in said, said)


def check_own_names(prefix):
    for name in ("medusa", "dynavis1", "dynavis2", "dynavisiden", "dynavis-gas"):
        said = run(prefix / "bin" / name, "-h")
        same = run(prefix / "bin/motorcade", name, "-h")
        expect(len(said) > 200 and said == same, f"{name} -h is not motorcade {name} -h:\n{said}")


def check(root, build, version, folder):
    prefix = folder / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    libraries = next(prefix.rglob("libmotorcade.so")).parent
    data = prefix / "share/motorcade/scenarios"
    check_names(root, prefix, libraries)
    for name in ("LICENSE", "README.md", "docs/manual.md"):
        expect((prefix / "share/doc/motorcade" / name).is_file(), f"{name} is not installed")
    printed = run(prefix / "bin/motorcade", "--version")
    expect(printed == f"motorcade {version}\n", f"the command says {printed}")
    check_own_names(prefix)
    programs = build_by_cmake(root, prefix, folder / "cmake", version)
    programs += build_by_pkg_config(root, libraries, folder, version)
    check_programs(programs, libraries, version, data)
    check_rejections(root, prefix, folder)
    moved = folder / "moved"
    prefix.rename(moved)
    shared = [p for p in programs if p.name.endswith("_motorcade")]
    check_programs(
        shared, moved / libraries.relative_to(prefix), version, moved / data.relative_to(prefix)
    )
    return len(programs)


def main(arguments):
    if len(arguments) != 3:
        sys.exit(__doc__)
    root, build, version = Path(arguments[0]).resolve(), Path(arguments[1]).resolve(), arguments[2]
    with tempfile.TemporaryDirectory() as folder:
        try:
            count = check(root, build, version, Path(folder).resolve())
        except Failure as failure:
            print(failure)
            return 1
    print(f"install: {count} programs outside build and run")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
