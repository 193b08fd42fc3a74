"""The shm backend: shared memory of one machine. docs/shm-protocol.md tells how ranks meet."""
