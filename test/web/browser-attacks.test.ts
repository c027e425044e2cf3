import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium, withChromium } from "../browser/support/chromium.ts";
import { makePlace, type Place } from "../cli/place.ts";
import { finish } from "../cli/run-place.ts";
import { describeWith } from "../support/extras.ts";
import { ask, type Served, serve } from "./served.ts";

/** Goes to a view and gives its text, once all that it asked for is there and drawn. */
const SHOW = `
  let asking = 0;
  const real = globalThis.fetch;
  globalThis.fetch = async (...asked) => {
    if (String(asked[0]).endsWith("/facts")) return real(...asked);
    asking += 1;
    const answer = await real(...asked).finally(() => setTimeout(() => { asking -= 1; }));
    return answer;
  };
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  globalThis.show = async (hash) => {
    location.hash = hash;
    for (let calm = 0; calm < 3; calm = asking === 0 ? calm + 1 : 0) await frame();
    return document.body.innerText;
  };
`;

/** Everything that an agent, a plan or a file can say, as markup that would call `pwned`. */
const EVIL = [
  "<script>pwned('script')</script>",
  "<img src=x onerror=pwned('img')>",
  "<svg onload=pwned('svg')></svg>",
  "</pre></style></title></textarea><script>pwned('end')</script>",
  "[link](javascript:pwned('link'))",
  "<a href=javascript:pwned('a')>here</a>",
];
const SECRET = "hunter2-hunter2-hunter2";

const PLAN = `plait: 1
name: evil
defaults: { agent: demo, retries: 0, fix-rounds: 0 }
tasks:
  - id: one
    title: ${JSON.stringify(EVIL.slice(0, 4).join(" "))}
    owns: ["src/**"]
    prompt: |
${EVIL.map((text) => `      demo: say ${text}`).join("\n")}
      demo: run printf '%s\\n' ${EVIL.map((text) => JSON.stringify(text)).join(" ")}
      demo: say The key is ${SECRET}
      demo: write src/evil.html ${EVIL.join(" ")}
  - id: two
    title: with ${SECRET}
    owns: ["docs/**"]
    prompt: |
      demo: say Nothing.
    gates:
      - { run: "echo '${EVIL[1]?.replaceAll("'", "")}' ; exit 1" }
`;

