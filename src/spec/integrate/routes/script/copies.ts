import type { Scope } from "./facts.ts";
import type { Value } from "./values.ts";
import { addRouter, type Router, type World } from "./world.ts";

/** Functions that lead back to themselves would make longer and longer names. */
const LONGEST = 1000;
const DEEPEST = 5;

/** `key` says which one it is; `made` where it is made. */
type Copy = { readonly key: string; readonly made: Router["made"] };

/** Another router, which has all that is added to this one. */
export function copied(world: World, router: Router, copy: Copy, depth = 0): Value {
  const { key, made } = copy;
  const id = `${key} < ${router.id}`;
  if (id.length > LONGEST || depth > DEEPEST) return { kind: "router", id: router.id };
  const under = router.base === null ? undefined : world.routers.get(router.base.router);
  if (router.base === null || under === undefined)
    return addRouter(world, { ...router, id, made, copyOf: router.id });
  // Under a prefix it is still the same app: of that, there is another one.
  const whole = copied(world, under, copy, depth + 1);
  const base = whole.kind === "router" ? { ...router.base, router: whole.id } : router.base;
  return addRouter(world, { ...router, id, made, base });
}

/** Whether the call that makes it stands in a certain function or class. */
export function isMadeInside(
  { modules }: World,
  { made }: Router,
  file: string,
  isIt: (scope: Scope) => boolean,
): boolean {
  const scopes = made?.file === file ? modules.get(file)?.facts.scopes : undefined;
  let here = made === null ? undefined : scopes?.[made.scope];
  while (here !== undefined && !isIt(here)) here = scopes?.[here.parent];
  return here !== undefined;
}
