import type { Located } from "../../core/source.ts";
import { countAt, type Doc, textAt, textsAt } from "../../formats/cpo/fields.ts";
import type { Ecosystem } from "../../formats/packages/spec.ts";
import type { PackageLists } from "../spec-contents.ts";

export type ListName = keyof PackageLists;
export const listNames = ["remove", "upgrade", "add", "add_dev"] as const satisfies readonly ListName[];
export const ecosystems = ["python", "node"] as const satisfies readonly Ecosystem[];

export type Wish = {
  readonly ecosystem: Ecosystem;
  readonly list: ListName;
  readonly spec: Located<string>;
  /** The id of the task; null where it is for all. */
  readonly by: string | null;
};

export function wishesOfManifest(doc: Doc): Wish[] {
  return wishesBelow(doc, "dependencies");
}

/** Of a design: those of its manifest, and those of each task. */
export function wishesOfDesign(doc: Doc): Wish[] {
  const ofTasks = countAt(doc, "tasks").flatMap((i) => {
    const by = textAt(doc, "tasks", i, "id")?.value ?? null;
    return ecosystems.flatMap((ecosystem) =>
      textsAt(doc, "tasks", i, "dependencies", ecosystem).map(
        (spec): Wish => ({ ecosystem, list: "add", spec, by }),
      ),
    );
  });
  return [...wishesBelow(doc, "manifest", "dependencies"), ...ofTasks];
}

function wishesBelow(doc: Doc, ...path: readonly string[]): Wish[] {
  return ecosystems.flatMap((ecosystem) =>
    listNames.flatMap((list) =>
      textsAt(doc, ...path, ecosystem, list).map((spec): Wish => ({ ecosystem, list, spec, by: null })),
    ),
  );
}
