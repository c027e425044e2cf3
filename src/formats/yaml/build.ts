import { type Alias, isAlias, isMap, isScalar, isSeq, type Range, type YAMLMap } from "yaml";
import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { TextIndex } from "../text-index.ts";
import { keyProblem, MERGE_KEY } from "./keys.ts";
import type { Entry, Tree } from "./tree.ts";

export type BuildOptions = {
  readonly index: TextIndex;
  readonly base: number;
  readonly maxDepth: number;
  /** Where, in the YAML, texts start that had to be masked: see unquoted.ts. */
  readonly masked: ReadonlySet<number>;
  /** Whether `<<` takes over what another map says; else it is refused. */
  readonly mergeKeys: boolean;
};

/** The tree is null when aliases unpack to too much. */
export type Built = { readonly tree: Tree | null; readonly diagnostics: readonly Diagnostic[] };

/**
 * Turns the parser's nodes into a Tree and reports what YAML allows and a plan does not: some keys (see keys.ts), and
 * aliases that lead nowhere or to far too much.
 */
export function buildTree(root: unknown, options: BuildOptions): Built {
  const builder = new TreeBuilder(options);
  const { tree } = builder.build(root, 1);
  return { tree: builder.isLost ? null : tree, diagnostics: builder.diagnostics };
}

/** Nobody reads more, and each has its price. */
const MAX_DIAGNOSTICS = 1_000;

/** How much aliases may add to a plan. A bomb passes it after a few levels; an honest plan never comes near. */
const MAX_ALIASED_NODES = 100_000;

/** Size and depth count what aliases stand for, so a bomb is weighed without being unpacked. */
type Weighed = { readonly tree: Tree; readonly size: number; readonly depth: number };

class TreeBuilder {
  readonly diagnostics: Diagnostic[] = [];
  isLost = false;
  readonly #options: BuildOptions;
  readonly #anchors = new Map<string, Weighed>();
  #aliased = 0;

  constructor(options: BuildOptions) {
    this.#options = options;
  }

  build(node: unknown, level: number): Weighed {
    if (isAlias(node)) return this.#resolve(node, level);
    const built = this.#buildOwn(node, level);
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    // Only now: an alias inside its own anchor would be endless, and so is unknown there.
    if (anchor) this.#anchors.set(anchor, built);
    return built;
  }

  #buildOwn(node: unknown, level: number): Weighed {
    if (isMap(node)) return this.#buildMap(node, level);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.build(item, level + 1));
      const trees = items.map(({ tree }) => tree);
      return weigh({ kind: "list", ...this.#offsets(node.range), items: trees }, items);
    }
    if (!isScalar(node)) return weigh(this.#nothing(null), []);
    const { value, source = "", tag = "" } = node;
    const place = this.#offsets(node.range);
    if (!KNOWN_TAG.test(tag)) return weigh(guess(`${tag} ${source}`.trim(), place), []);
    if (this.#options.masked.has(place.start - this.#options.base))
      return weigh(guess(this.#options.index.text.slice(place.start, place.end), place), []);
    const known = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return weigh({ kind: "scalar", ...place, value: known ? value : null, source, isGuess: false }, []);
  }

  #buildMap(node: YAMLMap, level: number): Weighed {
    const { index, mergeKeys } = this.#options;
    const entries = new Map<string, Entry>();
    const values: Weighed[] = [];
    const merged: Weighed[] = [];
    let isPartial = false;
    for (const pair of node.items) {
      if (!isScalar(pair.key)) continue; // the parser has reported it: keys must be strings
      const key = String(pair.key.value);
      const { start: keyStart, end: keyEnd } = this.#offsets(pair.key.range);
      if (key === MERGE_KEY && mergeKeys) {
        const value = this.build(pair.value, level + 1);
        if (!isMergeable(value.tree))
          this.#report(notMergeable(index.lineRange(value.tree.start, value.tree.end)));
        merged.push(value);
        continue;
      }
      const isMerge = key === MERGE_KEY;
      isPartial ||= isMerge;
      const problem = keyProblem({ key, keyStart, keyEnd }, isMerge ? undefined : entries.get(key), index);
      if (problem) this.#report(problem);
      if (isMerge && isAlias(pair.value)) continue; // that it cannot be used is said
      const value = this.build(pair.value, level + 1);
      if (problem) continue;
      entries.set(key, { key, keyStart, keyEnd, value: value.tree });
      values.push(value);
    }
    for (const { tree } of merged) mergeInto(entries, tree);
    const parts = [...values, ...merged];
    return weigh({ kind: "map", ...this.#offsets(node.range), entries, isPartial }, parts);
  }

  #resolve(alias: Alias, level: number): Weighed {
    const { start, end } = this.#offsets(alias.range);
    const at = this.#options.index.range(start, end);
    const target = this.#anchors.get(alias.source);
    if (!target) {
      this.#report(buildFormatFinding("yaml-alias", { kind: "unknown", text: `*${alias.source}` }, at));
      return weigh(guess(`*${alias.source}`, { start, end }), []);
    }
    this.#aliased += target.size;
    const fits = this.#aliased <= MAX_ALIASED_NODES && level - 1 + target.depth <= this.#options.maxDepth;
    if (!fits && !this.isLost) {
      this.isLost = true; // said once: a bomb has thousands
      this.#report(buildFormatFinding("yaml-alias", { kind: "too-large", text: `*${alias.source}` }, at));
    }
    return fits ? target : weigh(this.#nothing(alias.range), []);
  }

  #report(problem: Diagnostic): void {
    if (this.diagnostics.length < MAX_DIAGNOSTICS) this.diagnostics.push(problem);
  }

  #nothing(range: Range | null | undefined): Tree {
    return { kind: "scalar", ...this.#offsets(range), value: null, source: "", isGuess: false };
  }

  #offsets(range: Range | null | undefined): { start: number; end: number } {
    const [start, end] = range ?? [0, 0];
    return { start: this.#options.base + start, end: this.#options.base + end };
  }
}

/** A map, or a list of them; what was refused before is reported. */
function isMergeable(tree: Tree): boolean {
  if (tree.kind === "scalar") return tree.isGuess;
  return tree.kind === "map" || tree.items.every((item) => item.kind === "map");
}

function notMergeable(at: SourceRange): Diagnostic {
  const fix = { kind: "write", text: `${MERGE_KEY}: *name` } as const;
  const expected = "a map or a list of maps";
  return buildFormatFinding("wrong-type", { label: MERGE_KEY, expected, found: "another value", fix }, at);
}

/** What the map says itself counts; of several maps that it takes over, the first. */
function mergeInto(entries: Map<string, Entry>, tree: Tree): void {
  if (tree.kind === "list") for (const item of tree.items) mergeInto(entries, item);
  if (tree.kind !== "map") return;
  for (const [key, entry] of tree.entries) if (!entries.has(key)) entries.set(key, entry);
}

/** What was most likely meant as a text; the rest is checked with that. */
function guess(text: string, place: { start: number; end: number }): Tree {
  return { kind: "scalar", ...place, value: text, source: text, isGuess: true };
}

/** Tags that YAML itself defines (`!!str`), and the sign alone; the parser reports others. */
const KNOWN_TAG = /^!?$|^tag:yaml\.org,2002:(str|int|float|bool|null)$/;

function weigh(tree: Tree, parts: readonly Weighed[]): Weighed {
  let size = 1;
  let depth = 0;
  for (const part of parts) {
    size += part.size;
    depth = Math.max(depth, part.depth);
  }
  return { tree, size, depth: tree.kind === "scalar" ? 0 : depth + 1 };
}
