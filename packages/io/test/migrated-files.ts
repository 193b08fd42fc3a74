import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOutputTable } from "@cobre/io";
import { migrateCase } from "@cobre/sddp";
import { type FileContent, withCase } from "./case-folder.js";

/** What a migration has written. */
export interface MigratedFiles {
  /** The JSON file without its `$schema`; `undefined` if there is none. */
  json(file: string): Record<string, unknown> | undefined;
  /** The rows of a table, each as its values. */
  rows(file: string): Promise<(number | string | null)[][]>;
  /** The names of its columns. */
  columns(file: string): Promise<string[]>;
  bytes(file: string): Buffer;
  readonly files: readonly string[];
  /** The notes as `what: problem`, by file. */
  readonly notes: Readonly<Record<string, readonly string[]>>;
}

/** Migrates the good case with changes, and removes what was written after the test. */
export async function withMigrated(
  changes: Readonly<Record<string, FileContent>>,
  test: (migrated: MigratedFiles, source: string) => void | Promise<void>,
): Promise<void> {
  const target = mkdtempSync(join(tmpdir(), "cobre-migrated-"));
  try {
    await withCase(changes, async (directory) => {
      const { files, notes } = await migrateCase(directory, target);
      const told: Record<string, string[]> = {};
      for (const { file, what, problem } of notes) {
        told[file] = [...(told[file] ?? []), `${what}: ${problem}`];
      }
      const table = async (file: string) => readOutputTable(join(target, file));
      await test(
        {
          files,
          notes: told,
          bytes: (file) => readFileSync(join(target, file)),
          json: (file) => {
            if (!existsSync(join(target, file))) return undefined;
            const { $schema: _, ...rest } = JSON.parse(readFileSync(join(target, file), "utf8"));
            return rest;
          },
          rows: async (file) => (await table(file)).map((row) => Object.values(row)),
          columns: async (file) => Object.keys((await table(file))[0] ?? {}),
        },
        directory,
      );
    });
  } finally {
    rmSync(target, { recursive: true });
  }
}

/** All files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}
