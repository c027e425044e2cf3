import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { TextIndex } from "../text-index.ts";
import { short } from "../words.ts";
import { find, keyRangeAt, rangeAt, type Tree } from "../yaml/tree.ts";
import { OLD_VERSION_KEY, VERSION_KEY } from "./detect.ts";
import { VERSION } from "./schema.ts";

const LINE = `${VERSION_KEY}: "${VERSION}"`;

/** What is wrong with the version, which is a text: 0.1 without quotes is a number. Null where it is right. */
export function versionProblem(index: TextIndex, tree: Tree): Diagnostic | null {
  if (tree.kind !== "map") return null; // reported elsewhere
  const version = find(tree, [VERSION_KEY]);
  if (version === null) return tree.isPartial ? null : noVersion(index, tree);
  const at = rangeAt(index, tree, [VERSION_KEY]);
  if (version.kind === "scalar" && typeof version.value === "string") {
    if (version.value === VERSION || version.isGuess) return null;
    const params = {
      noun: "manifest",
      version: version.value,
      supported: VERSION,
      line: `write \`${LINE}\``,
    };
    return buildFormatFinding("unsupported-version", params, at);
  }
  const params = { label: VERSION_KEY, expected: `the string "${VERSION}"`, found: foundIn(version) };
  return buildFormatFinding("wrong-type", { ...params, fix: { kind: "write", text: LINE } }, at);
}

function noVersion(index: TextIndex, tree: Tree): Diagnostic {
  if (find(tree, [OLD_VERSION_KEY]) === null) {
    const params = { key: VERSION_KEY, place: "plan", line: LINE };
    return buildFormatFinding("missing-key", params, rangeAt(index, tree, []));
  }
  const params = { kind: "renamed", key: OLD_VERSION_KEY, name: VERSION_KEY, line: LINE } as const;
  return buildFormatFinding("unknown-key", params, keyRangeAt(index, tree, [OLD_VERSION_KEY]));
}

function foundIn(version: Tree): string | null {
  if (version.kind !== "scalar") return `a ${version.kind}`;
  if (version.value === null) return null;
  return typeof version.value === "number" ? `the number ${short(version.source)}` : String(version.value);
}
