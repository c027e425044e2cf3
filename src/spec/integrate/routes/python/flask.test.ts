import { expect, test } from "vitest";
import { pythonRoutes, told } from "../../../../../test/spec/python-routes.ts";

const APP = "from flask import Blueprint, Flask\napp = Flask(__name__)\n";

const cases: Record<string, [Record<string, string>, ...string[]]> = {
  "on the application: GET where no method is named": [
    {
      "a.py": `${APP}@app.route("/a/<int:id>")\ndef a(id): ...\n@app.route("/b/", methods=["GET", "post"])\ndef b(): ...\n@app.delete("/c/<path:p>/<x>")\nasync def c(p, x): ...\n@app.route("/d")\n@app.route("/e", methods=("PUT",))\ndef d(): ...\n`,
    },
    ...["GET /a/{id}", "GET /b", "POST /b", "DELETE /c/{p}/{x}", "GET /d", "PUT /e"],
  ],
  "on blueprints: the prefix that they are registered with wins": [
    {
      "app/__init__.py": `from flask import Flask\nfrom .views import bp as shop, other\ndef create_app():\n    app = Flask(__name__)\n    app.register_blueprint(shop)\n    app.register_blueprint(other, url_prefix="/api/")\n    return app\n`,
      "app/views.py": `from flask import Blueprint as B\nbp = B("shop", __name__, url_prefix="/shop")\nother = B("o", __name__, url_prefix="/never")\n@bp.route("/x")\ndef x(): ...\n@bp.get("/")\ndef root(): ...\n@other.post("y")\ndef y(): ...\n`,
    },
    ...["GET /shop/x", "GET /shop", "POST /api/y"],
  ],
  "on nested blueprints": [
    {
      "a.py": `${APP}outer = Blueprint("o", __name__, url_prefix="/out")\ninner = Blueprint("i", __name__, url_prefix="/in")\nouter.register_blueprint(inner)\napp.register_blueprint(outer, url_prefix="/v1")\n@inner.route("/x")\ndef x(): ...\n`,
    },
    "GET /v1/in/x",
  ],
  "of views with methods": [
    {
      "a.py": `from flask.views import MethodView\n${APP}class Base(MethodView):\n    def get(self): ...\nclass Items(Base):\n    decorators = []\n    def post(self): ...\n    def helper(self): ...\napp.add_url_rule("/items", view_func=Items.as_view("items"))\ndef f(): ...\napp.add_url_rule("/f", "f", f, methods=["PATCH"])\n`,
    },
    ...["POST /items", "GET /items", "PATCH /f"],
  ],
  "of flask-restful": [
    {
      "a.py": `from flask_restful import Api, Resource\n${APP}api = Api(app, prefix="/api")\nclass Todo(Resource):\n    def get(self, id): ...\n    def put(self, id): ...\napi.add_resource(Todo, "/todos/<string:id>", "/t/<id>")\n`,
    },
    ...["GET /api/todos/{id}", "PUT /api/todos/{id}", "GET /api/t/{id}", "PUT /api/t/{id}"],
  ],
  "of flask-restx and flask-smorest": [
    {
      "a.py": `from flask_restx import Api, Namespace, Resource\nfrom flask_smorest import Api as SApi, Blueprint as SB\nfrom flask.views import MethodView\n${APP}api = Api()\napi.init_app(app)\nns = Namespace("pets", path="/p")\nplain = Namespace("cats")\napi.add_namespace(ns)\napi.add_namespace(plain)\n@ns.route("/<id>")\nclass Pet(Resource):\n    def get(self): ...\n@plain.route("/")\nclass Cats(Resource):\n    def post(self): ...\nblp = SB("s", "s", url_prefix="/s")\nsapi = SApi(app)\nsapi.register_blueprint(blp)\n@blp.route("/q")\nclass Q(MethodView):\n    def delete(self): ...\n`,
    },
    ...["GET /p/{id}", "POST /cats", "DELETE /s/q"],
  ],
  "of views that have a name first, or are wrapped, or are functions of a class": [
    {
      "a.py": `from flask.views import MethodView, View\n${APP}from auth import needed, other\nclass Items(MethodView):\n    def patch(self): ...\nview = Items.as_view("i")\napp.add_url_rule("/named", view_func=view)\napp.add_url_rule("/wrapped", view_func=needed(Items.as_view("w")))\nclass One(View):\n    def dispatch_request(self): ...\nclass Both(View):\n    methods = ["GET", "POST"]\n    def dispatch_request(self): ...\napp.add_url_rule("/one", view_func=One.as_view("o"))\napp.add_url_rule("/both", view_func=Both.as_view("b"))\napp.add_url_rule("/other", view_func=other)\n`,
    },
    ...["PATCH /named", "PATCH /wrapped", "GET /one", "GET /both", "POST /both"],
    "? /other: cannot resolve its view `other`",
  ],
  "what a function adds, by what it is given, also below an import inside of `with`": [
    {
      "a.py": `from flask import Flask\nfrom flask.views import MethodView\nclass Item(MethodView):\n    def get(self): ...\ndef register(app, name, start="/v1"):\n    item = Item.as_view(f"{name}-item")\n    app.add_url_rule(f"{start}/{name}/<int:id>", view_func=item)\ndef create_app():\n    app = Flask(__name__)\n    register(app, "users")\n    register(app, "groups", "/v1")\n    with app.app_context():\n        from b import late\n        app.register_blueprint(late, url_prefix="/late")\n    return app\n`,
      "b.py": `from flask import Blueprint\nlate = Blueprint("l", __name__)\n@late.route("/x")\ndef x(): ...\n`,
    },
    "GET /late/x",
    ...["GET /v1/users/{id}", "GET /v1/groups/{id}"],
  ],
  "of namespaces that flask-restx makes": [
    {
      "a.py": `from flask_restx import Api, Resource\n${APP}api = Api(app, prefix="/x")\nns = api.namespace("todos", description="d")\nown = api.namespace("o", path="/own")\n@ns.route("/<int:id>")\nclass Todo(Resource):\n    def delete(self, id): ...\n@own.route("/")\nclass Own(Resource):\n    def get(self): ...\n`,
    },
    ...["DELETE /x/todos/{id}", "GET /x/own"],
  ],
  "of which not all is seen": [
    {
      "a.py": `import os\nfrom flask_security import views\n${APP}lost = Blueprint("l", __name__)\n@lost.route("/x")\ndef x(): ...\napp.register_blueprint(views, url_prefix="/auth")\nfrom own import Strange\nclass V(Strange):\n    def get(self): ...\napp.add_url_rule("/v", view_func=V.as_view("v"))\n@app.route("/m", methods=METHODS)\ndef m(): ...\n@app.route(os.environ["HOOK"])\ndef hook(): ...\n`,
    },
    "… GET /x (`lost` is not mounted)",
    "GET /v",
    "? /auth: unclear what is mounted here: `views` comes from `flask_security`",
    "? /m: its methods are computed at run time",
    '?: only a part of the path is known: `os.environ["HOOK"]` is computed at run time',
    "? /v: its view extends `own.Strange`, which may accept more methods",
  ],
};

test.each(Object.entries(cases))("a route of Flask is %s", async (_, [files, ...expected]) => {
  expect(told(await pythonRoutes(files))).toEqual(expected);
});
