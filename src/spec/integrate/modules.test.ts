import { expect, test } from "vitest";
import { moduleResolver } from "./modules.ts";

const resolve = moduleResolver([
  ...["app/__init__.py", "app/models.py", "app/routers/__init__.py", "app/routers/products.py"],
  ...["src/shop/cart.py", "backend/manage.py", "backend/orders/urls.py"],
  ...["web/index.ts", "web/a.ts", "web/b/index.tsx", "src/c.ts", "web/d.js"],
  ...["apps/shop/src/main.ts", "apps/shop/src/users/users.module.ts", "apps/shop/src/c.ts"],
]);

test.each([
  ["app.models", "app/routers/products.py", "app/models.py"],
  ["app.routers", "app/__init__.py", "app/routers/__init__.py"],
  [".products", "app/routers/__init__.py", "app/routers/products.py"],
  ["..models", "app/routers/products.py", "app/models.py"],
  [".", "app/models.py", "app/__init__.py"],
  ["....x", "app/models.py", null],
  ["shop.cart", "app/models.py", "src/shop/cart.py"],
  ["orders.urls", "backend/orders/urls.py", "backend/orders/urls.py"],
  ["fastapi", "app/models.py", null],
  ["./a.js", "web/index.ts", "web/a.ts"],
  ["./a", "web/index.ts", "web/a.ts"],
  ["./b", "web/index.ts", "web/b/index.tsx"],
  [".", "web/a.ts", "web/index.ts"],
  ["./d.js", "web/index.ts", "web/d.js"],
  ["@/c", "web/index.ts", "src/c.ts"],
  ["@/c", "apps/shop/src/users/users.module.ts", "apps/shop/src/c.ts"],
  ["src/users/users.module", "apps/shop/src/main.ts", "apps/shop/src/users/users.module.ts"],
  ["src/c.js", "web/index.ts", "src/c.ts"],
  ["hono", "web/index.ts", null],
  ["../../x", "web/index.ts", null],
])("%s in %s is %s", (from, importer, path) => expect(resolve(from, importer)).toBe(path));
