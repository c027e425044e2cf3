// Whether the parts fit: plait's own checks, the checks of the project, and the review of an agent.

import { join } from "node:path";
import type { ConfiguredCheck } from "../../config/merge.ts";
import type { Oid } from "../../core/ids.ts";
import type { Preparation } from "../../core/plan.ts";
import type { Located } from "../../core/source.ts";
import { textAt } from "../../formats/cpo/fields.ts";
import { type Objects, withObjects } from "../../git/index.ts";
import { buildFinding } from "../../spec/integrate/catalog/catalog.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import type {
  IntegrationReport,
  IntegrationSubject,
  SpecReview,
  StackCheck,
} from "../../spec/integrate/report.ts";
import { listCheckFindings, listReviewFindings } from "../../spec/integrate/review-findings.ts";
import {
  buildSkippedDocument,
  type CompareDocument,
  type ComparedDocument,
  type PrintedText,
} from "../../spec/integrate/routes/compare-document.ts";
import { listUnknownAreas } from "../../spec/integrate/unknown.ts";
import { type Technology, technologies } from "../../spec/spec-contents.ts";
import { clockOf, type Host, type OrRefusal, type Refused, refuse } from "../host.ts";
import { readText } from "../read-text.ts";
import type { ArtifactFolder } from "./artifact-folder.ts";
import { checkParts, type LookAsked, type Looked, type Parts } from "./check-parts.ts";
import { commitProject } from "./commit-project.ts";
import { headOf, type JudgedCommit, judgedCommit } from "./judged-tree.ts";
import { ownParts } from "./own-parts.ts";
import { type ReviewInput, reviewTechSpec } from "./review-tech-spec.ts";
import { type CheckedCommit, type CheckTelling, runChecks, whichChecks } from "./run-checks.ts";
import { describeSubject, findSubject, type Subject } from "./subject.ts";

export type IntegrateRequest = LookAsked & {
  /** Null: none is run. */
  readonly checks: ChecksAsked | null;
  /** The command of the configuration that prints the API document; it runs with the checks. */
  readonly openapi: string | null;
  /** Null: no review. */
  readonly review: ReviewRequest | null;
  /** Accept areas that are mostly unclear. */
  readonly allowUnknown: boolean;
};

export type ChecksAsked = {
  /** As the user named it; null: from the manifest, or by the files. */
  readonly technology: Technology | null;
  /** From the configuration; null if it has none. */
  readonly configured: readonly ConfiguredCheck[] | null;
  readonly prepare: Omit<Preparation, "include">;
  /** For each of them. */
  readonly timeoutMs: number;
  readonly tell: CheckTelling;
};

export type ReviewRequest = Pick<ReviewInput, "agent" | "limits" | "budgetUsd" | "tell">;

export type Integrated = {
  readonly report: IntegrationReport;
  readonly folder: ArtifactFolder | null;
  readonly subject: Subject;
};

export async function integrate(host: Host, request: IntegrateRequest): Promise<OrRefusal<Integrated>> {
  const found = await findSubject(host, request);
  if (!found.ok) return found;
  const { subject } = found;
  const described = await describeSubject(subject, request.caps);
  const spec = await readSpecText(request, subject, described);
  if (!spec.ok) return spec;
  const seen = await checkBefore(request, subject);
  if (!seen.ok) return seen;
  const { judged, tasks, coverage, owners, compareDocument, ...looked } = seen.looked;
  const checked = await checkResults(host, request, {
    ...{ subject, commit: judged.commit, checks: seen.checks, isApiCompared: compareDocument !== null },
  });
  if (!checked.ok) return checked;
  const toAsk = { subject, commit: judged.commit, spec: spec.spec, tasks };
  const answered = await askForReview(host, request, toAsk);
  if (!answered.ok) return answered;
  const [checks, techSpec] = [checked.results, answered.review];
  const document = documentVerdicts(request, checked.document, compareDocument);
  // In a gate of a run, tasks are still missing.
  const left = request.enforce ? [] : coverage.findings;
  const reviewed = techSpec === null ? [] : listReviewFindings(techSpec);
  const others = [...reviewed, ...seen.said, ...listCheckFindings(checks ?? [])];
  const own = await ownParts(
    subject,
    { owners, commit: judged.commit, isFolder: request.enforce },
    {
      findings: [...looked.findings, ...document.findings, ...left, ...others],
      types: looked.types,
      endpoints: document.endpoints ?? looked.endpoints,
    },
  );
  // An empty list in the configuration means no checks.
  const isWithout = request.checks?.configured?.length === 0;
  const unknown = request.enforce ? [] : listUnknownAreas({ ...own, checks: isWithout ? null : checks });
  const report: IntegrationReport = {
    generatedAt: new Date(clockOf(host).now()).toISOString(),
    ...{ subject: described, judged: judged.tree, tasks, ...own, requirements: coverage.requirements },
    ...{ techSpec, checks, unknown, allowUnknown: request.allowUnknown },
  };
  return { ok: true, report, folder: subject.folder, subject };
}

