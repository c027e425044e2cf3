// Do the parts fit? What plait sees itself, then the checks of the project, then what an agent makes of the tech spec.

import { join } from "node:path";
import type { ConfiguredCheck } from "../../config/merge.ts";
import { textAt } from "../../formats/cpo/fields.ts";
import { type Objects, withObjects } from "../../git/index.ts";
import { checkFindings } from "../../spec/integrate/check-findings.ts";
import type { IntegrationArea, IntegrationFinding } from "../../spec/integrate/finding.ts";
import { judgementFindings } from "../../spec/integrate/judgement-findings.ts";
import type {
  CheckResult,
  IntegrationReport,
  IntegrationSubject,
  SpecJudgement,
  StackCheck,
} from "../../spec/integrate/report.ts";
import { type Technology, technologies } from "../../spec/spec-contents.ts";
import { clockOf, type Host, type OrRefusal, refuse } from "../host.ts";
import { readText } from "../read-text.ts";
import type { ArtefactFolder } from "./artefact-folder.ts";
import { commitProject } from "./commit-project.ts";
import { judgeTechSpec, type ToJudge } from "./judge-tech-spec.ts";
import { headOf, type JudgedCommit, judgedCommit } from "./judged-tree.ts";
import { type LookAsked, lookAtParts, type Parts } from "./look-at-parts.ts";
import { type CheckTelling, runChecks } from "./run-checks.ts";
import { findSubject, type Subject, toldSubject } from "./subject.ts";
import { whichChecks } from "./which-checks.ts";

export type IntegrateRequest = LookAsked & {
  /** Null: none is run. */
  readonly checks: ChecksAsked | null;
  /** Null: nobody is asked. */
  readonly judge: JudgeAsked | null;
};

export type ChecksAsked = {
  /** As the user says it; null: as the manifest does, else as the files do. */
  readonly technology: Technology | null;
  /** Of the configuration; null where it says none. */
  readonly configured: readonly ConfiguredCheck[] | null;
  readonly tell: CheckTelling;
};

/** Who judges the code by the tech spec. */
export type JudgeAsked = Pick<ToJudge, "agent" | "limits" | "budgetUsd" | "tell">;

export type Integrated = { readonly report: IntegrationReport; readonly folder: ArtefactFolder | null };

export async function integrate(host: Host, request: IntegrateRequest): Promise<OrRefusal<Integrated>> {
  const found = await findSubject(host, request);
  if (!found.ok) return found;
  const { subject } = found;
  const told = await toldSubject(subject, request.caps);
  const spec = await specText(request, subject, told);
  if (!spec.ok) return spec;
  return withObjects(subject.repository, async (objects) => {
    const parts = await openParts(request, subject, objects);
    if (!parts.ok) return parts;
    const chosen = await chosenChecks(request, parts);
    if (!chosen.ok) return chosen;
    const { findings, ...looked } = await lookAtParts(request, parts);
    const checked = await checkResults(host, request, { parts, checks: chosen.checks });
    if (!checked.ok) return checked;
    const judged = await judgement(host, request, { parts, spec: spec.spec, tasks: looked.tasks });
    if (!judged.ok) return judged;
    const [checks, techSpec] = [checked.results, judged.judgement];
    const asked = techSpec === null ? [] : judgementFindings(techSpec);
    const report: IntegrationReport = {
      generatedAt: new Date(clockOf(host).now()).toISOString(),
      ...{ subject: told, judged: parts.judged.tree, ...looked, techSpec, checks },
      findings: inOrder([...findings, ...asked, ...checkFindings(checks ?? [])]),
    };
    return { ok: true, report, folder: subject.folder };
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
  if (now !== null) return { ok: true, subject, objects, judged, now };
  return refuse(
    "environment",
    `the tree of ${judged.commit} is not in this repository`,
    "fetch it: git fetch",
  );
}

type Refused = ReturnType<typeof refuse>;

function asFolder({ commit, tree }: JudgedCommit): JudgedCommit {
  return { commit, tree: { ...tree, kind: "folder", ref: null } };
}

async function chosenChecks(
  { checks }: IntegrateRequest,
  { subject: { folder }, now: project }: Parts,
): Promise<OrRefusal<{ readonly checks: readonly StackCheck[] | null }>> {
  if (checks === null) return { ok: true, checks: null };
  const said = folder === null ? null : (textAt(folder.manifest.doc, "technology")?.value ?? null);
  const technology = checks.technology ?? technologies.find((one) => one === said) ?? null;
  return whichChecks({ project, technology, configured: checks.configured, only: [] });
}

/** Of one check. */
const CHECK_LIMIT_MS = 30 * 60_000;

type ToRun = { readonly parts: Parts; readonly checks: readonly StackCheck[] | null };

async function checkResults(
  host: Host,
  { checks: asked, signal }: IntegrateRequest,
  { parts, checks }: ToRun,
): Promise<OrRefusal<{ readonly results: readonly CheckResult[] | null }>> {
  if (asked === null || checks === null || signal.aborted) return { ok: true, results: null };
  const { repository, plan } = parts.subject;
  const { prepare, ports } = plan;
  const place = { repository, commit: parts.judged.commit, prepare, ports, signal };
  return runChecks(host, { ...place, checks, timeoutMs: CHECK_LIMIT_MS, tell: asked.tell });
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
  readonly parts: Parts;
  readonly spec: SpecText | null;
  readonly tasks: IntegrationReport["tasks"];
};

async function judgement(
  host: Host,
  { judge, signal }: IntegrateRequest,
  { parts: { subject, judged, now }, spec, tasks }: ToAsk,
): Promise<OrRefusal<{ readonly judgement: SpecJudgement | null }>> {
  if (judge === null || spec === null || signal.aborted) return { ok: true, judgement: null };
  const about = { repository: subject.repository, commit: judged.commit, project: now, signal };
  return judgeTechSpec(host, { ...about, ...judge, spec, tasks });
}

const AREAS: readonly IntegrationArea[] = [
  "tasks",
  "boundaries",
  "endpoints",
  "types",
  "tech-spec",
  "checks",
];

function inOrder(findings: readonly IntegrationFinding[]): IntegrationFinding[] {
  return AREAS.flatMap((area) => findings.filter((one) => one.area === area));
}
