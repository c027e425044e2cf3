// Do the parts fit? What plait sees itself, then the checks of the project, then what an agent makes of the tech spec.

import { join } from "node:path";
import type { ConfiguredCheck } from "../../config/merge.ts";
import type { Oid } from "../../core/ids.ts";
import type { Preparation } from "../../core/plan.ts";
import type { Located } from "../../core/source.ts";
import { textAt } from "../../formats/cpo/fields.ts";
import { type Objects, withObjects } from "../../git/index.ts";
import { checkFindings } from "../../spec/integrate/check-findings.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import { judgementFindings } from "../../spec/integrate/judgement-findings.ts";
import type {
  IntegrationReport,
  IntegrationSubject,
  SpecJudgement,
  StackCheck,
} from "../../spec/integrate/report.ts";
import {
  type CompareDocument,
  type ComparedDocument,
  type PrintedText,
  skippedDocument,
} from "../../spec/integrate/routes/judge-document.ts";
import { unknownAreas } from "../../spec/integrate/unknown.ts";
import { type Technology, technologies } from "../../spec/spec-contents.ts";
import { clockOf, type Host, type OrRefusal, refuse } from "../host.ts";
import { readText } from "../read-text.ts";
import type { ArtefactFolder } from "./artefact-folder.ts";
import { commitProject } from "./commit-project.ts";
import { judgeTechSpec, type ToJudge } from "./judge-tech-spec.ts";
import { headOf, type JudgedCommit, judgedCommit } from "./judged-tree.ts";
import { type LookAsked, type Looked, lookAtParts, type Parts } from "./look-at-parts.ts";
import { ownParts } from "./own-parts.ts";
import { type CheckedCommit, type CheckTelling, runChecks } from "./run-checks.ts";
import { findSubject, type Subject, toldSubject } from "./subject.ts";
import { whichChecks } from "./which-checks.ts";

export type IntegrateRequest = LookAsked & {
  /** Null: none is run. */
  readonly checks: ChecksAsked | null;
  /** The command of the configuration that prints the API document; it runs with the checks. */
  readonly openapi: string | null;
  /** Null: nobody is asked. */
  readonly judge: JudgeAsked | null;
  /** What is mostly unclear is accepted. */
  readonly allowUnknown: boolean;
};

export type ChecksAsked = {
  /** As the user says it; null: as the manifest does, else as the files do. */
  readonly technology: Technology | null;
  /** Of the configuration; null where it says none. */
  readonly configured: readonly ConfiguredCheck[] | null;
  /** How the configuration has a copy prepared. */
  readonly prepare: Omit<Preparation, "include">;
  /** For each of them. */
  readonly timeoutMs: number;
  readonly tell: CheckTelling;
};

/** Who judges the code by the tech spec. */
export type JudgeAsked = Pick<ToJudge, "agent" | "limits" | "budgetUsd" | "tell">;

export type Integrated = {
  readonly report: IntegrationReport;
  readonly folder: ArtefactFolder | null;
  readonly subject: Subject;
};

