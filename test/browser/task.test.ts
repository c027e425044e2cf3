import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { taskTabs } from "../../src/ui/route.ts";
import { describeWith } from "../support/extras.ts";
import { axeFindings, overflow } from "./support/axe-findings.ts";
import { launchChromium, withChromium } from "./support/chromium.ts";
import { writePageFile } from "./support/page-file.ts";
import { taxTask } from "./support/tax-task.ts";

/** In the page, which alone knows styles. */
const COLOR = new Function("one", "return getComputedStyle(one).color") as () => string;

describeWith(withChromium, "the page of a task", () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  const troubles: string[] = [];

  beforeAll(async () => {
    url = writePageFile(join(tmpdir(), `plait-task-${process.pid}.html`), taxTask());
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" });
    // What would be a hole: a dialogue, a script of an agent, a request to anybody.
    page.on("dialog", (dialog) => void dialog.dismiss().then(() => troubles.push(dialog.message())));
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
    page.on("request", (request) => request.url().startsWith("file:") || troubles.push(request.url()));
  });
  afterAll(() => browser?.close());
  afterEach(() => expect(troubles.splice(0)).toEqual([]));

  const open = async (path: string, at = page): Promise<void> => {
    await at.goto(`${url}#/run/checkout-k7f2/task/${path}`);
    await at.locator(".task").waitFor();
  };
  const text = (selector: string): Promise<string> => page.locator(selector).innerText();

  it("shows attempts, gates, ownership, cost, needs and dependents", async () => {
    await open("tax/transcript");
    const rail = (await text(".task-rail")).replace(/\s+/g, " ");
    expect(await text(".task-head")).toMatch(/tax\s+Tax calculation by region\s+failed\s*, #3, retry 2 of 2/);
    expect(rail).toContain("Attempts 14:18 to 14:36");
    expect(rail).toContain("#3 retry 2 of 2 5:40 gate test:tax red, 2 of 41 tests $0.34");
    expect(rail).toMatch(/Gates on attempt 3 test:unit green 12 s test:tax red 38 s/);
    expect(rail).toContain("Ownership 1 finding src/tax/** 4 files …/money/round.ts owned by money");
    expect(rail).toContain("All attempts $1.14");
    expect(rail).toMatch(
      /Needs pricing , merged Dependents invoices , skipped Base commit [0-9a-f]{7} Saved at refs\/…\/tax\/3/,
    );
  });

  it("fills the page, however little there is to show", async () => {
    await open("e2e/transcript");
    expect(await text(".task-main")).toContain("Waiting for checkout-ui, cart-ui and webhooks.");
    const bottom = (selector: string) =>
      page.locator(selector).evaluate((one) => one.getBoundingClientRect().bottom);
    expect(await bottom(".task-rail")).toBe(await bottom(".frame-body"));
  });

  it("shows what the agent and plait did, with the end in view", async () => {
    await open("tax/transcript");
    const readRows = async () =>
      (await page.locator(".task-main ol > li").allInnerTexts()).map((row) => row.replace(/\s+/g, " "));
    // Events are there first; the agent's transcript is fetched.
    await expect.poll(readRows).toContain("14:31:52 Read src/tax/rates.ts 212 lines");
    const rows = await readRows();
    expect(rows[0]).toMatch(/^14:31:00 Attempt #3, retry 2 of 2, started on [0-9a-f]{7}/);
    expect(rows).toContain("14:33:05 Edit src/money/round.ts owned by money +9 −2");
    expect(rows.find((row) => row.includes("pnpm vitest"))).toMatch(
      /exit 1, 9 s ✗ src\/tax\/rates.test.ts 2 failed/,
    );
    expect(
      rows.filter((row) => /Subagent, 1 step|1 line of other output|retries after status 529/.test(row)),
    ).toHaveLength(3);
    expect(rows).toContain("14:36:40 Agent ended, exit 0, $0.34, 190k tokens");
    expect(rows.at(-1)).toMatch(
      /Gate test:tax red in 38\.2s, 2 of 41 tests, tax failed, invoices skipped Gate output$/,
    );
  });

  it("goes to another attempt, and shows what agents wrote as text", async () => {
    await open("tax/transcript");
    await page.keyboard.press("[");
    await page.keyboard.press("[");
    await expect.poll(() => page.url()).toContain("attempt=1");
    await expect.poll(() => text(".task-main")).toContain("<script>alert(1)</script> and <b>bold</b>");
    expect(await text(".task-main")).toContain("3.2 MiB omitted");
    expect(await page.locator(".task-main b:text-is('bold')").count()).toBe(0);
    await page.keyboard.press("d");
    await expect.poll(() => text(".task-main")).toContain("no longer in the repository");
    await page.keyboard.press("]");
    await page.keyboard.press("]");
    await expect.poll(() => page.url()).toMatch(/tax\/diff$/);
  });

  it("opens what is wanted of the task that is selected in another view, with one key", async () => {
    await page.goto(`${url}#/run/checkout-k7f2/graph?task=tax`);
    await page.locator(".graph").first().waitFor();
    await page.keyboard.press("c");
    await expect.poll(() => page.url()).toMatch(/task\/tax\/gates$/);
    await page.goto(`${url}#/run/checkout-k7f2/costs?task=tax`);
    await page.locator(".costs").waitFor();
    await page.keyboard.press("l");
    await expect.poll(() => page.url()).toMatch(/task\/tax\/log$/);
  });

  it("shows what was printed in its colors, a hundred thousand lines of it, and finds in them", async () => {
    await open("tax/transcript");
    await page.keyboard.press("l");
    const lines = page.locator(".task-log-line");
    await expect.poll(() => text(".task-log-lines")).toContain("<img src=x onerror=alert(1)> <U+202E>turned");
    expect(await lines.count()).toBeLessThan(120);
    expect(await text(".task-log-line:last-child")).toMatch(/more characters$/);
    await page.keyboard.press("/");
    await page.keyboard.type("LINE 500 of");
    await page.keyboard.press("Enter");
    await expect.poll(() => text(".task-log-bar")).toContain("1 of 1 lines");
    // Its number is not known: something is left out above it.
    expect(await text(".task-log-current")).toMatch(/^line 500 of many$/);
    await page.keyboard.press("Escape");
    await page.locator(".task-log-search").fill("fail ");
    await expect.poll(() => text(".task-log-lines")).toContain("3.2 MiB omitted");
    expect(await text(".task-log-lines")).toContain("downloaded");
    expect(await text(".task-log-lines")).not.toContain("90 %");
    const color = (word: string): Promise<string> =>
      page.locator(`.task-log-text span:text-is("${word}")`).evaluate(COLOR);
    expect(await color("✓")).toBe("rgb(63, 214, 162)");
    expect(await color("1.04")).toMatch(/^oklch\(0\.76 /);
    await page.locator(".task-log-search").fill("");
    await page.locator(".task-log-search").press("Escape");
    await page.keyboard.press("f");
    await expect.poll(() => text(".task-log-lines")).toContain("the last line");
  });

  it("shows what was changed: colors, numbers, parts of lines, owners, and large files when asked", async () => {
    await open("tax/log");
    await page.keyboard.press("d");
    await page.locator(".task-diff-file").first().waitFor();
    const heads = (await page.locator(".task-diff-head").allInnerTexts()).map((head) =>
      head.replace(/\s+/g, " "),
    );
    expect(heads).toEqual([
      "src/money/round.ts owned by money +6 −3",
      "src/tax/rates.ts +3 −2",
      "docs/tax.md renamed from docs/old.md",
      "logo.png binary",
      "src/tax/table.json new +9000 −0",
    ]);
    expect(await text(".task-diff-file:has-text('table.json')")).toContain("120.6 KiB of this file omitted");
    const row = page.locator(".task-diff-removed", { hasText: "halfEven(amount);" });
    expect((await row.innerText()).split("\t")).toEqual(["20", "", "−", "  return halfEven(amount);"]);
    expect(await page.locator(".task-code-keyword:text-is('switch')").count()).toBe(1);
    expect(await page.locator(".task-diff-added .task-diff-part").first().innerText()).toBe("2");
    const drawn = () => page.locator(".task-diff-added").count();
    expect(await drawn()).toBe(9);
    await page.getByRole("button", { name: "Show 2,500 lines" }).click();
    expect(await drawn()).toBe(2009);
    await page.getByRole("button", { name: "Show 500 more of 500 lines" }).click();
    expect(await drawn()).toBe(2509);
    expect(await text(".task-diff-cut")).toMatch(
      /^120\.6 KiB omitted\. Full diff: plait diff tax --attempt 3 --run checkout-k7f2/,
    );
    await page.locator(".task-diff-head").first().focus();
    const top = () => page.locator(".task-pane").evaluate((pane) => pane.scrollTop);
    await page.keyboard.press("n");
    const [first, hunk] = [await top(), await page.keyboard.press("}").then(top)];
    expect(first).toBeGreaterThan(0);
    expect(hunk).toBeGreaterThan(first);
    await page.keyboard.press("p");
    expect(await top()).toBeLessThan(hunk);
  });

  it("shows every verdict, the red one first with its output, and the prompt", async () => {
    await open("tax/diff");
    await page.keyboard.press("c");
    await expect.poll(() => text(".task-gate-red")).toContain("<i>1.04</i>");
    expect((await text(".task-gate-red")).replace(/\s+/g, " ")).toMatch(
      /^test:tax red on its own work 38 s 14:36:40 2 of 41 tests Output 2\.0 KiB omitted/,
    );
    expect(await page.locator(".task-output span.task-ansi-fg1").innerText()).toBe("FAIL");
    await page.keyboard.press("m");
    await expect.poll(() => text(".task-prompt")).toContain("```ts\nconst rate = rateFor(region);");
  });

  it("shows the task as it was: what has not happened yet is not there", async () => {
    await open("tax/transcript");
    const { facts } = taxTask();
    const third = facts.findIndex((fact) => fact.type === "attempt.started" && fact.attempt === "tax/3");
    for (let n = facts.length; n > third + 2; n -= 1) await page.keyboard.press(",");
    await expect.poll(() => text(".task-main")).not.toContain("Gate test:tax red");
    expect(await text(".task-main")).toContain("Edit src/money/round.ts");
    expect(await text(".task-main")).not.toContain("pnpm vitest");
    expect(await text(".task-rail")).not.toContain("owned by money");
    await page.keyboard.press(",");
    await page.keyboard.press(",");
    await expect.poll(() => text(".task-rail")).not.toContain("#3");
    await open("tax/transcript?attempt=3");
    await expect.poll(() => text(".task-main")).toContain("Attempt 3 has not started");
  });

  it("is readable by everybody in both themes and on a phone, where nothing is wider than the page", async () => {
    const pages = [
      { width: 1440, colorScheme: "dark", judged: ["log", "diff"] },
      { width: 390, colorScheme: "light", judged: ["transcript", "gates"] },
    ] as const;
    for (const { width, colorScheme, judged } of pages) {
      const at = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
      for (const tab of taskTabs) {
        await open(`tax/${tab}`, at);
        await at.locator(".task-pane > *, .task-log").first().waitFor();
        expect(await overflow(at), `${tab} ${width}`).toBe(0);
        if (!judged.some((name) => name === tab)) continue;
        expect(await axeFindings(at, ".task"), `${tab} ${width}`).toEqual([]);
      }
      await at.close();
    }
  });
});
