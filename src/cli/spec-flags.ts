import { type Technology, technologies } from "../spec/spec-contents.ts";
import { type SpecStatus, specStatuses } from "../spec/tech-spec/lifecycle.ts";
import { isTechSpecId } from "../spec/tech-spec/names.ts";
import { type Flag, oneOf, parseDuration, parseInteger, parseName, parseNonEmpty, parseUsd } from "./flag.ts";
import { RequestError } from "./request-error.ts";

/** Values of flags that only `plait spec` and `plait integrate` take. */
export type SpecOptions = {
  readonly techSpecId?: string;
  readonly name?: string;
  readonly tech?: Technology;
  readonly rfc?: string;
  readonly author?: string;
  readonly status?: SpecStatus;
  readonly set?: SpecStatus;
  readonly prd?: string;
  readonly techSpec?: string;
  readonly fromFile?: string;
  readonly into?: string;
  readonly rounds?: number;
  readonly yes?: boolean;
  readonly check?: boolean;
  readonly fix?: boolean;
  readonly verbose?: boolean;
  readonly parallelDir?: string;
  readonly enforce?: boolean;
  readonly allowUnknown?: boolean;
  /** False by --no-checks. */
  readonly checks?: boolean;
  readonly out?: string;
};

export const specFlags = {
  techSpecId: {
    usage: "-t, --tech-spec-id <id>",
    summary: "Tech spec id, such as TS-0042",
    parse: parseTechSpecId,
  },
  specSource: {
    usage: "-t, --tech-spec-id <spec>",
    summary: "Tech spec: id or file",
    parse: parseNonEmpty,
  },
  specName: {
    usage: "-n, --name <slug>",
    summary: "Name in lower case with dashes",
    parse: parseSlug,
  },
  tech: { usage: "--tech <name>", summary: technologies.join(", "), parse: oneOf(technologies) },
  rfc: { usage: "--rfc <id>", summary: "Decision to follow, such as RFC-0007", parse: parseNonEmpty },
  author: {
    usage: "--author <name>",
    summary: "Author (default: your git user name)",
    parse: parseNonEmpty,
  },
  specStatus: {
    usage: "--status <status>",
    summary: specStatuses.join(", "),
    parse: parseSpecStatus,
  },
  set: {
    usage: "--set <status>",
    summary: `Move to ${specStatuses.join(", ")}`,
    parse: parseSpecStatus,
  },
  prd: { usage: "--prd <file>", summary: "Product requirements", parse: parseNonEmpty },
  techSpec: {
    usage: "--tech-spec <file>",
    summary: "Tech spec, if the argument is the product requirements",
    parse: parseNonEmpty,
  },
  fromFile: {
    usage: "--from-file <design>",
    summary: "Use this JSON design instead of an agent",
    parse: parseNonEmpty,
  },
  into: {
    usage: "--into <folder>",
    summary: "Artifact folder (default: parallel/<id>-<name>)",
    parse: parseNonEmpty,
  },
  rounds: {
    usage: "--rounds <n>",
    summary: "Times the agent may fix an invalid design (default 3)",
    parse: parseInteger(20, 0),
  },
  architect: {
    usage: "--agent <name>",
    summary: "Agent that designs (default: configured, or claude)",
    parse: parseName,
  },
  architectModel: { usage: "--model <name>", summary: "Model that designs", parse: parseName },
  designBudget: {
    usage: "--budget-usd <usd>",
    summary: "Stop asking the agent after spending this much",
    parse: parseUsd,
  },
  designTimeout: {
    usage: "--timeout <time>",
    summary: "Time limit per answer: 90s, 45m (default), 2h",
    parse: parseDuration,
  },
  yes: { usage: "-y, --yes", summary: "Write files without asking" },
  goYes: { usage: "-y, --yes", summary: "Approve tech spec and plan without asking" },
  goAgent: {
    usage: "--agent <name>",
    summary: "Agent for drafting, designing and all tasks",
    parse: parseName,
  },
  goModel: {
    usage: "--model <name>",
    summary: "Model for drafting, designing and all tasks",
    parse: parseName,
  },
  goBudget: {
    usage: "--budget-usd <usd>",
    summary: "Limit for draft, design and run, each",
    parse: parseUsd,
  },
  checkPrompts: { usage: "--check", summary: "List invalid prompts without writing" },
  checkPins: { usage: "--check", summary: "List unpinned packages without writing" },
  fix: { usage: "--fix", summary: "With --check: back up and regenerate invalid prompts" },
  fixParts: { usage: "--fix", summary: "Send findings back to the agents of their tasks" },
  fixPartsRounds: {
    usage: "--rounds <n>",
    summary: "With --fix: times to fix and check again (default 2)",
    parse: parseInteger(10),
  },
  fixPartsYes: { usage: "-y, --yes", summary: "With --fix: start without asking" },
  verbose: { usage: "--verbose", summary: "Also list valid prompts" },
  parallelDir: {
    usage: "--parallel-dir <folder>",
    summary: "Artifact folder (default: the only one in parallel/)",
    parse: parseNonEmpty,
  },
  integratedTech: {
    usage: "--tech <name>",
    summary: `${technologies.join(", ")} (default: detected)`,
    parse: oneOf(technologies),
  },
  reviewAgent: {
    usage: "--agent <name>",
    summary: "Agent that reviews the code against the tech spec",
    parse: parseName,
  },
  reviewModel: { usage: "--model <name>", summary: "Model that reviews", parse: parseName },
  reviewBudget: {
    usage: "--budget-usd <usd>",
    summary: "Maximum cost of the review, and of each fix",
    parse: parseUsd,
  },
  reviewTimeout: {
    usage: "--timeout <time>",
    summary: "Time limit per answer: 90s, 45m, 2h",
    parse: parseDuration,
  },
  noChecks: { usage: "--no-checks", summary: "Skip the project's tests, types, lint and build" },
  allowUnknown: { usage: "--allow-unknown", summary: "Accept a result that is mostly unclear" },
  enforce: {
    usage: "--enforce",
    summary: "Check only files here: for use as a gate",
  },
  out: { usage: "--out <folder>", summary: "Write the report to this folder", parse: parseNonEmpty },
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
