import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Fact } from "../../src/core/facts.ts";
import { makePlace, type Place } from "../cli/place.ts";
import { main, root } from "../cli/plait.ts";
import { describeWith } from "../support/extras.ts";
import { serve } from "../web/served.ts";
import { launchChromium, withChromium } from "./support/chromium.ts";

/** The page of real runs, served by the built program as a user starts it. */

const { readJournal }: typeof import("../../src/journal/read.ts") = await import(
  join(root, "dist/lib/journal/read.js")
);

const plan = (folder: string) => `plait: 1
name: live
defaults: { agent: demo, retries: 0 }
tasks:
  - id: slow
    owns: [src/slow.txt]
    prompt: |
      demo: say Hello
      demo: run while [ ! -e ${folder}/go ]; do sleep 0.05; done
      demo: write src/slow.txt done
  - id: picky
    needs: [slow]
    owns: [src/picky.txt]
    prompt: |
      demo: write src/picky.txt done
    gates: ["test -e ${folder}/mended"]
`;

/** Writes down the number of every fact that arrives in the page, and how the server answered. */
const RECORD = `
  globalThis.arrived = [];
  globalThis.answers = [];
  const real = globalThis.fetch;
  globalThis.fetch = async (...asked) => {
    const answer = await real(...asked);
    if (!String(asked[0]).endsWith("/facts")) return answer;
    globalThis.answers.push(answer.status);
    if (!answer.ok) return answer;
    const [own, copy] = answer.body.tee();
    void (async () => {
      let text = "";
      for await (const piece of copy.pipeThrough(new TextDecoderStream())) {
        text += piece;
        const last = text.lastIndexOf("\\n\\n");
        const end = last === -1 ? 0 : last + 2; // a piece may end anywhere
        for (const [, id] of text.slice(0, end).matchAll(/^id: (\\d+)$/gm)) globalThis.arrived.push(Number(id));
        text = text.slice(end);
      }
    })().catch(() => undefined);
    return new Response(own, { status: answer.status, headers: answer.headers });
  };
`;

type Program = {
  readonly child: ChildProcess;
  readonly link: string;
  readonly ended: Promise<number | null>;
};

