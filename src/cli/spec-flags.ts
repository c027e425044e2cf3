import { type Technology, technologies } from "../spec/spec-contents.ts";
import { type SpecStatus, specStatuses } from "../spec/tech-spec/lifecycle.ts";
import { isTechSpecId } from "../spec/tech-spec/names.ts";
import {
  type Flag,
  flag,
  oneOf,
  parseDuration,
  parseInteger,
  parseName,
  parseUsd,
  type Values,
} from "./flag.ts";
import { RequestError } from "./request-error.ts";

/** Values of flags that only `plait spec` and `plait integrate` take. `checks` is false by --no-checks. */
export type SpecOptions = Values<"techSpecId" | "name" | "rfc" | "author" | "prd" | "techSpec", string> &
  Values<"fromFile" | "into" | "parallelDir" | "out", string> &
  Values<"yes" | "check" | "fix" | "verbose" | "enforce" | "allowUnknown" | "checks", boolean> &
  Values<"status" | "set", SpecStatus> & { readonly tech?: Technology; readonly rounds?: number };

export const specFlags = {
  techSpecId: flag("-t, --tech-spec-id <id>", "Tech spec id, such as TS-0042", parseTechSpecId),
  specSource: flag("-t, --tech-spec-id <spec>", "Tech spec: id or file"),
  specName: flag("-n, --name <slug>", "Name in lower case with dashes", parseSlug),
  tech: flag("--tech <name>", technologies.join(", "), oneOf(technologies)),
  rfc: flag("--rfc <id>", "Decision to follow, such as RFC-0007"),
  author: flag("--author <name>", "Author (default: your git user name)"),
  specStatus: flag("--status <status>", specStatuses.join(", "), parseSpecStatus),
  set: flag("--set <status>", `Move to ${specStatuses.join(", ")}`, parseSpecStatus),
  prd: flag("--prd <file>", "Product requirements"),
  techSpec: flag("--tech-spec <file>", "Tech spec, if the argument is the product requirements"),
  fromFile: flag("--from-file <design>", "Use this JSON design instead of an agent"),
  into: flag("--into <folder>", "Artifact folder (default: parallel/<id>-<name>)"),
  rounds: flag("--rounds <n>", "Times the agent may fix an invalid design (default 3)", parseInteger(20, 0)),
  architect: flag("--agent <name>", "Agent that designs (default: configured, or claude)", parseName),
  architectModel: flag("--model <name>", "Model that designs", parseName),
  designBudget: flag("--budget-usd <usd>", "Stop asking the agent after spending this much", parseUsd),
  designTimeout: flag("--timeout <time>", "Time limit per answer: 90s, 45m (default), 2h", parseDuration),
  yes: flag("-y, --yes", "Write files without asking"),
  goYes: flag("-y, --yes", "Approve tech spec and plan without asking"),
  goAgent: flag("--agent <name>", "Agent for drafting, designing and all tasks", parseName),
  goModel: flag("--model <name>", "Model for drafting, designing and all tasks", parseName),
  goBudget: flag("--budget-usd <usd>", "Limit for draft, design and run, each", parseUsd),
  checkPrompts: flag("--check", "List invalid prompts without writing"),
  checkPins: flag("--check", "List unpinned packages without writing"),
  fix: flag("--fix", "With --check: back up and regenerate invalid prompts"),
  fixParts: flag("--fix", "Send findings back to the agents of their tasks"),
  fixPartsRounds: flag(
    "--rounds <n>",
    "With --fix: times to fix and check again (default 2)",
    parseInteger(10),
  ),
  fixPartsYes: flag("-y, --yes", "With --fix: start without asking"),
  verbose: flag("--verbose", "Also list valid prompts"),
  parallelDir: flag("--parallel-dir <folder>", "Artifact folder (default: the only one in parallel/)"),
  integratedTech: flag(
    "--tech <name>",
    `${technologies.join(", ")} (default: detected)`,
    oneOf(technologies),
  ),
  reviewAgent: flag("--agent <name>", "Agent that reviews the code against the tech spec", parseName),
  reviewModel: flag("--model <name>", "Model that reviews", parseName),
  reviewBudget: flag("--budget-usd <usd>", "Maximum cost of the review, and of each fix", parseUsd),
  reviewTimeout: flag("--timeout <time>", "Time limit per answer: 90s, 45m, 2h", parseDuration),
  noChecks: flag("--no-checks", "Skip the project's tests, types, lint and build"),
  allowUnknown: flag("--allow-unknown", "Accept a result that is mostly unclear"),
  enforce: flag("--enforce", "Check only files here: for use as a gate"),
  out: flag("--out <folder>", "Write the report to this folder"),
} satisfies Record<string, Flag>;

/** Front matter has the status in capitals. */
function parseSpecStatus(text: string): SpecStatus {
  const word = text.toLowerCase();
  return oneOf(specStatuses)(word === "archive" ? "archived" : word); // the name of its folder
}

function parseTechSpecId(text: string): string {
  if (isTechSpecId(text)) return text;
  throw new RequestError("is not a tech spec id such as TS-0042");
}

function parseSlug(text: string): string {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && text.length <= 60) return text;
  throw new RequestError("is not a name of lower-case letters, digits and single dashes (max 60)");
}
