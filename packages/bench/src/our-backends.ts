/** Our backends as contestants. The mpi backend has several: one for each MPI and each kind of reduction. */
import { collectInfo } from "@cobre/comm/info";
import type { LaunchBackend } from "@cobre/comm/launch";
import { ALL_BACKENDS } from "../../comm/dist/internal.js";
import type { MpiName } from "./mpi-launchers.js";

export interface OurBackend {
  readonly name: string;
  readonly backend: LaunchBackend;
  /** Environment variables for its ranks. */
  readonly env: Readonly<Record<string, string>>;
  /** Why it cannot run here, if it cannot. */
  readonly missing: string | undefined;
}

interface MpiVariant {
  readonly mpi: MpiName;
  readonly reduction: "ordered" | "native";
}

/** Variants with the library's own reduction show the cost of our layer alone. They run only if named. */
const MPI_VARIANTS: Readonly<Record<string, MpiVariant>> = {
  "mpi-openmpi": { mpi: "openmpi", reduction: "ordered" },
  "mpi-mpich": { mpi: "mpich", reduction: "ordered" },
  "mpi-openmpi-native": { mpi: "openmpi", reduction: "native" },
  "mpi-mpich-native": { mpi: "mpich", reduction: "native" },
};

/** All names, and those that take part by default. */
export function backendNames(): { readonly all: string[]; readonly usual: string[] } {
  const all = ALL_BACKENDS.flatMap(({ name }): string[] =>
    name === "mpi" ? Object.keys(MPI_VARIANTS) : [name],
  );
  return { all, usual: all.filter((name) => MPI_VARIANTS[name]?.reduction !== "native") };
}

/** Finds out whether a backend can run here. */
export async function prepareBackend(name: string): Promise<OurBackend> {
  const variant = MPI_VARIANTS[name];
  if (variant !== undefined) return prepareMpi(name, variant);
  const descriptor = ALL_BACKENDS.find((backend) => backend.name === name);
  const probe = await descriptor?.probe();
  const missing = probe?.usable === false ? probe.details : undefined;
  return { name, backend: name as LaunchBackend, env: {}, missing };
}

async function prepareMpi(name: string, { mpi, reduction }: MpiVariant): Promise<OurBackend> {
  const { libraries } = (await collectInfo()).mpi;
  const library = libraries.find(({ abi, reason }) => abi === mpi && reason === null);
  const env = { COBRE_MPI_LIBRARY: library?.file ?? "", COBRE_MPI_REDUCTION: reduction };
  const missing = library === undefined ? `${mpi} is not installed` : undefined;
  return { name, backend: "mpi", env, missing };
}
