/** What clients can read as a whole: pages of the documentation, and the small files of runs. */
import { join } from "node:path";
import { OUTPUT_FILES } from "@cobre/io";
import { reportOf, summaryOfReport } from "@cobre/study";
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Context } from "./context.js";
import { allPages } from "./docs/pages.js";
import { Refusal } from "./refusal.js";
import { findRuns } from "./runs/find-runs.js";

/** The files of a run that can be read, by name. `summary` is made from the results. */
const RUN_FILES = {
  "training-metadata": [OUTPUT_FILES.trainingMetadata, "application/json"],
  "simulation-metadata": [OUTPUT_FILES.simulationMetadata, "application/json"],
  stages: [OUTPUT_FILES.stages, "application/json"],
  entities: [OUTPUT_FILES.entities, "text/csv"],
} as const satisfies Record<string, readonly [string, string]>;

const MOST_LISTED = 100;

export function offerResources(server: McpServer, context: Context): void {
  const docs = new ResourceTemplate("cobre://docs/{page}", {
    list: async () => ({
      resources: (await allPages()).map(({ name, title }) => ({
        uri: `cobre://docs/${name}`,
        name: title,
        mimeType: "text/markdown",
      })),
    }),
  });
  server.registerResource(
    "documentation",
    docs,
    { title: "Documentation of Cobre", mimeType: "text/markdown" },
    async (uri, { page }) => {
      const found = (await allPages()).find(({ name }) => name === page);
      if (found === undefined)
        throw told(new Refusal(`there is no page ${page}`, "search_docs finds pages."));
      return { contents: [{ uri: uri.href, mimeType: "text/markdown", text: found.text }] };
    },
  );
  const runs = new ResourceTemplate("cobre://runs/{run}/{file}", {
    list: async () => ({
      resources: (await findRuns(context.roots)).slice(0, MOST_LISTED).map(({ directory }) => {
        const run = context.roots.shown(directory);
        return {
          uri: `cobre://runs/${encodeURIComponent(run)}/summary`,
          name: `Summary of ${run}`,
          mimeType: "application/json",
        };
      }),
    }),
  });
  server.registerResource(
    "run",
    runs,
    {
      title: "Files of a run",
      description: `{run} is the path of the run, encoded for a URI; {file} is summary, ${Object.keys(RUN_FILES).join(", ")}.`,
    },
    async (uri, { run, file }) => {
      try {
        const found = await readRunFile(context, decodeURIComponent(String(run)), String(file));
        return { contents: [{ uri: uri.href, ...found }] };
      } catch (error) {
        throw told(error);
      }
    },
  );
}

async function readRunFile(context: Context, path: string, file: string) {
  if (file === "summary") {
    const summary = summaryOfReport(await reportOf(await context.run(path)));
    return { mimeType: "application/json", text: JSON.stringify(summary, null, 2) };
  }
  if (!Object.hasOwn(RUN_FILES, file)) {
    const known = Object.keys(RUN_FILES).join(", ");
    throw new Refusal(`a run has no file ${file}`, `There are summary, ${known}.`);
  }
  const [name, mimeType] = RUN_FILES[file as keyof typeof RUN_FILES];
  const bytes = await context.roots.read(join(await context.folder(path), name));
  return { mimeType, text: bytes.toString("utf8") };
}

/** The protocol tells errors of resources by their message alone. */
function told(error: unknown): Error {
  if (error instanceof Refusal) return new Error(`${error.message}. ${error.next}`);
  return error instanceof Error ? new Error(error.message) : new Error(String(error));
}