/** A configured document decides about endpoints, even if it is missing; null: the code decides. */
function documentVerdicts(
  { openapi }: IntegrateRequest,
  printed: PrintedText | null,
  compare: CompareDocument | null,
): { readonly endpoints: ComparedDocument["endpoints"] | null } & Pick<ComparedDocument, "findings"> {
  if (openapi === null || compare === null) return { endpoints: null, findings: [] };
  return printed === null ? { endpoints: null, findings: [buildSkippedDocument(openapi)] } : compare(printed);
}

type Seen = {
  readonly looked: Looked & { readonly judged: JudgedCommit };
  /** Null: none is run. */
  readonly checks: readonly StackCheck[] | null;
  /** About the checks as such. */
  readonly said: readonly FoundFinding[];
};

/** Before any program starts, so that a killed program leaves no open handles. */
function checkBefore(request: IntegrateRequest, subject: Subject): Promise<OrRefusal<Seen>> {
  return withObjects(subject.repository, async (objects) => {
    const parts = await openParts(request, subject, objects);
    if (!parts.ok) return parts;
    const chosen = await chosenChecks(request, parts);
    const looked = { judged: parts.judged, ...(await checkParts(request, parts)) };
    return { ok: true, looked, ...chosen };
  });
}

async function openParts(
  { enforce }: IntegrateRequest,
  subject: Subject,
  objects: Objects,
): Promise<OrRefusal<Parts>> {
  const { repository, run } = subject;
  const at: OrRefusal<{ judged: JudgedCommit }> = enforce
    ? { ok: true, judged: asFolder(headOf(repository, run?.run ?? null)) }
    : await judgedCommit(repository, objects, run?.state ?? null);
  if (!at.ok) return at;
  const { judged } = at;
  const now = await commitProject(objects, judged.commit);
  return now === null ? noTree(judged.commit) : { ok: true, subject, objects, judged, now };
}

function noTree(commit: string): Refused {
  return refuse("environment", `commit ${commit} is not in this repository`, "fetch it: git fetch");
}

function asFolder({ commit, tree }: JudgedCommit): JudgedCommit {
  return { commit, tree: { ...tree, kind: "folder", ref: null } };
}

async function chosenChecks(
  { checks }: IntegrateRequest,
  { subject: { folder }, now: project }: Parts,
): Promise<Pick<Seen, "checks" | "said">> {
  if (checks === null) return { checks: null, said: [] };
  const said = folder === null ? null : textAt(folder.manifest.doc, "technology");
  const technology = checks.technology ?? technologies.find((one) => one === said?.value) ?? null;
  const isTyped = checks.technology !== null;
  const { configured } = checks;
  const chosen = await whichChecks({ project, technology, isTyped, configured });
  const isSaid = chosen.isOther && folder !== null && said !== null;
  return { checks: chosen.checks, said: isSaid ? [buildOtherTechnology(folder, said)] : [] };
}

function buildOtherTechnology({ place }: ArtifactFolder, { value, at }: Located<string>): FoundFinding {
  const where = { file: `${place}/manifest.json`, line: at.start.line };
  return buildFinding("technology-differs", { technology: value }, { about: "technology", at: where });
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

/** The plan of a run has the configuration of that time; missing settings may have been added since. */
function preparedSince(then: Preparation, now: ChecksAsked["prepare"]): Preparation {
  const said = <T>(one: readonly T[], other: readonly T[]) => (one.length > 0 ? one : other);
  return {
    ...then,
    copy: said(then.copy, now.copy),
    setup: said(then.setup, now.setup),
    teardown: said(then.teardown, now.teardown),
  };
}

type SpecText = ReviewInput["spec"];

/** Read first, so that a missing tech spec is reported before the checks run. */
async function readSpecText(
  { review, caps }: IntegrateRequest,
  { repository: { workTree } }: Subject,
  { techSpec, techSpecId: id, path }: IntegrationSubject,
): Promise<OrRefusal<{ readonly spec: SpecText | null }>> {
  if (review === null) return { ok: true, spec: null };
  if (techSpec === null || workTree === null) {
    const which = id === null ? "names no tech spec" : `names ${id}, which is not below tech-specs/`;
    return refuse("request", `${path} ${which}`, "check without a review: omit --agent");
  }
  const read = await readText(join(workTree, techSpec), caps.maxPlanBytes);
  if (read.ok) return { ok: true, spec: { id, file: techSpec, text: read.text } };
  return refuse("request", `the tech spec ${techSpec} ${read.detail}`, "fix the file, or omit --agent");
}

type ToAsk = {
  readonly subject: Subject;
  readonly commit: Oid;
  readonly spec: SpecText | null;
  readonly tasks: IntegrationReport["tasks"];
};

async function askForReview(
  host: Host,
  { review, signal }: IntegrateRequest,
  { subject: { repository }, commit, spec, tasks }: ToAsk,
): Promise<OrRefusal<{ readonly review: SpecReview | null }>> {
  if (review === null || spec === null || signal.aborted) return { ok: true, review: null };
  return withObjects(repository, async (objects) => {
    const project = await commitProject(objects, commit);
    if (project === null) return noTree(commit);
    return reviewTechSpec(host, { ...review, repository, commit, project, signal, spec, tasks });
  });
}
