// All findings with their owners: from the code, the printed document, checks and reviews.

import type { Oid } from "../../core/ids.ts";
import { type Objects, withObjects } from "../../git/index.ts";
import type {
  ContractVerdict,
  FoundFinding,
  IntegrationArea,
  OwnedFinding,
} from "../../spec/integrate/finding.ts";
import { joinFindings, toFinding } from "../../spec/integrate/join-findings.ts";
import type { IntegrationReport, ReportedVerdict } from "../../spec/integrate/report.ts";
import { commitProject, folderProject } from "./commit-project.ts";
import { type OwnFinding, type OwnQuestion, ownFindings } from "./owners.ts";
import type { Subject } from "./subject.ts";

export type FoundParts = {
  /** All but those of verdicts. */
  readonly findings: readonly FoundFinding[];
  readonly types: readonly ContractVerdict[] | null;
  readonly endpoints: readonly ContractVerdict[] | null;
};

export type OwnersOfParts = {
  readonly owners: Omit<OwnQuestion, "objects" | "project">;
  readonly commit: Oid;
  /** The files of the folder count, not those of the commit. */
  readonly isFolder: boolean;
};

export async function ownParts(
  { repository }: Subject,
  { owners, commit, isFolder }: OwnersOfParts,
  found: FoundParts,
): Promise<Pick<IntegrationReport, "types" | "endpoints" | "findings">> {
  return withObjects(repository, async (objects) => {
    const project = { read: await reader(repository, { objects, commit, isFolder }) };
    const own = ownFindings({ ...owners, objects, project });
    const findings = await Promise.all(found.findings.map(own));
    const [types, endpoints] = [await ownVerdicts(found.types, own), await ownVerdicts(found.endpoints, own)];
    const ofVerdicts = [...(endpoints ?? []), ...(types ?? [])].flatMap((verdict) => verdict.findings);
    const joined = joinFindings([...findings, ...ofVerdicts]);
    return {
      ...{ types: toReported(types), endpoints: toReported(endpoints) },
      findings: AREAS.flatMap((area) => joined.filter((one) => one.area === area)),
    };
  });
}

async function reader(
  repository: Subject["repository"],
  { objects, commit, isFolder }: { readonly objects: Objects } & Omit<OwnersOfParts, "owners">,
): Promise<(path: string) => Promise<string | null>> {
  const { workTree } = repository;
  const project =
    isFolder && workTree !== null
      ? await folderProject(repository, workTree)
      : await commitProject(objects, commit);
  return async (path) => project?.read(path) ?? null;
}

async function ownVerdicts(verdicts: readonly ContractVerdict[] | null, own: OwnFinding) {
  if (verdicts === null) return null;
  return Promise.all(
    verdicts.map(async (one) => ({ ...one, findings: await Promise.all(one.findings.map(own)) })),
  );
}

function toReported(verdicts: readonly ContractVerdict<OwnedFinding>[] | null): ReportedVerdict[] | null {
  return verdicts?.map((one) => ({ ...one, findings: one.findings.map(toFinding) })) ?? null;
}

/** In the order of the report. */
const AREAS: readonly IntegrationArea[] = [
  ...(["tasks", "completeness", "boundaries", "endpoints"] as const),
  ...(["types", "requirements", "tech-spec", "checks"] as const),
];
