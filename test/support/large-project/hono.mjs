// A shop in Hono: types, schemas of Zod, a service, routes and tests for each name; routes are mounted over two files.
import { file } from "./names.mjs";

export function honoFiles(names) {
  return [
    file("store/src/app.ts", APP),
    file("store/src/server.ts", SERVER),
    file("store/src/shared/types.ts", SHARED),
    file("store/src/shared/problem.ts", PROBLEM),
    file("store/src/routes/index.ts", mounted(names)),
    file("store/src/domain/index.ts", names.map(({ one }) => `export * from "./${one}.js";`).join("\n")),
    file("store/src/client/generated.ts", generated(names)),
    ...names.flatMap((name) => [
      file(`store/src/domain/${name.one}.ts`, types(name)),
      file(`store/src/schemas/${name.one}.ts`, schemas(name)),
      file(`store/src/services/${name.one}.ts`, service(name)),
      file(`store/src/routes/${name.many}.ts`, routes(name)),
      file(`store/test/${name.many}.test.ts`, tests(name)),
    ]),
  ];
}

const APP = `
import { Hono } from "hono";
import { logger } from "hono/logger";
import { routes } from "./routes/index.js";
import { answerProblem } from "./shared/problem.js";

export const app = new Hono();

app.use("*", logger());
app.onError(answerProblem);
app.route("/store", routes);
`;

const SERVER = `
import { serve } from "@hono/node-server";
import { app } from "./app.js";

const port = Number(process.env["PORT"] ?? 3000);
serve({ fetch: app.fetch, port });
`;

const SHARED = `
export enum Currency {
  Euro = "EUR",
  Dollar = "USD",
  Yen = "JPY",
}

/** In the smallest unit of its currency. */
export interface Price {
  amount: number;
  currency: Currency;
}

export interface Stamped {
  readonly createdAt: string;
  readonly updatedAt?: string;
}

export type Page<T> = { items: T[]; next?: string };
`;

const PROBLEM = `
import type { ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";

export interface StoreProblem {
  title: string;
  status: number;
  issues?: { path: string; message: string }[];
}

export const answerProblem: ErrorHandler = (error, c) => {
  const status = error instanceof HTTPException ? error.status : 500;
  const problem: StoreProblem = { title: error.message, status };
  return c.json(problem, status);
};
`;

const mounted = (names) => `
import { Hono } from "hono";
${names.map(({ one, many }) => `import { ${one}Routes } from "./${many}.js";`).join("\n")}

export const routes = new Hono()
${names.map(({ one, many }) => `  .route("/${many}", ${one}Routes)`).join("\n")};
`;

const generated = (names) => `
// @generated from the API. Do not edit.
/* eslint-disable */
${names.map(({ Type }) => `export type Remote${Type} = { id: string; name: string };`).join("\n")}
`;

const types = ({ one, Type }) => `
import type { Price, Stamped } from "../shared/types.js";

export const ${one}States = ["draft", "active", "archived"] as const;
export type ${Type}State = (typeof ${one}States)[number];

export interface ${Type}Note {
  author: string;
  text: string;
  kind: "remark" | "warning";
}

/** As it is stored and answered. */
export interface ${Type} extends Stamped {
  readonly id: string;
  name: string;
  description?: string | undefined;
  state: ${Type}State;
  price: Price;
  tags: readonly string[];
  notes: Array<${Type}Note>;
  attributes: Record<string, unknown>;
}

export type ${Type}Patch = Partial<Pick<${Type}, "name" | "description" | "price">>;

export type ${Type}Summary = Omit<${Type}, "notes" | "attributes"> & { noteCount: number };

export type ${Type}Event =
  | { kind: "created"; at: string; by: string }
  | { kind: "archived"; at: string; reason: string | null };
`;

const schemas = ({ one, Type }) => `
import { z } from "zod";
import { ${one}States } from "../domain/${one}.js";
import { Currency } from "../shared/types.js";

const price = z.object({ amount: z.number().int().nonnegative(), currency: z.enum(Currency) });

export const create${Type} = z
  .object({
    name: z.string().trim().min(1).max(200),
    description: z.string().optional(),
    price,
    tags: z.array(z.string()).default([]),
  })
  .strict();
export type Create${Type} = z.infer<typeof create${Type}>;

export const patch${Type} = create${Type}.pick({ name: true, description: true, price: true }).partial();

export const ${one}Query = z.object({
  state: z.enum(${one}States).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
});
export type ${Type}Query = z.infer<typeof ${one}Query>;
`;

const service = ({ one, Type }) => `
import type { ${Type}, ${Type}Patch, ${Type}Summary } from "../domain/${one}.js";
import type { Create${Type}, ${Type}Query } from "../schemas/${one}.js";
import type { Page } from "../shared/types.js";

export class ${Type}Service {
  readonly #rows = new Map<string, ${Type}>();

  create(body: Create${Type}, now: string): ${Type} {
    const row: ${Type} = {
      ...body,
      id: crypto.randomUUID(),
      state: "draft",
      notes: [],
      attributes: {},
      createdAt: now,
    };
    this.#rows.set(row.id, row);
    return row;
  }

  change(id: string, patch: ${Type}Patch): ${Type} | null {
    const row = this.#rows.get(id);
    if (row === undefined) return null;
    const changed = { ...row, ...patch };
    this.#rows.set(id, changed);
    return changed;
  }

  find(id: string): ${Type} | null {
    return this.#rows.get(id) ?? null;
  }

  remove(id: string): boolean {
    return this.#rows.delete(id);
  }

  page({ state, limit, cursor }: ${Type}Query): Page<${Type}Summary> {
    const all = [...this.#rows.values()].filter((row) => state === undefined || row.state === state);
    const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
    const items = all.slice(start, start + limit).map(({ notes, attributes: _, ...row }) => ({
      ...row,
      noteCount: notes.length,
    }));
    return { items };
  }
}

export const ${one}Service = new ${Type}Service();
`;

const routes = ({ one, Type }) => `
import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ${Type} } from "../domain/${one}.js";
import { create${Type}, ${one}Query, patch${Type} } from "../schemas/${one}.js";
import { ${one}Service } from "../services/${one}.js";

export const ${one}Routes = new Hono();

${one}Routes.get("/", zValidator("query", ${one}Query), (c) => c.json(${one}Service.page(c.req.valid("query"))));

${one}Routes.post("/", zValidator("json", create${Type}), async (c) => {
  const row = ${one}Service.create(c.req.valid("json"), new Date().toISOString());
  return c.json<${Type}>(row, 201);
});

${one}Routes.get("/:id", (c) => c.json<${Type}>(found(c.req.param("id"))));

${one}Routes.patch("/:id", zValidator("json", patch${Type}), (c) => {
  const { id } = found(c.req.param("id"));
  return c.json(${one}Service.change(id, c.req.valid("json")));
});

${one}Routes.delete("/:id", (c) => {
  ${one}Service.remove(found(c.req.param("id")).id);
  return c.body(null, 204);
});

function found(id: string): ${Type} {
  const row = ${one}Service.find(id);
  if (row === null) throw new HTTPException(404, { message: \`there is no ${one} \${id}\` });
  return row;
}
`;

const tests = ({ many, Type }) => `
import { expect, test } from "vitest";
import { app } from "../src/app.js";

interface ${Type} {
  anything: number;
}

test("a new one is found again", async () => {
  const body = JSON.stringify({ name: "first", price: { amount: 350, currency: "EUR" } });
  const made = await app.request("/store/${many}", { method: "POST", body });
  const { anything } = (await made.json()) as ${Type};
  expect(anything).toBeUndefined();
});
`;
