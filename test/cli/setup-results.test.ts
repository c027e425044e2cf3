import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makePlace, type Place, plaitIn } from "./place.ts";

const DEMO = ["--agent", "demo", "--allow-root"];

function put({ repo }: Place, path: string, text: string): void {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
}

describe("the result of a setup command", () => {
  /** Commands note their calls in a file beside the repository. */
  function makeSetupPlace(files: { readonly [path: string]: string } = {}) {
    const place = makePlace({
      "package.json": '{ "name": "shop" }\n',
      "package-lock.json": "{}\n",
      "schema/shop.txt": "shop\n",
      ".gitignore": "node_modules/\ngenerated/\nstamp\n",
      ...files,
    });
    const log = join(dirname(place.repo), "calls.txt");
    put(place, "../bin/npm", `#!/bin/sh\necho "$@" >> ${log}\n`);
    chmodSync(join(place.repo, "../bin/npm"), 0o755);
    put(place, "../calls.txt", "");
    const env = { ...place.env, PATH: `${join(dirname(place.repo), "bin")}:${place.env["PATH"]}` };
    const count = (line: string) =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((one) => one === line).length;
    return { place: { ...place, env }, log, count };
  }

  const TASKS = ["-p", "demo: write a.txt A", "-p", "demo: write b.txt B"];

  it("is there once for the installer of a line joined by &&, also where it makes no folder", async () => {
    const { place, count } = makeSetupPlace();
    const setup = ["--setup", "npm ci && npm run build", "--gate", "true"];
    const planned = await plaitIn(place, "plan", ...TASKS, ...setup);
    expect(planned.stdout).toContain("npm ci && npm run build (reused: npm ci)");
    const ran = await plaitIn(place, "run", ...TASKS, ...setup, ...DEMO);
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(count("ci")).toBe(1);
    expect(count("run build")).toBeGreaterThan(2);
  });

  const planIn = (place: Place, setup: object, tasks: readonly object[]) =>
    put(
      place,
      "../plan.json",
      JSON.stringify({
        plait: 1,
        setup: [setup],
        gates: ["cmp schema/shop.txt generated/api.txt && test -f stamp"],
        tasks: tasks.map((task) => ({ agent: "demo", retries: 0, ...task })),
      }),
    );

  it("is given to other trees where the plan declares inputs and outputs, and made again for other inputs", async () => {
    const { place, log, count } = makeSetupPlace();
    const run = `echo generate >> ${log} && mkdir generated && cp schema/shop.txt generated/api.txt && touch stamp`;
    planIn(place, { run, inputs: ["schema/**"], outputs: ["generated", "stamp"] }, [
      { id: "a", prompt: "demo: run cmp schema/shop.txt generated/api.txt\ndemo: write a.txt A" },
      { id: "b", prompt: "demo: run echo x >> generated/api.txt\ndemo: write b.txt B" },
      { id: "c", needs: ["a", "b"], prompt: "demo: write schema/shop.txt other" },
      {
        id: "d",
        needs: ["c"],
        prompt: "demo: run cmp schema/shop.txt generated/api.txt\ndemo: write d.txt D",
      },
    ]);
    const planned = await plaitIn(place, "plan", "../plan.json");
    expect(planned.stdout.replaceAll(/\s+/g, " ")).toContain("touch stamp (reused: same inputs)");
    const ran = await plaitIn(place, "run", "../plan.json", "--allow-root");
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(count("generate")).toBe(2);
    expect(git(place, "show", "HEAD:schema/shop.txt")).toBe("other");
    expect((await plaitIn(place, "logs")).stdout).not.toContain("not saved");
  });

  it("must be what the plan says", async () => {
    const { place } = makeSetupPlace({ "src/api.txt": "api\n" });
    const wrong = { run: "true", inputs: ["schem/**"], outputs: ["src", "../x", "made", "generated/*"] };
    planIn(place, wrong, [{ id: "a", prompt: "demo: write a.txt A" }]);
    const checked = await plaitIn(place, "validate", "../plan.json");
    expect(checked.code).toBe(2);
    const text = checked.stderr.replaceAll(/\s+/g, " ");
    expect(text).toMatch(/plan\.json:1:\d+/);
    for (const part of [
      "the setup output `src` is tracked by git",
      "the setup output `made` is not ignored by git",
      'the plan has the setup output `../x`, which contains ".."',
      "the plan has the setup output `generated/*`, which is a glob",
      "the setup input `schem/**` matches no tracked files",
    ])
      expect(text).toContain(part);
    planIn(place, { run: "true", inputs: [], outputs: ["generated"] }, [{ id: "a", prompt: "x" }]);
    const ran = await plaitIn(place, "run", "../plan.json", "--allow-root");
    expect(ran.code).not.toBe(0);
    expect((ran.stderr + ran.stdout).replaceAll(/\s+/g, " ")).toContain(
      'the setup "true" did not create its output generated',
    );
  });
});
