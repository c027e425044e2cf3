import type { Expr } from "./facts.ts";
import { itemsOf } from "./member.ts";
import { NO_TURNS, type Turns } from "./values.ts";
import type { World } from "./world.ts";

/** Lists of routers that people write are shorter. */
const MOST_TURNS = 200;

/** Every turn of the loops around a place; one without any where it is in none, or what they go through cannot be seen. */
export function turnsAround(world: World, file: string, scope: number): readonly Turns[] {
  let all: readonly Turns[] = [NO_TURNS];
  for (const { key, list } of loopsAround(world, file, scope)) {
    all = all.flatMap((turns): readonly Turns[] => {
      const lists = world.evaluate(list, { file, turns, depth: 0 }).map((one) => itemsOf(world, one));
      const items = lists.length === 1 ? lists[0] : null;
      if (items == null) return [turns];
      return items.map((item) => new Map([...turns, [key, item]]));
    });
    if (all.length > MOST_TURNS) return [NO_TURNS];
  }
  return all;
}

type Loop = { readonly key: string; readonly list: Expr };

/** The outermost first. */
function loopsAround(world: World, file: string, scope: number): readonly Loop[] {
  const facts = world.modules.get(file)?.facts;
  const found: Loop[] = [];
  for (let i = scope; i >= 0; i = facts?.scopes[i]?.parent ?? -1) {
    const here = facts?.scopes[i];
    if (here?.list != null) found.push({ key: `${file} ${i}`, list: here.list });
    const list = here?.ofFunction == null ? undefined : facts?.loops.get(here.ofFunction);
    if (list !== undefined) found.push({ key: `${file} f${here?.ofFunction}`, list });
  }
  return found.reverse();
}
