import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runSummary } from "../../src/core/select/overview.ts";
import { activity, ended, story } from "../support/checkout.ts";
import { describeWith } from "../support/extras.ts";
import { axeFindings, overflow } from "./support/axe-findings.ts";
import { launchChromium, withChromium } from "./support/chromium.ts";
import { writePageFile } from "./support/page-file.ts";
import { queueAttempts, queueStory } from "./support/queue-story.ts";
import { daysBefore, serveRuns, type Told } from "./support/told-runs.ts";

const RUN = "checkout-k7f2";

describeWith(withChromium, "the page", () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), "plait-queue-"));
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open(width: number): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
    page.setDefaultTimeout(5_000);
    await page.clock.setFixedTime(story().now);
    return page;
  }

  /** For everybody, in every theme, without a part of it beside the window. */
  async function expectReadable(page: Page, themes = ["light", "dark"]): Promise<void> {
    for (const theme of themes) {
      await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
      expect(await axeFindings(page, ".queue, .runs")).toEqual([]);
    }
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  }

  const texts = async (page: Page, selector: string): Promise<string[]> =>
    (await page.locator(selector).allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());

  it("shows a view whose script comes between its drawing and its first look", async () => {
    const page = await open(1280);
    const url = await serveRuns(page, () => ({ runs: [story()] }));
    let send: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route("**/more.js", async (route) => {
      await sent;
      await route.fallback();
    });
    // What components do once they are drawn waits for a frame, or for a moment where none comes: both are held.
    await page.addInitScript(`
      window.held = null;
      for (const name of ["requestAnimationFrame", "setTimeout"]) {
        const begin = window[name].bind(window);
        window[name] = (act, ...rest) => (window.held === null ? begin(act, ...rest) : window.held.push(act));
      }`);
    await page.goto(`${url}/#/run/${RUN}/graph`);
    await page.locator(".graph").first().waitFor();
    await page.evaluate(`window.held = []; location.hash = "#/run/${RUN}/costs"`);
    await page.getByText("Loading costs").waitFor();
    send();
    await page.waitForResponse("**/more.js");
    await page.evaluate(
      `import("/more.js").then(() => { const all = held; held = null; for (const act of all) act(); })`,
    );
    await page.locator(".costs").waitFor();
    await page.close();
  });

  it("says that the script of a view did not come, and gets it when asked again", async () => {
    const page = await open(1280);
    const url = await serveRuns(page, () => ({ runs: [story()] }));
    let isGone = true;
    await page.route("**/more.js", (route) => (isGone ? route.abort() : route.fallback()));
    await page.goto(`${url}/#/run/${RUN}/costs`);
    await page.getByText("This view could not be loaded").waitFor();
    const asked = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/more.js"));
    await page.getByRole("button", { name: "Try again" }).click();
    await asked; // by the page anew: what is seen from now on is its own
    await page.getByText("This view could not be loaded").waitFor();
    isGone = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".costs").waitFor();
    await page.close();
  });

  it("shows the merge queue in order, conflicts, and both sides of each", async () => {
    const path = join(folder, "queue.html");
    const told = { ...queueStory(), activity: activity.values(), attempts: queueAttempts };
    const url = `${writePageFile(path, told)}#/run/${RUN}/queue`;
    const page = await open(1280);
    await page.goto(url);
    await page.locator(".queue-note", { hasText: "1 file" }).waitFor();
    expect(await texts(page, ".queue-entry .queue-name a")).toEqual([
      ...["inventory", "audit-log", "refunds", "emails"],
    ]);
    expect(await texts(page, ".queue-gate")).toEqual([
      ...["test:unit running 1:06", "test:unit green 1:36", "test:unit running 0:48"],
    ]);
    expect((await texts(page, ".queue-note"))[0]).toMatch(/^On the tip \w{7}\. .* 1 file, \+1 −1\.$/);
    expect(await texts(page, ".conflict-list li")).toEqual([
      "emails #1 with payments in src/events/bus.ts 14:44 attempt #2 is next",
    ]);
    // What an agent wrote is text, whatever it looks like.
    const sides = page.locator(".conflict-code");
    await sides.last().waitFor();
    expect(await sides.first().innerText()).toContain("<b>report</b>");
    expect(await sides.last().innerText()).toContain("await Promise.all");
    await expectReadable(page);
    await page.getByRole("button", { name: "checkout-ui and cart-ui: overlap" }).click();
    await expect
      .poll(() => texts(page, ".conflict-pair .queue-none"))
      .toEqual([expect.stringMatching(/^Both own src\/ui\/\*\* and src\/ui\/PriceLine\.tsx\./)]);
    await page.getByRole("button", { name: "Show both sides" }).click();
    await expect.poll(() => texts(page, ".conflict-pair h2")).toEqual(["emails × payments"]);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/run/${RUN}/queue?task=audit-log`);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectReadable(page, ["dark"]);
    await page.goto(`file://${path}#/runs`);
    await page.getByText("This file has one run").waitFor();
    await page.close();
  });

  it("lists all runs, finds and filters them, and compares two that are marked", async () => {
    const page = await open(1280);
    const [now, before] = [story(), daysBefore(ended(), "checkout-h3c1", 1)];
    const damaged = [{ run: "lint-8u8x", problem: "line 41 is damaged", hint: "Look: plait rescue" }];
    const landed = {
      ...runSummary(before.state, before.now, false),
      ...{ run: "search-p2d9", needsYou: false },
      status: {
        kind: "landed",
        commit: "8d1c3f0a",
        target: "refs/heads/main",
        isGated: true,
        obstacle: null,
      },
    };
    let told = { runs: [], damaged: [] } as Told;
    const origin = await serveRuns(page, () => told);
    await page.goto(`${origin}/#/runs`);
    await page.getByText("No runs yet").waitFor();
    expect(await page.locator(".runs").innerText()).toContain("plait run plan.yaml");

    told = { runs: [now, before], listed: [landed], damaged } as unknown as Told;
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.locator(".runs-row").first().waitFor();
    expect(await texts(page, ".runs-filters button")).toEqual([
      "All 4",
      "Running 1",
      "Needs you 3",
      "Landed 1",
    ]);
    expect(await texts(page, ".runs-result")).toEqual([
      expect.stringMatching(/^running, ready about 15:\d\d$/),
      "not landed",
      "landed 8d1c3f0 on main",
    ]);
    // Right below the bar, however few there are.
    expect((await page.locator(".runs h1").boundingBox())?.y).toBeLessThan(100);
    expect(await texts(page, ".runs-started")).toEqual(["14:02", "Yesterday 14:02", "Yesterday 14:02"]);
    expect(await texts(page, ".runs-why")).toEqual(["line 41 is damaged. Look: plait rescue"]);
    await expectReadable(page);
    await page.getByRole("button", { name: "Landed 1" }).click();
    await expect.poll(() => texts(page, ".runs-name a")).toEqual(["search-p2d9"]);
    await page.getByRole("button", { name: "All 4" }).click();
    await page.getByRole("searchbox", { name: "Run or plan" }).fill("h3c1 checkout-v2");
    await expect.poll(() => texts(page, ".runs-name a")).toEqual(["checkout-h3c1"]);
    await page.getByRole("searchbox", { name: "Run or plan" }).fill("");
    await page.locator("h1").click();
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectReadable(page, ["dark"]);
    await page.getByRole("button", { name: "Compare 2" }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/runs?compare=checkout-h3c1,${RUN}`);

    await page.locator(".bells-row").first().waitFor();
    expect(await texts(page, ".compare-figures tbody tr")).toContain("Done 21 of 24 10 of 24 −11");
    expect((await texts(page, ".bells-row"))[0]).toMatch(/^i18n 26:00, then 10:28, −15:31$/);
    expect(await texts(page, ".compare-only")).toEqual(["Started only in checkout-h3c1: e2e, release-check"]);
    await expectReadable(page, ["light"]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expectReadable(page, ["dark"]);
    await page.goto(`${origin}/#/runs?compare=gone,${RUN}`);
    await page.getByText("No run gone").waitFor();
    await page.goto(`${origin}/#/runs?compare=lint-8u8x,${RUN}`);
    await page.getByText("lint-8u8x is unreadable").waitFor();
    await page.close();
  });
});
