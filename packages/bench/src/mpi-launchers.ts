/** How each MPI is started for its best speed; README.md says what was tried. */

export type MpiName = "openmpi" | "mpich";

export interface LaunchCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Open MPI runs as root only with both of these variables. Only its own processes get them. */
function rootPermission(): Record<string, string> {
  if (process.getuid?.() !== 0) return {};
  return { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
}

export const MPI_LAUNCHERS: Readonly<
  Record<MpiName, (ranks: number, crowded: boolean) => LaunchCommand>
> = {
  // The defaults are fastest: ranks bound to cores, long messages copied once (CMA).
  openmpi: (ranks, crowded) => ({
    file: "mpirun.openmpi",
    args: [
      "-np",
      String(ranks),
      "--oversubscribe",
      ...(crowded ? ["--mca", "mpi_yield_when_idle", "1"] : []),
    ],
    env: rootPermission(),
  }),
  mpich: (ranks, crowded) => ({
    file: "mpiexec.mpich",
    args: ["-np", String(ranks), ...(crowded ? [] : ["-bind-to", "core"])],
    env: {},
  }),
};
