import type { BackendName } from "../communicator.js";
import { InvalidBackend } from "../errors/backend-error.js";
import { type LocalBackend, local } from "../local/backend.js";
import type { Backend } from "./backend.js";
import { chooseAutomatically, chooseByEnvironment, findBackend } from "./choose.js";

/** The communicator class that a backend makes. */
export type CommunicatorOf<B extends Backend> = Awaited<ReturnType<B["create"]>>;

/** `local` is in every build. */
type WithLocal<Backends extends readonly Backend[]> = Backends[number] | LocalBackend;

/** `config` may be left out where everything in it has a default. */
type KindOf<B extends Backend> =
  B extends Backend<infer Name, infer _Comm, infer Config>
    ? Record<never, never> extends Config
      ? { readonly kind: Name; readonly config?: Config }
      : { readonly kind: Name; readonly config: Config }
    : never;

/**
 * How a program chooses a backend itself. The environment is ignored, but for what `auto` looks at:
 * the variables of launchers.
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
  /** Chooses by `COBRE_COMM_BACKEND`, or by what the environment shows. */
  (): Promise<CommunicatorOf<WithLocal<Backends>>>;
  /** The backend the program names, whatever `COBRE_COMM_BACKEND` says. */
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

  async function createCommunicator(kind?: { readonly kind: string; readonly config?: unknown }) {
    if (kind === undefined) {
      const { backend } = chooseByEnvironment(available, process.env);
      return backend.create(backend.configure(process.env));
    }
    if (typeof kind !== "object" || kind === null || typeof kind.kind !== "string") {
      const names = available.map((backend) => backend.name);
      throw new InvalidBackend(String(kind), names, "The argument of createCommunicator");
    }
    if (kind.kind === "auto") {
      const { backend } = chooseAutomatically(available, process.env);
      return backend.create(backend.configure(process.env));
    }
    return findBackend(available, kind.kind, "kind").create(kind.config ?? {});
  }

  // The overloads say which of the classes it is; the implementation picks by name at run time.
  return createCommunicator as CreateCommunicator<Backends>;
}
