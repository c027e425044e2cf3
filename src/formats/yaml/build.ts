import { type Alias, isAlias, isMap, isScalar, isSeq, type Range, type YAMLMap } from "yaml";
import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
import type { TextIndex } from "../text-index.ts";
import { inQuotes } from "../words.ts";
import type { Entry, Tree } from "./tree.ts";

/** Where the YAML stands, and how deep it may go. */
export type BuildOptions = { readonly index: TextIndex; readonly base: number; readonly maxDepth: number };

/** The tree is null when aliases unpack to too much. */
export type Built = { readonly tree: Tree | null; readonly diagnostics: readonly Diagnostic[] };

/**
 * Turns the parser's nodes into a Tree and reports what YAML allows and a plan does not: repeated keys, merge keys,
 * a key that JavaScript objects treat as magic, aliases that lead nowhere or to far too much.
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
      return weigh(
        { kind: "list", ...this.#offsets(node.range), items: items.map(({ tree }) => tree) },
        items,
      );
    }
    if (!isScalar(node)) return weigh(this.#nothing(null), []);
    const { value, source = "" } = node;
    const known = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return weigh({ kind: "scalar", ...this.#offsets(node.range), value: known ? value : null, source }, []);
  }

  #buildMap(node: YAMLMap, level: number): Weighed {
    const entries = new Map<string, Entry>();
    const values: Weighed[] = [];
    for (const pair of node.items) {
      if (!isScalar(pair.key)) continue; // the parser has reported it: keys must be strings
      const key = String(pair.key.value);
      const { start, end } = this.#offsets(pair.key.range);
      const value = this.build(pair.value, level + 1);
      if (!this.#acceptsKey(key, this.#options.index.range(start, end), entries.get(key))) continue;
      entries.set(key, { key, keyStart: start, keyEnd: end, value: value.tree });
      values.push(value);
    }
    return weigh({ kind: "map", ...this.#offsets(node.range), entries }, values);
  }

  #acceptsKey(key: string, at: SourceRange, first: Entry | undefined): boolean {
    if (first) {
      const related = [
        {
          at: this.#options.index.range(first.keyStart, first.keyEnd),
          message: `${quoted(key)} is first used here`,
        },
      ];
      this.#report("duplicate-key", at, {
        message: `the key ${quoted(key)} is used twice`,
        hint: "keep one",
        related,
      });
      return false;
    }
    if (key === "__proto__") {
      this.#report("unknown-key", at, { message: `unknown key ${quoted(key)}`, hint: "delete it" });
      return false;
    }
    if (key === "<<") {
      this.#report("unknown-key", at, {
        message: 'the merge key "<<" is not used in plans',
        hint: "put what tasks share under defaults:",
      });
      return false;
    }
    return true;
  }

  #resolve(alias: Alias, level: number): Weighed {
    const { start, end } = this.#offsets(alias.range);
    const at = this.#options.index.range(start, end);
    const target = this.#anchors.get(alias.source);
    if (!target) {
      this.#report("yaml-alias", at, unknownAlias(alias.source));
      const text = `*${alias.source}`; // most likely meant as a text, so the rest is checked with that
      return weigh({ kind: "scalar", start, end, value: text, source: text }, []);
    }
    this.#aliased += target.size;
    const fits = this.#aliased <= MAX_ALIASED_NODES && level - 1 + target.depth <= this.#options.maxDepth;
    if (!fits && !this.isLost) {
      this.isLost = true; // said once: a bomb has thousands
      this.#report("yaml-alias", at, {
        message: `the alias ${quoted(`*${alias.source}`)} unpacks to too much`,
        hint: "write out what is meant; aliases of aliases grow quickly",
      });
    }
    return fits ? target : weigh(this.#nothing(alias.range), []);
  }

  #report(code: FormatCode, at: SourceRange, words: Words): void {
    if (this.diagnostics.length < MAX_DIAGNOSTICS) this.diagnostics.push(diagnostic({ code, at, ...words }));
  }

  #nothing(range: Range | null | undefined): Tree {
    return { kind: "scalar", ...this.#offsets(range), value: null, source: "" };
  }

  #offsets(range: Range | null | undefined): { start: number; end: number } {
    const [start, end] = range ?? [0, 0];
    return { start: this.#options.base + start, end: this.#options.base + end };
  }
}

type Words = {
  readonly message: string;
  readonly hint: string;
  readonly related?: Diagnostic["related"];
};

function unknownAlias(name: string): Words {
  return {
    message: `${quoted(`*${name}`)} is an alias, but there is no such anchor before it`,
    hint: `a text that starts with "*" must be quoted: ${inQuotes(`*${name}`)}`,
  };
}

function weigh(tree: Tree, parts: readonly Weighed[]): Weighed {
  let size = 1;
  let depth = 0;
  for (const part of parts) {
    size += part.size;
    depth = Math.max(depth, part.depth);
  }
  return { tree, size, depth: tree.kind === "scalar" ? 0 : depth + 1 };
}
