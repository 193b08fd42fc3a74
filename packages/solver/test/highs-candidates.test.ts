import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { highsCandidates } from "#internal";

const root = realpathSync(mkdtempSync(join(tmpdir(), "cobre-candidates-")));
after(() => rmSync(root, { recursive: true }));

/** Makes an empty file below the root, and returns its path. */
function made(path: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  return file;
}

const SITE = "lib/python3.11/site-packages";
const LOADER = [
  { file: "libhighs.so.1", origin: "dynamic loader" },
  { file: "libhighs.so", origin: "dynamic loader" },
];

/** What is found on Linux but for Homebrew's own places. */
function found(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = "linux") {
  return highsCandidates(env, platform).filter(
    ({ file, origin }) => origin !== "brew" || file.startsWith(root),
  );
}

describe("where a native HiGHS is looked for", () => {
  it("is nowhere else if the user has named one", () => {
    const named = { file: "/some/where.so", origin: "COBRE_HIGHS_LIBRARY" };
    const env = { COBRE_HIGHS_LIBRARY: named.file, VIRTUAL_ENV: root };
    assert.deepEqual(highsCandidates(env, "linux"), [named]);
    assert.deepEqual(highsCandidates({ COBRE_HIGHS_LIBRARY: "" }, "win32"), []);
  });

  it("is pip first, then conda, Homebrew and the dynamic loader", () => {
    const pip = made(`venv/${SITE}/highspy/libhighs.so.1`);
    const box = made(`venv/${SITE}/highsbox/highs_dist/lib/libhighs.so`);
    const inConda = made(`conda/${SITE}/highspy/libhighs.so.1`);
    const conda = made("conda/lib/libhighs.so.1");
    const user = made(`home/.local/${SITE}/highspy/libhighs.so.1`);
    made("brew/Cellar/highs/1.15.1/README.md");
    const brew = made("brew/lib/libhighs.so.1");
    const env = {
      VIRTUAL_ENV: join(root, "venv"),
      CONDA_PREFIX: join(root, "conda"),
      HOME: join(root, "home"),
      HOMEBREW_PREFIX: join(root, "brew"),
    };
    assert.deepEqual(found(env), [
      { file: pip, origin: "pip" },
      { file: box, origin: "pip" },
      { file: inConda, origin: "pip" },
      { file: user, origin: "pip" },
      { file: conda, origin: "conda" },
      { file: brew, origin: "brew" },
      ...LOADER,
    ]);
  });

  it("is beside the Python on PATH, also where a link leads, and the newest Python comes first", () => {
    const python = made("real/bin/python3.11");
    mkdirSync(join(root, "path"));
    symlinkSync(python, join(root, "path/python3"));
    const old = made("real/lib/python3.9/site-packages/highspy/libhighs.so.1");
    const young = made("real/lib/python3.11/dist-packages/highspy/libhighs.so");
    const ofDebian = made("real/lib/python3/dist-packages/highspy/libhighs.so.1");
    assert.deepEqual(found({ PATH: `relative:${join(root, "path")}` }), [
      { file: young, origin: "pip" },
      { file: old, origin: "pip" },
      { file: ofDebian, origin: "pip" },
      ...LOADER,
    ]);
  });

  it("is where pyenv has the chosen Python, if a script of pyenv's is first on PATH", () => {
    const first = made(`pyenv/versions/3.11.7/${SITE}/highspy/libhighs.so.1`);
    const other = made("pyenv/versions/3.12.1/lib/python3.12/site-packages/highspy/libhighs.so.1");
    made("pyenv/shims/python3");
    const env = { PATH: join(root, "pyenv/shims") };
    const version = made("pyenv/version");
    assert.deepEqual(found(env), LOADER);
    writeFileSync(version, "3.11.7\n3.12.1\n");
    assert.deepEqual(found(env), [{ file: first, origin: "pip" }, ...LOADER]);
    const asked = { ...env, PYENV_VERSION: "3.12.1:3.11.7" };
    assert.deepEqual(found(asked), [{ file: other, origin: "pip" }, ...LOADER]);
  });

  it("has each library once, whatever its names", () => {
    const file = made(`once/${SITE}/highspy/libhighs.so.1`);
    symlinkSync("libhighs.so.1", join(dirname(file), "libhighs.so"));
    symlinkSync(join(root, "once"), join(root, "again"));
    const env = { VIRTUAL_ENV: join(root, "again"), CONDA_PREFIX: join(root, "once") };
    const [first, ...others] = found(env);
    assert.equal(realpathSync(first?.file ?? ""), file);
    assert.deepEqual(others, LOADER);
  });

  it("is known for macOS, and nowhere on systems that we do not know", () => {
    const file = made(`mac/${SITE}/highspy/libhighs.1.dylib`);
    const env = { VIRTUAL_ENV: join(root, "mac") };
    assert.deepEqual(found(env, "darwin")[0], { file, origin: "pip" });
    assert.deepEqual(highsCandidates(env, "win32"), []);
  });
});
