import type { Route } from "../route.ts";
import { METHODS, methodOf, textsOf } from "./adding.ts";
import type { Chain, ScriptRouteFacts } from "./facts.ts";
import { UNDECLARED } from "./models.ts";
import { colonPath, joinPaths } from "./paths.ts";
import { NO_TURNS } from "./values.ts";
import type { World } from "./world.ts";

/** `app.getHttpAdapter().get("/health", …)` goes past controllers and prefixes. */
export function adapterRoutes(world: World): Omit<Route, "framework">[] {
  return [...world.modules].flatMap(([file, { facts }]) =>
    behindAdapter(facts).flatMap(({ name, line, call }) => {
      const [path, handler] = call.arguments;
      if (path === undefined || handler === undefined || !(METHODS.test(name) || name === "all")) return [];
      const paths = textsOf(world, path, { file, turns: NO_TURNS, depth: 0 });
      return ("why" in paths ? [] : paths.texts)
        .map((text) => colonPath(text))
        .flatMap((template) =>
          "why" in template
            ? []
            : {
                ...{ method: methodOf(name), path: joinPaths(template.path), prefixUnknown: null },
                ...{ file, line, request: UNDECLARED, response: UNDECLARED },
              },
        );
    }),
  );
}

type Called = {
  readonly name: string;
  readonly line: number;
  readonly call: Extract<Chain["steps"][number], { kind: "call" }>;
};

/** What is called on the adapter itself, or on what is inside of it. */
function behindAdapter({ calls }: ScriptRouteFacts): Called[] {
  return calls.flatMap(({ steps }) => {
    const names = steps.map((step) => (step.kind === "member" ? step.name : ""));
    const at = Math.max(names.indexOf("getHttpAdapter"), names.indexOf("getInstance"));
    const [member, call] = [steps[at + 2], steps[at + 3]];
    const isThere = names.includes("getHttpAdapter") && member?.kind === "member" && call?.kind === "call";
    return isThere ? [{ name: member.name, line: member.line, call }] : [];
  });
}
