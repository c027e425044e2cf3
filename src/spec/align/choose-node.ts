import { type Choice, choiceWithoutTool, disjointPair, refuse, refuseDisjoint } from "./choice.ts";
import { buildConflict, buildMissing, listRequests } from "./findings.ts";
import { type Published, publishedVersions } from "./npm-tool.ts";
import { type Installed, programOf, type ToolKind } from "./project.ts";
import { newestOf, type Ranges } from "./ranges.ts";
import { atOnce, type ToolAsk } from "./tool.ts";
import { rangesIn, registryName, tagsIn, type Wanted } from "./wanted.ts";

export type Choosing = {
  readonly ask: ToolAsk;
  readonly tool: ToolKind;
  readonly installed: Installed;
  readonly ranges: Ranges;
};

/** A version for each, from all that the registry has of it. */
export async function chooseNode(wanted: readonly Wanted[], choosing: Choosing): Promise<Choice[]> {
  let given: Published | null = null;
  return atOnce(wanted, async (one) => {
    // A tool that is not there, or hangs, is not asked again for each.
    const published = given ?? (await publishedVersions(choosing.ask, choosing.tool, registryName(one)));
    if (!published.ok && published.isFinal) given = published;
    return choose(one, published, choosing);
  });
}

function choose(wanted: Wanted, published: Published, { installed, ranges, tool }: Choosing): Choice {
  const versions = published.ok ? published.versions.filter(ranges.isVersion) : [];
  const pair = disjointPair(wanted, ranges);
  if (pair !== null) {
    const own = installed.direct.get(wanted.key)?.version ?? null;
    const newest = pair.map((part) => newestOf(ranges, versions, rangesIn({ ...wanted, parts: [part] })));
    return refuseDisjoint(pair, { installed: own, newest, ranges });
  }
  if (!published.ok) return choiceWithoutTool(wanted, published.why);
  const name = registryName(wanted);
  if (versions.length === 0)
    return refuse(buildMissing(wanted, { kind: "package", program: programOf(tool), name }));
  const unknown = tagsIn(wanted).find((tag) => !Object.hasOwn(published.tags, tag));
  if (unknown !== undefined) {
    const tags = Object.keys(published.tags);
    return refuse(buildMissing(wanted, { kind: "tag", name, tag: unknown, tags }));
  }
  const version = pick(wanted, { ...published, versions }, ranges);
  return version === null
    ? refuse(noVersion(wanted, { ...published, versions }, ranges))
    : { kind: "pin", version, from: "tool" };
}

type Known = Extract<Published, { ok: true }>;

/** As the tools do: what is tagged as the latest if it will do, else the highest. */
function pick(wanted: Wanted, { versions, tags }: Known, ranges: Ranges): string | null {
  const asked = rangesIn(wanted).filter((range) => range !== "" && range !== "*");
  const tagged = tagsIn(wanted).map((tag) => tags[tag]);
  const suits = versions.filter(
    (version) =>
      tagged.every((one) => one === version) && asked.every((range) => ranges.satisfies(version, range)),
  );
  const { latest = "" } = tags;
  return suits.includes(latest) ? latest : newestOf(ranges, suits, []);
}

function noVersion(wanted: Wanted, { versions }: Known, ranges: Ranges) {
  const [first] = wanted.parts;
  const [oldest = null] = versions.filter(ranges.isStable).toSorted(ranges.compare);
  const known = { oldest, newest: newestOf(ranges, versions, []) };
  if (first === undefined || wanted.parts.length > 1)
    return buildConflict(wanted.parts, {
      kind: "unpublished",
      requests: listRequests(wanted.parts),
      ...known,
    });
  const about = { name: registryName(wanted), spec: first.wish.spec.value };
  return buildMissing(wanted, { kind: "version", ...about, ...known });
}
