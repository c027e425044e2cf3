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
  "src/process/sandbox/bubblewrap.ts": [1, "the words of bubblewrap"],
  "src/agents/codex/conclude.ts": [10, "errors that Codex prints"],
  "src/agents/codex/read.ts": [1, "what Codex prints while it reconnects"],
  "src/agents/commit-body.ts": [1, "the title of an agent, made fit for a trailer of a commit"],
  "src/agents/final-message.ts": [3, "the final message of an agent"],
  "src/agents/prompt.ts": [2, "titles from the plan, made fit for one line of a prompt"],
  "src/agents/verdict.ts": [1, "the final message of an agent"],
  "src/app/cast/rows.ts": [2, "cuts a prompt and a title to the length of a table column"],
  "src/cli/compat/cast-parallel.ts": [1, "prints each line of a hint"],
  "src/cli/compat/cpo/words.ts": [1, "the first line of an error of the system"],
  "src/cli/compat/parallel-orchestra.ts": [1, "prints each line of a hint"],
  "src/cli/main.ts": [1, "the first line of an error that is thrown by a bug"],
  "src/cli/render/annotations.ts": [1, "prints each line of a hint"],
  "src/cli/render/diagnostics.ts": [1, "prints each line of a hint"],
  "src/cli/render/files.ts": [1, "the first of a list of texts"],
  "src/cli/render/log.ts": [1, "whether a gate printed more than the line that its result quotes"],
  "src/cli/usage-error.ts": [5, "messages of the library that parses the command line"],
  "src/core/conflict-labels.ts": [1, "a title from the plan, made fit for one line of a file"],
  "src/core/select/pull-request-title.ts": [3, "titles and summaries that agents and plans wrote"],
  "src/engines/local/effects/ownership.ts": [1, "cuts a detail to the length that a finding may have"],
  "src/formats/cpo/task-spec.ts": [1, "cuts a title from the plan"],
  "src/formats/yaml/syntax.ts": [3, "messages of the library that parses YAML"],
  "src/git/land-message.ts": [1, "commit messages"],
  "src/git/land.ts": [1, "the entry in the log of a ref by which plait knows its own landing"],
  "src/git/target-moves.ts": [1, "what git writes in the log of a ref"],
  "src/git/push.ts": [2, "what git says of a ref that was not pushed"],
  "src/git/objects.ts": [3, "commit messages, also those that a user edited"],
  "src/process/reap.ts": [1, "the reason of a worktree's lock, by which plait marks its own"],
  "src/report/change-summary.ts": [4, "the final message of an agent"],
  "src/report/markdown-task.ts": [1, "whether an agent printed nothing besides its final message"],
  "src/spec/integrate/report-markdown.ts": [
    1,
    "backquotes are the markup of a message; here they become Markdown",
  ],
  "src/spec/integrate/review-sections.ts": [3, "headings of a tech spec"],
  "src/spec/prompt-task.ts": [1, "a title from the plan, made fit for one line"],
  "src/spec/requirements/read-requirements.ts": [2, "headings of a document"],
  "src/spec/said-object.ts": [3, "the JSON document in an agent's answer"],
  "src/spec/tech-spec/names.ts": [4, "the slug of a title"],
};

const TYPED: Allowed = {
  "src/agents/prompt-shared.ts": [1, "a sentence to an agent: plait runs these commands"],
  "src/agents/prompt-task.ts": [1, "a sentence to an agent: plait runs these commands"],
  "src/app/command-links.ts": [3, "scripts that start plait, and the mark by which plait knows them"],
  "src/cli/compat/cast-parallel/words.ts": [1, "the help of an older command line"],
  "src/cli/compat/cpo.ts": [2, "the version and the help of an older command line"],
  "src/cli/flags.ts": [2, "help texts, compared with the commands in test/cli/help"],
  "src/cli/help.ts": [3, "the lines `Usage:` and `More:` of help"],
  "src/cli/render/run/summary.ts": [1, "the program and its version"],
  "src/config/schema.ts": [4, "descriptions in docs/reference, and sentences: plait runs it"],
  "src/engines/local/keep-awake.ts": [1, "names the program that keeps the machine awake"],
  "src/formats/native/land.ts": [1, "a description in docs/reference"],
  "src/formats/native/schema.ts": [1, "a description in docs/reference: a plait plan"],
  "src/formats/native/task-schema.ts": [1, "a description in docs/reference"],
  "src/formats/registry.ts": [1, "the name of a plan format"],
  "src/git/index-lock.ts": [1, "the mark of plait's own lock"],
  "src/git/land-build.ts": [1, "the subject of a commit"],
  "src/git/stand-in.ts": [1, "the author of the demo's commits"],
  "src/git/undo.ts": [1, "the subject of a commit"],
  "src/git/worktree-metadata.ts": [1, "the mark of plait's own locks"],
  "src/mcp/plan-tools.ts": [1, "a description for agents"],
  "src/mcp/server.ts": [1, "instructions for agents"],
  "src/spec/setup-files.ts": [4, "documents for people that plait writes into a repository"],
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
    "const group = `fix it: plait spec prompts ${folder}`;",
    'const word = "pass one: plait validate plan.yaml";',
    "const any = `plait ${verb} ${task}`;",
    'const spec = { name: "run", examples: ["plait run plan.yaml"], explanation: "See `plait status`." };',
    'const built = plait("resume", run);',
  ]);
  write("src/spec/design/c.ts", [
    "const [path] = one.message.split(': ');",
    "const isHeld = given.detail === held;",
    'const isKnown = detail !== null && hint !== "" && reason === "timeout" && summary !== undefined;',
  ]);
  write("src/ui/c.tsx", ["const c = <p>Removed by plait clean.</p>;"]);
  write("src/cli/b.ts", ['"plait resume --all"']);
  expect(count(findTextReads(planted))).toEqual({
    "src/app/a.ts": [1, 2, 3],
    "src/spec/design/c.ts": [1, 2],
  });
  expect(count(findTypedCommands(planted))).toEqual({
    "src/app/a.ts": [5, 6, 7, 8, 9, 10, 11],
    "src/cli/b.ts": [1],
    "src/ui/c.tsx": [1],
  });
});
