"""The shm backend: shared memory of one machine. docs/shm-protocol.md describes the protocol."""
