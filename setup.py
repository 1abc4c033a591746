"""The Python package: its version, and the library of build/ where there is one.

The package itself needs no compiler. Without a library of its own it takes the installed one.
"""

import re
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
LIBRARY = ROOT / "build" / "libmotorcade.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        if LIBRARY.is_file():
            shutil.copyfile(LIBRARY, Path(self.build_lib) / "motorcade" / "libmotorcade.so.0")


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return LIBRARY.is_file()


setup(
    version=re.search(r"project\(motorcade VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1],
    cmdclass={"build_py": BuildWithLibrary},
    distclass=BinaryDistribution,
)
