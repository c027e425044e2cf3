import { quoted } from "../../core/text/figures.ts";
import { type Choice, choiceWithoutTool, disjointPair, refuse, wayOut } from "./choice.ts";
import { missing, rangesConflict } from "./findings.ts";
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
    return wayOut(pair, { installed: own, newest, ranges });
  }
  if (!published.ok) return choiceWithoutTool(wanted, published.why);
  const name = registryName(wanted);
  if (versions.length === 0) {
    const hint = "check how it is written; for a private registry, that you are logged in";
    return refuse(missing(wanted, `${programOf(tool)} knows no package ${quoted(name)}`, hint));
  }
  const unknown = tagsIn(wanted).find((tag) => !Object.hasOwn(published.tags, tag));
  if (unknown !== undefined) {
    const hint = `it has ${Object.keys(published.tags).slice(0, 8).join(", ")}; or write a range`;
    return refuse(missing(wanted, `${quoted(name)} has no tag ${quoted(unknown)}`, hint));
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
  const [oldest] = versions.filter(ranges.isStable).toSorted(ranges.compare);
  const newest = newestOf(ranges, versions, []);
  const hint = `there is ${newest}${oldest === undefined || oldest === newest ? "" : `, and others from ${oldest} on`}; write a range that has one`;
  if (first === undefined || wanted.parts.length > 1)
    return rangesConflict(wanted.parts, "that exists is in all of them", hint);
  const message = `no version of ${quoted(registryName(wanted))} is what ${quoted(first.wish.spec.value)} asks for`;
  return missing(wanted, message, hint);
}
