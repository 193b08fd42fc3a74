/** How each MPI is started so that it is at its best; README.md says what was tried. */

export type MpiName = "openmpi" | "mpich";

export interface LaunchCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Open MPI starts nothing as root unless told twice. Only its own processes are told. */
function rootPermission(): Record<string, string> {
  if (process.getuid?.() !== 0) return {};
  return { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
}

export const MPI_LAUNCHERS: Readonly<
  Record<MpiName, (ranks: number, crowded: boolean) => LaunchCommand>
> = {
  // Its defaults are its best: ranks bound to cores, long messages copied once (CMA).
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
