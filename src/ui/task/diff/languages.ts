/** What one family of languages looks like, as far as colors need it. */
export type Language = {
  /** Begins a comment that goes to the end of the line. */
  readonly lineComments: readonly string[];
  readonly blocks: readonly Block[];
  readonly keywords: ReadonlySet<string>;
  readonly ignoresCase?: true;
  /** Words with a capital in front are types. */
  readonly hasTypes?: true;
  /** A word or a string in front of this is a name: `"a": 1`, `a = 1`. */
  readonly names?: ":" | "=";
  /** A word that begins with one of these is a type too: `@Override`, `$HOME`. */
  readonly marks?: string;
  /** Hyphens are part of words. */
  readonly hyphens?: true;
  /** A character in single quotes; else a single quote begins nothing, such as a lifetime. */
  readonly chars?: true;
  readonly markdown?: true;
};

/** From its opening to its end, over lines where it may. */
export type Block = {
  readonly open: string;
  readonly close: string;
  readonly kind: "string" | "comment";
  readonly escapes?: true;
  readonly spans?: true;
};

const double: Block = { open: '"', close: '"', kind: "string", escapes: true };
const single: Block = { open: "'", close: "'", kind: "string", escapes: true };
const template: Block = { open: "`", close: "`", kind: "string", escapes: true, spans: true };
const slashes: Block = { open: "/*", close: "*/", kind: "comment", spans: true };
const raw = (quotes: string): Block => ({ open: quotes, close: quotes, kind: "string", spans: true });

/** Keywords are written with a blank between them. */
function language({
  keywords,
  ...rest
}: Omit<Language, "keywords"> & { readonly keywords: string }): Language {
  return { ...rest, keywords: new Set(keywords.split(" ")) };
}

const script = language({
  lineComments: ["//"],
  blocks: [slashes, double, single, template],
  hasTypes: true,
  marks: "@",
  keywords:
    "abstract as asserts async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace never new null of override package private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield any boolean number object string symbol unknown bigint",
});

const python = language({
  lineComments: ["#"],
  blocks: [raw('"""'), raw("'''"), double, single],
  hasTypes: true,
  marks: "@",
  keywords:
    "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield int str float bool bytes list dict set tuple",
});

const go = language({
  lineComments: ["//"],
  blocks: [slashes, double, raw("`")],
  hasTypes: true,
  chars: true,
  keywords:
    "break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var any bool byte error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64",
});

const rust = language({
  lineComments: ["//"],
  blocks: [slashes, { ...double, spans: true }],
  hasTypes: true,
  chars: true,
  keywords:
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type union unsafe use where while bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize",
});

const curly = language({
  lineComments: ["//"],
  blocks: [slashes, raw('"""'), double],
  hasTypes: true,
  chars: true,
  marks: "@#",
  keywords:
    "abstract as assert async auto await base bool boolean break byte case catch char class const constexpr continue data default defer delete do double else enum explicit export extends extension extern false final finally float for foreach friend fun func get goto guard if implements import in init inline instanceof int interface internal is let long mutable namespace native new nil null nullptr object open operator out override package private protected protocol public readonly record ref return sealed self set short signed sizeof static string struct super suspend switch synchronized template this throw throws transient true try type typedef typename union unsigned using val var virtual void volatile when where while with yield",
});

const json = language({
  lineComments: ["//"],
  blocks: [slashes, double],
  names: ":",
  keywords: "true false null",
});

const yaml = language({
  lineComments: ["#"],
  blocks: [double, single],
  names: ":",
  hyphens: true,
  keywords: "true false null yes no on off",
});

const toml = language({
  lineComments: ["#"],
  blocks: [raw('"""'), raw("'''"), double, single],
  names: "=",
  hyphens: true,
  keywords: "true false inf nan",
});

const css = language({
  lineComments: [],
  blocks: [slashes, double, single],
  names: ":",
  marks: "@#.",
  hyphens: true,
  keywords: "important and not only inherit initial unset none auto from to",
});

const markup = language({
  lineComments: [],
  blocks: [{ open: "<!--", close: "-->", kind: "comment", spans: true }, double, single],
  names: "=",
  hyphens: true,
  marks: "<",
  keywords: "doctype",
  ignoresCase: true,
});

const shell = language({
  lineComments: ["#"],
  blocks: [{ ...double, spans: true }, raw("'"), template],
  marks: "$",
  hyphens: true,
  keywords:
    "if then else elif fi for while until do done case esac in function return local export set unset shift exit source echo cd trap readonly declare eval exec",
});

const sql = language({
  lineComments: ["--"],
  blocks: [slashes, raw("'"), double],
  ignoresCase: true,
  keywords:
    "add all alter and as asc begin between bigint boolean by case cascade char check column commit constraint create cross current_timestamp database date default delete desc distinct drop else end exists false for foreign from full function group having if in index inner insert int integer into is join key left like limit not null numeric offset on or order outer primary references returning right rollback select set smallint table text then timestamp timestamptz to transaction trigger true union unique update using uuid values varchar view when where with",
});

const markdown = language({
  lineComments: [],
  blocks: [
    raw("```"),
    { open: "`", close: "`", kind: "string" },
    { open: "<!--", close: "-->", kind: "comment", spans: true },
  ],
  markdown: true,
  keywords: "",
});

const FAMILIES: readonly (readonly [Language, string])[] = [
  [script, "ts tsx mts cts js jsx mjs cjs vue svelte"],
  [python, "py pyi"],
  [go, "go mod"],
  [rust, "rs"],
  [curly, "java kt kts c h cc cpp cxx hpp cs swift scala dart php m proto zig"],
  [json, "json jsonc json5 webmanifest"],
  [yaml, "yaml yml"],
  [toml, "toml ini cfg editorconfig properties"],
  [css, "css scss less"],
  [markup, "html htm xml svg xhtml"],
  [shell, "sh bash zsh fish env dockerfile makefile mk gitignore rb"],
  [sql, "sql"],
  [markdown, "md mdx markdown"],
];

const byEnding = new Map(
  FAMILIES.flatMap(([language, endings]) => endings.split(" ").map((ending) => [ending, language] as const)),
);

/** By the end of its name, or by all of it; null where nobody knows. */
export function findLanguage(path: string): Language | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return byEnding.get(name.slice(name.lastIndexOf(".") + 1)) ?? null;
}

export const MARKDOWN = markdown;
