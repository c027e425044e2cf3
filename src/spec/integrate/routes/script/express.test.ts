import { expect, test } from "vitest";
import { scriptRoutes, told } from "../../../../../test/support/script-routes.ts";

const TOP = 'import express, { Router } from "express";\nconst app = express();\n';
const h = "(req, res) => res.end()";

test.each<[string, string, ...string[]]>([
  ["a route", `app.get("/a/:id", ${h});`, "GET /a/{id}"],
  ["middleware before the handler", `app.post("/a", auth, [b, c], ${h});`, "POST /a"],
  [
    "async, over lines, with comments",
    `app\n  // first\n  .get(\n "/a", /* x */ async ${h})\n  .put("/b", ${h});`,
    "GET /a",
    "PUT /b",
  ],
  ["all methods", `app.all("/a", ${h});`, "* /a"],
  ["several methods of a path", `app.route("/a").all(auth).get(${h})\n.post(${h});`, "GET /a", "POST /a"],
  ["several paths", `app.get(["/a", "/b"], ${h});`, "GET /a", "GET /b"],
  ["what a parameter may be", `app.get("/a/:id(\\\\d+)/:b-:c", ${h});`, "GET /a/{id}/{b}-{c}"],
  [
    "a part that may be left out",
    `app.get("/a/:id?", ${h});`,
    "x.ts:3 a part of the path /a/:id? may be left out",
  ],
  ["a wildcard", `app.get("/a/*", ${h});`, "x.ts:3 the path /a/* has a wildcard"],
  ["a wildcard with a name", `app.get("/a/*rest", ${h});`, "x.ts:3 the path /a/*rest has a wildcard"],
  ["a regular expression", `app.get(/^\\/a/, ${h});`, "x.ts:3 the path is a regular expression"],
  ["optional in Express 5", `app.get("/a{/:b}", ${h});`, "x.ts:3 the path /a{/:b} is a pattern"],
  ["what nobody else answers", `app.all("*", ${h}); app.get("/{*splat}", ${h}); app.use((req, res) => {});`],
  ["a setting is no route", 'app.get("port"); app.set("x", 1); app.get("env");'],
  [
    "constants",
    `const P = "/v" + 1; const Q = \`\${P}/b\` as const; app.get(Q, ${h}); app.get(P + "/c", ${h});`,
    "GET /v1/b",
    "GET /v1/c",
  ],
  [
    "fields of constants, and enums",
    `const R = { a: { b: "/b" } } as const; enum E { C = "/c" }; app.get(R.a.b, ${h}); app.get(E.C, ${h}); app.get(R["a"].b, ${h})`,
    "GET /b",
    "GET /c",
  ],
  [
    "a path that is computed",
    `app.get(path(), ${h}); app.get(\`/\${x}\`, ${h});`,
    "x.ts:3 the path is computed",
  ],
  ["a name that changes", `let p = "/a"; p = "/b"; app.get(p, ${h});`, "x.ts:3 the path is computed"],
  ["a method that is computed", `app[verb]("/a", ${h});`, "x.ts:3 the method is computed"],
  ["methods of a loop", `for (const verb of ["get", "post"]) app[verb]("/a", ${h});`, "GET /a", "POST /a"],
  ["paths of a loop", `["/a", "/b"].forEach((path) => app.get(path, ${h}));`, "GET /a", "GET /b"],
  [
    "paths of a list that cannot be seen",
    `for (const path of paths()) app.get(path, ${h});`,
    "x.ts:3 the path is computed",
  ],
  [
    "a mount",
    `const r = Router(); r.get("/", ${h}); r.get("/b", ${h}); app.use("/a", auth, r);`,
    "GET /a",
    "GET /a/b",
  ],
  [
    "a mount without a path",
    `const r = express.Router({ mergeParams: true }); r.get("/b", ${h}); app.use(r);`,
    "GET /b",
  ],
  [
    "mounts in mounts",
    `const r = Router(), s = Router(); s.get("/c/", ${h}); r.use("/b/:b", s); app.use("/a/", r);`,
    "GET /a/b/{b}/c",
  ],
  [
    "one router in two places",
    `const r = Router(); r.get("/b", ${h}); app.use("/a", r); app.use(["/c", "/d"], r);`,
    "GET /a/b",
    "GET /c/b",
    "GET /d/b",
  ],
  [
    "routers of a loop",
    `const r = Router(), s = Router(); r.get("/x", ${h}); s.get("/y", ${h});\nconst all = [{ path: "/a", route: r }, { path: "/b", route: s }];\nall.forEach((one) => { app.use(one.path, one.route); });`,
    "GET /a/x",
    "GET /b/y",
  ],
  [
    "routers of an object",
    `const r = Router(), s = Router(); r.get("/x", ${h}); s.get("/y", ${h});\nfor (const [path, router] of Object.entries({ "/a": r, "/b": s })) app.use(path, router);`,
    "GET /a/x",
    "GET /b/y",
  ],
  ["a router that nobody mounts", `const r = Router(); r.get("/b", ${h});`, "? GET /b"],
  ["a prefix that is computed", `const r = Router(); r.get("/b", ${h}); app.use(prefix(), r);`, "? GET /b"],
  [
    "a router inside of itself",
    `const r = Router(); r.get("/b", ${h}); r.use("/c", r); app.use("/a", r);`,
    "GET /a/b",
  ],
  [
    "a router that cannot be seen",
    'app.use("/a", container.get(UserRouter)); app.use("/b", limiter(1)); app.use("/c", express.static("x"));',
    "x.ts:3 what is mounted here cannot be seen",
  ],
  [
    "an answer to everything below a path",
    `app.use("/health", ${h}); app.use("/a", (req, res, next) => next());`,
    "* /health",
  ],
  [
    "methods of classes",
    `class A { app; router = Router(); path = "/a"; constructor() { this.app = express(); this.routes(); this.app.use("/v1", this.router); this.app.listen(1); } routes() { this.router.get(\`\${this.path}/b\`, this.list); } list = (req, res) => {}; }\nnew A();`,
    "GET /v1/a/b",
  ],
  [
    "a class with its router",
    `class R { router = Router(); constructor() { this.router.get("/b", ${h}); } }\nclass A { constructor(private app, routes) { routes.forEach((r) => { this.app.use("/a", r.router); }); } }\nnew A(app, [new R()]);`,
    "GET /a/b",
  ],
  [
    "a class that is told its app",
    `abstract class Base { constructor(readonly app: express.Application) { this.go(); } abstract go(): void; }\nclass R extends Base { constructor(app: express.Application) { super(app); } go() { this.app.route("/b").get(${h}); } }\nnew R(app);`,
    "GET /b",
  ],
  [
    "a value of a choice",
    `const r = on ? Router() : Router(); r.get("/b", ${h}); app.use("/a", r);`,
    "GET /a/b",
  ],
  [
    "casts and brackets",
    `(app as any).get(("/a" satisfies string), ${h}); (<any>app).x; app!.post("/b", ${h});`,
    "GET /a",
    "POST /b",
  ],
  [
    "what looks like a route",
    'const map = new Map(); map.get("/a"); cache.delete("/b", 1); axios.get("/c", {}); request(app).get("/d", 1); test.get("/e", 1); fetch("/f"); new URL("/g"); app.request("/h", 1);',
  ],
  ["a name of an inner scope", `function f(app) { app.get("/a", ${h}); } f(new Map());`],
])("%s", async (_, text, ...said) => {
  expect(told(await scriptRoutes({ "x.ts": `${TOP}${text}\n` }))).toEqual(said);
});

