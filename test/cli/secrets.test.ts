// I13 through the built program: what a person would read as a secret is nowhere in what plait writes or prints.

import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makePlace, type Place, plaitIn } from "./place.ts";

const VALUE = "hunter2-is/not+safe-0123";
const TOKEN = `ghp_${"a1B2".repeat(9)}`;
const HOOK = "https://hooks.slack.com/services/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";
const SECRETS = [VALUE, TOKEN.slice(4), HOOK.slice(34)];

/** As a person reads it: without what has no width, and with escapes as what they stand for. */
function readable(text: string): string {
  let seen = text;
  for (let i = 0; i < 4; i += 1)
    seen = seen
      .replaceAll(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll(/\\+([/"])/g, "$1");
  return seen.replaceAll(HIDDEN, "");
}

const HIDDEN = new RegExp(
  [
    String.raw`\u001b\[[\d;]*m`,
    String.raw`\u001b\]8;;[^\u0007\u001b]*(?:\u0007|\u001b\\+)`,
    ...["\\0", "\u200b", "\u00ad", "\u0301"],
  ].join("|"),
  "g",
);

const split = (text: string, hidden: string): string => [...text].join(hidden);

/** A program that prints texts, one on each line; the texts are not in its name or in the plan. */
function printer(place: Place, texts: readonly string[]): string {
  const file = join(place.repo, "..", "texts.json");
  writeFileSync(file, JSON.stringify(texts));
  return `${process.execPath} -e 'for (const one of JSON.parse(require("fs").readFileSync("${file}"))) console.log(one)'`;
}

const runFolder = (place: Place): string => {
  const runs = join(place.repo, ".git/plait/runs");
  return join(runs, readdirSync(runs)[0] ?? "");
};

/** All files of the run, by their path there. */
function filesOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true }) as string[]) {
    if (entry.startsWith("shadow.git")) continue;
    if (statSync(join(folder, entry)).isFile()) found[entry] = readFileSync(join(folder, entry), "utf8");
  }
  return found;
}

const leaks = (texts: Readonly<Record<string, string>>, secrets: readonly string[] = SECRETS): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    secrets
      .filter((one) => text.includes(one) || readable(text).includes(one))
      .map((one) => `${name}: ${one}`),
  );

