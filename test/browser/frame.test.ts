import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { glyphs } from "../../src/cli/render/glyphs.ts";
import { plainText } from "../../src/cli/render/line.ts";
import { liveBlock } from "../../src/cli/render/run/live.ts";
import type { Fact } from "../../src/core/facts.ts";
import type { RunEvent } from "../../src/report/page/wire.ts";
import { activity, ended, story, unit } from "../support/checkout.ts";
import { describeWith } from "../support/extras.ts";
import { taskId } from "../support/plans.ts";
import { launchChromium, withChromium } from "./support/chromium.ts";
import { type Scripted, writeLivePage } from "./support/live-page.ts";
import { writePageFile } from "./support/page-file.ts";

const LOOKS = [
  ["dark", 1440],
  ["dark", 1280],
  ["light", 390],
  ["light", 1440],
] as const;

declare const scripted: Scripted;
declare const document: { readonly documentElement: { readonly scrollWidth: number } };

describeWith(withChromium, "the frame of the page", () => {
  const folder = mkdtempSync(join(tmpdir(), "plait-frame-"));
  const running = story();
  const over = ended();
  const files = {
    running: writePageFile(join(folder, "running.html"), {
      facts: running.facts,
      now: running.now,
      activity: activity.values(),
    }),
    over: writePageFile(join(folder, "over.html"), { facts: over.facts, now: over.now, isRunning: false }),
  };
  let live = "";
  let browser: Browser;
  let context: BrowserContext | null = null;
  const problems: string[] = [];

  beforeAll(async () => {
    [browser, live] = await Promise.all([launchChromium(), writeLivePage(folder, running)]);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    await context?.close();
    context = null;
    // Neither a bug nor something that the policy of the page forbids.
    expect(problems.splice(0)).toEqual([]);
  });

  type Look = { readonly width?: number; readonly view?: string; readonly hasClock?: boolean };

  async function open(
    url: string,
    { width = 1440, view = "graph", hasClock = false }: Look = {},
  ): Promise<Page> {
    const size = { width, height: width < 700 ? 844 : 900 };
    context = await browser.newContext({ viewport: size, colorScheme: "dark", reducedMotion: "reduce" });
    const page = await context.newPage();
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    if (hasClock) await page.clock.install();
    await page.goto(`${url}#/run/checkout-k7f2/${view}`);
    await page.locator(".scrubber-now").waitFor();
    return page;
  }

  const text = async (page: Page, selector: string): Promise<string> =>
    (await page.locator(selector).allInnerTexts()).join(" ").replaceAll(/\s+/g, " ");

  test("shows the same figures as the terminal", async () => {
    const page = await open(files.running);
    const view = { state: running.state, now: running.now, activity };
    const draw = (width: number, height: number) =>
      liveBlock(view, { width, height, glyphs: glyphs.unicode, frame: null }).map(plainText).join("\n");
    const [wide, narrow] = [draw(200, 50), draw(40, 12)];
    const told = (pattern: RegExp, from = wide): string[] => [...(pattern.exec(from) ?? [])].slice(1);
    const strip = await text(page, ".strip");
    const [slots, elapsed] = told(/(\d+ of \d+ slots) +([\d:]+)/);
    const [ready, left, by] = told(/ready about ([\d:]+) in (\d+ \w+), by (.+?) {2,}/);
    const figures = [
      ...told(/(\d+ of \d+ done)/),
      ...told(/(\d+ need you)/, narrow),
      slots,
      elapsed,
      `${ready} in ${left}`,
      by,
      ...told(/(\$[\d.]+ of \$[\d.]+)/),
      ...told(/(about \$[\d.]+ at the end)/),
      ...told(/([\d.]+M tokens)/),
    ];
    expect(figures).toHaveLength(9);
    for (const figure of figures) expect(strip).toContain(figure);
    expect(await text(page, ".bar")).toMatch(
      /shop \/ checkout-k7f2 Running full access Graph Timeline Queue 2 Costs/,
    );
    expect(await page.title()).toBe("10 of 24 done, 2 need you · checkout-k7f2 · Running");
  });

  test("offers no action on a run in a file, and lists its keys", async () => {
    const page = await open(files.running, { view: "graph?task=tax" });
    for (const key of ["r", "a", "s", "P", "L"]) await page.keyboard.press(key);
    expect(await page.getByRole("button", { name: /^Pause…|Stop/ }).count()).toBe(0);
    await page.keyboard.press("?");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(1);
    expect(await text(page, "dialog")).toContain("previous, next event");
    await page.keyboard.press("?");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  test("is readable by everybody, in both themes and at every width, and fits", async () => {
    const page = await open(files.running);
    for (const [theme, width] of LOOKS) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: theme });
      await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe(theme);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect(await page.locator(".cell-late").first().isVisible()).toBe(width >= 1320);
      if (width !== 1280)
        expect({ theme, width, found: await violations(page) }).toMatchObject({ found: [] });
    }
  });

  test("the scrubber shows any moment, by keyboard and by pointer", async () => {
    const page = await open(files.over);
    const slider = page.getByRole("slider", { name: "Time in the run" });
    const value = () => slider.getAttribute("aria-valuetext");
    expect(await value()).toBe("15:04:10, 21 of 24 done");
    expect(await text(page, ".notice")).toBe("Not landed, 21 of 24 done, 2 failed, 1 skipped.");
    await slider.focus();
    await page.keyboard.press("Home");
    expect(await value()).toBe("14:02:10, 0 of 24 done, replay");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("ArrowRight");
    expect(await value()).toMatch(/^14:08:59, .*replay$/);
    expect(await text(page, ".bar .badge")).toBe("Replay");
    const box = (await slider.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.2, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 10);
    await page.mouse.up();
    expect(await value()).toMatch(/^14:33:\d\d, 10 of 24 done, replay$/);
    expect(await text(page, ".replay-until")).toMatch(/^31:\d\d of 1:02:00$/);
    expect(await text(page, ".cell-ready")).toBe("Ended 15:04 not landed");
    await page.keyboard.press("End");
    expect(await value()).toBe("15:04:10, 21 of 24 done");
    await page.keyboard.press(",");
    expect(await text(page, ".bar .badge")).toBe("Replay");
    await page.getByRole("button", { name: "Go to end" }).click();
    expect(await text(page, ".bar .badge")).toBe("Not landed");
  });

  test("plays at its speed, and stops", async () => {
    const page = await open(files.over);
    const faster = page.getByRole("button", { name: "Speed" });
    await faster.click();
    expect([await text(page, ".replay-time"), await text(page, ".bar .badge")]).toEqual([
      "15:04:10",
      "Not landed",
    ]);
    await faster.click();
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await expect.poll(() => text(page, ".replay-time"), { timeout: 5_000 }).not.toBe("14:02:10");
    expect(await text(page, ".replay-speed")).toBe("64×");
    await page.getByRole("button", { name: "Pause the replay" }).click();
    const still = await text(page, ".replay-time");
    await page.waitForTimeout(250);
    expect(await text(page, ".replay-time")).toBe(still);
  });

  test("has keys for its views, for finding and for the theme, and remembers the theme", async () => {
    const page = await open(files.running);
    const current = () => text(page, '.tab[aria-current="page"]');
    for (const [key, view] of [
      ["2", "Timeline"],
      ["3", "Queue 2"],
      ["4", "Costs"],
      ["1", "Graph"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(current).toBe(view);
    }
    await page.keyboard.press("/");
    await page.keyboard.type("check");
    const options = page.getByRole("option");
    await expect
      .poll(() => options.allInnerTexts().then((all) => all.map((one) => one.split("\n")[0])))
      .toEqual(["checkout-ui", "release-check"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("/graph?task=release-check");
    const theme = () => page.locator("html").getAttribute("data-theme");
    expect(await theme()).toBe("dark");
    await page.keyboard.press("T");
    await page.keyboard.press("T");
    await expect.poll(theme).toBe("light");
    await page.reload();
    await page.locator(".scrubber-now").waitFor();
    expect(await theme()).toBe("light");
  });

  const acted = (page: Page) => page.evaluate(() => scripted.acted);

  test("asks once with the effect, does it, and confirms", async () => {
    const page = await open(live, { view: "graph?task=tax" });
    await page.keyboard.press("r");
    const question = page.getByRole("dialog", { name: "Retry tax?" });
    expect(await question.innerText()).toContain(
      "Attempt #4 starts from the current integration branch. invoices waits again. Past attempts cost $0.38 each.",
    );
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => question.count()).toBe(0);
    expect(await acted(page)).toEqual([]);
    await page.keyboard.press("r");
    await question.waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "Retrying tax." }).waitFor();
    expect(await acted(page)).toEqual([{ kind: "retry", task: "tax" }]);
    expect(await question.count()).toBe(0);
  });

  test("offers a softer stop, and shows a refusal as it was worded", async () => {
    const page = await open(live);
    await page.evaluate(() => scripted.answers({ ok: false, message: "run-1 has ended", hint: "" }));
    await page.getByRole("button", { name: "Stop…" }).click();
    const question = page.getByRole("dialog", { name: "Stop now?" });
    await question.getByRole("button", { name: "Stop now" }).click();
    await question.getByRole("alert").waitFor();
    expect(await question.getByRole("alert").innerText()).toBe("Not done: run-1 has ended");
    await expect.poll(() => text(page, "button:focus")).toBe("Stop now");
    await page.evaluate(() => scripted.answers({ ok: true }));
    await question.getByRole("button", { name: "Stop when attempts finish" }).click();
    await page.getByText("Stopping the run.").first().waitFor();
    await expect.poll(() => text(page, "[role=status]")).toBe("Stopping the run.");
    await page.keyboard.press("P");
    await page.getByRole("dialog", { name: "Pause checkout-k7f2?" }).waitFor();
    await page.keyboard.press("Enter");
    // One answer is shown at a time.
    await expect.poll(() => page.locator(".toast").allInnerTexts()).toEqual(["Paused the run."]);
    expect(await acted(page)).toMatchObject([{ mode: "stop" }, { mode: "drain" }, { kind: "pause" }]);
  });

  test("offers no action in a replay", async () => {
    const page = await open(live, { view: "graph?task=tax" });
    await page.keyboard.press(",");
    await page.getByRole("button", { name: "Go live" }).waitFor();
    await page.keyboard.press("r");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Stop…" }).count()).toBe(0);
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Stop…" }).waitFor();
  });

  test("notifies on the page and to screen readers; failures stay", async () => {
    const page = await open(live, { hasClock: true });
    const run = story();
    const known = run.facts.length;
    run.judge(unit, "merge inventory/1").advance();
    run.start("emails/2").end("emails/2", { reason: "agent-said-no", detail: "" }).save("emails/2");
    run.ask({ kind: "pause" });
    const news = run.facts.slice(known).map((fact, i): RunEvent => ({ kind: "fact", n: known + i, fact }));
    await page.evaluate((events) => scripted.tell(events), news);
    const toasts = page.locator(".toast");
    await expect.poll(() => toasts.count()).toBe(2);
    expect(await toasts.allInnerTexts()).toEqual([
      expect.stringContaining("inventory merged"),
      expect.stringContaining("emails failed: agent reported it is blocked"),
    ]);
    await expect
      .poll(() => text(page, "[role=status]"))
      .toBe(
        "emails failed after 2 attempts: agent reported it is blocked. Paused: running attempts continue, no new ones start. 11 of 24 done.",
      );
    expect(await text(page, ".notice")).toBe(
      "Paused: running attempts continue, no new ones start. Unpause… 1 task paused until 14:55: gemini usage limit. Retry now…",
    );
    expect(await page.title()).toBe("11 of 24 done, 3 need you · checkout-k7f2 · Paused");
    for (const [kind, word] of [
      ["unpause", "Running"],
      ["pause", "Paused"],
    ] as const) {
      const n = run.ask({ kind }).facts.length - 1;
      const fact = run.facts[n] as Fact;
      await page.evaluate((event) => scripted.tell([event]), { kind: "fact", n, fact } as RunEvent);
      await expect.poll(() => page.title()).toContain(word);
    }
    await page.clock.fastForward(7_000);
    // What the run was in between is nothing to be heard now.
    await expect
      .poll(() => text(page, "[role=status]"))
      .toBe("Paused: running attempts continue, no new ones start.");
    await expect.poll(() => toasts.count()).toBe(1);
    await toasts.getByRole("button", { name: "Close" }).focus();
    const failed = run.facts.length;
    run
      .ask({ kind: "unpause" })
      .ask({ kind: "retry", task: taskId("emails") })
      .start("emails/3");
    const later = run.facts.slice(failed).map((fact, i): RunEvent => ({ kind: "fact", n: failed + i, fact }));
    await page.evaluate((events) => scripted.tell(events), later);
    // It is tried again: that it failed is old news.
    await expect.poll(() => toasts.count()).toBe(0);
    await expect.poll(() => page.locator("main:focus").count()).toBe(1);
  });

  test("stays readable when the connection is lost, shows as of when, and retries", async () => {
    const page = await open(live);
    await page.evaluate(() =>
      scripted.connection({ kind: "lost", since: Date.now(), retryAt: Date.now() + 4_000 }),
    );
    await expect
      .poll(() => text(page, ".notice"))
      .toMatch(
        /^Connection lost\. Showing the run as of 14:44:\d\d\. The run itself continues\. Retrying in [34] s\. Retry now 1 task paused until/,
      );
    expect(await text(page, ".actors-title")).toBe("10 of 24 done");
    expect(await page.getByRole("button", { name: "Stop…" }).count()).toBe(0);
    await page.getByRole("button", { name: "Retry now" }).click();
    // The wait for a limit stays.
    await expect.poll(() => page.locator(".notice").count()).toBe(1);
    expect(await page.evaluate(() => scripted.follows())).toBe(2);
    await page.evaluate(() =>
      scripted.tell([{ kind: "unreadable", n: 1_203, problem: "Written by a newer plait (v3)", hint: "" }]),
    );
    await expect
      .poll(() => text(page, ".notice-text"))
      .toContain(
        "Event 1,204 is unreadable. Written by a newer plait (v3). Showing the run up to event 1,203.",
      );
  });
});

/** What keeps somebody from reading or using it: WCAG A and AA. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const found = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  });
}
