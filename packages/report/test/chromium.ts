/** Tests in a real Chromium: the one of the system. */
import assert from "node:assert/strict";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { needs } from "@cobre/testing/needs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The path of the browser, or `undefined` if none is installed. */
const chromiumPath: string | undefined = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** How long a step may take on a machine that has much else to do. */
const PATIENCE_MS = 180_000;

/** What a test does with a page that is open. */
export type PageCheck = (page: Page, t: TestContext) => Promise<void>;

/** Adds a test. Nothing may be said on the console of its page, and nothing fetched. */
export type OnPage = (name: string, check: PageCheck, how?: BrowserContextOptions) => void;

/**
 * Tests of a page, which is made before the first of them in a folder that they may use. They belong to the rest, which installs a
 * Chromium, so there it is required. The quick part runs them, too, where one is installed.
 */
export function describePage(
  name: string,
  isRequired: boolean,
  make: (folder: string) => Promise<string> | string,
  tests: (onPage: OnPage) => void,
): void {
  if (!isRequired && chromiumPath === undefined) return;
  describe(name, () => {
    let folder = "";
    let browser: Browser;
    before(async () => {
      if (chromiumPath === undefined) return;
      folder = mkdtempSync(join(tmpdir(), "cobre-page-"));
      writeFileSync(join(folder, "report.html"), await make(folder));
      // The sandbox needs a user other than root.
      const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
      browser = await chromium.launch({ executablePath: chromiumPath, args });
    });
    after(async () => {
      await browser?.close();
      if (folder !== "") rmSync(folder, { recursive: true });
    });
    tests((title, check, how) => {
      it(title, async (t) => {
        if (!needs(t, chromiumPath !== undefined, "Chromium")) return;
        const context = await browser.newContext(how);
        try {
          const page = await context.newPage();
          page.setDefaultTimeout(PATIENCE_MS);
          const said: string[] = [];
          page.on("console", (message) => said.push(message.text()));
          page.on("pageerror", (error) => said.push(error.message));
          page.on("request", (request) => {
            if (!/^(?:file|data|blob):/.test(request.url())) said.push(request.url());
          });
          await page.goto(pathToFileURL(join(folder, "report.html")).href);
          await check(page, t);
          assert.deepEqual(said, []);
        } finally {
          await context.close();
        }
      });
    });
  });
}

/** Waits until scenarios can be chosen. */
export async function untilReady(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.querySelector(".explorer output")?.textContent?.startsWith("none chosen"),
  );
}

/** The table of a figure: rows of cells. */
export function rowsOf(page: Page, id: string): Promise<string[][]> {
  return page.$eval(`#${id} table`, (table) =>
    [...((table as HTMLTableElement).tBodies[0]?.rows ?? [])].map((row) =>
      [...row.cells].map((cell) => cell.textContent ?? ""),
    ),
  );
}
