import type { BackendName, Communicator, SharedMemoryProvider } from "../communicator.js";

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a backend can run on this machine, and what was found or what is in the way. */
export interface BackendProbe {
  readonly usable: boolean;
  readonly details: string;
}

/**
 * What a build imports to have a backend: a light description that loads the implementation only
 * when it is chosen. When `auto` chooses it is said in `triggers.ts`, for all backends in one place.
 */
export interface Backend<
  Name extends BackendName = BackendName,
  Comm extends Communicator & SharedMemoryProvider = Communicator & SharedMemoryProvider,
  Config = unknown,
> {
  readonly name: Name;

  /** Reads the backend's variables; throws `MissingConfiguration` or `InvalidConfiguration`. */
  configure(env: Environment): Config;

  /** Joins the group that `config` describes. */
  create(config: Config): Promise<Comm>;

  /** Looks whether it could run here, without joining anything. */
  probe(): Promise<BackendProbe>;
}
