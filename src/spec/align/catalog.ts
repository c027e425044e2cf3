import { type Catalog, createFindingBuilder, type FindingBuilder } from "../../core/catalog.ts";
import { listed, listQuoted, quoted } from "../../core/text/figures.ts";
import { type Strings, wordKinds } from "../../formats/catalog-kinds.ts";

/** A task, or the manifest, and the version it requires: `zod@^3.22.0`. */
export type Request = Strings<"by" | "spec">;

/** What there is of a package. */
export type Versions = { readonly oldest: string | null; readonly newest: string | null };

type Requests = { readonly requests: readonly Request[] };
/** `said` is what the tool printed about it. */
type Said = Strings<"said">;

type Disjoint = {
  readonly installed: string | null;
  /** Which of both specs the installed version satisfies. */
  readonly satisfied: string | null;
  /** For each, null where it is not known. */
  readonly newest: readonly (string | null)[];
};

export const alignCatalog = {
  "dependency-conflict": {
    severity: "error",
    title: "Conflicting requirements for a package",
    explanation:
      "All tasks of a run start from the same installed packages, so there is one version of each. The message lists the conflicting requirements. Widen one of the ranges, or use the same range in all of them.",
    example: '"dependencies": { "node": ["zod@^3.22.0"] }',
    ...wordKinds({
      /** The ranges have no version in common. */
      disjoint: [(params: Requests) => `${formatRequests(params)}: no version satisfies both`, formatWayOut],
      /** They may have one, which was not published. */
      unpublished: [
        (params: Requests) =>
          `${formatRequests(params)}: no published version satisfies ${bothOrAll(params)}`,
        formatVersions,
      ],
      unsolvable: [
        (params: Requests) => `${formatRequests(params)}: no version satisfies ${bothOrAll(params)}`,
        ({ requests, said }: Requests & Said) =>
          `change ${requests.map(({ spec }) => quoted(spec)).join(" or ")}; uv reports: ${said}`,
      ],
      incompatible: [
        ({ specs }: { readonly specs: readonly string[] }) =>
          `uv finds no versions of ${listQuoted(specs, "packages")} that work together and with the project`,
        ({ specs, said }: { readonly specs: readonly string[] } & Said) =>
          `change ${specs.map(quoted).join(" or ")}; uv reports: ${said}`,
      ],
      removed: [
        ({ name }: Strings<"name">) => `${quoted(name)} is both required and removed`,
        ({ name }: Strings<"name">) => `delete ${quoted(name)} from one of the lists`,
      ],
      sources: [
        ({ name, first, second }: Strings<"name" | "first" | "second">) =>
          `${quoted(name)} is required from two sources: ${quoted(first)} and ${quoted(second)}`,
        ({ first }: Strings<"first">) => `use the same source in both, such as ${quoted(first)}`,
      ],
    }),
    related: ({ by, spec }: Request) => `${by} requires ${quoted(spec)}`,
  },
  "dependency-missing": {
    severity: "error",
    title: "Package or version not found",
    explanation:
      "The project's package manager finds no package with this name, or no version in the range. The name may be misspelled or made up. If the registry is private, check that you are logged in.",
    ...wordKinds({
      package: [
        ({ program, name }: Strings<"program" | "name">) => `${program} finds no package ${quoted(name)}`,
        ({ name }: Strings<"name">) =>
          `check the name ${quoted(name)}; if its registry is private, log in to it first`,
      ],
      tag: [
        ({ name, tag }: Strings<"name" | "tag">) => `${quoted(name)} has no tag ${quoted(tag)}`,
        ({ tags }: { readonly tags: readonly string[] }) =>
          `use a range, or one of its tags: ${listQuoted(tags, "tags", 8)}`,
      ],
      version: [
        ({ name, spec }: Strings<"name" | "spec">) =>
          `no version of ${quoted(name)} satisfies ${quoted(spec)}`,
        formatVersions,
      ],
      unsolvable: [
        ({ spec }: Strings<"spec">) => `uv finds no version for ${quoted(spec)}`,
        ({ spec, said }: Strings<"spec"> & Said) => `change ${quoted(spec)}; uv reports: ${said}`,
      ],
    }),
  },
  "dependency-downgrade": {
    severity: "warning",
    title: "A pin downgrades a package of the project",
    explanation:
      "The installed version is newer than the range allows. The older version would be installed for the whole project, also for code that no task touches.",
    message: ({ name, from, to }: Strings<"name" | "from" | "to">) =>
      `${quoted(name)} would be downgraded from ${from} to ${to}`,
    hint: ({ from }: Strings<"from">) =>
      `use a range that includes ${quoted(from)}, unless the downgrade is intended`,
  },
} as const satisfies Catalog;

export const buildAlignFinding: FindingBuilder<typeof alignCatalog> = createFindingBuilder(alignCatalog);

const formatRequests = ({ requests }: Requests): string =>
  listed(requests.map(({ by, spec }) => `${by} requires ${quoted(spec)}`));

const bothOrAll = ({ requests }: Requests): string => (requests.length === 2 ? "both" : "all");

/** What is installed, and which versions each could have. */
function formatWayOut({ requests, installed, satisfied, newest }: Requests & Disjoint): string {
  const other = requests.find(({ spec }) => spec !== satisfied)?.spec ?? "";
  const versions = requests.flatMap(({ spec }, i) => {
    const version = newest[i] ?? null;
    return version === null ? [] : [`${version} for ${quoted(spec)}`];
  });
  const change =
    installed === null || satisfied === null
      ? `use one range for both, such as ${quoted(other)}`
      : `change ${quoted(other)} to a range that includes ${installed}, which is installed`;
  return versions.length === 0 ? change : `${change} (newest versions: ${listed(versions)})`;
}

function formatVersions({ oldest, newest }: Versions): string {
  if (newest === null) return "use a range, such as `1.x`";
  return oldest === null || oldest === newest
    ? `use a range that includes ${quoted(newest)}`
    : `use a range that includes a version from ${quoted(oldest)} to ${quoted(newest)}`;
}
