import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
import type { TextIndex } from "../text-index.ts";
import { short } from "../words.ts";
import { find, keyRangeAt, rangeAt, type Tree } from "../yaml/tree.ts";
import { OLD_VERSION_KEY, VERSION_KEY } from "./detect.ts";
import { VERSION } from "./schema.ts";

const WRITE_IT = `write ${VERSION_KEY}: "${VERSION}"`;

/** What is wrong with the version, which is a text: 0.1 without quotes is a number. Null where it is right. */
export function versionProblem(index: TextIndex, tree: Tree): Diagnostic | null {
  if (tree.kind !== "map") return null; // that is told
  const version = find(tree, [VERSION_KEY]);
  if (version === null) return tree.isPartial ? null : noVersion(index, tree);
  const at = rangeAt(index, tree, [VERSION_KEY]);
  if (version.kind === "scalar" && typeof version.value === "string") {
    if (version.value === VERSION || version.isGuess) return null;
    const message = `this manifest is of version ${quoted(version.value)}; plait reads version ${VERSION}`;
    return diagnostic({ code: "unsupported-version" satisfies FormatCode, message, at, hint: WRITE_IT });
  }
  const isUnquoted = version.kind === "scalar" && version.source === VERSION;
  return diagnostic({
    code: "wrong-type" satisfies FormatCode,
    message: `${VERSION_KEY} must be the text "${VERSION}", not ${foundIn(version)}`,
    at,
    hint: isUnquoted ? `quote it: ${VERSION_KEY}: "${VERSION}"` : WRITE_IT,
  });
}

function noVersion(index: TextIndex, tree: Tree): Diagnostic {
  if (find(tree, [OLD_VERSION_KEY]) === null) {
    const message = `the key ${quoted(VERSION_KEY)} is missing at the top of the plan`;
    const code = "missing-key" satisfies FormatCode;
    return diagnostic({ code, message, at: rangeAt(index, tree, []), hint: WRITE_IT });
  }
  return diagnostic({
    code: "unknown-key" satisfies FormatCode,
    message: `${quoted(OLD_VERSION_KEY)} is the old name of ${quoted(VERSION_KEY)}`,
    at: keyRangeAt(index, tree, [OLD_VERSION_KEY]),
    hint: WRITE_IT,
  });
}

function foundIn(version: Tree): string {
  if (version.kind !== "scalar") return `a ${version.kind}`;
  if (version.value === null) return "nothing";
  return typeof version.value === "number" ? `the number ${short(version.source)}` : String(version.value);
}
