import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { activity, ended, story } from "../support/checkout.ts";
import { everySegment } from "../support/every-segment.ts";
import { describeWith } from "../support/extras.ts";
import { Scenario } from "../support/scenario.ts";
import { axeFindings, overflow } from "./support/axe-findings.ts";
import { launchChromium, withChromium } from "./support/chromium.ts";
import { writePageFile } from "./support/page-file.ts";

describeWith(withChromium, "timeline and costs in a browser", () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "plait-timeline-"));
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  type Look = {
    readonly width?: number;
    readonly theme?: "dark" | "light";
    readonly view?: "timeline" | "costs";
  };

  async function open(
    run: Scenario,
    { width = 1280, theme = "dark", view = "timeline" }: Look = {},
  ): Promise<Page> {
    const told = { facts: run.facts, now: run.now, activity: activity.values() };
    const url = writePageFile(join(folder, "page.html"), { ...told, isRunning: run.state.ended === null });
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: theme });
    await page.goto(`${url}#/run/${run.state.run}/${view}`);
    await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
    await page.locator(`.${view}`).waitFor();
    return page;
  }

  const countOf = async (page: Page, looks: readonly string[]) =>
    Object.fromEntries(
      await Promise.all(
        looks.map(async (look) => [look, await page.locator(`.timeline-plot .timeline-${look}`).count()]),
      ),
    );

  test("there is a bar for everything that happened, and for what is expected", async () => {
    const page = await open(everySegment());
    const looks = [
      "agent",
      "plait",
      "queue",
      "red",
      "parked",
      "held",
      "ready",
      "expected-agent",
      "called-off",
      "break",
      "cross",
    ];
    expect(await countOf(page, looks)).toEqual({
      ...{ agent: 14, plait: 10, queue: 4, red: 3, parked: 1, held: 1, ready: 16 },
      ...{ "expected-agent": 3, "called-off": 1, break: 1, cross: 3 },
    });
    expect(await page.locator(".timeline-mark-failed text").textContent()).toBe("gate test:unit");
    expect(await page.locator(".timeline-mark-skipped text").textContent()).toBe("tax failed");
    await page.close();
  });

  test("a bar leads to its attempt, and is told in words where it is pointed at or has the focus", async () => {
    const page = await open(story());
    const bar = page.locator('a[aria-label^="webhooks, agent, attempt #1"]');
    await bar.hover();
    expect(await page.locator(".timeline-tip").textContent()).toBe(
      "webhooks agent, attempt #1: 14:33:00 to 14:35:10, 2:10; agent error: exit 1",
    );
    await bar.click();
    expect(new URL(page.url()).hash).toBe("#/run/checkout-k7f2/task/webhooks/transcript?attempt=1");
    await page.goBack();
    await bar.waitFor(); // keys are heard once it is drawn again
    for (const id of ["deps", "schema"]) {
      await page.keyboard.press("ArrowDown");
      await page.waitForURL(`**/timeline?task=${id}`);
    }
    await page.locator(".timeline-row-selected .timeline-name").focus();
    await page.locator('a[aria-label^="schema, agent"]').focus();
    expect(await page.locator(".timeline-tip").textContent()).toContain("agent: 14:03:58 to 14:10:00");
    await page.locator('a[aria-label^="schema, agent"]').blur();
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).hash).toBe("#/run/checkout-k7f2/task/schema/transcript");
    await page.close();
  });

  test("dragging zooms, 0 fits again", async () => {
    const page = await open(story());
    const ticks = () => page.locator(".timeline-axis .timeline-tick").allTextContents();
    const whole = await ticks();
    const { x = 0, y = 0 } = (await page.locator(".timeline-plot").boundingBox()) ?? {};
    await page.mouse.move(x + 300, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + 420, y + 14);
    expect(await page.locator(".timeline-span").count()).toBe(1);
    await page.mouse.up();
    expect(await ticks()).not.toEqual(whole);
    expect(await page.locator('a[aria-label^="deps, "]').count()).toBe(0);
    expect(await page.getByRole("button", { name: "Fit" }).count()).toBe(1);
    await page.keyboard.press("0");
    expect(await ticks()).toEqual(whole);
    await page.close();
  });

  test("who cannot see it has a table, with the critical path in its caption", async () => {
    const page = await open(ended());
    const table = page.getByRole("table", { name: /critical path: deps, schema, .* e2e, release-check/ });
    expect(await table.getByRole("row").count()).toBe(25);
    expect(await table.getByRole("row", { name: /^tax failed/ }).textContent()).toContain(
      "failed at 14:36:40: gate test:tax",
    );
    await page.close();
  });

  test("of 500 tasks only the rows that can be seen are drawn", async () => {
    const run = new Scenario(
      Array.from({ length: 500 }, (_, n) => ({ id: `task-${n}` })),
      { policy: { slots: 500 } },
    );
    const page = await open(run);
    expect(await page.locator(".timeline-row").count()).toBeLessThan(60);
    await page.keyboard.press("ArrowUp");
    await page.locator('.timeline-row[data-row="499"]').waitFor();
    expect(await page.locator(".timeline-row").count()).toBeLessThan(60);
    await page.close();
  });

  test("costs say what was merged and what was not, and add up", async () => {
    const page = await open(story(), { view: "costs" });
    const row = page.getByRole("row", { name: /webhooks/ });
    expect(await row.textContent()).toBe("webhooksrunningclaude$0.44 not merged656k$1.44");
    expect(await page.locator(".costs-agents tfoot").textContent()).toBe("All2010.5M$3.44$20.18");
    expect(await page.getByRole("img", { name: /^Spent \$20\.18 of \$40\.00; about \$25\.38/ }).count()).toBe(
      1,
    );
    const colour = () =>
      page.evaluate('getComputedStyle(document.querySelector("td .costs-solid")).backgroundColor');
    const bar = await colour();
    await page.emulateMedia({ forcedColors: "active" });
    expect(await colour()).toBe(bar); // a bar of the colour of the page is none
    await page.close();
  });

  test.each([
    ["dark", 390],
    ["light", 1280],
  ] as const)(
    "both are readable in %s at %i px, and nothing is wider than the window",
    async (theme, width) => {
      const run = story();
      const page = await open(run, { theme, width });
      for (const view of ["timeline", "costs"] as const) {
        await page.evaluate(`location.hash = "#/run/${run.state.run}/${view}"`);
        await page.locator(`.${view}`).waitFor();
        expect(await axeFindings(page, `.${view}`), view).toEqual([]);
        expect(await overflow(page), view).toBeLessThanOrEqual(0);
      }
      await page.close();
    },
  );
});
