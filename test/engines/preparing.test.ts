import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findLinksToCheckout } from "../../src/engines/local/links-to-checkout.ts";
import { factsOf, type Place, place, type Ran, runPlan, sh } from "./local.ts";

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const filesAt = (at: Place, commit: string) => sh(at, `git ls-tree -r --name-only ${commit}`).split("\n");
const linesOf = (at: Place, name: string) => readFileSync(join(at.root, name), "utf8").trim().split("\n");
const ends = (ran: Ran) =>
  factsOf(ran, "attempt.ended").map(({ failure }) => `${failure?.reason}: ${failure?.detail}`);
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

describe.concurrent("worktrees and gate trees get", () => {
  test("what the plan, .worktreeinclude and the default name, and nothing of it is merged (I2)", async () => {
    const at = place({
      "a.txt": "a\n",
      ".gitignore": "node_modules\n*.key\n/out\n!conf/my.yaml\n!.env.test\n",
      "conf/base.yaml": "b\n",
    });
    const copied = [
      ".env",
      "apps/web/.env.local",
      "conf/my.yaml",
      "node_modules/x/.env",
      "node_modules/x/i.js",
    ];
    const included = ["keys/a.key", "only/here.key", "out/cache.key"];
    for (const path of [...copied, ...included]) write(at.repo, path, "1\n");
    for (const path of [
      ".env.d/venv.txt",
      "out/.env",
      "keys/b.key",
      ".env.production",
      ".env.test",
      "stray.txt",
    ])
      write(at.repo, path, "1\n");
    utimesSync(join(at.repo, "node_modules/x/i.js"), 1_000_000, 1_000_000);
    const look = "find . -type f -not -path './.git*' | sort";
    const ran = await runPlan(
      at,
      `copy: ["{node_modules,none}", ./conf/]
gates: [{ name: g, run: "${look} > ${at.root}/gate.txt; test node_modules/x/i.js -ot a.txt && echo kept > ${at.root}/time.txt" }]
tasks:
  - { id: work, prompt: "demo: run ${look} > ${at.root}/task.txt; git add -A; echo new > conf/new.yaml; echo new > only/new.txt" }
  - { id: bare, needs: [work], env-files: false, copy: [], gates: { only: [] }, prompt: "demo: run ${look} > ${at.root}/bare.txt; touch b.txt" }
`,
      { include: ["*.key", "!/keys/b.key", "!.env.production"], policy: { slots: 1 } },
    );
    expect(ran.outcome).toBe("complete");
    const tracked = ["a.txt", "conf/base.yaml"];
    const shown = (...paths: string[]) => paths.map((path) => `./${path}`).sort();
    expect(linesOf(at, "task.txt").sort()).toEqual(shown(...tracked, ...copied, ...included));
    const made = ["conf/new.yaml", "only/new.txt"];
    expect(linesOf(at, "gate.txt").sort()).toEqual(
      shown(...tracked, ...copied, ...included, ...made, "b.txt"),
    );
    expect(linesOf(at, "bare.txt").sort()).toEqual(shown(...tracked, ...included, ...made));
    expect(linesOf(at, "time.txt")).toEqual(["kept"]);
    expect(filesAt(at, "HEAD")).toEqual([".gitignore", "a.txt", "b.txt", ...tracked.slice(1), ...made]);
  });

  test("files at another place, tracked or not; what git tracks there stays and may be changed (I2)", async () => {
    const at = place({ "app/.tool/a.md": "app\n", "app/.tool/b.md": "app\n", ".tool/b.md": "root\n" });
    write(at.repo, "app/.tool/deep/c.md", "untracked\n");
    const ran = await runPlan(
      at,
      `copy: [{ from: app/.tool, to: ./.tool/ }, { from: none, to: x }, { from: app/.tool/a.md, to: other/z.md }]
tasks:
  - { id: t, prompt: "demo: run cat .tool/a.md .tool/b.md .tool/deep/c.md other/z.md > seen.txt; echo mine > .tool/b.md" }
`,
    );
    expect(ran.outcome).toBe("complete");
    expect(sh(at, "git show HEAD:seen.txt")).toBe("app\nroot\nuntracked\napp");
    expect(filesAt(at, "HEAD")).toEqual([".tool/b.md", "app/.tool/a.md", "app/.tool/b.md", "seen.txt"]);
    expect(sh(at, "git show HEAD:.tool/b.md")).toBe("mine");
  });

  test("files by their content, where the user shares them by a link", async () => {
    const at = place();
    write(at.root, "shared.env", "SHARED=1\n");
    symlinkSync("../shared.env", join(at.repo, ".env"));
    const ran = await runPlan(at, 'tasks: [{ id: t, prompt: "demo: run cp .env seen.txt" }]\n');
    expect(ran.outcome).toBe("complete");
    expect(sh(at, "git show HEAD:seen.txt")).toBe("SHARED=1");
  });
});

