import type { AnalyzeCode } from "../../core/analyze/catalog.ts";
import { analyzeScopes } from "../../core/analyze/scopes.ts";
import type { ClaimDraft, TaskDraft } from "../../core/draft.ts";
import type { Diagnostic, Located, SourceRange } from "../../core/source.ts";
import { circularNeeds } from "../../formats/cpo/circles.ts";
import type { Doc } from "../../formats/cpo/fields.ts";
import { plainTask } from "../../formats/unsaid.ts";
import type { LocatedTask, LocatedTasks } from "./located.ts";

/** What the plan that will be made of the design would be refused for: ids, deps, and who owns what. */
export function checkTasks(doc: Doc, { tasks, lost }: LocatedTasks): Diagnostic[] {
  const circles = circularNeeds(tasks.map(({ id, deps }) => ({ id, needs: deps })));
  const inCircles = new Set(
    circles.flatMap(({ at, related }) => [at, ...related.map((one) => one.at)].map(placeOf)),
  );
  const found = analyzeScopes(tasks.map(draftOf), { file: doc.index.file, lost });
  const isOfCircle = ({ code, at }: Diagnostic) => code === LATER && inCircles.has(placeOf(at));
  return [...circles, ...found.filter((one) => !TOLD.has(one.code) && !isOfCircle(one))];
}

/** Each dep of a circle leads to the same or a later wave somewhere; the circle says more. */
const LATER: AnalyzeCode = "needs-later-wave";

/** By the schema, and with the scopes. */
const TOLD: ReadonlySet<string> = new Set(["bad-id", "no-owns"] satisfies AnalyzeCode[]);

function placeOf(at: SourceRange | null): string {
  return at === null ? "" : `${at.start.line}:${at.start.col}`;
}

function draftOf({ id, title, deps, wave, create, modify, boundary }: LocatedTask): TaskDraft {
  const claims = (mode: ClaimDraft["mode"], texts: readonly Located<string>[]) =>
    texts.map((text) => ({ mode, text }));
  return {
    ...plainTask,
    ...{ id, title, needs: deps, wave, boundary },
    work: { kind: "agent", prompt: { value: { kind: "inline", text: "?" }, at: id.at } },
    owns: [...claims("create", create), ...claims("modify", modify)],
  };
}
