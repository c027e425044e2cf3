import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { openedFrontMatter } from "../../src/formats/front-matter.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A Markdown file of the plugin, or a guide that tells of it. */
export type Page = {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
  /** Empty where there is none. */
  readonly front: FrontMatter;
};

type FrontMatter = {
  readonly name?: string;
  readonly description?: string;
  readonly "argument-hint"?: string;
  readonly "allowed-tools"?: string;
  readonly "disable-model-invocation"?: boolean;
  readonly "user-invocable"?: boolean;
};

export function pageAt(path: string): Page {
  const text = readFileSync(join(root, path), "utf8");
  const part = openedFrontMatter(text);
  return { path, text, front: part === null ? {} : parse(text.slice(part.start, part.end)) };
}

const pages = readdirSync(join(root, "plugin"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .sort()
  .map((name) => pageAt(join("plugin", name)));

/** By name: what Claude loads by itself, and what a user types. */
export const skills = byName(({ path }) => (basename(path) === "SKILL.md" ? basename(dirname(path)) : null));
export const commandPages = byName(({ path }) =>
  dirname(path) === "plugin/commands" ? basename(path, ".md") : null,
);

function byName(nameOf: (page: Page) => string | null): ReadonlyMap<string, Page> {
  return new Map(
    pages.flatMap((page) => {
      const name = nameOf(page);
      return name === null ? [] : [[name, page] as const];
    }),
  );
}

export function skill(name: string): Page {
  return skills.get(name) ?? expectedPage(name);
}

function expectedPage(name: string): never {
  throw new Error(`the plugin has no skill ${name}`);
}

/** What stands between fences of that language. */
export function fenced({ text }: Page, language: string): string[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, words, body = ""]) =>
    words === language ? [body] : [],
  );
}

/** What stands between backticks in a line. */
export function inlineCode({ text }: Page): string[] {
  const prose = text.replace(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}
