import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { AttemptId, TaskId } from "../../src/core/ids.ts";
import { activity, story } from "../support/checkout.ts";
import { describeWith } from "../support/extras.ts";
import { monorepo } from "../support/monorepo/index.mjs";
import { gateOf, hashOf } from "../support/plans.ts";
import { Scenario } from "../support/scenario.ts";
import { launchChromium, withChromium } from "./support/chromium.ts";
import { writePageFile } from "./support/page-file.ts";

declare const document: {
  readonly documentElement: { readonly scrollWidth: number };
  readonly activeElement: { readonly dataset: { readonly task?: string } } | null;
};

const OUTPUT = hashOf("output");
const HOSTILE =
  "\u001b[31mrates.test.ts:58\u001b[0m\nexpected 1.05\n<img src=x onerror=alert(1)> \u202etxt\n";

describeWith(withChromium, "the graph of the page", () => {
  const folder = mkdtempSync(join(tmpdir(), "plait-graph-"));
  const running = story();
  const files = {
    checkout: writePageFile(join(folder, "checkout.html"), {
      facts: running.facts.map((fact) =>
        fact.type === "gate.judged" && fact.verdict === "red" ? { ...fact, output: OUTPUT } : fact,
      ),
      now: running.now,
      activity: activity.values(),
      texts: { [OUTPUT]: { text: HOSTILE, cutBytes: 0 } },
    }),
    others: writePageFile(join(folder, "others.html"), otherStates()),
    many: writePageFile(join(folder, "many.html"), monorepo()),
  };
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    const size = { width: 1440, height: 900 };
    page = await browser.newPage({ viewport: size, colorScheme: "dark", reducedMotion: "reduce" });
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(problems.splice(0)).toEqual([]);
  });

  async function open(url: string, view = "checkout-k7f2/graph"): Promise<void> {
    await page.goto("about:blank");
    await page.goto(`${url}#/run/${view}`);
    await page.locator(".graph-svg, .graph-narrow").waitFor();
  }

  const node = (id: string) =>
    page
      .locator(".graph-node")
      .filter({ has: page.locator(".graph-id", { hasText: new RegExp(`^${id}$`) }) });
  const count = (selector: string) => page.locator(selector).count();
  const text = async (selector: string): Promise<string> =>
    (await page.locator(selector).allInnerTexts()).join(" ").replaceAll(/\s+/g, " ");
  const item = (id: string) => page.locator(`.graph-ranks [data-task="${id}"]`);
  const selected = () => new URL(page.url().replace("#", "x")).searchParams.get("task");

  test("every status has its sign, its word and its reason, also for screen readers", async () => {
    await open(files.checkout);
    const first = await page.evaluate<Told>(WHAT_IS_TOLD);
    expect(first["tax"]).toBe(
      "tax #3 gate test:tax | tax, failed,16:58Gate test:tax red, 1 of 2 failed, needs pricing, needed by invoices",
    );
    for (const [id, words] of [
      ["deps", "deps 1:39 | deps, merged,"],
      ["checkout-ui", "checkout-ui 15:18 · $2.94 | checkout-ui, running,"],
      ["inventory", "inventory checking merged | inventory, merging,"],
      ["audit-log", "audit-log 2nd in queue | audit-log, queued,"],
      ["refunds", "refunds test:unit 0:48 | refunds, checking,"],
      ["emails", "emails conflict, 0:03 | emails, retrying,"],
      ["i18n", "i18n until 14:55 | i18n, paused,"],
      ["invoices", "invoices tax failed | invoices, skipped,"],
      ["e2e", "e2e about 9 m | e2e, waiting,"],
    ] as const)
      expect(first[id]).toContain(words);
    await open(files.others, "run-1/graph");
    const others = await page.evaluate<Told>(WHAT_IS_TOLD);
    for (const [id, words] of [
      ["asks", "asks approve? | asks, held,"],
      ["looks", "looks read-only, 3:12 | looks, passed,"],
      ["dropped", "dropped by you | dropped, dropped,"],
      ["mends", "mends #2 0:00 | mends, fixing,"],
      ["races", "races ×2 0:00 | races, running,"],
      ["begins", "begins preparing | begins, preparing,"],
      ["ends", "ends saving | ends, saving,"],
    ] as const)
      expect(others[id]).toContain(words);
  });

  test("tasks are listed by who moves them next, those that need a person first", async () => {
    await open(files.checkout);
    expect(await text(".graph-actors h2")).toBe(
      "You 2 failed Agents 4 running plait 1 checking, 1 merging, 1 queued Timer 1 retrying, 1 paused",
    );
    expect(await text(".graph-actors section:nth-child(2) li:first-child")).toBe(
      "checkout-ui , running, critical 15:18 Edit src/checkout/AddressForm.tsx",
    );
    expect(await count(".graph-edge.is-critical")).toBe(3); // two in the picture, one in the legend
    await page.keyboard.press(",");
    await page.getByText("Events up to 14:4").waitFor();
    await page.keyboard.press("End");
    await page.locator(".graph-actors").waitFor();
  });

  test("a selected task shows why, with the end of what its gate printed as plain text", async () => {
    await open(files.checkout);
    await node("tax").click();
    await page.locator(".graph-tail").waitFor();
    expect(await page.locator(".graph-tail").textContent()).toBe(
      "rates.test.ts:58\nexpected 1.05\n<img src=x onerror=alert(1)> <U+202E>txt",
    );
    expect(await text(".graph-node-panel")).toContain("Gate test:tax red, 1 of 2 failed, #3, retry 2 of 2");
    expect(await text(".graph-attempt")).toBe(
      "#1 gate test:tax 6:18 $0.40 #2 gate test:tax 5:00 $0.40 #3 gate test:tax 5:40 $0.34",
    );
    expect(await text(".graph-node-panel")).toContain("invoices skipped The work of all attempts is saved.");
    expect(await count(".graph-node:not(.is-dimmed)")).toBe(5);
    expect(await count(".graph-ring")).toBe(1);
    await page.locator(".graph-stage").click({ position: { x: 12, y: 12 } });
    await expect.poll(() => count(".graph-node-panel")).toBe(0);
    expect(await count(".is-dimmed")).toBe(0);
  });

  test("keys walk along edges and through the list; enter opens, esc lets go", async () => {
    await open(files.checkout);
    await page.keyboard.press("j");
    expect(selected()).toBe("deps");
    for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "k"]) await page.keyboard.press(key);
    expect(selected()).toBe("deps");
    await page.keyboard.press("Escape");
    expect(selected()).toBeNull();
    await item("deps").focus();
    await expect.poll(() => count(".graph-focus")).toBe(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.evaluate(() => document.activeElement?.dataset.task)).toBe(selected());
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toMatch(/\/task\/[a-z0-9-]+\/transcript$/);
  });

  test("from further away names go, then all but tiles; moving it draws nothing", async () => {
    await open(files.checkout);
    const seen = async () => [
      await count(".graph-line"),
      await count(".graph-id"),
      await count(".graph-node"),
    ];
    expect(await seen()).toEqual([24, 24, 24]);
    const press = async (times: number) => {
      for (let i = 0; i < times; i += 1) await page.keyboard.press("-");
    };
    await press(2);
    await expect.poll(seen).toEqual([0, 24, 24]);
    await press(2);
    await expect.poll(seen).toEqual([0, 0, 24]);
    await press(2);
    await expect.poll(seen).toEqual([0, 0, 0]);
    expect(await count(".graph-tile")).toBeGreaterThan(5);
    await page.keyboard.press("0");
    await expect.poll(seen).toEqual([24, 24, 24]);
    await page.evaluate(WATCH_DRAWING);
    const box = (await page.locator(".graph-stage").boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 220, box.y + 90, { steps: 5 });
    await page.mouse.up();
    expect(await page.evaluate("globalThis.drawn")).toBe(0);
    expect(await page.locator(".graph-moved").getAttribute("style")).toContain("translate(");
    expect(selected()).toBeNull();
  });

  test("500 tasks are tiles and groups; near by only what is in sight is drawn", async () => {
    await open(files.many, "monorepo-x3t0/graph");
    expect(await count(".graph-node")).toBe(0);
    expect(await count(".graph-tile")).toBeLessThan(12);
    expect(await count(".graph-edges path")).toBeLessThan(6);
    const folded = () => page.locator('.graph-group-item button[aria-expanded="false"]').count();
    expect(await folded()).toBe(6); // none in which something failed
    expect(await text(".graph-groups h2")).toBe("500 tasks 277 done");
    for (let i = 0; i < 4; i += 1) await page.keyboard.press("+");
    await expect.poll(() => count(".graph-group")).toBeGreaterThan(5);
    const before = await count(".graph-group");
    await page.locator(".graph-group-item button", { hasText: "search" }).click();
    await expect.poll(() => count(".graph-group")).toBeLessThan(before);
    for (let i = 0; i < 4; i += 1) await page.keyboard.press("+");
    await expect.poll(() => count(".graph-line")).toBeGreaterThan(10);
    expect(await count(".graph-node")).toBeLessThan(250);
  });

  test("on a narrow page it is two lists", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(files.checkout);
    expect(await count(".graph-svg")).toBe(0);
    expect(await text(".graph-actors h2")).toContain("You 2 failed");
    await page.getByRole("button", { name: "By rank" }).click();
    expect(await text(".graph-ranks section:nth-child(3) h2")).toBe("Rank 3 3 of 4 done");
    expect((await item("i18n").innerText()).replaceAll(/\s+/g, " ")).toContain(
      "gemini usage limit until 14:55",
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.emulateMedia({ colorScheme: "light" });
    expect(await violations(page)).toEqual([]);
    await item("tax").click();
    await expect.poll(() => page.url()).toContain("/task/tax/");
  });

  test("is readable by everybody, in both themes, and fits", async () => {
    await open(files.checkout, "checkout-k7f2/graph?task=tax");
    for (const [theme, width] of [
      ["dark", 1440],
      ["light", 1280],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe(theme);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect({ theme, found: await violations(page) }).toMatchObject({ found: [] });
    }
    await page.keyboard.press("Escape");
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
  });
});

