"""Cobre: hydrothermal dispatch by SDDP, in one process or many, with the same bits in its result.

>>> import cobre
>>> case = cobre.load("examples/cases/four-regions")  # doctest: +SKIP
>>> result = cobre.train(case, num_workers=2, progress=True)  # doctest: +SKIP
>>> cobre.simulate(case, result).mean  # doctest: +SKIP
"""

from . import events
from .case import Case, Validation, load, validate
from .errors import (
    AllocationFailed,
    BackendError,
    BackendNotAvailable,
    CannotWrite,
    CaseWarning,
    CobreError,
    CollectiveFailed,
    CommError,
    EngineError,
    IncompatiblePolicy,
    InitializationFailed,
    InvalidArgument,
    InvalidBackend,
    InvalidOutput,
    InvalidPolicy,
    MissingLibrary,
    NodeNotFound,
    OutputError,
    OutputExists,
    OutputInUse,
    SddpError,
    SolverCrashed,
    SolverError,
    SolverNotAvailable,
    SubproblemFailed,
    TrainingInterrupted,
    ValidationError,
    WorkerError,
)
from .issues import Issue
from .page import Report, report
from .policy import Cuts, Policy, read_policy
from .simulation import SimulationResult, simulate
from .table import Table
from .training import train
from .training_result import TrainingResult, Worker

__version__ = "0.1.0"

__all__ = [
    "AllocationFailed",
    "BackendError",
    "BackendNotAvailable",
    "CannotWrite",
    "Case",
    "CaseWarning",
    "CobreError",
    "CollectiveFailed",
    "CommError",
    "Cuts",
    "EngineError",
    "IncompatiblePolicy",
    "InitializationFailed",
    "InvalidArgument",
    "InvalidBackend",
    "InvalidOutput",
    "InvalidPolicy",
    "Issue",
    "MissingLibrary",
    "NodeNotFound",
    "OutputError",
    "OutputExists",
    "OutputInUse",
    "Policy",
    "Report",
    "SddpError",
    "SimulationResult",
    "SolverCrashed",
    "SolverError",
    "SolverNotAvailable",
    "SubproblemFailed",
    "Table",
    "TrainingInterrupted",
    "TrainingResult",
    "Validation",
    "ValidationError",
    "Worker",
    "WorkerError",
    "events",
    "load",
    "read_policy",
    "report",
    "simulate",
    "train",
    "validate",
]
