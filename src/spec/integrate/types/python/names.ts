import type { Import } from "../../../../syntax/imports.ts";
import { isKnownType } from "./known-types.ts";

/** What the names of one file mean. */
export type Names = {
  /**
   * The package and the last name, whatever both are called in this file: `typing.Optional`, `pydantic.Field`; `builtins.str` where
   * nothing else is called so, `.Category` for what the file declares itself. The modules between are left out, since packages move
   * names about in them.
   */
  readonly meaning: (name: string) => string;
  /** With what it is nested in, seen from a class: in `Order`, `Status` may be `Order.Status`. */
  readonly inScope: (name: string, scope: string) => string;
};

export function namesOf(imports: readonly Import[], declared: ReadonlySet<string>): Names {
  const byLocal = new Map(imports.flatMap((one) => (one.local === null ? [] : [[one.local, one] as const])));
  const stars = imports.filter(({ imported }) => imported === "*").map(({ from }) => from);
  const meant = (name: string): string => {
    const parts = name.split(".");
    if (declared.has(name) || declared.has(parts[0] ?? "")) return `.${parts.at(-1)}`;
    for (let length = parts.length; length > 0; length -= 1) {
      const found = byLocal.get(parts.slice(0, length).join("."));
      if (found !== undefined)
        return short([found.from, found.imported ?? [], ...parts.slice(length)].flat());
    }
    const fromStar = stars.map((from) => short([from, name])).find(isKnownType);
    return fromStar ?? short(["builtins", name]);
  };
  const known = new Map<string, string>();
  return {
    meaning: (name) => {
      const meaning = known.get(name) ?? meant(name);
      known.set(name, meaning);
      return meaning;
    },
    inScope: (name, scope) => {
      for (let around = scope; around !== ""; around = around.slice(0, Math.max(0, around.lastIndexOf("."))))
        if (declared.has(`${around}.${name}`)) return `${around}.${name}`;
      return name;
    },
  };
}

/** Packages under whose name others hand on the same. */
const SAME_AS: { readonly [root: string]: string } = {
  ...{ typing_extensions: "typing", collections: "typing", attrs: "attr" },
  ...{ pydantic_settings: "pydantic", flask_sqlalchemy: "sqlalchemy" },
};

function short(path: readonly string[]): string {
  const parts = path.join(".").split(".");
  const root = parts[0] ?? "";
  return `${Object.hasOwn(SAME_AS, root) ? SAME_AS[root] : root}.${parts.at(-1)}`;
}