describeWith(withChromium, "in a real browser", () => {
  let place: Place;
  let run: string;
  let served: Served;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    const made = makePlace();
    place = { ...made, env: { ...made.env, API_TOKEN: SECRET } };
    [run, browser] = await Promise.all([finish(place, PLAN, { slots: 2 }), launchChromium()]);
    served = await serve(place, { run });
    context = await browser.newContext();
  });

  afterAll(async () => {
    await browser?.close();
    await served?.server.close();
  });

  /** A page in which what runs, asks or breaks the policy is written down. */
  async function watched(): Promise<{ page: Page; seen: string[] }> {
    const page = await context.newPage();
    const seen: string[] = [];
    await page.exposeFunction("pwned", (how: string) => void seen.push(`ran: ${how}`));
    await page.exposeFunction("violated", (what: string) => void seen.push(`policy: ${what}`));
    await page.addInitScript(
      "addEventListener('securitypolicyviolation', (one) => violated(`${one.effectiveDirective} ${one.blockedURI}`))",
    );
    await page.addInitScript(SHOW);
    page.on("dialog", (dialog) => {
      seen.push("dialog");
      void dialog.dismiss();
    });
    page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
    page.on("request", (asked) => {
      if (!asked.url().startsWith(served.origin)) seen.push(`asked: ${asked.url()}`);
    });
    return { page, seen };
  }

  it("what agents, gates, plans and files say is text: nothing of it runs, loads or breaks the policy (XSS)", async () => {
    const api = `/api/runs/${run}/tasks/one/attempts/1`;
    for (const what of ["transcript", "log", "prompt", "diff"])
      expect((await ask(served, `${api}/${what}`)).text).toContain("onerror=pwned"); // it does arrive
    const { page, seen } = await watched();
    await page.goto(served.url);
    const tabs = ["transcript", "log", "diff", "gates", "prompt"];
    const tasks = ["one", "two"].flatMap((task) => tabs.map((tab) => `task/${task}/${tab}`));
    await page.getByText(run).first().waitFor({ state: "attached" });
    for (const view of ["graph", "graph?task=one", "timeline", "queue", "costs", ...tasks])
      await page.evaluate(`show("#/run/${run}/${view}")`);
    const gates = await page.evaluate(`show("#/run/${run}/task/two/gates")`);
    expect(gates).toContain("onerror=pwned"); // in letters
    await page.goto(`${served.origin}/#/runs`);
    await page.getByText("repo").first().waitFor();
    expect(seen).toEqual([]);
    // The same, put in as markup, is seen by this very watch and does not run.
    const put = `try { document.body.innerHTML = ${JSON.stringify(EVIL[1])} } catch {}`;
    await page.evaluate(put);
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    expect(seen.join("\n")).toContain("policy: require-trusted-types-for");
    expect(seen.join("\n")).not.toContain("ran:");
    await page.close();
  });

  it("no secret of the environment arrives, whoever printed it (I13)", async () => {
    const api = `/api/runs/${run}/tasks/one/attempts/1`;
    const facts = await ask(served, `/api/runs/${run}/facts`);
    const texts = [...facts.text.matchAll(/"([0-9a-f]{64})"/g)].map(
      ([, hash]) => `/api/runs/${run}/texts/${hash}`,
    );
    const documents = ["prompt", "transcript", "log", "diff", "diff?against=1"].map(
      (what) => `${api}/${what}`,
    );
    const paths = [...documents, ...new Set(texts), "/api/runs", "/api/session"];
    const answers = [facts, ...(await Promise.all(paths.map((path) => ask(served, path))))];
    for (const { text } of answers) expect(text).not.toContain(SECRET);
    const told = answers.filter(({ status, text }) => status === 200 && text.includes("The key is "));
    expect(told.length).toBeGreaterThan(3); // prompt, transcript, log and a kept text at least
  });

  it("the link's token is out of the address at once, and the page loads again with it", async () => {
    const { page, seen } = await watched();
    await page.goto(served.url);
    await page.getByText("one").first().waitFor();
    expect(page.url()).not.toContain("token");
    await page.reload();
    await page.getByText("one").first().waitFor();
    expect(await page.evaluate("document.cookie")).toBe("");
    expect(seen).toEqual([]);
    // What is opened from there in a new window has no token in its address, and asks the first one.
    const tab = page.locator("nav a").first();
    const [beside] = await Promise.all([
      context.waitForEvent("page"),
      tab.click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await beside.getByText("one").first().waitFor();
    await beside.close();
    await page.close();
    const other = await context.newPage();
    await other.goto(served.origin);
    await other.getByText("open the link that plait printed").waitFor();
    await other.close();
  });

  it("a page of another origin can neither ask, nor read, nor listen, nor frame it", async () => {
    const html = readFileSync(new URL("./foreign-page.html", import.meta.url));
    const evil = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/html" }).end(html);
    });
    await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
    const page = await context.newPage();
    const known = { origin: served.origin, api: `/api/runs/${run}`, token: served.token };
    const { port } = evil.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/?${new URLSearchParams(known)}`);
    await expect
      .poll(() => page.evaluate("globalThis.attacked"), { timeout: 10_000 })
      .toEqual({
        ...{ read: "blocked", act: "blocked", blind: "blocked", script: "blocked", image: "blocked" },
        listening: "blocked",
      });
    const inFrame = page.frames().find((one) => one !== page.mainFrame());
    expect(await inFrame?.evaluate("document.body?.innerText ?? ''")).not.toContain("plait");
    evil.closeAllConnections();
    evil.close();
    await page.close();
    const { text } = await ask(served, "/api/runs");
    expect(JSON.parse(text).runs[0]).toMatchObject({ isRunning: false, status: { kind: "not-landed" } });
  });
});
