import { plait } from "../../../core/text/command.ts";
import { fix } from "../../../core/text/sentence.ts";
// All that is known before anybody designs: what is to be cut up, where the folder goes, who can do tasks. Whatever can be wrong with
// the request is found here, before a token is spent.

import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Caps } from "../../../core/caps.ts";
import type { Diagnostic } from "../../../core/source.ts";
import { listTracked, type Repository } from "../../../git/index.ts";
import { agentsOfFiles, type KnownAgent, type ProjectAgents } from "../../../spec/known-agents.ts";
import { gatherRequirements, type RequirementSet } from "../../../spec/requirements/read-requirements.ts";
import type { Technology } from "../../../spec/spec-contents.ts";
import { buildTechSpecFinding } from "../../../spec/tech-spec/catalog.ts";
import { kebab } from "../../../spec/tech-spec/names.ts";
import { draftWarning } from "../../../spec/tech-spec/tech-spec.ts";
import { checkPlaceholders, unfinishedWarning } from "../../../spec/tech-spec/unfinished.ts";
import { folderProblem } from "../../folders.ts";
import { findRepository, gitFor, type Host, type OrRefusal, refuse } from "../../host.ts";
import { takenBy } from "../../make-folder.ts";
import { readText } from "../../read-text.ts";
import { specRoot } from "../place.ts";
import { technologyOf } from "../setup.ts";
import { findTechSpec, type KnownSpec } from "../tech-specs.ts";
import { projectAgents } from "./project-agents.ts";

export type DecomposeRequest = {
  /** A path or an id; null where a design comes from a file and the flags say the rest. */
  readonly spec: string | null;
  readonly prd: string | null;
  /** For a document that does not say its id. */
  readonly techSpecId: string | null;
  readonly name: string | null;
  readonly technology: Technology | null;
  /** The artefact folder; null: below parallel/, by id and name. */
  readonly into: string | null;
  /** Whether an agent is to be asked, which looks around in a repository. */
  readonly asksAgent: boolean;
  readonly caps: Caps;
};

/** A document as it was read; `path` is from the root, with slashes. */
export type SpecDocument = { readonly file: string; readonly path: string; readonly text: string };

export type Decomposition = {
  readonly root: string;
  /** Null only where no agent is asked. */
  readonly repository: Repository | null;
  readonly techSpecId: string;
  readonly name: string;
  readonly spec: SpecDocument | null;
  readonly prd: SpecDocument | null;
  /** What these two ask for; null where neither is there. */
  readonly requirements: RequirementSet | null;
  /** What the user says: then a design must be in it. */
  readonly technology: Technology | null;
  /** What the files of the project say. */
  readonly guessed: Technology | null;
  /** The artefact folder that is to be made: absolute, and as people are told it. */
  readonly folder: string;
  readonly shownFolder: string;
  /** Who may be given a task; `project` is what it was made of. */
  readonly agents: readonly KnownAgent[];
  readonly project: ProjectAgents;
  /** Tracked files, from the root; null where nobody knows. */
  readonly files: readonly string[] | null;
};

export type Prepared = {
  /** Null where there is an error among the findings. */
  readonly decomposition: Decomposition | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Texts by the file name that ranges use. */
  readonly sources: ReadonlyMap<string, string>;
};

