/**
 * Where a native HiGHS may be. This file only lists places; it loads nothing and runs no program.
 *
 * The places are ordered by how likely the user meant them: the library named by COBRE_HIGHS_LIBRARY, those of the Python packages
 * highspy and highsbox, conda's, Homebrew's, then whatever the dynamic loader finds.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";

/** The variable that names the native HiGHS to use. */
export const HIGHS_LIBRARY_VARIABLE = "COBRE_HIGHS_LIBRARY";

/** A library to try. */
export interface HighsCandidate {
  /** A path, or a name that the dynamic loader looks up. */
  readonly file: string;
  /** Where it was found: `COBRE_HIGHS_LIBRARY`, `pip`, `conda`, `brew` or `dynamic loader`. */
  readonly origin: string;
}

/** The number is that of HiGHS's major version. */
const NAMES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ["libhighs.so.1", "libhighs.so"],
  darwin: ["libhighs.1.dylib", "libhighs.dylib"],
};

/** Where Python packages keep it below `site-packages`. */
const IN_SITE_PACKAGES = ["highspy", "highspy.libs", "highspy/lib", "highsbox/highs_dist/lib"];

/** The default prefixes of Homebrew: Apple silicon, Intel, Linux. */
const BREW_PREFIXES = ["/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew"];

/**
 * Every library to try, best first. If the user has named one, it is the only one. Files are listed only if they exist, names for the dynamic
 * loader always.
 */
export function highsCandidates(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): HighsCandidate[] {
  const named = env[HIGHS_LIBRARY_VARIABLE];
  if (named) return [{ file: named, origin: HIGHS_LIBRARY_VARIABLE }];
  const names = NAMES[platform];
  if (names === undefined) return [];
  const conda = env.CONDA_PREFIX;
  const folders = [
    ...sitePackages(env).flatMap((site) =>
      IN_SITE_PACKAGES.map((folder) => ({ folder: join(site, folder), origin: "pip" })),
    ),
    ...(conda && isAbsolute(conda) ? [{ folder: join(conda, "lib"), origin: "conda" }] : []),
    ...[env.HOMEBREW_PREFIX, ...BREW_PREFIXES]
      .filter((prefix) => prefix !== undefined && isAbsolute(prefix))
      .flatMap((prefix) => brewFolders(prefix as string))
      .map((folder) => ({ folder, origin: "brew" })),
  ];
  const found = folders.flatMap(({ folder, origin }) => {
    // All names in one folder are links to one library, or copies of it.
    const name = names.find((candidate) => existsSync(join(folder, candidate)));
    return name === undefined ? [] : [{ file: join(folder, name), origin }];
  });
  return withoutRepetition([
    ...found,
    ...names.map((file) => ({ file, origin: "dynamic loader" })),
  ]);
}

/** Homebrew installs a formula in a folder of its own and links its libraries into `lib`. */
function brewFolders(prefix: string): string[] {
  return existsSync(join(prefix, "Cellar"))
    ? [join(prefix, "lib"), join(prefix, "opt/highs/lib")]
    : [];
}

/** The folders of installed Python packages: of the active environment, of the first Python on PATH, of conda, of the user. */
function sitePackages(env: NodeJS.ProcessEnv): string[] {
  const prefixes = [
    env.VIRTUAL_ENV,
    pythonOnPath(env),
    resolvedPython(env),
    pyenvPython(env),
    env.CONDA_PREFIX,
  ];
  const user = env.PYTHONUSERBASE ?? (env.HOME && join(env.HOME, ".local"));
  const roots = [...prefixes, user].filter((root) => root !== undefined && isAbsolute(root));
  return [...new Set(roots as string[])].flatMap((root) =>
    ["lib", "lib64", "local/lib"].flatMap((lib) =>
      versionFolders(join(root, lib)).flatMap((python) => [
        join(python, "site-packages"),
        join(python, "dist-packages"), // Debian's
      ]),
    ),
  );
}

/** `python3`, `python3.13`, …, the newest first. */
function versionFolders(lib: string): string[] {
  if (!existsSync(lib)) return [];
  const minor = (name: string) => Number(/\.(\d+)/.exec(name)?.[1] ?? 0);
  return readdirSync(lib)
    .filter((name) => /^python3(\.\d+)?$/.test(name))
    .sort((a, b) => minor(b) - minor(a))
    .map((name) => join(lib, name));
}

function pythonOnPath(env: NodeJS.ProcessEnv): string | undefined {
  const program = pythonProgram(env);
  return program && dirname(dirname(program));
}

/** Where the first Python on PATH is if its name is a link to somewhere else. */
function resolvedPython(env: NodeJS.ProcessEnv): string | undefined {
  const program = pythonProgram(env);
  return program && dirname(dirname(realpathSync(program)));
}

/** Where pyenv has its Python. What is on PATH then is a script that starts it. */
function pyenvPython(env: NodeJS.ProcessEnv): string | undefined {
  const program = pythonProgram(env);
  if (program === undefined || basename(dirname(program)) !== "shims") return undefined;
  const root = dirname(dirname(program));
  const file = join(root, "version");
  const chosen = env.PYENV_VERSION ?? (existsSync(file) ? readFileSync(file, "utf8") : "");
  // Several versions may be chosen; the first one is python3.
  const [version] = chosen.trim().split(/[\s:]+/);
  return version ? join(root, "versions", version) : undefined;
}

function pythonProgram(env: NodeJS.ProcessEnv): string | undefined {
  return (env.PATH ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => [join(folder, "python3"), join(folder, "python")])
    .find(existsSync);
}

function withoutRepetition(candidates: readonly HighsCandidate[]): HighsCandidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ file }) => {
    const identity = isAbsolute(file) ? realpathSync(file) : file;
    return !seen.has(identity) && seen.add(identity);
  });
}
