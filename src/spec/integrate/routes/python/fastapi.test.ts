import { describe, expect, test } from "vitest";
import { pythonRoutes, told } from "../../../../../test/spec/python-routes.ts";

const APP = "from fastapi import APIRouter, FastAPI\napp = FastAPI()\n";

describe("where a route of FastAPI is", () => {
  const cases: Record<string, [Record<string, string>, ...string[]]> = {
    "on the application, also with async and stacked decorators": [
      {
        "a.py": `${APP}@app.get("/a")\n@app.head("/a/")\nasync def a(): ...\n@app.api_route("/b/{x:path}", methods=["get", "POST"])\ndef b(x): ...\n`,
      },
      ...["GET /a none -> ", "HEAD /a none -> ", "GET /b/{x} none -> ", "POST /b/{x} none -> "],
    ],
    "on a router under prefixes, mounted by the attribute of a module, in a function": [
      {
        "app/main.py": `from fastapi import FastAPI\nfrom app.routers import products\ndef create_app():\n    app = FastAPI()\n    app.include_router(products.router, prefix="/api/v1")\n    return app\napp = create_app()\n@app.get("/health")\ndef health(): ...\n`,
        "app/routers/__init__.py": "",
        "app/routers/products.py": `from fastapi import APIRouter\nrouter = APIRouter(prefix="/products")\n@router.get("/{sku}")\ndef one(sku: str): ...\n@router.get("")\ndef all(): ...\n`,
      },
      ...["GET /health none -> ", "GET /api/v1/products/{sku} none -> ", "GET /api/v1/products none -> "],
    ],
    "through renamed imports and a package that hands routers on": [
      {
        "app/main.py": `import fastapi as fa\nfrom .routers import orders as o, users_router\nfrom . import routers\napp = fa.FastAPI()\napp.include_router(o, prefix="/a")\napp.include_router(users_router)\napp.include_router(routers.more.router)\n`,
        "app/routers/__init__.py":
          "from .orders import router as orders\nfrom .users import *\nfrom . import more\n",
        "app/routers/orders.py": `from fastapi import APIRouter as R\nrouter = R()\n@router.post("/o")\ndef o(): ...\n`,
        "app/routers/users.py": `from fastapi import APIRouter\nusers_router = APIRouter()\n@users_router.get("/u")\ndef u(): ...\n`,
        "app/routers/more.py": `from fastapi import APIRouter\nrouter = APIRouter()\n@router.get("/m")\ndef m(): ...\n`,
      },
      ...["POST /a/o none -> ", "GET /u none -> ", "GET /m none -> "],
    ],
    "on nested routers, and on one that is mounted twice": [
      {
        "a.py": `${APP}inner = APIRouter(prefix="/in")\nouter = APIRouter(prefix="/out")\nouter.include_router(inner, prefix="/mid")\napp.include_router(router=outer, prefix="/v1")\napp.include_router(outer, prefix="/v2")\n@inner.get("/x")\ndef x(): ...\n`,
      },
      ...["GET /v1/out/mid/in/x none -> ", "GET /v2/out/mid/in/x none -> "],
    ],
    "in an application below another, and by the path that something in front takes away": [
      {
        "a.py": `from fastapi.staticfiles import StaticFiles\n${APP}sub = FastAPI()\napp.mount("/sub", sub)\napp.mount("/static", StaticFiles(directory="x"))\nclass Pages(StaticFiles): ...\napp.mount("/", Pages())\nother = FastAPI(root_path="/r")\n@sub.get("/x")\ndef x(): ...\n@other.get("/y")\ndef y(): ...\n`,
      },
      ...["GET /sub/x none -> ", "GET /y none -> ", "GET /r/y none -> "],
    ],
    "with prefixes of constants, sums and texts with names": [
      {
        "a.py": `from c import V1, names\nimport c\n${APP}r = APIRouter(prefix=f"{V1}/r")\napp.include_router(r, prefix=c.API + "/q")\n@r.get("/{{id}}" + names.X)\ndef x(): ...\n@r.get(f"/{{id}}")\ndef y(): ...\n`,
        "c.py": `API = "/api"\nV1 = f"{API}/v1"\nclass names:\n    X = "/n"\n`,
      },
      ...["GET /api/q/api/v1/r/{{id}}/n none -> ", "GET /api/q/api/v1/r/{id} none -> "],
    ],
    "with a prefix of settings: what they say, and what they could be made to say": [
      {
        "a.py": `from s import settings\n${APP}r = APIRouter()\napp.include_router(r, prefix=settings.API)\n@r.get("/x")\ndef x(): ...\n`,
        "s.py": `from pydantic_settings import BaseSettings\nclass Settings(BaseSettings):\n    API: str = "/api"\nsettings = Settings()\n`,
      },
      "GET /api/x none -> ",
      "… GET /x none ->  (`settings.API` is computed at run time)",
    ],
    "that a function adds to what it is given": [
      {
        "a.py": `from b import install\n${APP}install(app)\n`,
        "b.py": `def install(app):\n    @app.get("/inner")\n    def inner(): ...\n    app.add_api_route("/added", handler, methods=["PUT"])\ndef handler(): ...\n`,
      },
      ...["GET /inner none -> ", "PUT /added none -> "],
    ],
    "that loops mount": [
      {
        "a.py": `from r import routers, a, b\nimport r\n${APP}for one in routers:\n    app.include_router(one, prefix="/l")\nALL = [(a, "/x"), (b, "/y")]\nfor router, prefix in ALL:\n    app.include_router(router, prefix=prefix)\nfor module in (r,):\n    app.include_router(module.b, prefix="/m")\nMAP = {"/k": a}\nfor key, value in MAP.items():\n    app.include_router(value, prefix=key)\n`,
        "r.py": `from fastapi import APIRouter\na = APIRouter()\nb = APIRouter()\nrouters = [a, b]\n@a.get("/a")\ndef x(): ...\n@b.get("/b")\ndef y(): ...\n`,
      },
      ...[
        "GET /l/a none -> ",
        "GET /x/a none -> ",
        "GET /k/a none -> ",
        "GET /l/b none -> ",
        "GET /y/b none -> ",
        "GET /m/b none -> ",
      ],
    ],
    "on routers of one statement, on one of two, and on what a class makes": [
      {
        "a.py": `import os\n${APP}a, b = APIRouter(prefix="/a"), APIRouter(prefix="/b")\nc = APIRouter(prefix="/c" if os.name else "/d")\nclass Own:\n    def __init__(self):\n        self.router = APIRouter(prefix="/own")\n        self.router.add_api_route("/x", self.x)\n    def x(self): ...\nfor one in (a, b, c):\n    app.include_router(one)\napp.include_router(Own().router)\n@a.get("/x")\ndef ax(): ...\n@b.get("/x")\ndef bx(): ...\n@c.get("/x")\ndef cx(): ...\n`,
      },
      ...["GET /a/x none -> ", "GET /b/x none -> ", "GET /c/x none -> ", "GET /d/x none -> ", "GET /own/x"],
    ],
    "below what a package, a map or a list puts in, as far as that is seen": [
      {
        "a.py": `from fastapi_versioning import VersionedFastAPI, version\nfrom starlette.routing import Route\n${APP}r = APIRouter(**{"prefix": "/r"})\nq = APIRouter()\nlisted = FastAPI(routes=[Route("/l", None)])\nlisted.include_router(r)\nlisted.include_router(q, **more)\n@app.get("/x")\n@version(1)\ndef x(): ...\n@r.get("/y")\ndef y(): ...\n@q.get("/z")\ndef z(): ...\napp = VersionedFastAPI(app)\n`,
      },
      "… GET /x none ->  (`VersionedFastAPI` adds versions to paths)",
      "… GET /y none ->  (its prefix may be in the arguments of `APIRouter(…)`)",
      "… GET /z none ->  (its prefix may be in the arguments of `listed.include_router(…)`)",
      "?: its `routes` are passed as a list",
    ],
    "in a class that has the application": [
      {
        "a.py": `from fastapi import FastAPI, APIRouter\nclass Server:\n    def __init__(self):\n        self.app = FastAPI()\n        self.r = APIRouter()\n        self.app.include_router(self.r, prefix="/s")\n        self.r.add_api_route("/x", self.x)\n    def x(self): ...\nserver = Server()\n@server.app.get("/y")\ndef y(): ...\n`,
      },
      ...["GET /y none -> ", "GET /s/x"],
    ],
    "of which not all is seen": [
      {
        "a.py": `from fastapi_users import users\nfrom shop_base import base\n${APP}app.include_router(users.auth(), prefix="/auth")\nlost = APIRouter()\n@lost.get("/x")\ndef x(): ...\n@base.get("/y")\ndef y(): ...\n@app.get(path_of("z"))\ndef z(): ...\n@app.get("/z/" + NAME)\ndef zz(): ...\n@app.websocket("/ws")\ndef ws(): ...\n@mock.patch("x.y")\ndef m(): ...\n@endpoint("/own")\ndef own(): ...\napp.router.add_api_route("/r", own)\nfrom ninja import NinjaAPI\nninja = NinjaAPI()\n@ninja.get("/n")\ndef n(): ...\n`,
      },
      "… GET /x none ->  (`lost` is not mounted)",
      "… GET /y none ->  (`base` comes from `shop_base`)",
      "WEBSOCKET /ws none -> ",
      "… GET /n none ->  (`ninja` is created by `ninja.NinjaAPI`)",
      "GET /r none -> ",
      "… * /own (`@endpoint` may declare a route)",
      "? /auth: unclear what is mounted here: the router is created by `fastapi_users.users.auth`",
      "?: only a part of the path is known: `path_of(…)` is computed at run time",
      "? /z: only a part of the path is known: `NAME` is computed at run time",
    ],
  };
  test.each(Object.entries(cases))("%s", async (_, [files, ...expected]) => {
    expect(told(await pythonRoutes(files))).toEqual(expected);
  });
});

