import type { BackendProbe } from "../select/backend.js";
import { findMpiLibraries } from "./library/find.js";

/** How long one library may take to load. */
const TIMEOUT_MS = 10_000;

/** Looks for MPI libraries in separate processes. Nothing is loaded into this one. */
export async function lookForMpi(): Promise<BackendProbe> {
  const libraries = await findMpiLibraries(process.env, TIMEOUT_MS);
  const usable = libraries.find(({ reason }) => reason === null);
  if (usable !== undefined) {
    return { usable: true, details: `${usable.version} (${usable.file})` };
  }
  const refused = libraries.map(({ file, reason }) => `${file}: ${reason}`).join("; ");
  const details =
    refused === "" ? "no MPI library was found" : `no usable MPI library (${refused})`;
  return {
    usable: false,
    details: `${details}. Install Open MPI or MPICH, or set COBRE_MPI_LIBRARY`,
  };
}
