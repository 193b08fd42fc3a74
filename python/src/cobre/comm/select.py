"""``connect``: chooses a backend and joins the group of this process."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final

from .communicator import Communicator
from .errors import BackendNotAvailable, InitializationFailed, InvalidBackend
from .local import LocalCommunicator
from .settings import Environment
from .shm.backend import join_shm
from .tcp.communicator import join_tcp

#: The variable that names a backend, or ``auto``.
BACKEND_VARIABLE: Final = "COBRE_COMM_BACKEND"

AVAILABLE: Final = ("tcp", "shm", "local")

_MPI_VARIABLES: Final = (
    "PMI_RANK",
    "PMI_SIZE",
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "MPI_LOCALRANKID",
)
_SIZE_VARIABLES: Final = (
    "COBRE_LAUNCH_SIZE",
    "OMPI_COMM_WORLD_SIZE",
    "PMI_SIZE",
    "MPI_LOCALNRANKS",
)


def connect(
    backend: str = "auto",
    *,
    rank: int | None = None,
    size: int | None = None,
    name: str | None = None,
    coordinator: str | None = None,
    port: int | None = None,
    bind_address: str | None = None,
    token: str | None = None,
    timeout: float | None = None,
) -> Communicator:
    """Joins the group of this process and waits until all ranks have joined.

    What is not given comes from the variables that TypeScript ranks read as well: ``COBRE_COMM_BACKEND``
    and ``COBRE_TCP_*`` or ``COBRE_SHM_*``. With ``auto`` and without any sign of a group, it is a group
    of one. ``name`` is that of the shared-memory segment, ``coordinator`` is where rank 0 can be reached,
    ``port`` and ``bind_address`` are where it listens, ``timeout`` is how many seconds ranks may be waited
    for: with ``math.inf`` a rank that lives may take as long as it needs, and ranks that have died are
    still found at once.

    >>> comm = connect("tcp", rank=1, size=4, coordinator="node1", token=secret)
    """
    arguments: dict[str, object] = {
        "rank": rank,
        "size": size,
        "name": name,
        "coordinator": coordinator,
        "port": port,
        "bind_address": bind_address,
        "token": token,
        "timeout": timeout,
    }
    chosen = choose(backend, arguments, os.environ)
    if chosen == "tcp":
        return join_tcp(arguments, os.environ)
    if chosen == "shm":
        return join_shm(arguments, os.environ)
    return LocalCommunicator()


def choose(backend: object, arguments: Mapping[str, object], environment: Environment) -> str:
    """The name of the backend to use."""
    requested, origin = backend, "backend"
    if requested == "auto":
        requested, origin = environment.get(BACKEND_VARIABLE, "auto"), BACKEND_VARIABLE
    if requested == "auto":
        requested = _automatic(arguments, environment)
    if requested == "mpi":
        reason = "ranks in Python speak tcp and shm; start the group with one of these."
        raise BackendNotAvailable("mpi", AVAILABLE, reason)
    if not isinstance(requested, str) or requested not in AVAILABLE:
        raise InvalidBackend(str(requested), AVAILABLE, origin)
    if requested == "local":
        _refuse_to_be_alone(environment)
    return requested


def _automatic(arguments: Mapping[str, object], environment: Environment) -> str:
    if arguments.get("coordinator") is not None:
        return "tcp"
    if arguments.get("name") is not None:
        return "shm"
    is_mpi = any(variable in environment for variable in _MPI_VARIABLES)
    # An MPI job of one rank has no group of its own: this process may belong to one of ours.
    if (is_mpi or _is_mpi_step(environment)) and _claimed_size(environment) != 1:
        return "mpi"
    if "COBRE_TCP_COORDINATOR" in environment:
        return "tcp"
    if environment.get("COBRE_TCP_RANK", "").strip() == "0":
        return "tcp"
    return "shm" if "COBRE_SHM_NAME" in environment else "local"


def _is_mpi_step(environment: Environment) -> bool:
    """Whether Slurm started an MPI step. A plain batch script has SLURM_PROCID, too, but one task and no PMI."""
    if "SLURM_PROCID" not in environment:
        return False
    # A batch script also has the SLURM_NTASKS of its job. Only srun sets the number of the step.
    is_script = "SLURM_JOB_ID" in environment and "SLURM_STEP_ID" not in environment
    tasks = environment.get("SLURM_NTASKS", "")
    if not is_script and tasks.isdigit() and int(tasks) > 1:
        return True
    return any(re.match(r"PMIX?_", variable) for variable in environment)


def _claimed_size(environment: Environment) -> int | None:
    """The size of the group, according to a launcher."""
    tasks = ("SLURM_NTASKS",) if _is_mpi_step(environment) else ()
    for variable in (*_SIZE_VARIABLES, *tasks):
        text = environment.get(variable, "").strip()
        if text.isdigit() and int(text) >= 1:
            return int(text)
    return None


def _refuse_to_be_alone(environment: Environment) -> None:
    """Raises if a launcher started several ranks: each would run alone and write the same output."""
    size = _claimed_size(environment)
    if size is None or size == 1:
        return
    reason = (
        f"the environment says that {size} ranks were started, but local is a group of one: each "
        "would do all the work alone. Launch with a backend that connects them "
        "(cobre launch --backend …), or start a single process."
    )
    raise InitializationFailed("local", reason)