const MODELS = `from typing import Annotated, Any, Optional, List
from fastapi import Body, Depends, FastAPI, Form, Query, Request, Response, UploadFile, status
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from enum import Enum
from schemas import Out as Renamed, In
import schemas
class Color(str, Enum):
    RED = "red"
class Item(BaseModel): ...
class Base(BaseModel): ...
class Child(Base): ...
Outs = list[Renamed]
Store = Annotated[object, Depends(lambda: 1)]
app = FastAPI()
`;
const SCHEMAS = "from pydantic import BaseModel\nclass Out(BaseModel): ...\nclass In(BaseModel): ...\n";

test.each([
  ["response_model=Renamed", "", "", "none -> Out"],
  ["response_model=list[schemas.Out]", "", "-> int", "none -> [Out]"],
  ["response_model=List[Renamed]", "", "", "none -> [Out]"],
  ["response_model=Outs", "", "", "none -> [Out]"],
  ["response_model=Optional[Renamed]", "", "", "none -> Out"],
  ["response_model=Page[Renamed]", "", "", "none -> ?Page[Renamed]"],
  ["response_model=Item | Child", "", "", "none -> ?Item | Child"],
  ["response_model=dict[str, Item]", "", "", "none -> "],
  ["response_model=None", "", "-> Item", "none -> "],
  ["", "", "-> Item", "none -> Item"],
  ["", "", '-> "list[Item]"', "none -> [Item]"],
  ["", "", "-> None", "none -> none"],
  ["", "", "-> JSONResponse", "none -> "],
  ["", "", "-> Response | JSONResponse", "none -> "],
  ["", "", "-> dict", "none -> "],
  ["status_code=204", "", "", "none -> none"],
  ["status_code=status.HTTP_204_NO_CONTENT", "", "-> None", "none -> none"],
  ["status_code=201, response_model=Item", "", "-> None", "none -> Item"],
  ["", "body: Item", "", "Item -> "],
  ["", "body: Child, store: Store, color: Color, q: str = 'x', id: int | None = None", "", "Child -> "],
  ["", "body: Item | None = None", "", "Item -> "],
  ["", "body: list[In]", "", "[In] -> "],
  ["", "body: Annotated[In, Body()]", "", "In -> "],
  ["", "body: In = Body(...)", "", "In -> "],
  ["", "body: In = Body(..., embed=True)", "", ""],
  ["", "body: 'In'", "", "In -> "],
  ["", "a: Item, b: In", "", ""],
  ["", "a: dict", "", ""],
  ["", "a: Item = Depends()", "", ""],
  ["", "a: Annotated[Item, Query()]", "", "none -> "],
  ["", "a: Annotated[Item, Depends(f)], b: In", "", "In -> "],
  ["", "request: Request", "", ""],
  ["", "request: Request, b: In", "", "In -> "],
  ["", "name: str = Form(), b: In = None", "", ""],
  ["", "file: UploadFile", "", ""],
  ["", "color: Color", "", "none -> "],
])("models of FastAPI: @app.post(%s) def f(%s) %s", async (decorator, parameters, returns, expected) => {
  const text = `${MODELS}@app.post("/x", ${decorator})\nasync def f(${parameters})${returns}: ...\n`;
  const lines = told(await pythonRoutes({ "a.py": text, "schemas.py": SCHEMAS }));
  expect(lines).toEqual([`POST /x ${expected}`.trimEnd() + (expected.endsWith(" ") ? " " : "")]);
});
