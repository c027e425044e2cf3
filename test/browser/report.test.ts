import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { InlinedRun } from "../../src/report/page/wire.ts";
import { makePlace, type Place, plaitIn } from "../cli/place.ts";
import { finish } from "../cli/run-place.ts";
import { describeWith } from "../support/extras.ts";
import { launchChromium, withChromium } from "./support/chromium.ts";

const HOSTILE = "</script><!--<script>window.hurt = 1</script><img src=x onerror=hurt=1>\u2028";
const SECRET = "s3cr3t-of-the-server-77";

/** One fails at its gate, one prints far more than the file takes. */
const PLAN = `plait: 1
name: shop
defaults: { agent: demo, retries: 0, fix-rounds: 0 }
gates: [{ name: no-todo, run: "! grep -rn TODO src" }]
tasks:
  - id: api
    title: ${JSON.stringify(HOSTILE)}
    owns: [src/api/**]
    prompt: |
      demo: write src/api/a.js // TODO ${HOSTILE.trimEnd()} ${SECRET}
      demo: say ${HOSTILE.trimEnd()}
  - id: build
    access: read-only
    command: "head -c 700000 /dev/zero | tr '\\\\0' '<'; echo; echo the end"
`;

describeWith(withChromium, "the HTML report", () => {
  let browser: Browser;
  let place: Place;
  let run: string;
  let file: string;
  let said: string;

  beforeAll(async () => {
    [browser, place] = [await launchChromium(), makePlace()];
    run = await finish(place, PLAN, { slots: 2 });
    file = join(dirname(place.repo), "run.html");
    const asked = { ...place, env: { ...place.env, SERVER_PASSWORD: SECRET } };
    const made = await plaitIn(asked, "report", "--format", "html", "--output", file);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("run.html: shop-") });
    said = made.stderr;
  });
  afterAll(() => browser?.close());

  const openPage = async (): Promise<Page> => {
    const page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    return page;
  };

  it("works from a disk, in every view, and asks for nothing from anywhere", async () => {
    const page = await openPage();
    const heard = listenTo(page);
    for (const view of ["graph", "timeline", "queue", "costs", "task/api/transcript", "task/build/log"]) {
      await page.goto(`file://${file}#/run/${run}/${view}`);
      await page.getByText(run).first().waitFor();
    }
    expect(heard).toEqual({ problems: [], elsewhere: [] });
    expect(await page.evaluate("globalThis.hurt")).toBeUndefined();
    await page.close();
  });

  it("has what agents said and did as it was, and no secret (I13)", () => {
    const html = readFileSync(file, "utf8");
    expect(html.includes(SECRET)).toBe(false); // a matcher would print the whole file
    const { attempts, texts, facts } = inlined(html);
    expect(facts.at(-1)?.type).toBe("run.ended");
    expect(attempts["api/1" as never]?.prompt?.text).toContain(HOSTILE.trimEnd());
    expect(JSON.stringify(attempts["api/1" as never]?.diff)).toContain("+// TODO </script>");
    expect(Object.values(texts).map(({ text }) => text)).toContainEqual(
      expect.stringContaining("src/api/a.js:1:"),
    );
    expect(Object.values(texts).map(({ text }) => text)).toContainEqual(HOSTILE.trimEnd());
  });

  it("is of bounded size (I10) and says what is left out, on the page too", async () => {
    expect(statSync(file).size).toBeLessThan(2_000_000); // those brackets take six times their number
    const { attempts, leftOut } = inlined(readFileSync(file, "utf8"));
    const { text = "", cutBytes = 0 } = attempts["build/1" as never]?.log ?? {};
    expect(text.length + cutBytes).toBeGreaterThan(700_000);
    expect(text.trimEnd().endsWith("the end")).toBe(true);
    expect(leftOut).toContain(`1 log is cut short: plait logs <task> --run ${run} --raw`);
    expect(said).toContain(leftOut[0]);
    const page = await openPage();
    await page.goto(`file://${file}`);
    await page.getByText("This file is incomplete").click();
    await page.getByText("1 log is cut short").waitFor();
    await page.close();
  });
});

/** What a page must never do; what it asks for besides itself. */
function listenTo(page: Page): { readonly problems: string[]; readonly elsewhere: string[] } {
  const heard = { problems: [] as string[], elsewhere: [] as string[] };
  page.on("pageerror", (error) => heard.problems.push(String(error)));
  page.on("console", (message) => heard.problems.push(message.text()));
  page.on("dialog", (dialog) => heard.problems.push(dialog.message()));
  page.on("request", (request) => {
    if (!request.isNavigationRequest()) heard.elsewhere.push(request.url());
  });
  return heard;
}

function inlined(html: string): InlinedRun {
  const json = /<script type="application\/json"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
  return JSON.parse(json) as InlinedRun;
}
