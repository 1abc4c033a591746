"""Plots drawn by the library: SVG, shown by notebooks as they are."""

from __future__ import annotations

import ctypes as C
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Optional, Sequence

import numpy as np

from . import _abi
from ._library import PathLike, check, doubles, library, take_text

Style = Literal["line", "points", "steps"]
_STYLES = {
    "line": _abi.MC_PLOT_STYLE_LINE,
    "points": _abi.MC_PLOT_STYLE_POINTS,
    "steps": _abi.MC_PLOT_STYLE_STEPS,
}


@dataclass
class Curve:
    """A curve of a plot; y may have NaN, which is a gap."""

    label: str
    x: np.ndarray
    y: np.ndarray
    unit: str = ""
    style: Style = "line"


class Plot:
    """Curves over one axis, with one panel per unit. A notebook shows it; `save` writes it."""

    def __init__(
        self, curves: Sequence[Curve], x: str = "Time", x_unit: str = "", title: str = "",
        width: float = 0.0,
    ):
        self.curves, self.x, self.x_unit = list(curves), x, x_unit
        self.title, self.width = title, width
        self._svg: Optional[str] = None

    def _draw(self) -> str:
        keep: list[np.ndarray] = []
        c_curves = (_abi.mc_plot_curve * max(len(self.curves), 1))()
        for to, curve in zip(c_curves, self.curves):
            x = np.ascontiguousarray(curve.x, np.float64)
            y = np.ascontiguousarray(curve.y, np.float64)
            if x.shape != y.shape or x.ndim != 1:
                raise ValueError(f"{curve.label}: x has the shape {x.shape}, y {y.shape}")
            keep += [x, y]
            to.label, to.unit = curve.label.encode(), curve.unit.encode()
            to.x, to.y, to.count = doubles(x), doubles(y), len(x)
            to.style = _STYLES[curve.style]
        panels = (_abi.mc_plot_panel * max(len(self.curves), 1))()
        count = library.mc_plot_by_unit(c_curves, len(self.curves), panels)
        c_plot = _abi.mc_plot(title=self.title.encode(), panels=panels, panel_count=count)
        c_plot.x.label, c_plot.x.unit, c_plot.width = self.x.encode(), self.x_unit.encode(), self.width
        text, size = C.c_char_p(), C.c_size_t()
        check(library.mc_plot_text, C.byref(c_plot), C.byref(text), C.byref(size))
        return take_text(C.cast(text, C.c_void_p).value or 0, size.value).decode()

    @property
    def svg(self) -> str:
        if self._svg is None:
            self._svg = self._draw()
        return self._svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: PathLike) -> None:
        """Writes an SVG file, or a PNG file by rsvg-convert (Debian package librsvg2-bin)."""
        path = Path(path)
        if path.suffix == ".png":
            subprocess.run(
                ["rsvg-convert", "-o", str(path)], input=self.svg.encode(), check=True
            )
        else:
            path.write_text(self.svg, encoding="utf-8")


class Image:
    """A picture of a recording in PNG; a notebook shows it."""

    def __init__(self, png: bytes):
        self.png = png

    def _repr_png_(self) -> bytes:
        return self.png

    def save(self, path: PathLike) -> None:
        Path(path).write_bytes(self.png)
