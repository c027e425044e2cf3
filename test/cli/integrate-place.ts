import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { askedIn } from "./asked.ts";
import { git, type Place } from "./place.ts";

export const FOLDER = "parallel/TS-0007-shop";

/** In nobody's usual layout, to see that it is kept. */
export const MANIFEST = `{ "tech_spec_id": "TS-0007",\r
   "name": "shop", "waves": [ { "number": 1, "tasks": [\r
      { "id": "task-001-a", "agent": "p:a" }, { "id": "task-002-b", "agent": "p:a" } ] } ],\r
   "metadata": { "tech_spec": "tech-specs/draft/TS-0007-shop.md", "prd": "docs/prd.md" }\r
}\r
`;

export const taskFile = (id: string, scope: string) =>
  `---\nid: ${id}\ncomponent: c\nwave: 1\ndeps: []\nagent: p:a\ncontracts: [contracts/agreed.json]\n---\n# ${id}: Title\n\n## Scope\n${scope}\n`;

/** Prompts are not there: nobody commits them. The tech spec has moved on since the manifest was written. */
export const files = {
  ".gitignore": "integration-report.*\n",
  "a.txt": "a\n",
  "b.txt": "b\n",
  "kept.txt": "kept\n",
  "tool.sh": "echo\n",
  "tech-specs/approved/TS-0007-shop.md":
    "---\ntech_spec_id: TS-0007\ntitle: Shop\nstatus: APPROVED\n---\n# Shop\n",
  [`${FOLDER}/manifest.json`]: MANIFEST,
  [`${FOLDER}/context.md`]: "# Context\n",
  [`${FOLDER}/contracts/agreed.json`]: "{}\n",
  [`${FOLDER}/tasks/task-001-a.md`]: taskFile("task-001-a", "MODIFY: a.txt\nBOUNDARY: kept.txt"),
  [`${FOLDER}/tasks/task-002-b.md`]: taskFile("task-002-b", "MODIFY: b.txt, new/**\nBOUNDARY: (none)"),
};

export function write({ repo }: Place, name: string, text: string): void {
  mkdirSync(dirname(join(repo, name)), { recursive: true });
  writeFileSync(join(repo, name), text);
}

/** Files and the message of one commit. */
export function commit(
  place: Place,
  changed: Readonly<Record<string, string>>,
  ...message: string[]
): string {
  for (const [name, text] of Object.entries(changed)) write(place, name, text);
  const names = Object.keys(changed);
  if (names.length > 0) git(place, "add", "--", ...names);
  git(place, "commit", "-q", "--allow-empty", "-m", "work", ...message.flatMap((line) => ["-m", line]));
  return git(place, "rev-parse", "HEAD");
}

export const trailers = (task: string, run = "shop-k7f2") => `Plait-Run: ${run}\nPlait-Task: ${task}`;

export async function findingsIn(place: Place, ...flags: string[]) {
  const { code, stdout } = await askedIn(place, "spec", "integrate", "--no-checks", "--json", ...flags);
  const report = JSON.parse(stdout);
  const findings = report.findings.map(
    ({
      weight,
      code: what,
      about,
      at,
    }: {
      weight: string;
      code: string;
      about: string;
      at: { file: string } | null;
    }) => [weight, what, about, at?.file].filter(Boolean).join(" "),
  );
  return { code, report, findings: findings as string[] };
}