export async function prepareDecompose(host: Host, request: DecomposeRequest): Promise<OrRefusal<Prepared>> {
  const placed = await specRoot(host);
  if (!placed.ok) return placed;
  const { root } = placed;
  const found = await findRepository(host);
  if (!found.ok && request.asksAgent) return found;
  const named = await readSpec(host, root, request);
  if (!named.ok) return named;
  const { about, known, diagnostics } = named;
  const sources = new Map(known?.text == null ? [] : [[known.file, known.text]]);
  if (about === null) return { ok: true, decomposition: null, diagnostics, sources };
  const where = await folderFor(host, root, { ...request, ...about });
  if (!where.ok) return where;
  const prd = await readPrd(host, root, { request, known });
  if (!prd.ok) return prd;
  const project = await projectAgents(root, request.caps);
  const findings = [...diagnostics, ...prd.diagnostics, ...project.diagnostics];
  for (const [file, text] of project.sources) sources.set(file, text);
  const isBroken = findings.some(({ severity }) => severity === "error");
  const tracked = await listTracked(gitFor(host), root);
  const spec = known === null ? null : documentOf(root, known);
  const documents = [prd.document, spec].filter((one) => one !== null);
  const decomposition: Decomposition = {
    root,
    repository: found.ok ? found.repository : null,
    ...about,
    spec,
    prd: prd.document,
    requirements: documents.length === 0 ? null : gatherRequirements(documents),
    technology: request.technology,
    guessed: (await technologyOf(root))?.technology ?? null,
    ...where,
    agents: agentsOfFiles(project),
    project,
    files: tracked?.files.map(({ path }) => path) ?? null,
  };
  return { ok: true, decomposition: isBroken ? null : decomposition, diagnostics: findings, sources };
}

const documentOf = (root: string, { file, path, text }: KnownSpec): SpecDocument => ({
  file,
  path: relative(root, path).replaceAll("\\", "/"),
  text: text ?? "",
});

type Named = {
  /** Null if the spec cannot be used. */
  readonly about: Pick<Decomposition, "techSpecId" | "name"> | null;
  readonly known: KnownSpec | null;
  readonly diagnostics: readonly Diagnostic[];
};

async function readSpec(host: Host, root: string, request: DecomposeRequest): Promise<OrRefusal<Named>> {
  const { spec: word, techSpecId: given, name, caps } = request;
  if (word === null) {
    if (given === null || name === null) {
      const hint = "pass its file, or an id and a name: -t TS-0042 -n inventory";
      return refuse("request", "missing tech spec", hint);
    }
    return { ok: true, about: { techSpecId: given, name }, known: null, diagnostics: [] };
  }
  const asked = await findTechSpec(word, { root, cwd: host.cwd, caps });
  if (!asked.ok) return asked;
  const known = asked.found;
  const { spec, said, text } = known;
  if (spec?.status === "archived")
    return refuse("request", `${spec.id} is archived`, fix("list the others", plait("spec list")));
  const id = said.id?.value ?? null;
  if (given !== null && id !== null && given !== id)
    return refuse("request", `${known.file} is ${id}, not ${given}`, "omit -t, or pass the other file");
  const diagnostics = text === null ? known.diagnostics : bearable(known, given);
  if (text === null || diagnostics.some(({ severity }) => severity === "error"))
    return { ok: true, about: null, known, diagnostics };
  // A design made by hand may be ahead of its spec; an agent has only the spec.
  const open = request.asksAgent ? checkPlaceholders(known.file, text) : null;
  const warnings = spec === null || open !== null ? [] : [draftWarning(spec), unfinishedWarning(spec)];
  const findings = [...diagnostics, ...[open, ...warnings].filter((one) => one !== null)];
  if (open !== null) return { ok: true, about: null, known, diagnostics: findings };
  const techSpecId = id ?? given ?? "";
  const about = { techSpecId, name: name ?? nameFrom(known, techSpecId) };
  return { ok: true, about, known, diagnostics: findings };
}

/**
 * Any document with a known id can be split: with -t even one without front matter. An invalid status is only a warning.
 */
function bearable({ diagnostics, said }: KnownSpec, given: string | null): Diagnostic[] {
  const isNamed = given !== null && said.id === null;
  const found = diagnostics
    .filter(({ code }) => !(isNamed && ABOUT_THE_HEAD.has(code)))
    .map((one) => (one.code === "tech-spec-status" ? { ...one, severity: "warning" as const } : one));
  const unnamed = said.id === null ? found.find(({ code }) => ABOUT_THE_ID.has(code)) : undefined;
  return unnamed === undefined
    ? found
    : [...found, buildTechSpecFinding("tech-spec-unnamed", {}, unnamed.at)];
}

