import { capFlags } from "../core/caps.ts";
import { type Catalog, createFindingBuilder, type FindingBuilder } from "../core/catalog.ts";
import { plait } from "../core/text/command.ts";
import { quoted } from "../core/text/figures.ts";
import { fix } from "../core/text/sentence.ts";

/** A file and why it cannot be used, as the end of a sentence. */
type File = { readonly subject: string; readonly problem: string };

const formatFile = ({ subject, problem }: File): string => `${subject} ${problem}`;

/** Files: the plan, the prompts and context it names, configuration files, tech specs. */
export const fileCatalog = {
  "no-gates": {
    severity: "warning",
    title: "No gate checks the work",
    explanation:
      "A gate is a command, such as your tests; its exit code decides whether work is merged and landed. Without gates, everything agents change lands as soon as they finish. Plans with only read-only tasks or commands need none.",
    example: "gates:\n  - npm test",
    message: "no gate checks this work before it lands",
    hint: ({ format, path }: { readonly format: string; readonly path: string }) => {
      if (format === "prompts") return 'add one: --gate "npm test"';
      if (format === "native" || format === "cpo") return "add one to the plan: `gates: [npm test]`";
      return fix("convert the plan, then add `gates`", plait("convert", path, { output: "plan.yaml" }));
    },
  },
  "file-missing": {
    severity: "error",
    title: "File not found",
    explanation:
      "The plan's path is relative to the current folder; paths of prompt and context files are relative to the plan's folder.",
    example: "prompt-file: prompts/page.md",
    message: formatFile,
    hint: ({ suggestion, from }: { readonly suggestion: string | null; readonly from: string }) =>
      suggestion === null ? `check the path; it is relative to ${from}` : `did you mean \`${suggestion}\`?`,
  },
  "file-unreadable": {
    severity: "error",
    title: "File cannot be read",
    explanation:
      "The system refused to read the file. Permissions are the usual cause, or links that form a loop.",
    message: formatFile,
    hint: "check the permissions of the file, and links to it: `ls -l`",
  },
  "not-text": {
    severity: "error",
    title: "File is not UTF-8 text",
    explanation:
      "The message shows the first invalid byte, counted from 0. Save files in UTF-16 or Latin-1 as UTF-8.",
    message: formatFile,
    hint: "save the file as `UTF-8`",
  },
  "plan-too-large": {
    severity: "error",
    title: "The plan file is too large",
    explanation: "Long prompts can be separate files (prompt-file); --max-plan-bytes raises the limit.",
    message: formatFile,
    hint: `move long prompts to files (\`prompt-file\`), or raise the limit: ${capFlags.maxPlanBytes}`,
  },
  "config-too-large": {
    severity: "error",
    title: "A configuration file is too large",
    explanation:
      "A configuration file may have up to 256 KiB. The limit guards against an unrelated file with the same name.",
    message: formatFile,
    hint: "check that it is a configuration: `plait.config.yaml`",
  },
  "tech-spec-too-large": {
    severity: "error",
    title: "The tech spec is too large",
    explanation: "An agent reads a tech spec as a whole; --max-plan-bytes raises the limit.",
    message: formatFile,
    hint: `move parts to other files, or raise the limit: ${capFlags.maxPlanBytes}`,
  },
  "prompt-too-large": {
    severity: "error",
    title: "A prompt or context file is too large",
    explanation:
      "Every byte is sent to the agent each time. Name files in the prompt instead of copying them into it; --max-prompt-bytes raises the limit.",
    message: formatFile,
    hint: `raise the limit: ${capFlags.maxPromptBytes}`,
  },
  "file-outside": {
    severity: "error",
    title: "File outside the plan's folder",
    explanation:
      "Prompt and context files must be in the plan's folder or the current folder, with links resolved. This keeps a plan from sending your other files to an agent.",
    message: ({ file, target }: { readonly file: string; readonly target: string | null }) =>
      target === null
        ? `the file ${quoted(file)} is outside the plan's folder and the current folder`
        : `the file ${quoted(file)} is a link to ${quoted(target)}, outside the plan's folder`,
    hint: "copy the file into the plan's folder",
  },
  "file-empty": {
    severity: "error",
    title: "A prompt or context file is empty",
    explanation: "An agent needs a prompt: write one in the file.",
    message: ({ file }: { readonly file: string }) => `the file ${quoted(file)} is empty`,
    hint: ({ file }: { readonly file: string }) => `write the prompt in ${quoted(file)}`,
  },
  "config-agent": {
    severity: "error",
    title: "Invalid agent in a configuration file",
    explanation:
      "An agent needs a unique name, a program as the first item of `run`, known placeholders, and exit codes from 1 to 255.",
    example:
      'agents:\n  aider:\n    run: [aider, --yes, --message-file, "{prompt-file}"]\n    exits: { 75: rate-limit }',
    message: ({ agent, problem }: { readonly agent: string; readonly problem: string }) =>
      `the agent ${quoted(agent)} ${problem}`,
    hint: ({ advice }: { readonly advice: string | null }) =>
      advice ?? fix("see an example", plait("explain", "config-agent")),
  },
  "config-only-yours": {
    severity: "error",
    title: "A project's configuration cannot set this",
    explanation:
      "A project's configuration comes with the repository, so it can neither allow redirecting variables nor have plait send requests to your own machine. Set the key in your own file, ~/.config/plait/config.yaml.",
    example: "traces: { endpoint: http://localhost:4318/v1/traces } # ~/.config/plait/config.yaml",
    message: ({ key, problem }: { readonly key: string; readonly problem: string }) =>
      `${quoted(key)} ${problem}`,
    hint: ({ key }: { readonly key: string }) =>
      `move ${quoted(key)} to your own file: ~/.config/plait/config.yaml`,
  },
  "bad-include": {
    severity: "error",
    title: "Invalid line in .worktreeinclude",
    explanation:
      "The file lists untracked files that every worktree gets, in the syntax of .gitignore. git would silently drop an invalid pattern, and the files would be missing.",
    example: ".env.local\nconfig/*.key\n!config/shared.key",
    message: ({ pattern, problem }: { readonly pattern: string; readonly problem: string }) =>
      `.worktreeinclude has the pattern ${quoted(pattern)}, which ${problem}`,
    hint: "write one pattern per line, as in .gitignore: `config/*.key`",
  },
  "more-findings": {
    severity: "note",
    title: "Not all findings are shown",
    explanation: "Up to 200 findings of one code are shown, and 500 in all. Fix these and check again.",
    message: ({ counts }: { readonly counts: ReadonlyMap<string, number> }) =>
      `not all findings are shown; hidden: ${Array.from(counts, ([code, count]) => `${count} of \`${code}\``).join(", ")}`,
    hint: "fix these first, then check again",
  },
} as const satisfies Catalog;

export const buildFileFinding: FindingBuilder<typeof fileCatalog> = createFindingBuilder(fileCatalog);
