import { expect, test } from "vitest";
import { doneFiles, projectFiles, typescript } from "../../../../test/spec/example-projects.ts";
import { readSource } from "../../../syntax/read-source.ts";
import { scriptTypes } from "./script.ts";
import type { DeclaredShape } from "./shape.ts";

async function typesIn(text: string): Promise<readonly DeclaredShape[]> {
  const { tree, errors } = await readSource("typescript", text);
  try {
    expect(errors).toEqual([]);
    return scriptTypes(tree).types;
  } finally {
    tree.free();
  }
}

/** Where something stands is no part of what it is. */
const plain = ({ name, shape, bases }: DeclaredShape) =>
  JSON.parse(JSON.stringify({ name, shape, bases }), (key, value) => (key === "line" ? undefined : value));

test("each type of the contract of the example is in the code that does it well, in the file that the contract says", async () => {
  const design = JSON.parse(projectFiles(typescript)["design.json"] ?? "{}");
  const contract = await typesIn(design.contracts.types);
  expect(contract.length).toBeGreaterThan(15);
  const files = doneFiles(typescript);
  for (const type of contract) {
    const declared = await typesIn(files[type.home ?? ""] ?? "");
    const found = declared.filter(({ name }) => name === type.name);
    expect(found.map(plain)).toEqual([plain(type)]);
  }
});
