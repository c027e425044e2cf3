import { expect, test } from "vitest";
import { readEnv } from "../config/env.ts";
import { plait } from "../core/text/command.ts";
import { createHost } from "./host.ts";
import type { Request } from "./request.ts";

test.each([
  [{}, {}, false],
  [{ allowRoot: false }, {}, false],
  [{ allowRoot: true }, {}, true],
  [{ allowRoot: false }, { IS_SANDBOX: "1" }, true], // as the older command lines ask
])("root is allowed by a flag, or by what a container says: %j %j", (options, env, allowRoot) => {
  const request = { options, env: readEnv(env), startedIn: "/" } as Request;
  expect(createHost(request, plait("run")).allowRoot).toBe(allowRoot);
});
