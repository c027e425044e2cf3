import { expect, it } from "vitest";
import { useHost } from "./host.ts";
import { pidsWith } from "./support.ts";

const host = useHost();

it("a hundred and fifty children at once are all ended, with all that they started, and none is cut or left (I5)", async () => {
  const seen = (await host("crowd", "150").next()) as { marker: string };
  expect(seen).toEqual({ marker: expect.any(String), signals: ["SIGKILL"], left: [], cut: 0 });
  expect(pidsWith(`PLAIT_RUN=${seen.marker}`)).toEqual([]);
});
