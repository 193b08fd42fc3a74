import type { BackendName } from "../communicator.js";
import { BackendNotAvailable, InvalidBackend } from "../errors/backend-error.js";
import { debug } from "../group/debug.js";
import { type LocalBackend, local } from "../local/backend.js";
import type { Backend } from "./backend.js";
import { chooseAutomatically, chooseByEnvironment, findBackend } from "./choose.js";

/** The communicator class that a backend creates. */
export type CommunicatorOf<B extends Backend> = Awaited<ReturnType<B["create"]>>;

/** `local` is in every build. */
type WithLocal<Backends extends readonly Backend[]> = Backends[number] | LocalBackend;

/** `config` is optional if every field of it has a default. */
type KindOf<B extends Backend> =
  B extends Backend<infer Name, infer _Comm, infer Config>
    ? Record<never, never> extends Config
      ? { readonly kind: Name; readonly config?: Config }
      : { readonly kind: Name; readonly config: Config }
    : never;

/**
 * How a program chooses a backend itself. `COBRE_COMM_BACKEND` is ignored; `auto` still reads the other
 * variables.
 */
export type BackendKind<Backends extends readonly Backend[]> =
  | { readonly kind: "auto" }
  | KindOf<WithLocal<Backends>>;

type Chosen<Backends extends readonly Backend[], Kind> = Kind extends { readonly kind: "auto" }
  ? CommunicatorOf<WithLocal<Backends>>
  : Kind extends { readonly kind: infer Name extends BackendName }
    ? CommunicatorOf<Extract<WithLocal<Backends>, { readonly name: Name }>>
    : CommunicatorOf<WithLocal<Backends>>;

/** What {@link communicatorFactory} returns. */
export interface CreateCommunicator<Backends extends readonly Backend[]> {
  /** Chooses the backend by `COBRE_COMM_BACKEND`, or else by the variables of the launcher. */
  (): Promise<CommunicatorOf<WithLocal<Backends>>>;
  /** Uses the backend that the program names, whatever `COBRE_COMM_BACKEND` says. */
  <const Kind extends BackendKind<Backends>>(kind: Kind): Promise<Chosen<Backends, Kind>>;
}

/**
 * Makes a `createCommunicator` that knows the given backends and `local`, and whose return type is
 * exactly the union of their communicators.
 *
 * @example
 * ```ts
 * import { communicatorFactory } from "@cobre/comm";
 *
 * const createCommunicator = communicatorFactory([]); // local only
 * using comm = await createCommunicator(); // a LocalCommunicator
 * ```
 */
export function communicatorFactory<const Backends extends readonly Backend[]>(
  backends: Backends,
): CreateCommunicator<Backends> {
  const available: readonly Backend[] = [...backends.filter((b) => b.name !== "local"), local];

  function create(backend: Backend, config: unknown) {
    const obstacle = backend.obstacle?.();
    if (obstacle === undefined) return backend.create(config);
    throw new BackendNotAvailable(backend.name, usable(available), obstacle);
  }

  async function createCommunicator(kind?: { readonly kind: string; readonly config?: unknown }) {
    if (kind === undefined) {
      const { backend, reason } = chooseByEnvironment(available, process.env);
      debug(undefined, `${backend.name} was chosen: ${reason}`);
      return create(backend, backend.configure(process.env));
    }
    if (typeof kind !== "object" || kind === null || typeof kind.kind !== "string") {
      const names = available.map((backend) => backend.name);
      throw new InvalidBackend(String(kind), names, "The argument of createCommunicator");
    }
    if (kind.kind === "auto") {
      const { backend, reason } = chooseAutomatically(available, process.env);
      debug(undefined, `${backend.name} was chosen: ${reason}`);
      return create(backend, backend.configure(process.env));
    }
    debug(undefined, `${kind.kind} was chosen: the program says so`);
    return create(findBackend(available, kind.kind, "kind"), kind.config ?? {});
  }

  // The overloads give the exact class; the implementation picks it by name at run time.
  return createCommunicator as CreateCommunicator<Backends>;
}

/** The backends that this platform may be able to run. */
function usable(backends: readonly Backend[]): BackendName[] {
  return backends.filter(({ obstacle }) => obstacle?.() === undefined).map(({ name }) => name);
}
