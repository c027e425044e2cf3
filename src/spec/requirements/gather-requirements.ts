import {
  isPartOf,
  type Requirement,
  type RequirementDocument,
  readRequirements,
} from "./read-requirements.ts";

/** The requirements of a spec: those of all its documents together. */
export type RequirementSet = {
  readonly requirements: readonly Requirement[];
  /** The documents write the ids themselves; else plait gave them. */
  readonly hasIds: boolean;
  readonly groups: readonly string[];
  readonly repeated: readonly { readonly first: Requirement; readonly second: Requirement }[];
};

/**
 * The first document that declares an id is its place. Ids that plait gives count only where no document has any, and are those of the
 * first document that has requirements: product requirements come first.
 */
export function gatherRequirements(documents: readonly RequirementDocument[]): RequirementSet {
  const read = documents.map(readRequirements);
  const written = read.filter(({ hasIds }) => hasIds);
  const given = read.find(({ requirements }) => requirements.length > 0);
  const counted = written.length > 0 ? written : given === undefined ? [] : [given];
  const first = new Map<string, Requirement>();
  for (const one of counted.flatMap(({ requirements }) => requirements))
    if (!first.has(one.id)) first.set(one.id, one);
  const groups = new Set(counted.flatMap((one) => one.groups));
  const all = [...first.values()];
  for (const { id } of all) if (all.some((other) => isPartOf(other.id, id))) groups.add(id);
  return {
    requirements: all.filter(({ id }) => !groups.has(id)),
    hasIds: written.length > 0,
    groups: [...groups],
    repeated: counted.flatMap((one) => one.repeated),
  };
}

/** Whether who names this id means the requirement: itself, or a group that it is a part of. */
export function isCoveredBy({ id }: Pick<Requirement, "id">, named: string): boolean {
  return id === named || isPartOf(id, named);
}
