import type { TypeModules } from "./find-type.ts";
import type { Declaration, LinkedType, LinkedTypes } from "./link.ts";

/** The types that may be meant by a name of the contract, each as what it is in the end. */
export type Candidates = (name: string) => LinkedType[];

/**
 * Those that are called so. Where none is: those that are nested in others under this name, and those that are handed on under it,
 * as by `from .models import Category as ProductCategory`.
 */
export function candidatesIn(
  code: LinkedTypes,
  modules: TypeModules,
  isCounted: (file: string) => boolean,
): Candidates {
  const byName = new Map<string, Declaration[]>();
  const nested = new Map<string, Declaration[]>();
  for (const one of code.declarations.filter(({ file }) => isCounted(file))) {
    const { name } = one.type;
    push(byName, name, one);
    if (name.includes(".")) push(nested, name.slice(name.lastIndexOf(".") + 1), one);
  }
  const handedOn = new Map<string, LinkedType[]>();
  for (const [file, { imports }] of modules)
    for (const { local, imported } of isCounted(file) ? imports : []) {
      const isRenamed = local !== null && imported !== null && local !== imported;
      const found = isRenamed ? code.find(local, file) : null;
      if (isRenamed && found !== null && isCounted(found.file)) push(handedOn, local, found);
    }
  return (name) => {
    const declared = byName.get(name) ?? nested.get(name);
    const all = declared?.map((one) => code.linked(one)) ?? handedOn.get(name) ?? [];
    const each = all.map((one) => code.effective(one));
    return [...new Map(each.map((one) => [`${one.key}:${one.line}`, one])).values()];
  };
}

function push<T>(map: Map<string, T[]>, name: string, one: T): void {
  const known = map.get(name);
  if (known === undefined) map.set(name, [one]);
  else known.push(one);
}
