// What tasks would have agreed on, written otherwise than the code wrote it: as one file of
// types for each language, without bases, and an API document.

/** For the names of each part that something was agreed on about. */
export function contractsOf(names) {
  const [fastapi, django, hono, express, nest] = ["fastapi", "django", "hono", "express", "nest"].map(names);
  const paths = [
    ...fastapi.map(fastapiPaths),
    ...django.map(djangoPaths),
    ...hono.map(honoPaths),
    ...express.map(expressPaths),
    ...nest.map(nestPaths),
  ];
  const python = [PYTHON_HEAD, ...fastapi.map(pythonTypes)];
  const script = [SCRIPT_HEAD, ...hono.map(honoTypes), ...express.map(expressTypes), ...nest.map(nestTypes)];
  return [
    { path: "contracts/types.py", text: python.join("\n") },
    { path: "contracts/types.ts", text: script.join("\n") },
    { path: "contracts/api-schema.yaml", text: apiSchema(paths, { fastapi, hono, nest }) },
  ].map((one) => ({ ...one, file: `parallel/TS-0001-large/${one.path}` }));
}

const PYTHON_HEAD = `from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Dict, List, Literal, Optional, Union
from uuid import UUID


# backend/app/models/shared.py
class Currency(str, Enum):
    EUR = "EUR"
    USD = "USD"
    JPY = "JPY"


@dataclass
class Money:
    amount: Decimal
    currency: Currency

`;

const pythonTypes = ({ one, Type }) => `
# backend/app/models/${one}.py
class ${Type}Status(str, Enum):
    ACTIVE = "active"
    ARCHIVED = "archived"
    DRAFT = "draft"


@dataclass
class ${Type}Note:
    author: str
    text: str
    kind: Literal["warning", "remark"] = "remark"


@dataclass
class ${Type}Create:
    name: str
    price: Money
    description: Optional[str] = None
    tags: List[str] = field(default_factory=list)


@dataclass
class ${Type}Update:
    name: Optional[str] = None
    description: Union[str, None] = None
    price: Optional[Money] = None


@dataclass
class ${Type}:
    id: UUID
    name: str
    price: Money
    created_at: datetime
    updated_at: Optional[datetime] = None
    description: Optional[str] = None
    tags: List[str] = field(default_factory=list)
    status: ${Type}Status = ${Type}Status.DRAFT
    notes: List[${Type}Note] = field(default_factory=list)
    attributes: Dict[str, Any] = field(default_factory=dict)


@dataclass
class ${Type}Page:
    items: List[${Type}]
    total: int
    next: Optional[str] = None
`;

const SCRIPT_HEAD = `// store/src/shared/types.ts
export enum Currency {
  Euro = "EUR",
  Dollar = "USD",
  Yen = "JPY",
}

export interface Price {
  amount: number;
  currency: Currency;
}

// store/src/shared/problem.ts
export interface StoreProblem {
  title: string;
  status: number;
  issues?: Array<{ message: string; path: string }>;
}

// partner/src/common/pagination.dto.ts
export interface PartnerPagination {
  limit?: number;
  cursor?: string;
}
`;

const honoTypes = ({ one, Type }) => `
// store/src/domain/${one}.ts
export type ${Type}State = "draft" | "active" | "archived";

export interface ${Type}Note {
  author: string;
  kind: "warning" | "remark";
  text: string;
}

export interface ${Type} {
  id: string;
  name: string;
  description?: string;
  state: ${Type}State;
  price: Price;
  tags: string[];
  notes: ${Type}Note[];
  attributes: { [name: string]: unknown };
  createdAt: string;
  updatedAt?: string;
}

export interface ${Type}Patch {
  name?: string;
  description?: string;
  price?: Price;
}

export interface ${Type}Summary {
  id: string;
  name: string;
  description?: string;
  state: ${Type}State;
  price: Price;
  tags: string[];
  createdAt: string;
  updatedAt?: string;
  noteCount: number;
}

export type ${Type}Event =
  | { kind: "archived"; at: string; reason: string | null }
  | { kind: "created"; by: string; at: string };

// store/src/schemas/${one}.ts
export interface Create${Type} {
  name: string;
  description?: string;
  price: Price;
  tags: string[];
}
`;

const expressTypes = ({ one, Type }) => `
// admin/src/types/${one}.ts
export interface ${Type}Flags {
  locked: boolean;
  hidden: boolean;
}

export interface ${Type}Row {
  id: number;
  label: string;
  owner: string | null;
  flags: ${Type}Flags;
  changedAt: Date;
}

export enum ${Type}Sort {
  Label = "label",
  ChangedAt = "changed-at",
}

export interface ${Type}Table {
  rows: ${Type}Row[];
  sort: ${Type}Sort;
  selected?: number;
}
`;