describe.concurrent("a copy is not merged (I13)", () => {
  test("that an agent commits by force, nor one that it took out again, nor a secret of it elsewhere", async () => {
    const at = place({ "a.txt": "a\n", ".gitignore": ".env\n" });
    write(at.repo, ".env", "export API_TOKEN='tok-1234567890'\n");
    write(at.repo, "deps/x/i.js", "1\n");
    const ran = await runPlan(
      at,
      `copy: [deps]
defaults: { retries: 0, fix-rounds: 0 }
tasks:
  - { id: force, prompt: "demo: run git add -f .env && git commit -qm oops" }
  - { id: folder, prompt: "demo: run git add -f deps && git commit -qm oops && git rm -rq --cached deps && git commit -qm better" }
  - { id: other, prompt: "demo: run cp .env b.txt && cat .env" }
`,
    );
    expect(ran.outcome).toBe("incomplete");
    const found = factsOf(ran, "attempt.saved").map(({ attempt, findings }) => [
      attempt,
      findings.map(({ kind, path, blocks }) => `${kind} ${path} ${blocks}`),
    ]);
    expect(Object.fromEntries(found)).toEqual({
      "force/1": ["prepared-path .env true", "secret .env true"],
      "folder/1": ["prepared-path deps/x/i.js true"],
      "other/1": ["secret b.txt true"],
    });
    expect(factsOf(ran, "candidate.built")).toEqual([]);
    expect(sh(at, `grep -rl tok-1234567890 ${ran.folder} || true`)).toBe("");
  });
});

describe("what leads back to the checkout is found", () => {
  test("by links, scripts and the files that Python reads, and what is right is left alone", async () => {
    const at = place();
    const [folder, checkout] = [join(at.root, "tree"), at.repo];
    const good = {
      "node_modules/b/bin/cli.js": "#!/usr/bin/env node\n",
      "node_modules/b/readme.md": `see ${checkout}/x\n`,
      "venv/pyvenv.cfg": `home = /usr/bin\ncommand = /usr/bin/python3 -m venv ${checkout}/venv\n`,
      "venv/bin/pip": `#!${folder}/venv/bin/python\n# ${checkout}\n`,
      "venv/bin/other": `#!${checkout}-old/bin/python\n`,
      "venv/lib/site-packages/ok.pth": `${folder}/src\n./x\n`,
      "venv/lib/site-packages/once-1.dist-info/direct_url.json": `{"url": "file://${checkout}/lib", "dir_info": {}}`,
    };
    const bad = {
      "bad/bin/activate": `VIRTUAL_ENV='${checkout}/bad'\n`,
      "bad/bin/long": `#!/bin/sh\n'''exec' ${checkout}/bad/bin/python "$0" "$@"\n`,
      "bad/bin/pytest": `#!${checkout}/bad/bin/python\n`,
      "bad/pyvenv.cfg": `home = ${checkout}/python/bin\n`,
      "bad/site-packages/__editable___p_finder.py": `MAPPING = {'p': '${checkout}/src/p'}\n`,
      "bad/site-packages/e.pth": `import x\n${checkout}\n`,
      "bad/site-packages/p-1.dist-info/direct_url.json": `{"dir_info": {"editable": true}, "url": "file://${checkout}"}`,
      "bad/site-packages/p.egg-link": `${checkout}/src\n.`,
    };
    for (const [path, text] of Object.entries({ ...good, ...bad })) write(folder, path, text);
    write(folder, "packages/a/i.js", "1\n");
    const links = {
      "node_modules/a": "../packages/a",
      "node_modules/own": join(folder, "packages/a"),
      "venv/bin/python": process.execPath,
      "bad/abs": join(checkout, "a.txt"),
      "bad/gone": join(checkout, "no/such"),
      "bad/out": "../../repo/a.txt",
      "bad/nowhere": "../../../../sibling/x",
      "top.txt": join(checkout, "a.txt"),
    };
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path));
    const leads = await findLinksToCheckout({
      folder,
      checkout,
      paths: ["bad/", "node_modules/", "venv/", "top.txt"],
    });
    const expected = [...Object.keys(bad), "bad/abs", "bad/gone", "bad/out", "bad/nowhere", "top.txt"].sort();
    expect(leads.map(({ path }) => path)).toEqual(expected);
    const to = Object.fromEntries(leads.map((lead) => [lead.path, lead.to]));
    expect(to["bad/bin/long"]).toBe(join(checkout, "bad/bin/python"));
    expect(to["bad/out"]).toBe(join(checkout, "a.txt"));
    expect(to["bad/site-packages/e.pth"]).toBe(checkout);
  });

  test("before an agent is started, once, and says what to write instead", async () => {
    const at = place({ "src/m.py": "V = 1\n", ".gitignore": ".venv\n" });
    write(at.repo, ".venv/lib/x.txt", "x\n");
    symlinkSync(join(at.repo, "src"), join(at.repo, ".venv/lib/src"));
    const ran = await runPlan(
      at,
      `teardown: [touch ${at.root}/down.txt]
tasks:
  - { id: copied, copy: [.venv], prompt: "demo: write a.txt x" }
  - { id: linked, setup: [ln -s ${at.repo}/src lib], prompt: "demo: write b.txt x" }
`,
      { policy: { slots: 1 } },
    );
    expect(ran.outcome).toBe("incomplete");
    expect(factsOf(ran, "attempt.spawned")).toEqual([]);
    const why = "outside this worktree: gates would check the files there";
    expect(ends(ran)).toEqual([
      `rejected: .venv/lib/src is a link to ${at.repo}/src, ${why}; copy its target instead`,
      `rejected: lib is a link to ${at.repo}/src, ${why}; setup created it: copy the files in setup, do not link to them`,
    ]);
    expect(existsSync(join(at.root, "down.txt"))).toBe(true);
  });
});

