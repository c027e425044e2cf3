import type { SpecFile, Technology } from "./spec-contents.ts";

/** The folder that artefact folders lie in, from the root of a project. */
export const PARALLEL = "parallel";

/** What that folder holds from the beginning. */
export function setupFiles(technology: Technology | null): SpecFile[] {
  return [
    { path: "README.md", text: readmeText(technology) },
    { path: ".gitignore", text: IGNORED },
  ];
}

/** Made again by a command, or written by a run: not for the history. */
const IGNORED = `# made again by: plait spec prompts FOLDER
*/prompts/
*/prompts.backup-*/
*/.prompts-*/
# designs that were not taken, with their errors
/*.design*.json
/*.errors*.txt
# written by runs
*/logs/
*/report.json
*/integration-report.md
*/integration-report.json
*/scripts/
`;

function readmeText(technology: Technology | null): string {
  return `# Work for several agents at once

Each folder here belongs to one tech spec and says how its work is divided: which tasks there are, in which waves they run, what each may
touch, and what all of them agree on. \`plait run\` takes such a folder as its plan.

| in a folder | says |
|---|---|
| \`manifest.json\` | the waves of tasks, the agent of each, what is installed first, and what is checked after a wave |
| \`context.md\` | what every task is told |
| \`architecture.md\`, \`task-graph.md\` | the parts and who owns them; the order, as pictures |
| \`coverage.md\` | requirements with their tasks, files and tests |
| \`contracts/\` | types and API that tasks agree on before any of them begins |
| \`tasks/\` | one file a task: what it creates, modifies and must not touch, its requirements and its checklist |
| \`prompts/\` | what the agents are given, made from all of these; not tracked |

## From a spec to merged work

\`\`\`sh
plait spec new "Inventory service"                  # tech-specs/draft/TS-0001-inventory-service.md: write it
plait spec status TS-0001 --set approved            # when it is agreed on
plait spec decompose tech-specs/approved/TS-0001-inventory-service.md
plait validate parallel/TS-0001-inventory-service   # the whole folder, every finding with its place
plait plan parallel/TS-0001-inventory-service       # what a run would do
plait run parallel/TS-0001-inventory-service        # agents in worktrees of their own; lands when everything is green
plait status                                        # from another terminal
plait spec integrate                                # do the parts fit? boundaries, contracts, checks, with a report
\`\`\`

By hand instead of \`decompose\`: \`plait spec init parallel/TS-0001-inventory-service -t TS-0001 -n inventory-service\` makes a folder with one
example task. After a change of tasks or context, \`plait spec prompts FOLDER\` makes the prompts again.

## Good to know

- Commit a folder before it is run: worktrees start from what is committed.
- A file is created by one task only. Two tasks of a wave modify one file only where each names its own part of it, \`file.py::ClassName\`.
- Contracts are designs. Code is written after them and never imports anything from \`parallel/\`.
${checksText(technology)}`;
}

const CHECKS: { readonly [T in Technology]: readonly [tests: string, rest: string] } = {
  python: ["pytest", "`ruff check .` and `mypy .`"],
  django: ["python manage.py test", "`python manage.py makemigrations --check` and `ruff check .`"],
  typescript: ["npm test", "`npx tsc --noEmit` and `npm run lint`"],
  go: ["go test ./...", "`go vet ./...` and `gofmt -l .`"],
};

function checksText(technology: Technology | null): string {
  if (technology === null)
    return "- Say in `context.md` how tests and linter are run: agents run them until they are green.\n";
  const [tests, rest] = CHECKS[technology];
  return `- The \`validation\` of a wave is a command such as \`${tests}\`; beside it ${rest} are worth a look.
  Change this line to what your project uses, and say the same in \`context.md\`.
`;
}

/** Between these two lines; whoever changes what is between them keeps it. */
const OPENING = "<!-- plait: parallel work -->";
const CLOSING = "<!-- /plait: parallel work -->";

const SECTION = [
  OPENING,
  "## Parallel work",
  "",
  "- `tech-specs/` holds designs by status (draft, approved, reference, archive). `plait spec new`, `list` and `status` make and move them;",
  "  do not move them by hand.",
  "- `parallel/TS-XXXX-name/` divides the work of one tech spec into tasks with owners. `parallel/README.md` says what is in it.",
  "- `plait validate parallel/TS-XXXX-name` checks such a folder, `plait run parallel/TS-XXXX-name` runs it.",
  "- Inside a task: touch only what its scope names, follow the contracts to the letter, and import nothing from `parallel/`.",
  CLOSING,
];

export function hasSection(text: string): boolean {
  return text.includes(OPENING) || text.includes(CLOSING);
}

/** The section at the end of a text, in the line ends of the text. */
export function withSection(text: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? end : `${end}${end}`;
  return `${text}${gap}${SECTION.join(end)}${end}`;
}
