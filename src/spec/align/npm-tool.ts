import { objectOf, parsed } from "./node-lock.ts";
import type { ToolKind } from "./project.ts";
import { type Answer, lastWords, type Silence, silence, type ToolAsk } from "./tool.ts";

/** All that a registry has of a package. Nothing where there is no such package. */
export type Published =
  | {
      readonly ok: true;
      readonly versions: readonly string[];
      readonly tags: Readonly<Record<string, string>>;
    }
  | Silence;

/** Asks the tool that the project uses, since it alone knows registries, scopes and logins. */
export async function publishedVersions(ask: ToolAsk, tool: ToolKind, name: string): Promise<Published> {
  switch (tool) {
    case "npm":
    case "pnpm":
      return viewed(tool, await ask({ argv: [tool, "view", name, "versions", "dist-tags", "--json"] }));
    case "berry":
      return berryInfo(
        await ask({ argv: ["yarn", "npm", "info", name, "--fields", "versions,dist-tags", "--json"] }),
      );
    case "yarn":
      return classicInfo(ask, name);
    default:
      return { ok: false, why: `${tool} is not asked for versions`, isFinal: true };
  }
}

function viewed(tool: string, answer: Answer): Published {
  if (answer.kind !== "ended") return silence(tool, answer);
  const json = objectOf(parsed(answer.stdout));
  const error = objectOf(json["error"]);
  const code = error["code"];
  if (code === "E404" || code === "ERR_PNPM_FETCH_404") return NONE;
  if (answer.code === 0 && "versions" in json) return published(json);
  const said = typeof error["summary"] === "string" ? error["summary"] : answer.stderr;
  if (/ERR_PNPM_FETCH_404/.test(answer.stdout + said)) return NONE;
  return failed(tool, said);
}

function berryInfo(answer: Answer): Published {
  if (answer.kind !== "ended") return silence("yarn", answer);
  const lines = answer.stdout.split("\n").map((line) => objectOf(parsed(line)));
  const found = lines.find((line) => "versions" in line);
  if (answer.code === 0 && found !== undefined) return published(found);
  if (lines.some(({ data }) => typeof data === "string" && /Response Code: 404/.test(data))) return NONE;
  const said = lines.flatMap(({ type, data }) => (type === "error" ? [String(data)] : [])).join("; ");
  return failed("yarn", said === "" ? answer.stdout + answer.stderr : said);
}

/** It ends well whatever happens, and says of a lost network what it says of a package that does not exist. */
async function classicInfo(ask: ToolAsk, name: string): Promise<Published> {
  const field = async (word: string) => {
    const answer = await ask({ argv: ["yarn", "info", name, word, "--json"] });
    if (answer.kind !== "ended") return silence("yarn", answer);
    const lines = `${answer.stdout}\n${answer.stderr}`.split("\n").map((line) => objectOf(parsed(line)));
    const found = lines.find(({ type }) => type === "inspect");
    const said = lines.flatMap(({ type, data }) => (type === "error" ? [String(data)] : []));
    return found === undefined ? failed("yarn", said.join("; ")) : { ok: true as const, data: found["data"] };
  };
  const versions = await field("versions");
  if (!versions.ok) return versions;
  const tags = await field("dist-tags");
  return tags.ok ? published({ versions: versions.data, "dist-tags": tags.data }) : tags;
}

const NONE: Published = { ok: true, versions: [], tags: {} };

/** Where there is but one version, it is not in a list. */
function published(json: Readonly<Record<string, unknown>>): Published {
  const { versions } = json;
  const tags = Object.entries(objectOf(json["dist-tags"]));
  return {
    ok: true,
    versions: (Array.isArray(versions) ? versions : [versions]).filter((one) => typeof one === "string"),
    tags: Object.fromEntries(tags.filter((tag): tag is [string, string] => typeof tag[1] === "string")),
  };
}

function failed(tool: string, said: string): Silence {
  return {
    ok: false,
    why: `${tool} reported no versions: ${lastWords(said) || "it printed nothing"}`,
    isFinal: false,
  };
}
