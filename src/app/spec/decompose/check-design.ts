import type { Caps } from "../../../core/caps.ts";
import type { Diagnostic } from "../../../core/source.ts";
import type { FormatCode } from "../../../formats/catalog.ts";
import { textAt } from "../../../formats/cpo/fields.ts";
import type { Alignment } from "../../../spec/align/align.ts";
import { wishesOfDesign } from "../../../spec/align/wish.ts";
import { checkContracts } from "../../../spec/contracts/check.ts";
import { checkDesign } from "../../../spec/design/check.ts";
import { givenContracts } from "../../../spec/design/check-contracts.ts";
import { withJsonPaths } from "../../../spec/design/json-path.ts";
import { type DesignRead, readDesign } from "../../../spec/design/read.ts";
import type { Design } from "../../../spec/design/schema.ts";
import type { SpecDependencies, Technology } from "../../../spec/spec-contents.ts";
import type { Host } from "../../host.ts";
import { alignInProject } from "../align-project.ts";
import type { Decomposition } from "./prepare.ts";

export type CheckedDesign = {
  /** What findings call it. */
  readonly file: string;
  readonly text: string;
  /** Null where it does not have the form of one. */
  readonly design: Design | null;
  /** Its packages as pins, as far as the tools of the project could tell. */
  readonly dependencies: SpecDependencies;
  readonly diagnostics: readonly Diagnostic[];
  /** Those of them that keep it from being used. */
  readonly errors: readonly Diagnostic[];
  /** It and its contracts, by the names that findings use. */
  readonly sources: ReadonlyMap<string, string>;
};

export type DesignCheck = {
  readonly decomposition: Decomposition;
  readonly caps: Caps;
  /** An architect answers: it is asked for whatever the design leaves out. */
  readonly isAsked: boolean;
  /** Aborted, the tools of the project are not asked any more. */
  readonly signal?: AbortSignal;
};

export async function checkedDesign(
  { env }: Pick<Host, "env">,
  { file, text }: { readonly file: string; readonly text: string },
  { decomposition, caps, isAsked, signal }: DesignCheck,
): Promise<CheckedDesign> {
  const { agents, files, root } = decomposition;
  const read = readDesign({ file, text }, caps);
  const own = read.doc === null ? null : textAt(read.doc, "manifest", "technology");
  const technology = technologyFor(decomposition, own?.value);
  const found = await checkDesign(read, {
    knownAgents: agents.map(({ name }) => name),
    checkContracts,
    tracked: files,
    technology,
    requirements: decomposition.requirements,
    isAsked,
  });
  const aligned = await align(read, { env, root, ...(signal && { signal }) });
  const diagnostics = aligned === null ? found : [...withoutTold(found, aligned), ...aligned.diagnostics];
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const contracts = read.doc === null ? [] : givenContracts(read.doc, technology);
  const documents = [decomposition.prd, decomposition.spec].filter((one) => one !== null);
  const sources = new Map([{ file, text }, ...contracts, ...documents].map((one) => [one.file, one.text]));
  const { design } = read;
  const dependencies = aligned?.dependencies ?? {};
  return { file, text, design, dependencies, diagnostics, errors, sources };
}

/** In what it is checked and written, where the design itself does not decide: the user's word, or what the project is. */
export function technologyFor(
  { technology, guessed }: Decomposition,
  own: string | null | undefined,
): Technology | null {
  return technology ?? (own == null ? guessed : null);
}

type Aligned = Pick<Alignment, "dependencies" | "diagnostics">;

/** Only of a design that can be read: what its packages are is not known before. Null where there is nothing to align. */
async function align(
  { design, doc }: DesignRead,
  place: Omit<Parameters<typeof alignInProject>[1], "python">,
): Promise<Aligned | null> {
  if (design === null || doc === null) return null;
  const wishes = wishesOfDesign(doc);
  if (wishes.length === 0) return null;
  const python = design.manifest?.python_version ?? null;
  const { dependencies, diagnostics } = await alignInProject(wishes, { ...place, python });
  return { dependencies, diagnostics: withJsonPaths(diagnostics, doc) };
}

/** Who looked for versions knows which packages have none, and tells the rest as well. */
function withoutTold(found: readonly Diagnostic[], { diagnostics }: Aligned): Diagnostic[] {
  const keyOf = ({ code, at }: Diagnostic) => `${code} ${at?.file}:${at?.start.line}:${at?.start.col}`;
  const told = new Set(diagnostics.map(keyOf));
  return found.filter((one) => one.code !== UNPINNED && !told.has(keyOf(one)));
}

const UNPINNED = "dependency-unpinned" satisfies FormatCode;