const ROUTER = 'import { Router } from "express";\nconst router = Router();\nrouter.get("/b", h);\n';
const main = (imports: string, text: string) =>
  `import express from "express";\n${imports}\nconst app = express();\n${text}\napp.listen(1);\n`;

test.each<[string, Record<string, string>, ...string[]]>([
  [
    "default export",
    {
      "r.ts": `${ROUTER}export default router;`,
      "m.ts": main('import r from "./r.js";', 'app.use("/a", r);'),
    },
    "GET /a/b",
  ],
  [
    "default export with a name",
    {
      "r.ts": `${ROUTER}export { router as default };`,
      "m.ts": main('import r from "./r";', 'app.use("/a", r);'),
    },
    "GET /a/b",
  ],
  [
    "named export, renamed",
    {
      "r.ts": `${ROUTER}export { router as routes };`,
      "m.ts": main('import { routes as r } from "./r";', 'app.use("/a", r);'),
    },
    "GET /a/b",
  ],
  [
    "through an index",
    {
      "r/b.ts": `${ROUTER}export { router };`,
      "r/index.ts": 'export { router as b } from "./b";',
      "m.ts": main('import { b } from "./r";', 'app.use("/a", b);'),
    },
    "GET /a/b",
  ],
  [
    "through an index with all",
    {
      "r/b.ts": `${ROUTER}export { router };`,
      "r/index.ts": 'export * from "./b";',
      "m.ts": main('import * as r from "./r";', 'app.use("/a", r.router);'),
    },
    "GET /a/b",
  ],
  [
    "through a ring of files",
    {
      "r/b.ts": 'export * from "./c";',
      "r/c.ts": 'export * from "./b";',
      "m.ts": main('import { router } from "./r/b";', 'app.use("/a", router);'),
    },
    "m.ts:4 what is mounted here cannot be seen",
  ],
  [
    "require",
    {
      "r.js":
        'const { Router } = require("express");\nconst r = Router();\nr.get("/b", h);\nmodule.exports = r;',
      "m.js":
        'const express = require("express");\nconst app = express();\napp.use("/a", require("./r"));\nconst r = require("./r");\napp.use("/c", r);',
    },
    "GET /a/b",
    "GET /c/b",
  ],
  [
    "require of a field",
    {
      "r.js":
        'const express = require("express");\nconst r = new express.Router();\nr.get("/b", h);\nmodule.exports = { r };\nexports.x = 1;',
      "m.js":
        'const express = require("express");\nconst { r: routes } = require("./r");\nexpress().use("/a", routes);',
    },
    "GET /a/b",
  ],
  [
    "import = require, export =",
    {
      "r.ts": `${ROUTER}export = router;`,
      "m.ts":
        'import express = require("express");\nimport r = require("./r");\nconst app = express();\napp.use("/a", r);',
    },
    "GET /a/b",
  ],
  [
    "a factory",
    {
      "r.ts":
        'import { Router } from "express";\nexport function createRouter(deps: Deps): Router { const router = Router(); router.get("/b", h); return router; }',
      "m.ts": main('import { createRouter } from "./r";', 'app.use("/a", createRouter(deps));'),
    },
    "GET /a/b",
  ],
  [
    "a factory as an arrow",
    {
      "r.ts":
        'import { Router } from "express";\nexport default (deps: Deps) => Router().get("/b", h).post("/c", h);',
      "m.ts": main('import make from "./r";', 'app.use("/a", make(1)); app.use("/d", make(2));'),
    },
    "GET /a/b",
    "GET /d/b",
    "POST /a/c",
    "POST /d/c",
  ],
  [
    "a function that is told the app",
    {
      "r.ts":
        'import type { Express } from "express";\nexport function register(app: Express) { app.get("/b", h); }',
      "m.ts": main('import { register } from "./r";', "register(app);"),
    },
    "GET /b",
  ],
  [
    "a function that is told an app and a prefix",
    {
      "r.ts": "export const register = ({ app, at }: Deps) => { app.get(`${at}/b`, h); };",
      "m.ts": main('import { register } from "./r";', 'register({ app, at: "/a" });'),
    },
    "GET /a/b",
  ],
  [
    "a module that is told the app",
    {
      "r.js": 'module.exports = function (app) { app.get("/b", h); };',
      "m.js": 'const app = require("express")();\nrequire("./r")(app);',
    },
    "GET /b",
  ],
  [
    "a function that nobody calls",
    {
      "r.ts":
        'import type { Application } from "express";\nexport function register(app: Application) { app.get("/b", h); }',
    },
    "? GET /b",
  ],
  [
    "a constant of another file",
    {
      "c.ts": 'export const API = "/api";\nexport const PATHS = { users: `${API}/users` };',
      "m.ts": main('import { PATHS as P } from "./c";', "app.get(P.users, h);"),
    },
    "GET /api/users",
  ],
  [
    "a constant of a package",
    { "m.ts": main('import { P } from "paths";', "app.get(P, h);") },
    "m.ts:4 the path is computed",
  ],
  [
    "a router of a package",
    {
      "m.ts": main(
        'import { usersRouter } from "@acme/users";\nimport cors from "cors";',
        'app.use("/a", usersRouter); app.use("/b", cors());',
      ),
    },
    "m.ts:5 what is mounted here cannot be seen",
  ],
  [
    "an app below an app",
    {
      "a.ts": 'import express from "express";\nexport const admin = express();\nadmin.get("/b", h);',
      "m.ts": main('import { admin } from "./a";', 'app.use("/a", admin);'),
    },
    "GET /a/b",
  ],
  [
    "apps side by side, and one that was forgotten",
    {
      "a.ts": 'import express from "express";\nexport const admin = express();\nadmin.get("/b", h);',
      "m.ts": main("", 'app.get("/a", h);'),
      "n.ts": main("", 'app.get("/n", h);'),
    },
    "? GET /b",
    "GET /a",
    "GET /n",
  ],
])("over files: %s", async (_, files, ...said) => {
  expect(told(await scriptRoutes(files))).toEqual(said);
});

