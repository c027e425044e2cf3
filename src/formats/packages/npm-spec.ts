import { commonProblem, contains, namesCommit, type PackageSource, type ParsedSpec } from "./package-spec.ts";

const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;
const LONGEST_NAME = 214;

/** What npm and its kin install: `zod`, `@types/node@^20`, `react@next`, `old@npm:lodash@4`, `name@git+https://…`. */
export function parseNpmSpec(written: string): ParsedSpec {
  const text = written.trim();
  const problem = commonProblem(text);
  if (problem !== null) return { ok: false, problem };
  const at = text.indexOf("@", 1);
  const name = at === -1 ? text : text.slice(0, at);
  if (isName(name)) return named(name, at === -1 ? "" : text.slice(at + 1).trim());
  // `owner/repository` and addresses have no name in front.
  const isAddress = /^(?:[a-z+]+:\S+|[\w.-]+\/[\w.-]+(?:#\S+)?)$/i.test(text);
  if (!isAddress) return { ok: false, problem: nameProblem(name) };
  const about = { extras: [], marker: null, aliasOf: null };
  return { ok: true, spec: { ...about, name: text, key: text, source: addressOf(text) } };
}

function named(name: string, rest: string): ParsedSpec {
  const about = { name, key: name, extras: [], marker: null };
  const alias = /^npm:(.+)$/.exec(rest)?.[1];
  if (alias !== undefined) {
    const behind = parseNpmSpec(alias);
    if (!behind.ok) return behind;
    const { name: aliasOf, source } = behind.spec;
    return source.kind === "address"
      ? { ok: false, problem: "is an alias of something that is no package" }
      : { ok: true, spec: { ...about, aliasOf, source } };
  }
  const source = sourceOf(rest);
  return typeof source === "string"
    ? { ok: false, problem: source }
    : { ok: true, spec: { ...about, aliasOf: null, source } };
}

/** A word that does not begin like a version is a tag. The words of a range are read by whoever compares versions. */
function sourceOf(rest: string): PackageSource | string {
  if (/^[a-z+]+:\S+$/i.test(rest) || /^[\w.-]+\/[\w.-]+(?:#\S+)?$/.test(rest)) return addressOf(rest);
  if (/^[a-z][\w.-]*$/i.test(rest) && !/^[vx](?:\d|$|\.)/i.test(rest)) return { kind: "tag", tag: rest };
  const bad = /[^\w.+\-*<>=^~| ]/u.exec(rest)?.[0];
  return bad === undefined ? { kind: "range", range: rest } : contains(bad);
}

function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text);
}

function nameProblem(name: string): string {
  const bad = /[^\w.@/~-]/u.exec(name)?.[0];
  return bad === undefined ? "does not begin with a name that npm knows" : contains(bad);
}

function addressOf(address: string): PackageSource {
  return { kind: "address", address, isExact: namesCommit(address) || OF_THE_REPOSITORY.test(address) };
}

/** What is in the repository is the same for all who start from one commit. */
const OF_THE_REPOSITORY = /^(?:workspace:|(?:file|link|portal):(?!\/|~|(?:\.\/)*\.\.))/;
