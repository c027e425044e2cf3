// The demo: a small repository and a plan of six tasks for the demo agent, with a red gate and a crash in it.

import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Oid } from "../core/ids.ts";
import { createGit, logGraph, makeRepository, openRepository } from "../git/index.ts";
import { createGitSpawn } from "../process/git-spawn.ts";
import { type Host, temporaryFolder } from "./host.ts";

export type Demo = {
  readonly folder: string;
  readonly plan: string;
  /** Its own: what a plan let the demo agent run into is not to keep anybody waiting here. */
  readonly accounts: string;
  /** What the run made of the history, since the commit that it began with. */
  readonly graph: (since: Oid) => Promise<string>;
  readonly remove: () => Promise<void>;
};

export async function makeDemo(host: Host): Promise<Demo> {
  const folder = await mkdtemp(join(temporaryFolder(host), "plait-demo-"));
  const git = createGit({ spawn: createGitSpawn(), env: host.env });
  await makeRepository(git, folder, { "README.md": "# A shop\n", "no-todo.mjs": GATE, "plan.yaml": PLAN });
  return {
    folder,
    plan: join(folder, "plan.yaml"),
    accounts: join(folder, ".git", "accounts.json"),
    graph: async (since) => {
      const opened = await openRepository(git, folder);
      if (!opened.ok) throw new Error(opened.refusal.message);
      const { repository } = opened;
      return (await logGraph(repository, { from: since, to: repository.head.at.commit })).text;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** In Node, which is there: other programs may be missing. */
const GATE = `import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

const paths = existsSync("src") ? readdirSync("src", { recursive: true }) : [];
for (const path of paths.map((name) => "src/" + name).filter((name) => statSync(name).isFile())) {
  readFileSync(path, "utf8").split("\\n").forEach((line, i) => {
    if (!line.includes("TODO")) return;
    console.log(path + ":" + (i + 1) + ": " + line);
    process.exitCode = 1;
  });
}
`;

const PLAN = `plait: 1
name: demo
defaults: { agent: demo, retries: 1 }
gates:
  - name: no-todo
    run: node no-todo.mjs
tasks:
  - id: schema
    title: Add the orders table
    owns: [src/schema/**]
    prompt: |
      demo: sleep 600ms
      demo: write src/schema/orders.sql create table orders (id int);\\n
      demo: spend 0.04
      demo: say The orders table is there.
  - id: api
    title: Serve orders over HTTP
    needs: [schema]
    owns: [src/api/**]
    prompt: |
      The first attempt leaves a TODO, so the gate is red.
      demo: sleep 700ms
      demo: on attempt 1: write src/api/orders.js // TODO: answer\\n
      demo: on attempt 2+: write src/api/orders.js export const orders = () => [];\\n
      demo: spend 0.11
      demo: say Orders are served.
  - id: page
    title: Show orders on a page
    needs: [schema]
    owns: [src/page/**]
    prompt: |
      demo: sleep 900ms
      demo: write src/page/orders.html <ul id="orders"></ul>\\n
      demo: commit Add the page
      demo: spend 0.09
      demo: say The page shows orders.
  - id: docs
    title: Document the orders API
    owns: [docs/**]
    prompt: |
      The first attempt crashes; the retry starts a few seconds later.
      demo: sleep 200ms
      demo: on attempt 1: exit 1
      demo: write docs/orders.md # Orders\\n
      demo: spend 0.02
      demo: say Documented.
  - id: wiring
    title: Connect the page to the API
    needs: [api, page]
    owns: [src/main.js]
    prompt: |
      demo: sleep 500ms
      demo: write src/main.js import { orders } from "./api/orders.js";\\n
      demo: spend 0.06
      demo: say Wired.
  - id: review
    title: Review the whole change
    needs: [wiring, docs]
    access: read-only
    gates: { only: [] }
    prompt: |
      demo: sleep 400ms
      demo: spend 0.03
      demo: say No race, no secret, no TODO.
`;
