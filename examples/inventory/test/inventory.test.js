import assert from "node:assert/strict";
import { test } from "node:test";
import { size } from "../src/inventory.js";

test("an inventory has a size", () => assert.equal(size([{}, {}]), 2));
