import { expect, test } from "vitest";
import { pythonRoutes, told } from "../../../../../test/spec/python-routes.ts";

const URLS = "from django.urls import include, path, re_path\n";
const DRF =
  "from rest_framework import generics, mixins, routers, viewsets\nfrom rest_framework.decorators import action, api_view\nfrom rest_framework.views import APIView\n";

const cases: Record<string, [Record<string, string>, ...string[]]> = {
  "found through urlconfs that include others": [
    {
      "shop/urls.py": `${URLS}from orders import urls as order_urls\nextra = [path("e/", lambda r: None)]\nurlpatterns = [\n    path("api/", include("products.urls")),\n    path("o/", include(order_urls)),\n    path("x/", include((extra, "x"))),\n    path("y/", include([path("z/", include(extra))])),\n]\nurlpatterns += [path("more/", include(extra))]\n`,
      "products/urls.py": `${URLS}from . import views\napp_name = "products"\nurlpatterns = [path("<int:pk>/", views.one), path("", views.all_of_them)]\n`,
      "products/views.py": `from django.views.decorators.http import require_http_methods, require_GET\n@require_http_methods(["GET", "POST"])\ndef one(request, pk): ...\n@require_GET\ndef all_of_them(request): ...\n`,
      "orders/urls.py": `${URLS}from .views import plain\nurlpatterns = [re_path(r"^list/(?P<year>[0-9]{4})/$", plain), re_path(r"^(?!api/).*$", plain), re_path(r"files/(?P<p>.*)", plain)]\n`,
      "orders/views.py": "async def plain(request, year): ...\n",
    },
    ...[
      "GET /api/{pk}",
      "POST /api/{pk}",
      "GET /api",
      "* /o/list/{year}",
      "* /o/{rest}",
      "* /o/files/{p}",
      "* /x/e",
      "* /y/z/e",
      "* /more/e",
    ],
  ],
  "of classes and functions of REST framework": [
    {
      "a/urls.py": `${URLS}from a import views as v\nfrom django.views.decorators.csrf import csrf_exempt\nurlpatterns = [path("f/", v.f), path("c", csrf_exempt(v.C.as_view())), path("g/<pk>", v.G.as_view()), path("l/", v.L.as_view()), path("s/", v.S.as_view({"get": "list", "post": "create"}))]\n`,
      "a/views.py": `${DRF}@api_view(["GET", "PUT"])\ndef f(request): ...\nclass C(APIView):\n    def get(self, request): ...\n    async def delete(self, request): ...\nclass G(generics.RetrieveUpdateDestroyAPIView):\n    serializer_class = ThingSerializer\nclass L(generics.ListCreateAPIView):\n    serializer_class = ThingSerializer\n    http_method_names = ["post"]\n    def get_queryset(self): ...\nclass S(viewsets.ModelViewSet):\n    serializer_class = ThingSerializer\n    def create(self, request): ...\nclass ThingSerializer: ...\n`,
    },
    ...["GET /f", "PUT /f", "GET /c", "DELETE /c", "GET /g/{pk} none -> ThingSerializer"],
    ...["PUT /g/{pk} ThingSerializer -> ThingSerializer", "PATCH /g/{pk}  -> ThingSerializer"],
    ...[
      "DELETE /g/{pk} none -> none",
      "POST /l ThingSerializer -> ThingSerializer",
      "GET /s none -> ",
      "POST /s",
    ],
  ],
  "the standard ones of view sets, by what they stand on": [
    {
      "a/urls.py": `${URLS}${DRF}from a.views import All, Read, Some, Own\nrouter = routers.DefaultRouter()\nrouter.register(r"all", All, basename="all")\nrouter.register("read", Read)\nrouter.register("some", Some)\nrouter.register("own", Own)\nurlpatterns = [path("api/", include(router.urls))]\n`,
      "a/views.py": `${DRF}class Base(viewsets.ModelViewSet): ...\nclass All(Base):\n    lookup_field = "slug"\n    http_method_names = ["get", "delete", "head"]\nclass Read(viewsets.ReadOnlyModelViewSet): ...\nclass Some(mixins.CreateModelMixin, viewsets.GenericViewSet): ...\nclass Own(viewsets.ViewSet):\n    def list(self, request): ...\n    @action(detail=True, methods=["post"], url_path="set-it")\n    def set_it(self, request, pk): ...\n    @set_it.mapping.delete\n    def unset(self, request, pk): ...\n    @action(detail=False)\n    def recent(self, request): ...\n`,
    },
    ...["GET /api/all none -> ", "GET /api/all/{slug} none -> ", "DELETE /api/all/{slug} none -> none"],
    ...["GET /api/read none -> ", "GET /api/read/{pk} none -> ", "POST /api/some"],
    ...["GET /api/own", "POST /api/own/{pk}/set-it", "DELETE /api/own/{pk}/set-it", "GET /api/own/recent"],
  ],
  "of nested routers, and of routers that take over what another has": [
    {
      "a/urls.py": `${DRF}from rest_framework_nested.routers import NestedSimpleRouter\nfrom b.routers import router as other\nrouter = routers.SimpleRouter()\nclass V(mixins.ListModelMixin, viewsets.GenericViewSet): ...\nrouter.register("orders", V)\ninner = NestedSimpleRouter(router, "orders", lookup="order")\ninner.register("lines", V)\nrouter.registry.extend(other.registry)\nurlpatterns = [*router.urls, *inner.urls]\n`,
      "b/routers.py": `${DRF}router = routers.SimpleRouter()\nclass W(mixins.DestroyModelMixin, viewsets.GenericViewSet): ...\nrouter.register("w", W)\n`,
    },
    ...["GET /orders none -> ", "DELETE /w/{pk} none -> none", "GET /orders/{key}/lines none -> "],
  ],
  "from the root that settings name; where the rest is, nobody knows": [
    {
      "conf/settings.py": 'from django import x\nROOT_URLCONF = "conf.urls"\n',
      "conf/urls.py": `${URLS}def f(r): ...\nurlpatterns = [path("a/", f)]\n`,
      "other/urls.py": `${URLS}def f(r): ...\nurlpatterns = [path("b/", f)]\n`,
    },
    ...["* /a", "… * /b (`other/urls.py` is not included)"],
  ],
  "of a router that is one of two, beside an administration whose place is set elsewhere": [
    {
      "conf/urls.py": `${URLS}from django.conf import settings\nfrom django.contrib import admin\nfrom rest_framework.authtoken.views import obtain_auth_token\nfrom guardian import Guarded\nfrom rest_framework.views import APIView\nclass Job(Guarded, APIView):\n    def get(self, request): ...\nurlpatterns = [path(settings.ADMIN_URL, admin.site.urls), path("api/", include("conf.api")), path("token/", obtain_auth_token), path("job/", Job.as_view())]\n`,
      "conf/api.py": `from django.conf import settings\nfrom rest_framework.routers import DefaultRouter, SimpleRouter\nfrom rest_framework.viewsets import ViewSet\nclass Users(ViewSet):\n    def list(self, request): ...\nrouter = DefaultRouter() if settings.DEBUG else SimpleRouter()\nrouter.register("users", Users, "users")\nurlpatterns = router.urls\n`,
    },
    ...["GET /api/users", "POST /token", "GET /job"],
    "? /job: its view extends `guardian.Guarded`, which may accept more methods",
  ],
  "of which not all is seen": [
    {
      "a/urls.py": `${URLS}from django.contrib import admin\nfrom django.conf.urls.i18n import i18n_patterns\nfrom django.conf.urls.static import static\nfrom ninja import NinjaAPI\nfrom rest_framework.urlpatterns import format_suffix_patterns\nfrom own.views import Strange, away\nfrom django.views.generic import TemplateView\napi = NinjaAPI()\ndef f(r): ...\nclass V(Strange): ...\nurlpatterns = [path("admin/", admin.site.urls), path("n/", api.urls), path("auth/", include("rest_framework.urls")), path("v/", V.as_view()), path("away/", away), re_path(r"^r/(a|b)+/", f), path("page/", TemplateView.as_view(template_name="x")), path(PATH, f)]\nurlpatterns += i18n_patterns(path("i/", f))\nurlpatterns += static("/media/")\nurlpatterns = format_suffix_patterns(urlpatterns)\n`,
    },
    "GET /page",
    "… * /i (a language prefix comes first)",
    "? /admin: unclear what is included here: these are pages of the Django admin",
    "? /n: unclear what is included here: `api` is created by `ninja.NinjaAPI`",
    "? /auth: unclear what is included here: `rest_framework.urls` is not in the project",
    "? /v: its view extends `own.views.Strange`, which may accept more methods",
    "? /away: its view `away` is not in the project",
    "? /r: only a part of the path is known: the path is a regular expression",
    "?: only a part of the path is known: `PATH` is computed at run time",
  ],
};

test.each(Object.entries(cases))("routes of Django are %s", async (_, [files, ...expected]) => {
  expect(told(await pythonRoutes(files))).toEqual(expected);
});

test("a route of Django is where its path stands", async () => {
  const { routes } = await pythonRoutes({
    "a/urls.py": `${URLS}def f(r): ...\nurlpatterns = [\n    path("a/", f),\n    path(\n        "b/", f),\n]\n`,
  });
  expect(routes.map(({ path, file, line }) => `${path} ${file}:${line}`)).toEqual([
    "/a a/urls.py:4",
    "/b a/urls.py:5",
  ]);
});
