"""The tcp backend: sockets, with rank 0 as coordinator. docs/wire-protocol.md describes the protocol."""
