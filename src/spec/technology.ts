import type { Technology } from "./spec-contents.ts";

export type GuessedTechnology = { readonly technology: Technology; readonly from: string };

export const technologySigns = [
  ...["manage.py", "pyproject.toml", "requirements.txt", "setup.py"],
  ...["go.mod", "tsconfig.json", "package.json"],
] as const;

type Sign = (typeof technologySigns)[number];

/** From the texts of those that are there. Python comes before Node: a project of both has its pages in the second. */
export function guessTechnology(texts: ReadonlyMap<string, string>): GuessedTechnology | null {
  const isDjango = (sign: Sign) => DJANGO.test(texts.get(sign) ?? "");
  const django: readonly Sign[] = ["pyproject.toml", "requirements.txt"];
  const fromDjango = texts.has("manage.py") ? "manage.py" : django.find(isDjango);
  if (fromDjango !== undefined) return { technology: "django", from: fromDjango };
  const rest: readonly (readonly [Sign, Technology])[] = [
    ["pyproject.toml", "python"],
    ["requirements.txt", "python"],
    ["setup.py", "python"],
    ["go.mod", "go"],
    ["tsconfig.json", "typescript"],
    ["package.json", "typescript"],
  ];
  const found = rest.find(([sign]) => texts.has(sign));
  return found === undefined ? null : { technology: found[1], from: found[0] };
}

/** As a dependency: at the start of a line or of a text in quotes, and not as a part of another name. */
const DJANGO = /(?:^[ \t]*|["'])django[ \t]*(?:["'=<>~![;]|$)/im;