const nestTypes = ({ one, many, Type }) => `
// partner/src/${many}/dto/create-${one}.dto.ts
export type ${Type}Tier = "basic" | "plus";

export interface ${Type}Contact {
  name: string;
  phone?: string;
}

export interface Create${Type}Dto {
  title: string;
  tier: ${Type}Tier;
  contact: ${Type}Contact;
  labels?: string[];
}

// partner/src/${many}/dto/update-${one}.dto.ts
export interface Update${Type}Dto {
  title?: string;
  contact?: ${Type}Contact;
  labels?: string[];
}

export interface ${Type}Dto extends Create${Type}Dto {
  id: string;
  createdAt: Date;
}
`;

const ref = (name) => `{ $ref: "#/components/schemas/${name}" }`;
const json = (schema) => `content: { application/json: { schema: ${schema} } }`;

const method = (verb, { takes, gives, status = 200 }) =>
  [
    `    ${verb}:`,
    ...(takes === undefined ? [] : [`      requestBody: { ${json(takes)} }`]),
    "      responses:",
    `        "${status}": { description: done${gives === undefined ? "" : `, ${json(gives)}`} }`,
  ].join("\n");

const path = (where, parameter, ...methods) =>
  [
    `  ${where}:`,
    ...(parameter === null
      ? []
      : [`    parameters: [{ name: ${parameter}, in: path, required: true, schema: { type: string } }]`]),
    ...methods,
  ].join("\n");

const fastapiPaths = ({ one, many, Type }) =>
  [
    path(
      `/api/v1/${many}`,
      null,
      method("get", { gives: ref(`${Type}Page`) }),
      method("post", { takes: ref(`${Type}Create`), gives: ref(Type), status: 201 }),
    ),
    path(
      `/api/v1/${many}/{${one}_id}`,
      `${one}_id`,
      method("get", { gives: ref(Type) }),
      method("patch", { takes: ref(`${Type}Update`), gives: ref(Type) }),
      method("delete", { status: 204 }),
    ),
    path(`/api/v1/${many}/{id}/archive`, "id", method("post", { gives: ref(Type) })),
  ].join("\n");

const djangoPaths = ({ many }) =>
  [
    path(`/backoffice/${many}/`, null, method("get", {}), method("post", { status: 201 })),
    path(`/backoffice/${many}/{pk}/`, "pk", method("get", {}), method("delete", { status: 204 })),
    path(`/backoffice/${many}/{pk}/close/`, "pk", method("post", { status: 204 })),
  ].join("\n");

const honoPaths = ({ many, Type }) =>
  [
    path(
      `/store/${many}`,
      null,
      method("get", {}),
      method("post", { takes: ref(`Create${Type}`), gives: ref(Type), status: 201 }),
    ),
    path(
      `/store/${many}/{id}`,
      "id",
      method("get", { gives: ref(Type) }),
      method("patch", {}),
      method("delete", { status: 204 }),
    ),
  ].join("\n");

const expressPaths = ({ many }) =>
  [
    path(`/admin/${many}`, null, method("get", {})),
    path(`/admin/${many}/{id}`, "id", method("get", {}), method("delete", { status: 204 })),
    path(`/admin/${many}/{id}/lock`, "id", method("post", { status: 204 })),
  ].join("\n");

const nestPaths = ({ many, Type }) =>
  [
    path(
      `/partner/${many}`,
      null,
      method("get", { gives: `{ type: array, items: ${ref(`${Type}Dto`)} }` }),
      method("post", { takes: ref(`Create${Type}Dto`), gives: ref(`${Type}Dto`), status: 201 }),
    ),
    path(
      `/partner/${many}/{id}`,
      "id",
      method("get", { gives: ref(`${Type}Dto`) }),
      method("patch", { takes: ref(`Update${Type}Dto`), gives: ref(`${Type}Dto`) }),
      method("delete", { status: 204 }),
    ),
  ].join("\n");

function apiSchema(paths, { fastapi, hono, nest }) {
  const schemas = [
    ...fastapi.flatMap(({ Type }) => [Type, `${Type}Page`, `${Type}Create`, `${Type}Update`]),
    ...hono.flatMap(({ Type }) => [Type, `Create${Type}`]),
    ...nest.flatMap(({ Type }) => [`${Type}Dto`, `Create${Type}Dto`, `Update${Type}Dto`]),
  ];
  return `openapi: 3.1.0
info: { title: Store, version: "1" }
paths:
${paths.join("\n")}
components:
  schemas:
${schemas.map((name) => `    ${name}: { type: object }`).join("\n")}
`;
}
