/** Tools that explain files, tables and the program itself. */
import { DEFAULT_DIALECT, DIALECTS } from "@cobre/core";
import { nearest } from "@cobre/io";
import { caseSchemas } from "@cobre/sddp";
import { z } from "zod";
import { allPages, searchPages } from "../docs/pages.js";
import { Refusal } from "../refusal.js";
import { columnsOf, QUERY_TABLES } from "../results/query.js";
import { counted } from "./fields.js";
import { defineTool } from "./tool.js";

const LONGEST_PASSAGE = 1500;

export const getSchema = defineTool({
  name: "get_schema",
  title: "Fields of a file or table",
  description:
    "Tells which values a file of a case can hold, with types, ranges, units and choices, as JSON Schema (`file`: config.json, system/hydros.json, …), or which columns a table of results has (`table`: hydros, buses, …). Without either: the list of all files and tables.",
  input: {
    file: z.string().max(200).optional().describe("A file of a case."),
    dialect: z
      .enum(DIALECTS)
      .default(DEFAULT_DIALECT)
      .describe(
        "The version of Cobre for which the case is written: 0.5 if training in its config.json has forward_passes, 0.18 if it has selection.",
      ),
    table: z
      .enum(QUERY_TABLES)
      .optional()
      .describe("A table of results, as query_results reads it."),
  },
  output: {
    files: z.array(z.object({ file: z.string(), about: z.string() })),
    tables: z.array(z.string()),
    schema: z.record(z.string(), z.unknown()).nullable(),
    columns: z.array(z.object({ name: z.string(), unit: z.string(), about: z.string() })),
  },
  run: async ({ file, dialect, table }) => {
    const nothing = { files: [], tables: [], schema: null, columns: [] };
    if (table !== undefined) {
      const columns = Object.entries(columnsOf(table)).map(([name, one]) => ({ name, ...one }));
      return {
        summary: `The table ${table} has ${counted(columns.length, "column")}.`,
        data: { ...nothing, columns },
      };
    }
    const all = caseSchemas(undefined, dialect);
    if (file === undefined) {
      const files = all.map(({ file: name, about }) => ({ file: name, about }));
      return {
        summary: `A case can have ${counted(files.length, "kind")} of files; results have ${counted(QUERY_TABLES.length, "table")}.`,
        data: { ...nothing, files, tables: [...QUERY_TABLES] },
      };
    }
    const found = all.find((one) => baseOf(one.file) === baseOf(file));
    if (found === undefined) {
      const like = nearest(
        baseOf(file),
        all.map((one) => baseOf(one.file)),
      );
      throw new Refusal(
        `${file} is not a file of a case`,
        like === undefined
          ? "Call get_schema without arguments for a list."
          : `Did you mean ${like}?`,
      );
    }
    return {
      summary: `${found.file}: ${found.about}.`,
      data: { ...nothing, schema: found.schema as Record<string, unknown> },
    };
  },
});

function baseOf(name: string): string {
  return name.replace(/^.*[\\/]/, "").replace(/(\.schema)?\.(json|parquet|csv)$/, "");
}

export const searchDocs = defineTool({
  name: "search_docs",
  title: "Search the documentation",
  description:
    "Searches the documentation of Cobre: commands, settings, files of results, the report, policies and warm starts, solvers, ranks, known problems. Give a few words; whole pages are resources (cobre://docs/…).",
  input: {
    query: z.string().min(2).max(400),
    limit: z.number().int().min(1).max(10).default(4),
  },
  output: {
    passages: z.array(
      z.object({
        page: z.string().describe("The resource with the whole page."),
        heading: z.string(),
        text: z.string(),
      }),
    ),
    pages: z.array(z.string()).describe("All pages, if nothing was found."),
  },
  run: async ({ query, limit }) => {
    const passages = (await searchPages(query, limit)).map(({ page, heading, text }) => ({
      page: `cobre://docs/${page}`,
      heading,
      text: text.length <= LONGEST_PASSAGE ? text : `${text.slice(0, LONGEST_PASSAGE)} …`,
    }));
    const pages = passages.length > 0 ? [] : (await allPages()).map(({ name }) => name);
    return {
      summary:
        passages.length > 0
          ? `${counted(passages.length, "passage")} about ${query}.`
          : `Nothing was found about ${query}; try other words.`,
      data: { passages, pages },
    };
  },
});