describe("a secret that is split or escaped (I13)", () => {
  it("is masked in terminal, journal, logs, reports and the page", async () => {
    const place = makePlace();
    const texts = [
      "\u001b[1;31m",
      "\u0000",
      "\u200b",
      "\u00ad",
      "\u0301",
      "\u001b]8;;https://x\u0007",
    ].flatMap((hidden) => [VALUE, TOKEN, HOOK].map((one) => `a ${split(one, hidden)}.`));
    const escaped = [VALUE, TOKEN, HOOK].flatMap((one) => [
      `{"a":"${one.replaceAll("/", "\\/")}"}`,
      `{"a":"${one.replaceAll(/./g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}"}`,
      JSON.stringify({ text: JSON.stringify({ text: split(one, "\u001b[0m") }) }),
    ]);
    const print = printer(place, [...texts, ...escaped]);
    const plan = [
      "plait: 1\nname: d\ndefaults: { agent: demo, retries: 0 }\ntasks:",
      `  - id: command\n    command: |\n      ${print}\n      echo x > command.txt`,
      `  - id: fails\n    command: |\n      ${print} >&2\n      exit 1`,
      `  - id: agent\n    prompt: |\n      demo: run ${print}\n      demo: write agent.txt x`,
      `  - id: gated\n    prompt: "demo: write gated.txt x"\n    gates:\n      - run: |\n          ${print}\n          exit 1`,
    ].join("\n");
    writeFileSync(join(place.repo, "..", "plan.yaml"), plan);
    const own = { ...place, env: { ...place.env, SHOP_API_KEY: VALUE } };
    const ran = await plaitIn(own, "run", "../plan.yaml", "--allow-root", "--progress", "plain");
    const [run = ""] = readdirSync(join(place.repo, ".git/plait/runs"));
    const printed: Record<string, string> = { stdout: ran.stdout, stderr: ran.stderr };
    for (const task of ["command", "fails", "agent", "gated"]) {
      const logs = await plaitIn(own, "logs", task, "--run", run);
      printed[`logs ${task}`] = logs.stdout + logs.stderr;
    }
    for (const words of [
      ["report", run],
      ["report", run, "--format", "json"],
      ["status", run, "--json"],
    ])
      printed[words.join(" ")] = (await plaitIn(own, ...words)).stdout;
    await plaitIn(own, "report", run, "--format", "html", "--output", "../page.html");
    printed["page"] = readFileSync(join(place.repo, "..", "page.html"), "utf8");
    expect(printed["logs command"]).toContain("[masked]");
    expect(leaks({ ...filesOf(runFolder(place)), ...printed })).toEqual([]);
  });

  it("is found in what would be merged: split, escaped, a webhook, or in a binary file", async () => {
    const place = makePlace();
    const files: Readonly<Record<string, Buffer>> = {
      colored: Buffer.from(`${split(VALUE, "\u001b[0m")}\n`),
      escaped: Buffer.from(`{"a":"${VALUE.replaceAll("/", "\\/").replaceAll("-", "\\u002d")}"}\n`),
      webhook: Buffer.from(`url = "${HOOK}"\n`),
      binary: Buffer.concat([Buffer.alloc(64), Buffer.from(VALUE), Buffer.alloc(64, 255)]),
      wide: Buffer.from(`\ufeffkey=${TOKEN}\r\n`, "utf16le"),
      calm: Buffer.from("\0\u0001\u0002 nothing here"),
    };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(place.repo, "..", name), bytes);
    const tasks = Object.keys(files).map(
      (name) => `  - { id: ${name}, command: "cp ${join(place.repo, "..", name)} ${name}.bin" }`,
    );
    const plan = `plait: 1\nname: d\nland: partial\ndefaults: { retries: 0 }\ntasks:\n${tasks.join("\n")}\n`;
    writeFileSync(join(place.repo, "..", "plan.yaml"), plan);
    const own = { ...place, env: { ...place.env, SHOP_API_KEY: VALUE } };
    const { code, stdout } = await plaitIn(own, "run", "../plan.yaml", "--allow-root");
    expect(code).toBe(1);
    expect(git(place, "ls-tree", "-r", "--name-only", "main").split("\n")).toEqual(["calm.bin", "src/a.txt"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("binary.bin: its content looks like a secret");
  });
});

describe("values of a plan's variables (I13)", () => {
  const PLANNED = "planned-0123456789-abcdefghij";
  const PLAN = `plait: 1
name: d
defaults: { retries: 0 }
tasks:
  - id: a
    env: { API_TOKEN: ${PLANNED} }
    command: 'test -f ../../../../go || exit 1; printf %s "$API_TOKEN" | wc -c > length.txt'
`;

  async function failedRun() {
    const place = makePlace();
    const go = join(place.repo, "..", "go");
    const plan = join(place.repo, "..", "plan.yaml");
    writeFileSync(plan, PLAN.replace("../../../../go", go));
    const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
    expect(ran.code).toBe(1);
    writeFileSync(go, "");
    const folder = runFolder(place);
    return { place, plan, folder, key: join(place.env["HOME"] ?? "", ".local/state/plait/values.key") };
  }

  it("are in no file of the run, and a resume has them where the plan is gone", async () => {
    const { place, plan, folder } = await failedRun();
    rmSync(plan);
    expect(leaks(filesOf(folder), [PLANNED])).toEqual([]);
    expect((await plaitIn(place, "resume", "--allow-root")).code).toBe(0);
    expect(git(place, "show", "main:length.txt").trim()).toBe(String(PLANNED.length));
    expect(leaks(filesOf(folder), [PLANNED])).toEqual([]);
  });

  it("cannot be read without the user's key: a resume says so, and takes them from the plan", async () => {
    const { place, plan, key } = await failedRun();
    expect(statSync(key).mode & 0o777).toBe(0o600);
    rmSync(key);
    const refused = await plaitIn(place, "resume", "--allow-root");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("cannot be decrypted")]);
    expect(refused.stderr).toContain("--plan");
    expect((await plaitIn(place, "resume", "--plan", plan, "--allow-root")).code).toBe(0);
    expect(git(place, "show", "main:length.txt").trim()).toBe(String(PLANNED.length));
  });

  it("that an older version wrote as they are, are encrypted when the run is met", async () => {
    const { place, folder, key } = await failedRun();
    // As it was written: with its own key of the hashes, which the journal has.
    const { createDecipheriv } = await import("node:crypto");
    const bytes = Buffer.from(readFileSync(join(folder, "values.sealed"), "utf8"), "base64");
    const secret = Buffer.from(readFileSync(key, "utf8"), "hex");
    const cipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, 12)).setAuthTag(
      bytes.subarray(12, 28),
    );
    writeFileSync(
      join(folder, "values.json"),
      Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]),
    );
    rmSync(join(folder, "values.sealed"));
    await plaitIn(place, "report", "--format", "json");
    expect(existsSync(join(folder, "values.json"))).toBe(false);
    expect(leaks(filesOf(folder), [PLANNED])).toEqual([]);
    expect((await plaitIn(place, "resume", "--allow-root")).code).toBe(0);
    expect(git(place, "show", "main:length.txt").trim()).toBe(String(PLANNED.length));
  });
});
