import { expect, test } from "vitest";
import type { RunId, TaskId } from "../core/ids.ts";
import { joinMessages } from "./land-message.ts";

const link = (task: string, message: string) => ({
  title: task,
  message,
  task: { task: task as TaskId },
});

test("a squash gives each task its subject and its report, also where the subject was cut", () => {
  const cut = "Add a search that finds bread by name and by price and also by the day…";
  const long = `${cut}\n\n…it was baked.\n\nThe index is rebuilt at night.`;
  const links = [link("search", long), link("tax", "Add tax\n\nPrices show the tax.")];
  expect(joinMessages(links, { run: "shop-k7f2" as RunId, plan: "shop" })).toBe(`shop: 2 tasks

- ${cut}

  The index is rebuilt at night.

- Add tax

  Prices show the tax.

Plait-Run: shop-k7f2
Plait-Task: search
Plait-Task: tax
`);
});

test("a task that was redone has the subject of its last merge", () => {
  const links = [
    link("tax", "Add tax\n\nPrices show the tax.\n\nPlait-Attempt: 1"),
    link("tax", "Add tax and duty\n\nPlait-Attempt: 2"),
  ];
  const options = { run: "shop-k7f2" as RunId, plan: "shop" };
  expect(joinMessages(links, options)).toBe("Add tax and duty\n\nPrices show the tax.\n\nPlait-Attempt: 2\n");
  expect(joinMessages([...links, link("web", "Add a page")], options)).toContain("- Add tax and duty\n");
});
