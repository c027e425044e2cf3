import { expect, test } from "vitest";
import { pythonRoutes } from "../../../../../test/spec/python-routes.ts";
import { cpuMs } from "../../../../../test/support/cpu.ts";

const HEAD = "from fastapi import APIRouter, FastAPI\napp = FastAPI()\n";
const repeat = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join("");

/** Texts that nobody writes: none may take long or break. */
const hostile: Record<string, Record<string, string>> = {
  "routers that are mounted in a circle, many times": {
    "a.py": `${HEAD}${repeat(40, (i) => `r${i} = APIRouter()\n`)}${repeat(40, (i) => repeat(10, () => `r${i}.include_router(r${(i + 1) % 40}, prefix="/x")\n`))}@r0.get("/y")\ndef y(): ...\n`,
  },
  "sums of sums": {
    "a.py": `${HEAD}${repeat(20, (i) => `P${i} = ${repeat(20, () => `P${i + 1} + `)}""\n`)}@app.get(P0)\ndef y(): ...\n`,
  },
  "functions that hand on what they are given": {
    "a.py": `${HEAD}${repeat(10, (i) => `def f${i}(app):\n    app.include_router(app)\n${repeat(10, (j) => `    f${(i + j) % 10}(app)\n`)}`)}`,
  },
  "loops in loops": {
    "a.py": `${HEAD}${repeat(8, (i) => `${"  ".repeat(i)}for x in [${"1, ".repeat(40)}]:\n`)}${"  ".repeat(8)}app.include_router(x)\n`,
  },
  "classes that stand on each other": {
    "a.py": `${HEAD}${repeat(30, (i) => `class C${i}(${repeat(10, (j) => `C${(i + j) % 30}, `)}): ...\n`)}@app.post("/x")\ndef f(x: C0): ...\n`,
  },
  "modules that hand everything on to each other": Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `m${i}.py`,
      `${HEAD}${repeat(30, (j) => `from m${j} import *\n`)}@nobody.get("/x")\ndef f(): ...\n`,
    ]),
  ),
  "urlconfs that include each other": Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [
      `m${i}.py`,
      `from django.urls import include, path\nurlpatterns = [${repeat(20, (j) => `path("x/", include("m${j}")), `)}]\n`,
    ]),
  ),
  "names that are bound to themselves": {
    "a.py": `${HEAD}a = a\nb = c\nc = b\n@a.get("/x")\ndef x(): ...\n@b.x.get("/y")\ndef y(): ...\n${"a = ".repeat(5000)}1\n`,
  },
  "calls in calls": { "a.py": `${HEAD}@app.get(${"f(".repeat(3000)}${")".repeat(3000)})\ndef x(): ...\n` },
};

test.each(Object.entries(hostile))("%s are read in a moment", async (_, files) => {
  const before = cpuMs();
  await pythonRoutes(files);
  expect(cpuMs() - before).toBeLessThan(3000);
});
