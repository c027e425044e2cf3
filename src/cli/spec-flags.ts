import { type Technology, technologies } from "../spec/spec-contents.ts";
import { type SpecStatus, specStatuses } from "../spec/tech-spec/lifecycle.ts";
import { isTechSpecId } from "../spec/tech-spec/names.ts";
import { duration, type Flag, money, oneOf, someName, someText, wholeNumber } from "./flag.ts";
import { RequestError } from "./request-error.ts";

/** What only commands of `plait spec` take. */
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
    says: "the tech spec that it is made from, such as TS-0042",
    parse: techSpecId,
  },
  specSource: {
    usage: "-t, --tech-spec-id <spec>",
    says: "The tech spec: its id, such as TS-0042, or its file",
    parse: someText,
  },
  specName: {
    usage: "-n, --name <slug>",
    says: "what it is called: lower-case words with dashes",
    parse: slug,
  },
  tech: {
    usage: "--tech <name>",
    says: `what it is written in: ${technologies.join(", ")}`,
    parse: oneOf(technologies),
  },
  rfc: { usage: "--rfc <id>", says: "the decision that it follows, such as RFC-0007", parse: someText },
  author: { usage: "--author <name>", says: "who writes it; else the name that git knows", parse: someText },
  specStatus: {
    usage: "--status <status>",
    says: `only those that are ${specStatuses.join(", ")}`,
    parse: specStatus,
  },
  set: {
    usage: "--set <status>",
    says: `move it on: ${specStatuses.join(", ")}`,
    parse: specStatus,
  },
  prd: { usage: "--prd <file>", says: "the product requirements behind it", parse: someText },
  techSpec: {
    usage: "--tech-spec <file>",
    says: "the tech spec, where the file that is named first holds the product requirements",
    parse: someText,
  },
  fromFile: {
    usage: "--from-file <design>",
    says: "take this design (JSON) and ask no agent",
    parse: someText,
  },
  into: {
    usage: "--into <folder>",
    says: "the artefact folder; else parallel/ with id and name",
    parse: someText,
  },
  rounds: {
    usage: "--rounds <n>",
    says: "how often a design that does not hold goes back to the agent (default 3)",
    parse: wholeNumber(20, 0),
  },
  architect: {
    usage: "--agent <name>",
    says: "who designs; else the agent of the configuration, else claude",
    parse: someName,
  },
  architectModel: { usage: "--model <name>", says: "the model that designs", parse: someName },
  designBudget: {
    usage: "--budget-usd <usd>",
    says: "ask nothing more once this is spent on the design",
    parse: money,
  },
  designTimeout: {
    usage: "--timeout <duration>",
    says: "how long one answer may take, such as 90s, 45m or 2h (default 45m)",
    parse: duration,
  },
  yes: { usage: "-y, --yes", says: "do not ask before files are written" },
  goYes: { usage: "-y, --yes", says: "Approve tech spec and plan without asking" },
  goAgent: {
    usage: "--agent <name>",
    says: "Agent for drafting, designing and all tasks",
    parse: someName,
  },
  goModel: { usage: "--model <name>", says: "Model for drafting, designing and all tasks", parse: someName },
  goBudget: {
    usage: "--budget-usd <usd>",
    says: "Limit for draft, design and run, each",
    parse: money,
  },
  checkPrompts: { usage: "--check", says: "write nothing: say which are not as they should be" },
  checkPins: { usage: "--check", says: "write nothing: say what is not pinned" },
  fix: { usage: "--fix", says: "with --check: keep a copy of those, and generate them again" },
  fixParts: { usage: "--fix", says: "Send findings back to the agents of their tasks" },
  fixPartsRounds: {
    usage: "--rounds <n>",
    says: "With --fix: rounds of fixing and judging (default 2)",
    parse: wholeNumber(10),
  },
  fixPartsYes: { usage: "-y, --yes", says: "With --fix: do not ask first" },
  verbose: { usage: "--verbose", says: "also tell what is good" },
  parallelDir: {
    usage: "--parallel-dir <folder>",
    says: "the artefact folder; else the only one below parallel/",
    parse: someText,
  },
  integratedTech: {
    usage: "--tech <name>",
    says: `whose checks are run: ${technologies.join(", ")}; else what the project's files say`,
    parse: oneOf(technologies),
  },
  judge: {
    usage: "--agent <name>",
    says: "who judges the code by the tech spec; without it nobody is asked",
    parse: someName,
  },
  judgeModel: { usage: "--model <name>", says: "the model that judges", parse: someName },
  judgeBudget: {
    usage: "--budget-usd <usd>",
    says: "Maximum USD for the review, and for each fix round",
    parse: money,
  },
  judgeTimeout: {
    usage: "--timeout <duration>",
    says: "how long one answer may take, such as 90s, 45m or 2h",
    parse: duration,
  },
  noChecks: { usage: "--no-checks", says: "do not run the tests, types, lint and build of the project" },
  allowUnknown: { usage: "--allow-unknown", says: "Accept a result that is mostly unclear" },
  enforce: {
    usage: "--enforce",
    says: "as a gate of a run: judge the files that are here, start and write nothing",
  },
  out: {
    usage: "--out <folder>",
    says: "write the report there; else into the artefact folder, and of a plan that is a file nowhere",
    parse: someText,
  },
} satisfies Record<string, Flag>;

/** Front matter has it in capitals. */
function specStatus(text: string): SpecStatus {
  const word = text.toLowerCase();
  return oneOf(specStatuses)(word === "archive" ? "archived" : word); // its folder is called so
}

function techSpecId(text: string): string {
  if (isTechSpecId(text)) return text;
  throw new RequestError("is not of the form TS-0042");
}

function slug(text: string): string {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && text.length <= 60) return text;
  throw new RequestError("is not made of lower-case letters, digits and single dashes, at most 60 of them");
}
