// plait never reads a text that it made for people: whoever needs a part of it takes the data. And a command to type is data, so
// that it is quoted, checked and linked in one place. Each exception has a reason; their number may only shrink.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { findTextReads, findTypedCommands, type Hit } from "./own-text.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

type Allowed = { readonly [file: string]: readonly [count: number, reason: string] };

const READS: Allowed = {
  "src/app/cast/rows.ts": [2, "cuts a prompt and a title to the length of a table column"],
  "src/cli/main.ts": [1, "the first line of an error that is thrown by a bug"],
  "src/cli/usage-error.ts": [5, "messages of the library that parses the command line"],
  "src/core/conflict-labels.ts": [1, "a title from the plan, made fit for one line of a file"],
  "src/core/select/pull-request-title.ts": [3, "titles and summaries that agents and plans wrote"],
  "src/engines/local/effects/ownership.ts": [1, "cuts a detail to the length that a finding may have"],
  "src/git/land-message.ts": [1, "commit messages"],
  "src/git/push.ts": [1, "what git says of a ref that was not pushed"],
  "src/git/stash.ts": [1, "what git writes in the log of the stash"],
  "src/git/objects.ts": [3, "commit messages, also those that a user edited"],
  "src/process/reap.ts": [1, "the reason of a worktree's lock, by which plait marks its own"],
  "src/report/change-summary.ts": [1, "the final message of an agent"],
};

const TYPED: Allowed = {
  "src/engines/local/keep-awake.ts": [1, "names the program that keeps the machine awake"],
  "src/formats/registry.ts": [1, "the name of a plan format"],
  "src/git/land-build.ts": [1, "the subject of a commit"],
  "src/git/stand-in.ts": [1, "the author of the demo's commits"],
  "src/git/undo.ts": [1, "the subject of a commit"],
  "src/mcp/plan-tools.ts": [2, "the name of this program in its lock; a description for agents"],
  "src/mcp/run-tools.ts": [1, "the name of this program in its lock"],
};

const count = (hits: readonly Hit[]) => {
  const files = new Map<string, number[]>();
  for (const { file, line } of hits) files.set(file, [...(files.get(file) ?? []), line]);
  return Object.fromEntries(files);
};

test.each([
  ["reads a text that it made", findTextReads, READS],
  ["types a command into a text", findTypedCommands, TYPED],
] as const)("nothing %s", (_, find, allowed) => {
  const found = count(find(root));
  const wrong = Object.entries(found).filter(([file, lines]) => lines.length > (allowed[file]?.[0] ?? 0));
  expect(wrong).toEqual([]);
  const fewer = Object.entries(allowed).filter(([file, [most]]) => (found[file]?.length ?? 0) < most);
  expect(fewer, "lower these").toEqual([]);
});

test("each is found where it is planted, and what is allowed is not", () => {
  const planted = mkdtempSync(join(tmpdir(), "plait-arch-"));
  onTestFinished(() => rmSync(planted, { recursive: true }));
  const write = (path: string, lines: readonly string[]) => {
    mkdirSync(dirname(join(planted, path)), { recursive: true });
    writeFileSync(join(planted, path), `${lines.join("\n")}\n`);
  };
  write("src/app/a.ts", [
    'if (error.message.startsWith("no")) throw error;',
    "const isOld = /old/.test(refusal.detail);",
    'const [first] = (hint ?? "").trim().split(":");',
    "const isFine = names.includes(detail) || path.startsWith(folder);",
    "const typed = `resume it: plait resume ${run}`;",
    'const flag = "see plait clean --dry-run";',
    'const prose = "plait runs agents, and plait lands their work";',
    "const end = 'list them: plait runs';",
  ]);
  write("src/agents/claude/read.ts", ['message.startsWith("{")']);
  write("src/cli/b.ts", ['"plait resume --all"']);
  expect(count(findTextReads(planted))).toEqual({ "src/app/a.ts": [1, 2, 3] });
  expect(count(findTypedCommands(planted))).toEqual({ "src/app/a.ts": [5, 6, 8] });
});
