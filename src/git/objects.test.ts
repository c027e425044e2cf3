import { expect, test } from "vitest";
import { hasUnnamedPart, namedTasks } from "./objects.ts";

const trailers = (task: string, run = "shop-k7f2") =>
  `Plait-Run: ${run}\nPlait-Task: ${task}\nPlait-Attempt: 1`;
const short = (message: string) => namedTasks(message).map(({ task, run }) => `${task} ${run}`);

test.each([
  ["one commit of a task", `Carts\n\n${trailers("a")}\n`, ["a shop-k7f2"]],
  [
    "a landing as one commit",
    "shop: 2 tasks\n\nPlait-Run: r-1\nPlait-Task: a\nPlait-Task: b\n",
    ["a r-1", "b r-1"],
  ],
  [
    "a squash on a server, a list of messages",
    `Shop (#12)\n\n* Carts\n\n${trailers("a")}\n\n* Orders\n\n${trailers("b")}\n\n* Carts again\n\n${trailers("a")}\n\n---------\n\nCo-authored-by: X <x@example.com>\n`,
    ["a shop-k7f2", "b shop-k7f2"],
  ],
  [
    "a squash by git, indented",
    `Squashed commit of the following:\n\ncommit 012\nAuthor: X\n\n    Carts\n    \n${trailers("a").replace(/^/gm, "    ")}\n`,
    ["a shop-k7f2"],
  ],
  [
    "a list of lines, with other line ends",
    "Shop\r\n\r\n- Plait-Task: a\r\n* Plait-Task: b\r\n",
    ["a null", "b null"],
  ],
  [
    "two runs",
    `x\n\n${trailers("a", "r-1")}\n\n${trailers("a", "r-2")}\n\nPlait-Task: a`,
    ["a r-1", "a r-2", "a null"],
  ],
  ["prose", "The line `Plait-Task: a` counts\n\nPlait-Task: <task> of the plan\nSee Plait-Task: a\n", []],
])("%s", (_, message, tasks) => {
  expect(short(message)).toEqual(tasks);
});

test.each([
  ["a commit of a task", `Carts\n\n${trailers("a")}\n`, false],
  ["commits of tasks", `Shop (#1)\n\n* Carts\n\n${trailers("a")}\n\n* Orders\n\n${trailers("b")}\n`, false],
  ["a list in a body", `Shop (#1)\n\n* Carts\n\n* one\n* two\n\n${trailers("a")}\n`, false],
  ["a commit of a person", `Shop (#1)\n\n* Carts\n\n${trailers("a")}\n\n* Typo\n\n---------\n\nBy: X`, true],
  ["a person first", `Shop (#1)\r\n\r\n* Plan\r\n\r\n* Carts\r\n\r\n${trailers("a")}`, true],
])("a part without a task: %s", (_, message, expected) => {
  expect(hasUnnamedPart(message)).toBe(expected);
});
