import type { CodeEntry } from "../core/analyze/code-entry.ts";
import { analyzeCodes } from "../core/analyze/codes.ts";
import { eachCodes } from "../core/each/codes.ts";
import { nearest } from "../core/suggest.ts";
import { type FormatCode, formatCodes } from "../formats/codes.ts";
import { alignCodes } from "../spec/align/codes.ts";
import { contractCodes } from "../spec/contracts/codes.ts";
import { coverageCodes } from "../spec/coverage/codes.ts";
import { designCodes } from "../spec/design/codes.ts";
import { folderCodes } from "../spec/folder/codes.ts";
import { integrationCodes } from "../spec/integrate/codes.ts";
import { promptCodes } from "../spec/prompt-codes.ts";
import { type TechSpecCode, techSpecCodes } from "../spec/tech-spec/codes.ts";

/** Findings about files: the plan itself, the prompts and context that it names, configuration files. */
const fileCodes = [
  {
    code: "file-missing",
    severity: "error",
    title: "A file does not exist",
    explanation:
      "The plan's own path is taken from the folder you are in; names of prompt and context files are taken from the folder of the plan.",
    example: "prompt-file: prompts/page.md",
  },
  {
    code: "file-unreadable",
    severity: "error",
    title: "A file cannot be read",
    explanation:
      "The system refused it; the message says why, or has the system's own code. Mostly permissions are the cause, or links that lead in a circle.",
  },
  {
    code: "not-text",
    severity: "error",
    title: "A file is not text in UTF-8",
    explanation:
      "The message names the first byte that is wrong, counted from 0. Files in UTF-16 or Latin-1 must be saved as UTF-8.",
  },
  {
    code: "plan-too-large",
    severity: "error",
    title: "The plan file is too large",
    explanation:
      "The limit is checked before the file is read. Long prompts can go into files of their own (prompt-file); --max-plan-bytes raises the limit.",
  },
  {
    code: "config-too-large",
    severity: "error",
    title: "A configuration file is too large",
    explanation:
      "A configuration is a page of text, and at most 256 KiB. The limit is checked before the file is read; it protects against a file of that name that is something else.",
  },
  {
    code: "config-agent",
    severity: "error",
    title: "An agent of a configuration file cannot be used",
    explanation:
      "An agent needs a name of its own, a program as the first item of `run`, placeholders that plait knows, and exit codes from 1 to 255.",
    example:
      'agents:\n  aider:\n    run: [aider, --yes, --message-file, "{prompt-file}"]\n    exits: { 75: rate-limit }',
  },
  {
    code: "bad-include",
    severity: "error",
    title: "A line of .worktreeinclude cannot be read",
    explanation:
      "The file names untracked files that every worktree gets, in the words of .gitignore: one pattern a line, # for comments, ! to take something out again. git would silently drop a pattern that it cannot read, and the files would be missing.",
    example: ".env.local\nconfig/*.key\n!config/shared.key",
  },
  {
    code: "prompt-too-large",
    severity: "error",
    title: "A prompt or context file is too large",
    explanation:
      "Every byte of it is sent to the agent each time. Name files in the prompt instead of copying them into it; --max-prompt-bytes raises the limit.",
  },
  {
    code: "file-outside",
    severity: "error",
    title: "A file lies outside",
    explanation:
      "Prompt and context files must lie in the folder of the plan or below the current folder, links followed. So a plan from somebody else cannot send files of yours to an agent.",
  },
  {
    code: "file-empty",
    severity: "error",
    title: "A prompt or context file is empty",
    explanation: "An agent without a prompt would do something, but nobody knows what.",
  },
  {
    code: "more-problems",
    severity: "note",
    title: "Not all problems are shown",
    explanation:
      "At most 200 findings of one code are shown, and 500 in all; the message says how many more there are. Fix the first ones and check again.",
  },
] as const satisfies readonly CodeEntry[];

export type AppCode = (typeof fileCodes)[number]["code"] | FormatCode | TechSpecCode;

/** The entry of a code, or the code that was probably meant. */
export function explainCode(code: string): CodeEntry | { readonly nearest: string | null } {
  const entry = allCodes.find((known) => known.code === code.toLowerCase());
  return (
    entry ?? {
      nearest: nearest(
        code,
        allCodes.map((known) => known.code),
      ),
    }
  );
}

/** Everything that `plait explain` can explain. */
export const allCodes: readonly CodeEntry[] = [
  ...fileCodes,
  ...formatCodes,
  ...contractCodes,
  ...folderCodes,
  ...promptCodes,
  ...techSpecCodes,
  ...alignCodes,
  ...analyzeCodes,
  ...eachCodes,
  ...designCodes,
  ...coverageCodes,
  ...integrationCodes,
];
