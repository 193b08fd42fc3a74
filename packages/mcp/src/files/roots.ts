import { constants, realpathSync, statSync } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Refusal } from "../refusal.js";

/** A file that a client may be sent is at most this large. */
const LARGEST_FILE = 4 * 1024 * 1024;

/**
 * The folders that a server may use. A path is first resolved to the real one, through all symbolic links, and that is compared with the
 * real paths of the roots; only the real path is then opened.
 */
export class Roots {
  /** Real paths. */
  readonly folders: readonly string[];

  constructor(folders: readonly string[]) {
    if (folders.length === 0) {
      throw new Refusal(
        "no root is given",
        "Start the server with --root DIR, a folder with cases.",
      );
    }
    this.folders = folders.map(realFolder);
  }

  /** The real path of something that exists in a root. Relative paths are looked for in each root. */
  async existing(path: string): Promise<string> {
    const wanted = checked(path);
    const candidates = isAbsolute(wanted)
      ? [wanted]
      : this.folders.map((folder) => join(folder, wanted));
    for (const candidate of candidates) {
      const real = await realpath(candidate).catch(() => undefined);
      if (real === undefined) continue;
      if (this.has(real)) return real;
      throw this.outside(path);
    }
    // What lies outside must not be told apart from what does not exist.
    if (isAbsolute(wanted) && !this.has(resolve(wanted))) throw this.outside(path);
    throw new Refusal(
      `${path} does not exist`,
      "list_cases and list_runs show the cases and runs that there are; paths are relative to a root.",
    );
  }

  /** The same for a folder. */
  async folder(path: string): Promise<string> {
    const real = await this.existing(path);
    if ((await stat(real)).isDirectory()) return real;
    throw new Refusal(`${path} is a file`, "Give the folder of a case or of a run.");
  }

  /** The path of something new, whose folder exists in a root. */
  async fresh(path: string): Promise<string> {
    const wanted = checked(path);
    const name = basename(wanted);
    if (name === "" || name === "." || name.startsWith(".")) {
      throw new Refusal(
        `${path} is no name for a new folder`,
        "Give a name such as studies/dry-year.",
      );
    }
    const parent = await this.existing(dirname(wanted));
    const real = join(parent, name);
    const found = await lstat(real).catch(() => undefined);
    if (found !== undefined) {
      throw new Refusal(
        `${path} exists already`,
        "Choose a name that is not taken: nothing is overwritten.",
      );
    }
    return real;
  }

  /** Whether a real path is in one of the roots, or is one. */
  has(real: string): boolean {
    return this.folders.some((folder) => real === folder || real.startsWith(withSeparator(folder)));
  }

  /** A path as clients see it, and may give it back: relative to the root if there is one root only. */
  shown(real: string): string {
    const [only = ""] = this.folders;
    if (this.folders.length !== 1) return real;
    return relative(only, real).split(sep).join("/") || ".";
  }

  /** The bytes of a file. It is checked again after it was opened, so that a link cannot be put in its place in between. */
  async read(path: string): Promise<Buffer> {
    const real = await this.existing(path);
    const file = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => {
      throw new Refusal(`${path} cannot be read`, "Give another file.");
    });
    try {
      await this.checkOpened(file, real);
      const { size } = await file.stat();
      if (size > LARGEST_FILE) {
        throw new Refusal(
          `${path} is too large to send`,
          "Ask for parts of it with query_results.",
        );
      }
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  /**
   * Whether what was opened lies in a root. Linux tells the path of an open file, which no link can change any more. Elsewhere the path is
   * resolved once more and must lead to the same file.
   */
  private async checkOpened(file: FileHandle, real: string): Promise<void> {
    const opened = await file.stat();
    const now =
      process.platform === "linux"
        ? await readlink(`/proc/self/fd/${file.fd}`)
        : await realpath(real).catch(() => "");
    const found = this.has(now) ? await lstat(now).catch(() => undefined) : undefined;
    const isSame = found !== undefined && found.ino === opened.ino && found.dev === opened.dev;
    if (!isSame || !opened.isFile()) throw this.outside(real);
  }

  private outside(path: string): Refusal {
    return new Refusal(
      `${path} is not within the folders of this server`,
      `Give a path relative to a root; the server was started with ${this.folders.length === 1 ? "one root" : `${this.folders.length} roots`}.`,
    );
  }
}

/** Refuses what no honest path has. */
function checked(path: string): string {
  const isOdd =
    path === "" || path.includes("\0") || path.startsWith("~") || /^[a-z]+:\/\//i.test(path);
  if (!isOdd && !path.split(/[\\/]/).includes("..")) return path;
  throw new Refusal(
    `${JSON.stringify(path)} is not a path that can be used here`,
    "Give a path relative to a root, without '..', as list_cases and list_runs show them.",
  );
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch {
    // told below
  }
  throw new Refusal(`${folder} is not a folder`, "Give an existing folder with --root.");
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`;
}