const TYPES =
  'import express, { type Request, Response as Res, RequestHandler } from "express";\nimport type { User as U, NewUser } from "./types";\ninterface Own { a: string }\ntype Same = Own;\ntype Either = Own | NewUser;\nconst app = express();\n';

test.each<[string, string, string]>([
  [
    "Request and Response",
    'app.post("/a", (req: Request<{}, U, NewUser>, res: Res<U>) => {});',
    "POST /a (NewUser → User)",
  ],
  ["a list", 'app.get("/a", (req: Request, res: Res<U[]>) => {});', "GET /a (- → User[])"],
  [
    "another name for a type",
    'app.get("/a", (req: Request<unknown, any, Same>, res: Res<Readonly<Own> | null>) => {});',
    "GET /a (Own → Own)",
  ],
  [
    "one of several",
    'app.get("/a", (req: Request, res: Res<Either>) => {});',
    "GET /a (- → unclear Own | NewUser)",
  ],
  [
    "two that do not agree",
    'app.get("/a", (req: Request<{}, U>, res: Res<Own>) => {});',
    "GET /a (- → unclear User, Own)",
  ],
  [
    "a type of a package's type",
    'app.get("/a", (req: Request, res: Res<Partial<U>>) => {});',
    "GET /a (- → unclear Partial<U>)",
  ],
  ["behind the method", 'app.put<{}, U, NewUser>("/a", (req, res) => {});', "PUT /a (NewUser → User)"],
  [
    "of the handler as a whole",
    'const put: RequestHandler<{}, U, NewUser> = async (req, res) => {};\napp.put("/a", auth, put);',
    "PUT /a (NewUser → User)",
  ],
  [
    "wrapped",
    'app.put("/a", wrap(async (req: Request<{}, {}, NewUser>, res) => {}));',
    "PUT /a (NewUser → -)",
  ],
  [
    "a method of a controller",
    'class C { put = async (req: Request<{}, {}, NewUser>, res: Res) => {}; get(req: Request, res: Res<U>) {} }\nconst c = new C();\napp.put("/a", c.put.bind(c));',
    "PUT /a (NewUser → -)",
  ],
  [
    "no type of this framework",
    'import { Response as R } from "other";\napp.get("/a", (req, res: R<U>) => {});',
    "GET /a",
  ],
])("models: %s", async (_, text, said) => {
  expect(
    told(
      await scriptRoutes({
        "x.ts": TYPES + text,
        "types.ts": "export interface User {}\nexport class NewUser {}",
      }),
    ),
  ).toEqual([said]);
});

test("a route has the line of its method, also far down a chain", async () => {
  const text = 'import express from "express";\nexpress()\n  .get("/a", h)\n\n  .post("/b", h);\n';
  const { routes, frameworks } = await scriptRoutes({ "src/app.ts": text });
  expect(routes.map(({ path, file, line, framework }) => [path, file, line, framework])).toEqual([
    ["/a", "src/app.ts", 3, "Express"],
    ["/b", "src/app.ts", 5, "Express"],
  ]);
  expect(frameworks).toEqual(["Express"]);
});
