/** Our backends as contestants. The mpi backend is several: one for each MPI, and with its own reduction. */
import { collectInfo } from "@cobre/comm/info";
import { ALL_BACKENDS } from "@cobre/comm/internal";
import { type LaunchBackend, launchableBackends } from "@cobre/comm/launch";
import type { MpiName } from "./mpi-launchers.js";

export interface OurBackend {
  readonly name: string;
  readonly backend: LaunchBackend;
  /** Variables of its ranks. */
  readonly env: Readonly<Record<string, string>>;
  /** Why it cannot run here. */
  readonly missing: string | undefined;
}

interface MpiVariant {
  readonly mpi: MpiName;
  readonly reduction: "ordered" | "native";
}

/** Those whose reduction is the library's own are the measure of our layer alone: only if named. */
const MPI_VARIANTS: Readonly<Record<string, MpiVariant>> = {
  "mpi-openmpi": { mpi: "openmpi", reduction: "ordered" },
  "mpi-mpich": { mpi: "mpich", reduction: "ordered" },
  "mpi-openmpi-native": { mpi: "openmpi", reduction: "native" },
  "mpi-mpich-native": { mpi: "mpich", reduction: "native" },
};

/** All names there are, and those that take part if none is named. */
export function backendNames(): { readonly all: string[]; readonly usual: string[] } {
  const all = launchableBackends().flatMap((name) =>
    name === "mpi" ? Object.keys(MPI_VARIANTS) : [name],
  );
  return { all, usual: all.filter((name) => MPI_VARIANTS[name]?.reduction !== "native") };
}

/** Looks whether a backend can run here. */
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
