import { posix } from "node:path";
import type { Alias } from "./alias.ts";
import { folderOf } from "./compiler.ts";
import { type Fields, fieldsOf, textsIn } from "./json.ts";

/** What a `package.json` says about names: its `imports`, and what others of the same repository get under its own name. */
export function packageAliases(path: string, said: Fields): Alias[] {
  const below = folderOf(path);
  const inside = (targets: readonly string[]) =>
    targets.flatMap(withSource).map((one) => posix.join(below, one));
  const imports = [...(fieldsOf(said.get("imports")) ?? [])].map(([pattern, targets]) => ({
    ...{ below, pattern, isPackage: false },
    targets: inside(textsIn(targets)),
  }));
  const moduleAliases = [...(fieldsOf(said.get("_moduleAliases")) ?? [])].flatMap(([name, target]) => [
    { below, pattern: name, isPackage: false, targets: inside(textsIn(target)) },
    {
      below,
      pattern: `${name}/*`,
      isPackage: false,
      targets: inside(textsIn(target).map((one) => `${one}/*`)),
    },
  ]);
  return [...imports, ...moduleAliases, ...ownName(said, inside)];
}

const ENTRIES = ["source", "types", "module", "main"];

function ownName(said: Fields, inside: (targets: readonly string[]) => string[]): Alias[] {
  const name = said.get("name");
  const exports = said.get("exports");
  if (typeof name !== "string" || name === "") return [];
  const given = fieldsOf(exports);
  const isByPath = given !== null && [...given.keys()].some((key) => key.startsWith("."));
  const entries = textsIn([isByPath ? given.get(".") : exports, ...ENTRIES.map((key) => said.get(key))]);
  const others = [...(isByPath ? given : [])].filter(([key]) => /^\.\//.test(key));
  return [
    {
      below: "",
      pattern: name,
      isPackage: true,
      targets: inside([...entries, "src/index", "index", "src/main"]),
    },
    ...others.map(([key, targets]) => ({
      ...{ below: "", pattern: `${name}${key.slice(1)}`, isPackage: true },
      targets: inside(textsIn(targets)),
    })),
    { below: "", pattern: `${name}/*`, isPackage: true, targets: inside(["src/*", "*"]) },
  ];
}

/** What is built is not in the repository: it is made of what stands in `src/`. */
function withSource(target: string): string[] {
  const built =
    /^(?:\.\/)?(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|src)\/)?(.*?)(?:\.d\.[cm]?ts)?$/.exec(target);
  return built === null ? [target] : [target, `src/${built[1]}`];
}
