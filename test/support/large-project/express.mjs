// An admin page in Express: routers in routers, controllers apart from them.
import { file } from "./names.mjs";

export function expressFiles(names) {
  return [
    file("admin/src/index.ts", INDEX),
    file("admin/src/app.ts", APP),
    file("admin/src/routers/admin.ts", mounted(names)),
    file("admin/src/middleware/session.ts", SESSION),
    ...names.flatMap((name) => [
      file(`admin/src/types/${name.one}.ts`, types(name)),
      file(`admin/src/controllers/${name.one}.ts`, controller(name)),
      file(`admin/src/routers/${name.many}.ts`, router(name)),
      file(`admin/src/components/${name.Type}Row.tsx`, component(name)),
    ]),
  ];
}

const INDEX = `
import { createApp } from "./app";

createApp().listen(Number(process.env.PORT ?? 8080));
`;

const APP = `
import express, { type Express } from "express";
import { session } from "./middleware/session";
import adminRouter from "./routers/admin";

export function createApp(): Express {
  const app = express();
  app.use(express.json());
  app.use(session);
  app.use("/admin", adminRouter);
  return app;
}
`;

const SESSION = `
import type { NextFunction, Request, Response } from "express";

export interface AdminSession {
  user: string;
  roles: ("reader" | "writer")[];
  expiresAt: Date;
}

declare global {
  namespace Express {
    interface Request {
      session?: AdminSession;
    }
  }
}

export function session(req: Request, _res: Response, next: NextFunction): void {
  req.session = { user: "somebody", roles: ["reader"], expiresAt: new Date() };
  next();
}
`;

const mounted = (names) => `
import { Router } from "express";
${names.map(({ one, many }) => `import { router as ${one}Router } from "./${many}";`).join("\n")}

const router = Router();

${names.map(({ one, many }) => `router.use("/${many}", ${one}Router);`).join("\n")}

export default router;
`;

const types = ({ one, Type }) => `
/** What the table of ${one}s shows. */
export interface ${Type}Row {
  id: number;
  label: string;
  owner: string | null;
  flags: ${Type}Flags;
  changedAt: Date;
}

export interface ${Type}Flags {
  hidden: boolean;
  locked: boolean;
}

export const ${Type}Sort = {
  Label: "label",
  ChangedAt: "changed-at",
} as const;
export type ${Type}Sort = (typeof ${Type}Sort)[keyof typeof ${Type}Sort];

export type ${Type}Filter = {
  [key: string]: string | number | undefined;
};

export interface ${Type}Table {
  rows: readonly ${Type}Row[];
  sort: ${Type}Sort;
  selected?: ${Type}Row["id"];
}
`;

const controller = ({ one, Type }) => `
import type { Request, Response } from "express";
import type { ${Type}Row, ${Type}Table } from "../types/${one}";
import { ${Type}Sort } from "../types/${one}";

const rows = new Map<number, ${Type}Row>();

export function list(_req: Request, res: Response<${Type}Table>): void {
  res.json({ rows: [...rows.values()], sort: ${Type}Sort.Label });
}

export async function show(req: Request<{ id: string }>, res: Response): Promise<void> {
  const row = rows.get(Number(req.params.id));
  if (row === undefined) res.status(404).end();
  else res.json(row);
}

export function lock(req: Request<{ id: string }>, res: Response): void {
  const row = rows.get(Number(req.params.id));
  if (row !== undefined) row.flags.locked = true;
  res.status(204).end();
}

export const remove = (req: Request<{ id: string }>, res: Response): void => {
  rows.delete(Number(req.params.id));
  res.sendStatus(204);
};
`;

const router = ({ one }) => `
import { Router } from "express";
import * as controller from "../controllers/${one}";

export const router = Router();

router.get("/", controller.list);
router.route("/:id").get(controller.show).delete(controller.remove);
router.post("/:id/lock", controller.lock);
`;

const component = ({ one, Type }) => `
import type { ${Type}Row as Row } from "../types/${one}";

type Props = { row: Row; onSelect?: (row: Row) => void };

export function ${Type}RowView({ row, onSelect }: Props) {
  return (
    <tr onClick={() => onSelect?.(row)} className={row.flags.locked ? "locked" : ""}>
      <td>{row.id}</td>
      <td>{row.label}</td>
      <td>{row.changedAt.toISOString()}</td>
    </tr>
  );
}
`;