export async function integrate(host: Host, request: IntegrateRequest): Promise<OrRefusal<Integrated>> {
  const found = await findSubject(host, request);
  if (!found.ok) return found;
  const { subject } = found;
  const told = await toldSubject(subject, request.caps);
  const spec = await specText(request, subject, told);
  if (!spec.ok) return spec;
  const seen = await lookAround(request, subject);
  if (!seen.ok) return seen;
  const { judged, tasks, coverage, owners, compareDocument, ...looked } = seen.looked;
  const checked = await checkResults(host, request, {
    ...{ subject, commit: judged.commit, checks: seen.checks, isApiCompared: compareDocument !== null },
  });
  if (!checked.ok) return checked;
  const toAsk = { subject, commit: judged.commit, spec: spec.spec, tasks };
  const answered = await judgement(host, request, toAsk);
  if (!answered.ok) return answered;
  const [checks, techSpec] = [checked.results, answered.judgement];
  const document = documentVerdicts(request, checked.document, compareDocument);
  // A gate of a run is asked while tasks are still missing.
  const left = request.enforce ? [] : coverage.findings;
  const reviewed = techSpec === null ? [] : judgementFindings(techSpec);
  const besides = [...document.findings, ...left, ...reviewed, ...seen.said, ...checkFindings(checks ?? [])];
  const own = await ownParts(
    subject,
    { owners, commit: judged.commit, isFolder: request.enforce },
    {
      findings: [...looked.findings, ...besides],
      types: looked.types,
      endpoints: document.endpoints ?? looked.endpoints,
    },
  );
  // Who configures an empty list of checks wants none.
  const isWithout = request.checks?.configured?.length === 0;
  const unknown = request.enforce ? [] : unknownAreas({ ...own, checks: isWithout ? null : checks });
  const report: IntegrationReport = {
    generatedAt: new Date(clockOf(host).now()).toISOString(),
    ...{
      subject: told,
      judged: judged.tree,
      tasks,
      ...own,
      requirements: coverage.requirements,
      techSpec,
      checks,
    },
    ...{ unknown, allowUnknown: request.allowUnknown },
  };
  return { ok: true, report, folder: subject.folder, subject };
}

/** Where a document was to decide, it does, also by not being there; endpoints are null where the code decides. */
function documentVerdicts(
  { openapi }: IntegrateRequest,
  printed: PrintedText | null,
  compare: CompareDocument | null,
): { readonly endpoints: ComparedDocument["endpoints"] | null } & Pick<ComparedDocument, "findings"> {
  if (openapi === null || compare === null) return { endpoints: null, findings: [] };
  return printed === null ? { endpoints: null, findings: [skippedDocument(openapi)] } : compare(printed);
}

type Seen = {
  readonly looked: Looked & { readonly judged: JudgedCommit };
  /** Null: none is run. */
  readonly checks: readonly StackCheck[] | null;
  /** About the checks as such. */
  readonly said: readonly FoundFinding[];
};

/** Over before any program is started: what is killed while those run leaves nothing of this. */
function lookAround(request: IntegrateRequest, subject: Subject): Promise<OrRefusal<Seen>> {
  return withObjects(subject.repository, async (objects) => {
    const parts = await openParts(request, subject, objects);
    if (!parts.ok) return parts;
    const chosen = await chosenChecks(request, parts);
    if (!chosen.ok) return chosen;
    const looked = { judged: parts.judged, ...(await lookAtParts(request, parts)) };
    return { ok: true, looked, checks: chosen.checks, said: chosen.said };
  });
}

type OpenParts = Parts & { readonly ok: true };

async function openParts(
  { enforce }: IntegrateRequest,
  subject: Subject,
  objects: Objects,
): Promise<OpenParts | Refused> {
  const { repository, run } = subject;
  const at: OrRefusal<{ judged: JudgedCommit }> = enforce
    ? { ok: true, judged: asFolder(headOf(repository, run?.run ?? null)) }
    : await judgedCommit(repository, objects, run?.state ?? null);
  if (!at.ok) return at;
  const { judged } = at;
  const now = await commitProject(objects, judged.commit);
  return now === null ? noTree(judged.commit) : { ok: true, subject, objects, judged, now };
}

type Refused = ReturnType<typeof refuse>;

function noTree(commit: string): Refused {
  return refuse("environment", `the tree of ${commit} is not in this repository`, "fetch it: git fetch");
}

function asFolder({ commit, tree }: JudgedCommit): JudgedCommit {
  return { commit, tree: { ...tree, kind: "folder", ref: null } };
}

