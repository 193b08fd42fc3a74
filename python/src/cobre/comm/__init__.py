"""Collective communication on NumPy arrays, with ranks in Python, TypeScript or both."""

from .communicator import Communicator
from .errors import (
    AllocationFailed,
    BackendError,
    BackendNotAvailable,
    CollectiveFailed,
    CommError,
    InitializationFailed,
    InvalidArgument,
    InvalidBackend,
    InvalidBufferSize,
    InvalidCommunicator,
    InvalidConfiguration,
    InvalidRoot,
    MissingConfiguration,
)
from .region import SharedRegion
from .select import connect

__all__ = [
    "AllocationFailed",
    "BackendError",
    "BackendNotAvailable",
    "CollectiveFailed",
    "CommError",
    "Communicator",
    "InitializationFailed",
    "InvalidArgument",
    "InvalidBackend",
    "InvalidBufferSize",
    "InvalidCommunicator",
    "InvalidConfiguration",
    "InvalidRoot",
    "MissingConfiguration",
    "SharedRegion",
    "connect",
]
