/** Copies of a checkout in which code is changed: the working tree stays as it is. */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join, relative } from "node:path";

const LEFT_OUT = new Set(["node_modules", "out", ".git"]);

/** Makes the copy anew. */
export function makeCopy(root, copy) {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(root)) {
    if (LEFT_OUT.has(name)) continue;
    cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  const modules = join(root, "node_modules");
  if (existsSync(modules)) linkModules(modules, join(copy, "node_modules"), { root, copy });
}

/** The same modules; those that are folders of the checkout become the folders of the copy. */
function linkModules(from, to, { root, copy }) {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const [here, there] = [join(from, name), join(to, name)];
    if (lstatSync(here).isSymbolicLink()) {
      const inside = relative(realpathSync(root), realpathSync(here));
      symlinkSync(join(isOurs(inside) ? copy : root, inside), there);
    } else if (/^(@|\.bin$)/.test(name)) linkModules(here, there, { root, copy });
    else symlinkSync(here, there);
  }
}

function isOurs(path) {
  return !path.startsWith("..") && !path.startsWith("node_modules");
}