async function chosenChecks(
  { checks }: IntegrateRequest,
  { subject: { folder }, now: project }: Parts,
): Promise<OrRefusal<Pick<Seen, "checks" | "said">>> {
  if (checks === null) return { ok: true, checks: null, said: [] };
  const said = folder === null ? null : textAt(folder.manifest.doc, "technology");
  const technology = checks.technology ?? technologies.find((one) => one === said?.value) ?? null;
  const isTyped = checks.technology !== null;
  const chosen = await whichChecks({ project, technology, isTyped, configured: checks.configured, only: [] });
  if (!chosen.ok) return chosen;
  const isSaid = chosen.isOther && folder !== null && said !== null;
  return { ...chosen, said: isSaid ? [otherTechnology(folder, said)] : [] };
}

function otherTechnology({ place }: ArtefactFolder, { value, at }: Located<string>): FoundFinding {
  return {
    ...{ area: "checks", code: "technology-differs", weight: "should", about: "technology" },
    at: { file: `${place}/manifest.json`, line: at.start.line },
    message: `the manifest says ${value}, and the project has no checks for it: ran the checks that it has`,
  };
}

type ToRun = {
  readonly subject: Subject;
  readonly commit: Oid;
  readonly checks: readonly StackCheck[] | null;
  /** There is an API contract, which a document could be compared with. */
  readonly isApiCompared: boolean;
};

async function checkResults(
  host: Host,
  { checks: asked, plan, openapi: command, signal }: IntegrateRequest,
  { subject, commit, checks, isApiCompared }: ToRun,
): Promise<
  OrRefusal<Pick<CheckedCommit, "document"> & { readonly results: CheckedCommit["results"] | null }>
> {
  if (asked === null || checks === null || signal.aborted) return { ok: true, results: null, document: null };
  const openapi = isApiCompared ? command : null;
  const { repository, plan: own } = subject;
  const prepare = plan === null ? preparedSince(own.prepare, asked.prepare) : own.prepare;
  const place = { repository, commit, prepare, ports: own.ports, signal };
  return runChecks(host, { ...place, checks, openapi, timeoutMs: asked.timeoutMs, tell: asked.tell });
}

/** The plan of a run says what the configuration said then. What it said nothing about may have been said since. */
function preparedSince(then: Preparation, now: ChecksAsked["prepare"]): Preparation {
  const said = <T>(one: readonly T[], other: readonly T[]) => (one.length > 0 ? one : other);
  return {
    ...then,
    copy: said(then.copy, now.copy),
    setup: said(then.setup, now.setup),
    teardown: said(then.teardown, now.teardown),
  };
}

type SpecText = ToJudge["spec"];

/** Before anything is looked at: who asks for a judgement wants to know that there is nothing to judge by. */
async function specText(
  { judge, caps }: IntegrateRequest,
  { repository: { workTree } }: Subject,
  { techSpec, techSpecId: id, path }: IntegrationSubject,
): Promise<OrRefusal<{ readonly spec: SpecText | null }>> {
  if (judge === null) return { ok: true, spec: null };
  if (techSpec === null || workTree === null) {
    const which = id === null ? "names no tech spec" : `names ${id}, which is not below tech-specs/`;
    return refuse("request", `${path} ${which}: there is nothing to judge by`, "leave --agent out");
  }
  const read = await readText(join(workTree, techSpec), caps.maxPlanBytes);
  if (read.ok) return { ok: true, spec: { id, file: techSpec, text: read.text } };
  return refuse("request", `the tech spec ${techSpec} ${read.detail}`, "mend it, or leave --agent out");
}

type ToAsk = {
  readonly subject: Subject;
  readonly commit: Oid;
  readonly spec: SpecText | null;
  readonly tasks: IntegrationReport["tasks"];
};

async function judgement(
  host: Host,
  { judge, signal }: IntegrateRequest,
  { subject: { repository }, commit, spec, tasks }: ToAsk,
): Promise<OrRefusal<{ readonly judgement: SpecJudgement | null }>> {
  if (judge === null || spec === null || signal.aborted) return { ok: true, judgement: null };
  return withObjects(repository, async (objects) => {
    const project = await commitProject(objects, commit);
    if (project === null) return noTree(commit);
    return judgeTechSpec(host, { ...judge, repository, commit, project, signal, spec, tasks });
  });
}
