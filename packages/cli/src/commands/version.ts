import { Command } from "commander";
import { print } from "../standard-output.js";
import { packageVersion } from "../version.js";

const EXAMPLES = `
Examples:
  cobre version                                with Node.js and the solver, for bug reports
  cobre --version                              the number alone
  cobre version --json | jq -r .highs          for programs`;

/** `cobre version`: the versions of everything that has an influence on results. */
export function versionCommand(): Command {
  return new Command("version")
    .description("show the versions of cobre, Node.js and the solver")
    .option("--json", "print JSON instead of text")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async ({ json }: { json?: boolean }) => {
      const { loadSolver } = await import("@cobre/solver");
      const { version: highs } = await loadSolver("highs");
      const { platform, arch } = process;
      const versions = {
        cobre: packageVersion(),
        node: process.versions.node,
        highs,
        platform: `${platform}-${arch}`,
      };
      if (json) {
        await print(`${JSON.stringify(versions, null, 2)}\n`);
        return;
      }
      await print(`cobre    ${versions.cobre}
Node.js  ${versions.node} on ${platform} ${arch}
HiGHS    ${highs}
`);
    });
}
