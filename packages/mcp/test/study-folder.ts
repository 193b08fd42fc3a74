import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const EXAMPLES = fileURLToPath(new URL("../../../examples/cases", import.meta.url));

/** A root with a small case in it, which is removed at the end. */
export class StudyFolder implements Disposable {
  /** What lies beside the root must not be reached. */
  readonly outside: string;
  readonly root: string;

  constructor() {
    this.outside = realpathSync(mkdtempSync(join(tmpdir(), "cobre-mcp-")));
    this.root = join(this.outside, "root");
    mkdirSync(this.root);
  }

  /** Copies an example case, with so few iterations and scenarios that it takes a moment. */
  addCase(name: string, size: { readonly iterations: number; readonly scenarios: number }): void {
    const folder = join(this.root, name);
    cpSync(join(EXAMPLES, "one-reservoir"), folder, {
      recursive: true,
      filter: (path) => !/(output|schemas)$/.test(path),
    });
    const file = join(folder, "config.json");
    const config = JSON.parse(readFileSync(file, "utf8"));
    config.training.stopping_rules = [{ type: "iteration_limit", limit: size.iterations }];
    config.simulation.selection.num_scenarios = size.scenarios;
    writeFileSync(file, JSON.stringify(config));
  }

  path(name: string): string {
    return join(this.root, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.outside, { recursive: true, force: true });
  }
}
