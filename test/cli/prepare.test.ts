import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makePlace, type Place, plaitIn } from "./place.ts";

const DEMO = ["--agent", "demo", "--allow-root"];

/** A repository whose check is a program of its dependencies, as npm installs them. */
function makeNodePlace(): Place {
  const place = makePlace({
    "package.json": `{ "name": "shop", "scripts": { "test": "check" } }\n`,
    "package-lock.json": "{}\n",
    ".gitignore": "node_modules/\n",
    "packages/web/package.json": `{ "name": "web" }\n`,
  });
  put(place, "node_modules/check/bin.js", '#!/usr/bin/env node\nrequire("left-pad");\n');
  chmodSync(join(place.repo, "node_modules/check/bin.js"), 0o755);
  put(place, "node_modules/left-pad/index.js", "module.exports = 1;\n");
  put(place, "packages/web/node_modules/own/index.js", "module.exports = 2;\n");
  mkdirSync(join(place.repo, "node_modules/.bin"));
  symlinkSync("../check/bin.js", join(place.repo, "node_modules/.bin/check"));
  symlinkSync("../packages/web", join(place.repo, "node_modules/web"));
  return place;
}

function put({ repo }: Place, path: string, text: string): void {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
}

describe("dependency folders of the checkout", () => {
  it("are in worktrees of tasks and gates unasked, and one line names them", async () => {
    const place = makeNodePlace();
    const gate = "node_modules/.bin/check && test -f packages/web/node_modules/own/index.js";
    const ran = await plaitIn(place, "run", "-p", "demo: write a.txt A", "--gate", gate, ...DEMO);
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(ran.stderr).toContain(
      "Worktrees get node_modules and packages/web/node_modules from your checkout (--no-copy turns this off).",
    );
    expect(git(place, "show", "--format=", "--name-only", "HEAD")).not.toContain("node_modules");
    expect((await plaitIn(place, "logs")).stdout).not.toContain("not saved");
    const planned = await plaitIn(
      place,
      "plan",
      "-p",
      "demo: write b.txt B",
      "--gate",
      gate,
      ...DEMO.slice(0, 2),
    );
    expect(planned.stdout).toMatch(
      /copy +\S.* node_modules, packages\/web\/node_modules \((?:copied|by reflink)/,
    );
  });

  it.each([
    ["--no-copy", ["-p", "demo: write a.txt A", "--gate", "node_modules/.bin/check", "--no-copy"]],
    ["--setup", ["-p", "demo: write a.txt A", "--gate", "node_modules/.bin/check", "--setup", "true"]],
  ])("%s leaves them out", async (_, args) => {
    const place = makeNodePlace();
    const ran = await plaitIn(place, "run", ...args, ...DEMO);
    expect(ran.code).toBe(3);
    expect(ran.stderr).not.toContain("Worktrees get");
    if (args.includes("--no-copy"))
      expect(ran.stderr.replaceAll(/\s+/g, " ")).toContain(
        "node_modules is in your checkout but not in worktrees. If a gate needs it, add --copy node_modules to a new run: plait run -p 'demo: write a.txt A' --gate node_modules/.bin/check --agent demo --copy node_modules",
      );
  });

  it("that git does not ignore are left out, with the reason and a fix that works", async () => {
    const place = makeNodePlace();
    put(place, ".gitignore", "packages/*/node_modules/\n");
    git(place, "commit", "-qam", "node_modules is not ignored");
    const typed = ["-p", "demo: write a.txt A", "--gate", "node_modules/.bin/check"];
    const why = "node_modules is not ignored by git, so worktrees do not get it; add it to .gitignore";
    const planned = await plaitIn(place, "plan", ...typed, "--agent", "demo");
    expect(planned.stdout).toMatch(/ node_modules +not copied: git does not ignore it; add it/);
    const ran = await plaitIn(place, "run", ...typed, ...DEMO);
    expect(ran.code).toBe(3);
    const said = ran.stderr.replaceAll(/\s+/g, " ");
    expect(said).toContain(`warning: ${why} warning:`);
    const [, run = ""] = said.match(/add it to \.gitignore, then: plait resume (\S+)/) ?? [];
    put(place, ".gitignore", "node_modules/\n");
    const resumed = await plaitIn(place, "resume", run, "--allow-root");
    expect(resumed.code, resumed.stderr + resumed.stdout).toBe(0);
  });

  it("--copy of a path that the checkout does not have is a warning with the path", async () => {
    const place = makeNodePlace();
    const ran = await plaitIn(place, "run", "-p", "demo: write a.txt A", "--copy", "nope", ...DEMO);
    expect(ran.code).toBe(0);
    expect(ran.stderr.replaceAll(/\s+/g, " ")).toContain(
      "warning: Not copied to worktrees: nope, because your checkout has nothing untracked there.",
    );
  });

  it("--copy does not warn about paths that git tracks: worktrees have them from the commit", async () => {
    const place = makeNodePlace();
    put(place, "docs/guide/a.md", "a\n");
    git(place, "add", "docs");
    git(place, "commit", "-qm", "docs");
    const copies = ["--copy", "docs/", "--copy", "package.json", "--copy", "nope"];
    const ran = await plaitIn(place, "run", "-p", "demo: write a.txt A", ...copies, ...DEMO);
    expect(ran.code).toBe(0);
    expect(ran.stderr.replaceAll(/\s+/g, " ")).toContain("Not copied to worktrees: nope, because");
  });

  it("--copy and --setup prepare worktrees without a plan, and need -p", async () => {
    const place = makeNodePlace();
    put(place, "local/secret.txt", "s\n");
    writeFileSync(join(place.repo, ".git/info/exclude"), "local/\n");
    const typed = [
      "-p",
      "demo: write a.txt A",
      "--gate",
      "test -f local/secret.txt && test -f node_modules/made",
    ];
    const ran = await plaitIn(
      place,
      ...[
        "run",
        ...typed,
        "--copy",
        "local",
        "--setup",
        "mkdir node_modules",
        "--setup",
        "touch node_modules/made",
      ],
      ...DEMO,
    );
    expect(ran.code, ran.stderr).toBe(0);
    const refused = await plaitIn(place, "run", "plan.yaml", "--copy", "local");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--copy needs -p");
  });

  it("a virtual environment names the worktree, not the checkout, in its scripts and editable installs", async () => {
    const place = makePlace({ "requirements.txt": "x\n", ".gitignore": ".venv/\n", "src/a.py": "a = 1\n" });
    const { repo } = place;
    put(place, ".venv/pyvenv.cfg", `home = /usr/bin\ncommand = python3 -m venv ${repo}/.venv\n`);
    put(place, ".venv/lib/site-packages/shop.pth", `${repo}/src\n`);
    put(
      place,
      ".venv/bin/tool",
      `#!${repo}/.venv/bin/python\ntest -f "$(cat .venv/lib/site-packages/shop.pth)/a.py"\n`,
    );
    chmodSync(join(repo, ".venv/bin/tool"), 0o755);
    symlinkSync("/bin/sh", join(repo, ".venv/bin/python")); // any interpreter will do
    const gate = `.venv/bin/tool && ! grep -rl ${repo}/ .venv`;
    const ran = await plaitIn(place, "run", "-p", "demo: write a.txt A", "--gate", gate, ...DEMO);
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(ran.stderr).toContain("Worktrees get .venv from your checkout");
  });

  it("are private: a write in place reaches no other worktree, no later run and not the checkout (I3 I9)", async () => {
    const place = makeNodePlace();
    for (let n = 0; n < 600; n += 1) put(place, `node_modules/many/f${n}.js`, `${n}\n`);
    const file = "node_modules/left-pad/index.js";
    const original = readFileSync(join(place.repo, file), "utf8");
    // The same size, and the time put back: nothing but the change time of the file tells.
    const edit = `cp -p ${file} /tmp/k$$ && printf 'module.exports = 7;\\n' > ${file} && touch -r /tmp/k$$ ${file} && rm /tmp/k$$`;
    const check = `grep -q "= 1" ${file} && test ! -e node_modules/planted`;
    const plan = {
      plait: 1,
      concurrency: 2,
      gates: [{ name: "clean", run: check }],
      tasks: [
        {
          id: "a",
          agent: "demo",
          prompt: `demo: run ${edit}; touch node_modules/planted\ndemo: sleep 300ms\ndemo: write a.txt A`,
        },
        { id: "b", agent: "demo", prompt: `demo: sleep 200ms\ndemo: run ${check}\ndemo: write b.txt B` },
        { id: "c", agent: "demo", needs: ["a"], prompt: `demo: run ${check}\ndemo: write c.txt C` },
      ],
    };
    put(place, "../plan.json", JSON.stringify(plan));
    const first = await plaitIn(place, "run", "../plan.json", "--allow-root");
    expect(first.code, first.stderr + first.stdout).toBe(0);
    expect(readFileSync(join(place.repo, file), "utf8")).toBe(original);
    const kept = join(place.env["HOME"] ?? "", ".local/state/plait/prepared");
    expect(readdirSync(kept, { recursive: true }).some((path) => `${path}`.endsWith(file.slice(13)))).toBe(
      true,
    );
    put(place, "../home/.config/plait/config.yaml", "keep: { copies: 0B }\n");
    const next = await plaitIn(place, "run", "-p", "demo: write d.txt D", "--gate", check, ...DEMO);
    expect(next.code, next.stderr + next.stdout).toBe(0);
    expect(git(place, "status", "--porcelain")).toBe("");
    // Whether the copies lead back is remembered; none of them is left.
    expect(readdirSync(kept, { recursive: true }).filter((path) => `${path}`.includes("left-pad"))).toEqual(
      [],
    );
  });
});

describe("what setup installs", () => {
  it("is installed once for all trees with the same lock file, and again for another one", async () => {
    const place = makePlace({
      "package.json": '{ "name": "shop" }\n',
      "package-lock.json": "1\n",
      ".gitignore": "node_modules/\nbuilt\n",
    });
    const bin = join(dirname(place.repo), "bin");
    const log = join(dirname(place.repo), "installs.txt");
    const npm = `#!/bin/sh\nmkdir -p node_modules/x && cp package-lock.json node_modules/x/lock && pwd > node_modules/x/bin && pwd >> ${log}\n`;
    put(place, "../bin/npm", npm);
    chmodSync(join(bin, "npm"), 0o755);
    const around = { ...place, env: { ...place.env, PATH: `${bin}:${place.env["PATH"]}` } };
    const plan = {
      plait: 1,
      setup: ["npm ci --prefer-offline", "cp package-lock.json built"],
      gates: [{ name: "fits", run: "cmp package-lock.json node_modules/x/lock && test -f built" }],
      tasks: [
        { id: "a", agent: "demo", prompt: "demo: write a.txt A\ndemo: append node_modules/x/lock edited" },
        {
          id: "b",
          agent: "demo",
          prompt: "demo: run cmp package-lock.json node_modules/x/lock\ndemo: write b.txt B",
        },
        { id: "c", agent: "demo", needs: ["a", "b"], prompt: "demo: write package-lock.json 2" },
      ],
    };
    put(place, "../plan.json", JSON.stringify(plan));
    const ran = await plaitIn(around, "run", "../plan.json", "--allow-root");
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    // One for each of the two lock files.
    expect(readFileSync(log, "utf8").trim().split("\n")).toHaveLength(2);
    const saved = (await plaitIn(around, "logs")).stdout.match(/\d+ ignored \w+ not saved/g);
    expect(saved).toEqual(Array(3).fill("1 ignored file not saved")); // `built`, and no node_modules
  });
});

describe("a task that changes a lock file", () => {
  const LOCK = '{ "name": "shop", "lockfileVersion": 3, "packages": { "": { "name": "shop" } } }';

  /** With an `npm` that notes its calls; of its own, `ci` fills node_modules from a lock file that is complete. */
  function makeLockedPlace(npm: string | null) {
    const place = makePlace({
      "package.json": '{ "name": "shop" }\n',
      "package-lock.json": `${LOCK}\n`,
      ".gitignore": "node_modules/\n",
      "local/tax/package.json": '{ "name": "tax", "version": "1.0.0" }\n',
      "local/tax/index.js": "module.exports = 7;\n",
    });
    put(place, "node_modules/old/index.js", "module.exports = 1;\n");
    const [bin, log] = ["bin", "npm.txt"].map((name) => join(dirname(place.repo), name));
    const own = `if grep -q "}" package-lock.json && ! grep -q "<<<<" package-lock.json
then mkdir -p node_modules && cp -r local/tax node_modules/tax
else echo "npm error not JSON"; echo "npm error Run npm help"; exit 1
fi`;
    put(place, "../bin/npm", `#!/bin/sh\necho "$@" >> ${log}\n${npm === null ? own : `exec ${npm} "$@"`}\n`);
    chmodSync(join(place.repo, "../bin/npm"), 0o755);
    put(place, "../npm.txt", "");
    const env = { ...place.env, PATH: `${bin}:${place.env["PATH"]}`, npm_config_offline: "true" };
    const installs = () => readFileSync(join(place.repo, "../npm.txt"), "utf8").match(/^ci/gm) ?? [];
    return { place: { ...place, env }, installs };
  }

  const USE = `node -e "require('tax')"`;
  const GATE = { name: "use", run: `test ! -e added || ${USE}` };
  const planIn = (place: Place, tasks: readonly object[]) =>
    put(
      place,
      "../plan.json",
      JSON.stringify({
        plait: 1,
        gates: [GATE],
        tasks: tasks.map((task) => ({ agent: "demo", retries: 0, ...task })),
      }),
    );

  it("gets what its lock file names in its gate tree, and so do the tasks after it, installed once", async () => {
    const npm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
    const { place, installs } = makeLockedPlace(npm);
    const add = "npm install ./local/tax --no-audit --no-fund --silent";
    planIn(place, [
      { id: "a", prompt: `demo: run ${add}\ndemo: write added x` },
      { id: "b", needs: ["a"], prompt: `demo: run ${USE}\ndemo: write b.txt B` },
      { id: "c", prompt: "demo: run test -f node_modules/old/index.js\ndemo: write c.txt C" },
    ]);
    const planned = await plaitIn(place, "plan", "../plan.json");
    expect(planned.stdout).toMatch(/package-lock\.json +if a task changes it: npm ci/);
    const ran = await plaitIn(place, "run", "../plan.json", "--allow-root");
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(installs()).toHaveLength(1);
    expect(git(place, "status", "--porcelain")).toBe("");
    // The checkout's own folder is the user's: the next run would copy it as it is.
    expect(ran.stdout.replaceAll(/\s+/g, " ")).toContain(
      "package-lock.json changed; update your checkout: npm ci",
    );
  });

  it("has a red gate where the installer fails, and its agent fixes it", async () => {
    const { place, installs } = makeLockedPlace(null);
    const prompt = [
      "demo: on attempt 1: write package-lock.json {",
      `demo: on attempt 2+: write package-lock.json {}`,
      "demo: write added x",
    ];
    planIn(place, [{ id: "a", prompt: prompt.join("\n") }]);
    const ran = await plaitIn(place, "run", "../plan.json", "--allow-root");
    const text = (ran.stderr + ran.stdout).replaceAll(/\s+/g, " ");
    expect(text).toMatch(
      /gate use red, package-lock\.json changed: the setup "npm ci[^"]*" exited with code 1: npm error not JSON;/,
    );
    expect(ran.code, text).toBe(0);
    expect(installs()).toHaveLength(2);
  });

  it("starts to fix a conflict in the lock file with the folder of the checkout", async () => {
    const { place } = makeLockedPlace(null);
    const write = (id: string) => `write package-lock.json { "${id}": 1 }`;
    planIn(place, [
      { id: "a", prompt: `demo: ${write("a")}` },
      {
        id: "b",
        prompt: `demo: on attempt 1: sleep 1s\ndemo: on attempt 1: ${write("b")}
demo: on attempt 2: run test -d node_modules/old && grep -q "<<<<" package-lock.json
demo: on attempt 2: ${write("ab")}`,
      },
    ]);
    const ran = await plaitIn(place, "run", "../plan.json", "--allow-root");
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(git(place, "show", "HEAD:package-lock.json")).toBe('{ "ab": 1 }');
  });

  it("is named where the tasks after it cannot be prepared", async () => {
    const { place } = makeLockedPlace(null);
    planIn(place, [
      { id: "a", gates: { only: [] }, prompt: "demo: write package-lock.json {" },
      { id: "b", needs: ["a"], gates: { only: [] }, prompt: "demo: write b.txt B" },
    ]);
    put(
      place,
      "../plan.json",
      readFileSync(join(place.repo, "../plan.json"), "utf8").replace(/"gates":\[.*?\],/, ""),
    );
    const ran = await plaitIn(place, "run", "../plan.json", "--allow-root");
    expect(ran.code).toBe(1);
    expect(ran.stdout.replaceAll(/\s+/g, " ")).toContain("package-lock.json changed by a: the setup");
  });

  it("keeps the folder of the checkout where the plan names the copies", async () => {
    const { place, installs } = makeLockedPlace(null);
    const typed = ["-p", `demo: write package-lock.json {}`, "--gate", "test -d node_modules/old"];
    const ran = await plaitIn(place, "run", ...typed, "--copy", "node_modules", ...DEMO);
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(installs()).toEqual([]);
  });
});
