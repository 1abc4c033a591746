"""Motorcade: ground-vehicle dynamics, over the C library libmotorcade.

Scenario        a scenario file: road, vehicles, controllers
run, play       one run, or many at once, to the end, with figures
Run, Runs       one run, or many at once, step by step, with observations and actions
Recording       results files as arrays
Mechanism       equations of motion, equilibria, small motions, motion over time
Plot            curves drawn by the library, shown by notebooks
Error           what the library rejects, with file, line and column

Fields, figures, laws, events and parameters are in motorcade.tables; an environment in the form of
Gymnasium is in motorcade.gym.
"""

from ._library import BadInput, Error, Failed, Interrupted, NoMemory, SystemFailed, version
from .mechanism import Linear, Mechanism, Mode, Motion
from .plot import Curve, Image, Plot
from .results import Recording
from .run import ENDED, FAILED, GOES, Outcome, Outcomes, Run, Runs, play, run
from .scenario import Scenario
from .tables import EVENTS, FIELDS, FIGURES, LAWS, TABLES

__version__ = version()
__all__ = [
    "BadInput", "Curve", "ENDED", "EVENTS", "Error", "FAILED", "FIELDS", "FIGURES", "Failed", "GOES",
    "Image", "Interrupted", "LAWS", "Linear", "Mechanism", "Mode", "Motion", "NoMemory", "Outcome",
    "Outcomes", "Plot", "Recording", "Run", "Runs", "Scenario", "SystemFailed", "TABLES", "play",
    "run", "version",
]
