// A project in the layout of public ones: two backends in Python and three parts in TypeScript, some 200 files at size 1, and
// contracts for a part of it. It is made anew each time, and always the same. The code keeps every contract.
import { contractsOf } from "./contracts.mjs";
import { djangoFiles } from "./django.mjs";
import { expressFiles } from "./express.mjs";
import { fastapiFiles } from "./fastapi.mjs";
import { honoFiles } from "./hono.mjs";
import { namesOf } from "./names.mjs";
import { nestFiles } from "./nest.mjs";

/** How many names each part has at size 1. */
const SHARES = { fastapi: 12, django: 6, hono: 7, express: 5, nest: 5 };

export function largeProject({ size = 1 } = {}) {
  let from = 0;
  const names = {};
  for (const [part, share] of Object.entries(SHARES)) {
    names[part] = namesOf(from, share * size);
    from += share * size;
  }
  const files = new Map(filesOf((part) => names[part]).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const agreed = (part) => names[part].filter((_, i) => i % 2 === 0);
  const shared = new Set(filesOf(() => []).map(([path]) => path));
  const own = filesOf(agreed).map(([path]) => path);
  return { files, contracts: contractsOf(agreed), touched: new Set(own.filter((path) => !shared.has(path))) };
}

function filesOf(names) {
  return [
    ...fastapiFiles(names("fastapi")),
    ...djangoFiles(names("django")),
    ...honoFiles(names("hono")),
    ...expressFiles(names("express")),
    ...nestFiles(names("nest")),
  ];
}

/** As `plait integrate` sees a project. */
export function sourceProject(files) {
  return { paths: [...files.keys()], read: async (path) => files.get(path) ?? null };
}