/** By task: what its node says, and what the list says to readers. */
type Told = { readonly [task: string]: string };
const WHAT_IS_TOLD = `
  Object.fromEntries([...document.querySelectorAll(".graph-node")].map((node) => {
    if (node.querySelectorAll(".icon path, .icon circle").length === 0) throw new Error("a node without a sign");
    const words = [...node.querySelectorAll("text")].map((one) => one.textContent).filter((one) => one !== "");
    const item = document.querySelector(\`.graph-ranks [data-task="\${words[0]}"]\`);
    return [words[0], words.join(" ") + " | " + item.textContent.replaceAll(/\\s+/g, " ")];
  }))`;

/** Counts what is drawn from now on. */
const WATCH_DRAWING = `
  globalThis.drawn = 0;
  new MutationObserver((changes) => { globalThis.drawn += changes.length; })
    .observe(document.querySelector(".graph-svg"), { subtree: true, childList: true, attributes: true });`;

/** The states that the run of the design does not have. */
function otherStates() {
  const check = gateOf("check");
  const tasks = [
    { id: "asks", approve: true },
    { id: "looks", access: "read-only" as const },
    { id: "dropped" },
    { id: "mends", fixRounds: 1, gates: [check] },
    { id: "races", race: 2 },
    { id: "begins" },
    { id: "ends" },
  ];
  const run = new Scenario(tasks, { now: 0, policy: { slots: 20 } }).work("asks/1");
  run.start("looks/1").later(192_000).end("looks/1").save("looks/1", { changed: false });
  run.ask({ kind: "cancel", task: "dropped" as TaskId });
  run.work("mends/1").judge(check, "work mends/1", "red").start("mends/2");
  run.start("races/1").start("races/2").start("ends/1").end("ends/1");
  run.fact({
    type: "attempt.started",
    attempt: "begins/1" as AttemptId,
    base: run.state.tip,
    ...{ worktree: "/w", marker: "m", author: "agent", continues: null, worker: null },
  });
  return { facts: run.facts, now: run.now };
}

/** What keeps somebody from reading or using it: WCAG A and AA. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const found = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  });
}
