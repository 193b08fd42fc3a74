/**
 * The only access to the FFI library. It is loaded at first use: a program that stays on `local` never
 * loads a native add-on, and `local` works on platforms that have none.
 */
export type Koffi = typeof import("koffi").default;

/** Foreign functions cannot be called here; the message says why. */
export class ForeignFunctionsUnavailable extends Error {
  override readonly name = "ForeignFunctionsUnavailable";

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? firstLine(cause.message) : String(cause);
    super(
      `koffi, the foreign-function library, cannot be loaded on ${process.platform} ${process.arch}: ${reason}`,
      { cause },
    );
  }
}

/** Loads koffi; throws {@link ForeignFunctionsUnavailable} where that is not possible. */
export async function loadKoffi(): Promise<Koffi> {
  try {
    return (await import("koffi")).default;
  } catch (error) {
    throw new ForeignFunctionsUnavailable(error);
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