describe.concurrent("a gate sees the worktree's code", () => {
  test("through the links of an npm workspace, with node_modules copied", async () => {
    const at = place({
      "package.json": '{ "name": "root", "private": true, "workspaces": ["packages/*"] }\n',
      "packages/a/package.json": '{ "name": "@x/a", "version": "1.0.0", "main": "index.js" }\n',
      "packages/a/index.js": 'module.exports = "old";\n',
      "packages/b/package.json": '{ "name": "b", "version": "1.0.0", "dependencies": { "@x/a": "1.0.0" } }\n',
      "packages/b/test.js": 'process.exit(require("@x/a") === "new" ? 0 : 1);\n',
      ".gitignore": "node_modules\n",
    });
    sh(
      at,
      "npm install --offline --no-audit --no-fund --loglevel=error && git add -A && git commit -qm lock",
    );
    const ran = await runPlan(
      at,
      `copy: [node_modules]
tasks:
  - id: edit
    gates: [{ name: b, run: node packages/b/test.js }]
    fix-rounds: 0
    retries: 0
    prompt: |
      demo: run echo 'module.exports = "new";' > packages/a/index.js
`,
    );
    expect(ends(ran)).toEqual(["undefined: undefined"]);
    expect(ran.outcome).toBe("complete");
  });

  test.skipIf(!has("python3", "-m", "venv", "--help"))(
    "through an editable install, made by the set-up or copied (skipped without python3)",
    async () => {
      const at = place({ "src/shop.py": "PRICE = 1\n", ".gitignore": ".venv\n" });
      const install = `python3 -m venv --without-pip .venv && for d in .venv/lib/python*/site-packages; do echo $PWD/src > $d/shop.pth; done`;
      execFileSync("sh", ["-ec", install], { cwd: at.repo, env: at.host.env });
      const gate = "{ name: py, run: .venv/bin/python -c 'import shop; assert shop.PRICE == 2' }";
      const ran = await runPlan(
        at,
        `setup: ["${install}"]
tasks: [{ id: edit, gates: [${gate}], fix-rounds: 0, retries: 0, prompt: "demo: write src/shop.py PRICE = 2" }]
`,
      );
      expect([ran.outcome, ends(ran)]).toEqual(["complete", ["undefined: undefined"]]);
      // A gate that used the checkout would be red.
      write(at.repo, "src/shop.py", "PRICE = 3\n");
      const copied = await runPlan(
        at,
        `copy: [.venv]\ngates: [${gate}]\ntasks: [{ id: t, prompt: "demo: write a x" }]\n`,
      );
      expect(copied.outcome).toBe("complete");
    },
  );

  test("with the filters of the repository, as Git LFS has them", async () => {
    const at = place({ ".gitattributes": "*.big filter=up\n", "x.big": "" });
    sh(
      at,
      "git config filter.up.smudge 'tr A-Z a-z'; git config filter.up.clean 'tr a-z A-Z'; git config filter.up.required true",
    );
    sh(at, "echo data > x.big; git add -A; git commit -qm big");
    const ran = await runPlan(
      at,
      `tasks: [{ id: t, gates: [grep -qx data x.big && grep -qx more y.big], retries: 0, fix-rounds: 0, prompt: "demo: run grep -qx data x.big && echo more > y.big && git add y.big && git commit -qm y" }]
`,
    );
    expect(ran.outcome).toBe("complete");
    expect(sh(at, "git cat-file blob HEAD:x.big; git cat-file blob HEAD:y.big; cat y.big")).toBe(
      "DATA\nMORE\nmore",
    );
    expect(statSync(join(at.repo, "y.big")).size).toBe(5);
  });
});
