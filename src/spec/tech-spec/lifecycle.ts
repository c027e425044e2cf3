/**
 * Where a tech spec is in its life. It lies in the folder of that name, so a look at the tree tells it too.
 *
 *     draft ⇄ approved ⇄ reference
 *       └────────┴───────────┴──→ archived
 *
 * draft: being written. approved: may be built. reference: is built, and says how it works. archived: given up, or replaced by
 * another; from there nothing comes back, since what took its place would contradict it.
 */
export const specStatuses = ["draft", "approved", "reference", "archived"] as const;
export type SpecStatus = (typeof specStatuses)[number];

const STEPS: { readonly [From in SpecStatus]: readonly SpecStatus[] } = {
  draft: ["approved", "archived"],
  approved: ["reference", "draft", "archived"],
  reference: ["archived", "approved"],
  archived: [],
};

/** Where it may go from here; what is usual comes first. */
export function stepsFrom(status: SpecStatus): readonly SpecStatus[] {
  return STEPS[status];
}

export function statusWord(status: SpecStatus): string {
  return status.toUpperCase();
}

export function parseStatus(word: string): SpecStatus | null {
  return specStatuses.find((status) => status === word.trim().toLowerCase()) ?? null;
}

const ARCHIVE = "archive";

/** From tech-specs/. The archive has a folder a year, that of the move. */
export function folderFor(status: SpecStatus, year: string): string {
  return status === "archived" ? `${ARCHIVE}/${year}` : status;
}

/** What a file in this folder of tech-specs/ should say, by its path with slashes; null for any other folder. */
export function statusOfFolder(folder: string): SpecStatus | null {
  const [first, second, ...more] = folder.split("/");
  if (first === ARCHIVE && more.length === 0) return "archived";
  return second === undefined && first !== "archived" ? parseStatus(first ?? "") : null;
}
