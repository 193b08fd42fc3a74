import type { BackendName, Communicator, SharedMemoryProvider } from "../communicator.js";

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a backend can run on this machine, and what was found or what prevents it. */
export interface BackendProbe {
  readonly usable: boolean;
  readonly details: string;
}

/**
 * What a build imports to include a backend: a small description that loads the implementation only
 * when it is chosen. `triggers.ts` says when `auto` chooses each backend.
 */
export interface Backend<
  Name extends BackendName = BackendName,
  Comm extends Communicator & SharedMemoryProvider = Communicator & SharedMemoryProvider,
  Config = unknown,
> {
  readonly name: Name;

  /** Reads the backend's variables; throws `MissingConfiguration` or `InvalidConfiguration`. */
  configure(env: Environment): Config;

  /** Why this platform cannot run it, or `undefined` if it may be able to. */
  readonly obstacle?: () => string | undefined;

  /** Joins the group that `config` describes. */
  create(config: Config): Promise<Comm>;

  /** Finds out whether the backend can run here, without joining a group. */
  probe(): Promise<BackendProbe>;
}
