/** The site in a real Chromium, for the tests: every page on a desktop and on a phone, the menu, and the search. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findCommand } from "../system-packages.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const WINDOWS = { desktop: { width: 1280, height: 800 }, phone: { width: 375, height: 740 } };
/** A time that only a hang takes, on a machine that has much else to do. */
const PATIENCE_MS = 180_000;

/** Returns what is wrong, or why it could not be looked at. */
export async function lookAt(folder) {
  const executablePath = NAMES.map(findCommand).find((path) => path !== undefined);
  if (executablePath === undefined) return { failed: [], notRun: ["the pages: needs Chromium"] };
  const { chromium } = await import("playwright-core");
  // The sandbox needs a user other than root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args, timeout: PATIENCE_MS });
  try {
    const failed = [];
    for (const [name, viewport] of Object.entries(WINDOWS)) {
      const page = await browser.newPage({ viewport });
      page.setDefaultTimeout(PATIENCE_MS);
      page.on("console", (message) => failed.push(`${page.url()}: ${message.text()}`));
      page.on("pageerror", (error) => failed.push(`${page.url()}: ${error.message}`));
      page.on("request", (request) => {
        if (!/^(?:file|data):/.test(request.url())) failed.push(`${page.url()}: ${request.url()}`);
      });
      failed.push(...(await tooWide(page, folder, name)));
      failed.push(...(await search(page, folder)));
      if (name === "phone") failed.push(...(await menu(page, folder)));
      await page.close();
    }
    return { failed, notRun: [] };
  } finally {
    await browser.close();
  }
}

async function open(page, folder, name) {
  await page.goto(pathToFileURL(join(folder, name)).href);
}

/** Pages that have to be scrolled sideways. Reports have tests of their own. */
async function tooWide(page, folder, window) {
  const names = readdirSync(folder).filter((name) => /^(?!report-).*\.html$/.test(name));
  const wide = [];
  for (const name of names) {
    await open(page, folder, name);
    const excess = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    if (excess > 0) wide.push(`${name} is ${excess} pixels too wide for a ${window}`);
  }
  return wide;
}

/** Typing and Enter lead to the page about it. */
async function search(page, folder) {
  await open(page, folder, "index.html");
  await page.keyboard.press("/");
  await page.keyboard.type("stop and go on");
  await page.waitForSelector("#found a");
  await page.keyboard.press("Enter");
  await page.waitForURL(/how-to-resume\.html/);
  await page.fill("#search", "xyzzy");
  await page.waitForFunction("document.getElementById('found').textContent === 'Nothing found.'");
  return [];
}

/** On a phone the list of pages is hidden until it is asked for. */
async function menu(page, folder) {
  await open(page, folder, "index.html");
  const wasShown = await page.isVisible("nav");
  await page.click("#menu");
  const isShown = await page.isVisible("nav");
  return wasShown || !isShown ? ["the menu does not open on a phone"] : [];
}
