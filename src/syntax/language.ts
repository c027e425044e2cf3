/** Languages that plait reads as trees. A grammar of each is in the package. */
export type Language = "python" | "typescript" | "tsx" | "javascript" | "go";

const endings: Readonly<Record<string, Language>> = {
  ...{ py: "python", pyi: "python", ts: "typescript", mts: "typescript", cts: "typescript", tsx: "tsx" },
  ...{ js: "javascript", mjs: "javascript", cjs: "javascript", jsx: "javascript", go: "go" },
};

/** By the ending of a file's name; null where it is none of these. */
export function languageOf(path: string): Language | null {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(endings, ending) ? (endings[ending] as Language) : null;
}

/** As people call them. */
export const languageNames: { readonly [L in Language]: string } = {
  python: "Python",
  typescript: "TypeScript",
  tsx: "TypeScript",
  javascript: "JavaScript",
  go: "Go",
};
