import type { SpecFile, Technology } from "./spec-contents.ts";
import type { SpecFolder } from "./spec-folder.ts";

/** What the tasks of a spec agree on before any of them begins: types, and the interface over HTTP. */
export function contractsOf({ techSpecId, name, technology }: SpecFolder): SpecFile[] {
  return [
    { path: typesPath(technology), text: TYPES[technology].text(techSpecId) },
    { path: API_SCHEMA, text: apiSchema(techSpecId, name) },
  ];
}

/** From the artefact folder. */
export const API_SCHEMA = "contracts/api-schema.yaml";

export function typesPath(technology: Technology): string {
  return `contracts/${TYPES[technology].file}`;
}

type Types = { readonly file: string; readonly text: (id: string) => string };

const ABOUT = (id: string) =>
  `Types of ${id} that tasks share: a design document. Recreate them in the code; never import this file.`;

const python: Types = {
  file: "types.py",
  text: (id) => `"""${ABOUT(id)}"""

from dataclasses import dataclass


@dataclass
class Example:
    """REPLACE ME."""

    id: int
    name: str
`,
};

const TYPES: { readonly [T in Technology]: Types } = {
  python,
  django: python,
  typescript: {
    file: "types.ts",
    text: (id) => `// ${ABOUT(id)}

/** REPLACE ME. */
export type Example = {
  id: number;
  name: string;
};
`,
  },
  go: {
    file: "types.go",
    text: (id) => `// ${ABOUT(id)}
package contracts

// Example is to be replaced.
type Example struct {
	ID   int
	Name string
}
`,
  },
};

const apiSchema = (id: string, name: string): string => `openapi: 3.0.3
info:
  title: ${JSON.stringify(`${id} ${name}`)}
  version: 0.1.0
# REPLACE ME: the paths that tasks build and call.
paths: {}
components:
  schemas:
    Example:
      type: object
      required: [id, name]
      properties:
        id: { type: integer }
        name: { type: string }
`;
