/** The page in other windows: dark, on a phone, on paper, without JavaScript, and large. */
import assert from "node:assert/strict";
import { renderReport } from "@cobre/report";
import { runsRest } from "@cobre/testing/scope";
import { describePage as describeInChromium, untilReady } from "./chromium.js";
import { madeReport } from "./made-report.js";

/** These belong to the rest, also where a Chromium is installed. */
const describePage: typeof describeInChromium = (...args) => {
  if (runsRest) describeInChromium(...args);
};

const SMALL = { reservoirs: 3, stages: 24, scenarios: 20 };
const smallPage = () => renderReport(madeReport(SMALL));
const LARGE = { reservoirs: 30, stages: 60, scenarios: 200 };

describePage("the page in other windows", runsRest, smallPage, (onPage) => {
  onPage(
    "is dark where the system is",
    async (page) => {
      const [back = 255, text = 0] = await page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body);
        return [backgroundColor, color].map((one) => Number(/\d+/.exec(one)?.[0]));
      });
      assert.ok(back < 40 && text > 220, `${text} on ${back}`);
    },
    { colorScheme: "dark" },
  );

  onPage(
    "fits on a phone",
    async (page) => {
      await untilReady(page);
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(await width(), 375);
      assert.equal(await page.isVisible("#generation-all .narrow svg"), true);
      assert.equal(await page.isVisible("#generation-all .wide svg"), false);
      await page.click('[data-jump="1"]');
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      assert.equal(await width(), 375, "with all tables open");
      const label = await page.locator("#generation-all .narrow .tick").first().boundingBox();
      assert.ok((label?.height ?? 0) >= 9, "labels can be read");
    },
    { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true },
  );

  onPage("stays itself in a frame of a notebook", async (page) => {
    await page.setContent("<iframe style='width: 900px; height: 600px'></iframe>");
    const fill = (frame: Element, html: string) => {
      (frame as HTMLIFrameElement).srcdoc = html;
    };
    await page.$eval("iframe", fill, smallPage());
    const frame = page.frameLocator("iframe");
    await frame.locator('nav a[href="#reservoirs"]').click();
    assert.match((await frame.locator("h1").textContent()) ?? "", /^made$/);
    assert.ok(((await frame.locator("#reservoirs h2").boundingBox())?.y ?? 1000) < 300);
  });

  onPage("prints", async (page) => {
    await page.emulateMedia({ media: "print" });
    for (const hidden of ["nav", ".explorer", ".tools"]) {
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    }
    assert.equal(await page.isVisible("#generation-all .wide svg"), true);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  });

  onPage(
    "can be read without JavaScript",
    async (page) => {
      assert.equal(await page.isVisible("#storage-0 svg"), true);
      assert.equal(await page.isVisible("#explorer"), false);
      assert.equal(await page.isVisible("#generation-all svg"), true);
      assert.equal(await page.isVisible("[data-places]"), false);
      await page.click("#storage-0 summary");
      assert.equal(await page.isVisible("#storage-0 table"), true);
      await page.check(".log-switch");
      assert.equal(await page.isVisible("#bounds .wide .log svg"), true);
    },
    { javaScriptEnabled: false },
  );
});

describePage(
  "a large page",
  runsRest,
  () => renderReport(madeReport(LARGE)),
  (onPage) => {
    onPage("opens, and can be searched", async (page, t) => {
      const start = performance.now();
      await page.reload();
      const opened = performance.now() - start;
      await untilReady(page);
      const ready = performance.now() - start;
      t.diagnostic(`opened in ${Math.round(opened)} ms, scenarios after ${Math.round(ready)} ms`);
      await page.click('[data-jump="1"]');
      assert.equal(await page.locator("#storage-29 .path.a").count(), 1);
      await page.fill("#reservoirs [data-search]", "reservoir 29");
      assert.equal(await page.locator("#reservoirs figure:visible").count(), 1);
    });
  },
);