const ABOUT_THE_ID: ReadonlySet<string> = new Set(["front-matter", "tech-spec-id"]);
const ABOUT_THE_HEAD: ReadonlySet<string> = new Set(["front-matter", "tech-spec-id", "tech-spec-status"]);

/** TS-0042-inventory-service.md is the inventory-service. */
function nameFrom({ path, said }: KnownSpec, id: string): string {
  const stem = basename(path).replace(/\.[^.]*$/, "");
  const rest = stem.toLowerCase().startsWith(id.toLowerCase()) ? stem.slice(id.length) : "";
  return kebab(rest) || kebab(said.title ?? "") || kebab(stem) || "spec";
}

async function folderFor(
  { cwd }: Host,
  root: string,
  { into, techSpecId, name }: Pick<DecomposeRequest, "into"> & Pick<Decomposition, "techSpecId" | "name">,
): Promise<OrRefusal<Pick<Decomposition, "folder" | "shownFolder">>> {
  const folder = into === null ? join(root, "parallel", `${techSpecId}-${name}`) : resolve(cwd, into);
  const shownFolder = relative(cwd, folder) || folder;
  if (folder.split(sep).includes(".git"))
    return refuse("request", `${shownFolder} is inside .git`, "choose another folder: --into <folder>");
  const taken = await takenBy(folder);
  if (taken !== null) {
    const hint = "remove it, or choose another: --name <slug> or --into <folder>";
    return refuse("request", `${shownFolder} ${taken}`, hint);
  }
  const problem = await folderProblem(dirname(folder));
  if (problem === null) return { ok: true, folder, shownFolder };
  const hint = "choose another folder: --into <folder>";
  return refuse("environment", `cannot create ${shownFolder}: ${problem}`, hint);
}

type Prd = { readonly document: SpecDocument | null; readonly diagnostics: readonly Diagnostic[] };

/** The one that was named must be there; the one that the spec names is a help, if it is a file. */
async function readPrd(
  { cwd }: Host,
  root: string,
  { request: { prd, caps }, known }: { readonly request: DecomposeRequest; readonly known: KnownSpec | null },
): Promise<OrRefusal<Prd>> {
  const related = known?.spec?.relatedPrd ?? null;
  const path = prd !== null ? resolve(cwd, prd) : related === null ? null : join(root, related);
  if (path === null || (prd === null && /^[a-z]+:\/\//i.test(related ?? ""))) return NO_PRD;
  const file = relative(cwd, path);
  const read = await readText(path, caps.maxPromptBytes);
  if (read.ok) {
    const document = { file, path: relative(root, path).replaceAll("\\", "/"), text: read.text };
    // Whoever wrote the spec, not the user, has named it: an agent is to see nothing of the machine that nobody meant it to.
    if (prd === null && document.path.startsWith("../")) {
      return { ...NO_PRD, diagnostics: [buildPrdFinding(known, { kind: "outside" })] };
    }
    return { ok: true, document, diagnostics: [] };
  }
  if (prd !== null) return refuse("request", `${prd} ${read.detail}`, "check the path of --prd");
  return { ...NO_PRD, diagnostics: [buildPrdFinding(known, { kind: "unreadable", problem: read.detail })] };
}

type PrdProblem = { readonly kind: "outside" } | { readonly kind: "unreadable"; readonly problem: string };

function buildPrdFinding(known: KnownSpec | null, problem: PrdProblem): Diagnostic {
  const { relatedPrd, at = null } = known?.spec ?? {};
  return buildTechSpecFinding("prd-not-read", { prd: relatedPrd ?? "", ...problem }, at);
}

const NO_PRD = { ok: true, document: null, diagnostics: [] } as const;