describeWith(withChromium, "the page of a run", () => {
  let place: Place;
  let folder: string;
  let browser: Browser;
  let run = "";
  let served: Program;
  let page: Page;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    place = makePlace();
    folder = dirname(place.repo);
    writeFileSync(join(folder, "plan.yaml"), plan(folder));
    browser = await launchChromium();
  });

  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await browser?.close();
  });

  /** The program, once it has printed the link. */
  function start(...args: string[]): Promise<Program> {
    const child = spawn(process.execPath, [main, ...args], { cwd: place.repo, env: place.env });
    children.push(child);
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    return new Promise((resolve, reject) => {
      let said = "";
      const hear = (text: Buffer) => {
        said += text;
        const [link] = /http:\S+#token=\S{43}/.exec(said) ?? [];
        if (link !== undefined) resolve({ child, link, ended });
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      void ended.then(() => reject(new Error(said)));
    });
  }

  /** In the place of the program that opens a browser. */
  function fakeOpener() {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    for (const name of ["xdg-open", "open"]) {
      writeFileSync(
        join(bin, name),
        `#!/bin/sh\necho "$@" > ${folder}/opened.tmp && mv ${folder}/opened.tmp ${folder}/opened\n`,
      );
      chmodSync(join(bin, name), 0o755);
    }
    place = { ...place, env: { ...place.env, PATH: `${bin}:${place.env["PATH"]}` } };
    const opened = () => {
      try {
        const argv = readFileSync(join(folder, "opened"), "utf8").trim();
        return { argv, path: argv, html: readFileSync(argv, "utf8") };
      } catch {
        return null; // not yet
      }
    };
    return { opened };
  }

  async function open(link: string): Promise<Page> {
    const page = await browser.newPage();
    await page.addInitScript(RECORD);
    await page.goto(link);
    await page.getByText("slow").first().waitFor();
    return page;
  }

  const arrived = (page: Page): Promise<number[]> => page.evaluate("globalThis.arrived");
  const answers = (page: Page): Promise<number[]> => page.evaluate("globalThis.answers");
  const counted = (facts: readonly unknown[]): number[] => facts.map((_, n) => n);

  async function facts(): Promise<readonly Fact[]> {
    const path = join(place.repo, ".git/plait/runs", run, "journal.ndjson");
    return (await readJournal(path, { parse: (value) => value as Fact })).facts;
  }

  /** As the page does it, with the headers that the browser gives. */
  function act(page: Page, action: object): Promise<{ ok: boolean }> {
    return page.evaluate(`fetch("/api/runs/${run}/actions", {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: "Bearer " + sessionStorage.getItem("plait-token") },
      body: ${JSON.stringify(JSON.stringify(action))},
    }).then((answer) => answer.json())`);
  }

  it("is live while plait run --ui drives it, takes an action, and goes with it", async () => {
    const args = ["run", "../plan.yaml", "--ui", "--allow-root", "--allow-nested"];
    const { link, ended } = await start(...args);
    const page = await open(link);
    run = new URL(page.url()).hash.split("/")[2] ?? "";
    await page.getByRole("button", { name: "Pause…", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Unpause…" }).first().waitFor();
    expect((await facts()).at(-1)).toMatchObject({ type: "run.paused" });
    expect(await act(page, { kind: "pause" })).toMatchObject({
      ok: false,
      message: "the run is already paused",
    });
    expect(await act(page, { kind: "unpause" })).toEqual({ ok: true });
    writeFileSync(join(folder, "go"), "");
    expect(await ended).toBe(1); // picky failed
    const all = await facts();
    expect(all.at(-1)?.type).toBe("run.ended");
    await expect.poll(() => arrived(page)).toEqual(counted(all));
    await page.close();
  });

  it("of plait ui goes over to a driver that is started by what it asks", async () => {
    const opener = fakeOpener();
    served = await start("ui", run, "--open", "--allow-root", "--allow-nested");
    await expect.poll(() => opener.opened(), { timeout: 5_000 }).not.toBeNull();
    const { path, argv, html } = opener.opened() ?? { path: "", argv: "", html: "" };
    expect(argv).not.toContain("token"); // everybody on the machine can read that
    expect(html).toContain(served.link);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    page = await open(`file://${path}`);
    writeFileSync(join(folder, "mended"), "");
    await page.evaluate(`location.hash = "#/run/${run}/task/picky"`);
    await page.getByText("picky").first().waitFor();
    await page.keyboard.press("r");
    await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
    await expect
      .poll(async () => (await facts()).at(-1), { timeout: 60_000 })
      .toMatchObject({ type: "run.ended", outcome: "complete" });
    const all = await facts();
    await expect.poll(() => arrived(page), { timeout: 5_000 }).toEqual(counted(all));
  });

  it("comes back after its server was killed, without a fact lost or told twice, and hears why something is not done", async () => {
    const { port: digits, hash } = new URL(served.link);
    const [port, token] = [Number(digits), hash.replace("#token=", "")];
    served.child.kill("SIGKILL");
    await served.ended;
    const again = await serve(place, { run, port, token });
    await expect.poll(() => answers(page), { timeout: 10_000 }).toEqual([200, 200]);
    const before = (await facts()).length;
    writeFileSync(join(place.repo, "src/slow.txt"), "mine");
    const refused = await act(page, { kind: "undo" });
    expect(refused).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^could not undo the landing: .*slow\.txt/),
    });
    writeFileSync(join(place.repo, "src/slow.txt"), "done\n");
    expect(await act(page, { kind: "undo" })).toEqual({ ok: true });
    const more = await facts();
    expect(more.slice(before)).toContainEqual(expect.objectContaining({ type: "landing.undone" }));
    await expect.poll(() => arrived(page), { timeout: 5_000 }).toEqual(counted(more));
    await page.getByRole("button", { name: "Land…" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Commits").selectOption("squash");
    await dialog.getByLabel("Publish").selectOption("pull-request");
    await dialog.getByRole("heading", { name: "Open a pull request into main?" }).waitFor();
    await dialog.getByLabel("Reviewers").waitFor();
    await dialog.getByLabel("Publish").selectOption("no");
    await dialog.getByRole("button", { name: "Land" }).click();
    await expect
      .poll(async () => (await facts()).at(-1), { timeout: 60_000 })
      .toMatchObject({ type: "run.ended", outcome: "complete" });
    expect(await facts()).toContainEqual(
      expect.objectContaining({
        type: "policy.changed",
        policy: expect.objectContaining({ landStyle: expect.objectContaining({ as: "squash" }) }),
      }),
    );
    await again.server.close();
    const other = await serve(place, { port }); // after a restart the link is another
    await expect.poll(() => answers(page), { timeout: 10_000 }).toEqual([200, 200, 401]);
    await page.getByText("pen the link that plait printed").first().waitFor();
    expect(await answers(page)).toEqual([200, 200, 401]); // it does not knock again and again
    await page.close();
    await other.server.close();
  });
});
