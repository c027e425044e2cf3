import type { Diagnostic } from "../../../core/source.ts";
import { type Doc, textAt } from "../../../formats/cpo/fields.ts";
import { find, keyRangeAt, type Path, type Tree } from "../../../formats/yaml/tree.ts";
import { apiDocument } from "../../contracts/api.ts";
import { resolved } from "../../contracts/api-references.ts";
import type { ContractFile } from "../../contracts/check.ts";
import { contentModels } from "./operation-models.ts";
import type { ModelUse } from "./route.ts";

/** An operation of an API contract. */
export type ApiOperation = {
  /** `GET`. */
  readonly method: string;
  /** As the contract writes it, without what its servers put before it. */
  readonly route: string;
  /** What servers put before it, the first one's first; `[""]` where they say nothing. */
  readonly prefixes: readonly string[];
  /** The contract says itself where its servers are. */
  readonly hasServers: boolean;
  readonly operationId: string | null;
  /** Any of these is right; the first is how the contract says it. */
  readonly request: readonly ModelUse[];
  readonly response: readonly ModelUse[];
  /** From 1. */
  readonly line: number;
};

/** `problem`: nothing can be compared with it. */
export type ApiOperations = {
  readonly operations: readonly ApiOperation[];
  readonly problem: Diagnostic | null;
};

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** All operations of an API document, in its order. */
export function operationsOf(contract: ContractFile): ApiOperations {
  const doc = apiDocument(contract);
  if ("problem" in doc) return { operations: [], problem: doc.problem };
  const paths = find(doc.tree, ["paths"]);
  const routes =
    paths?.kind === "map" ? [...paths.entries.keys()].filter((key) => !key.startsWith("x-")) : [];
  return { operations: routes.flatMap((route) => operationsAt(doc, route)), problem: null };
}

function operationsAt(doc: Doc, route: string): ApiOperation[] {
  const item = resolved(doc, find(doc.tree, ["paths", route]));
  if (item?.kind !== "map") return [];
  return METHODS.flatMap((method) => {
    const operation = find(item, [method]);
    if (operation?.kind !== "map") return [];
    const servers = [operation, item, doc.tree].map((tree) => find(tree, ["servers"])).find(isFilled) ?? null;
    const written: Path = ["paths", route, method];
    return [
      {
        ...{ method: method.toUpperCase(), route },
        ...{ prefixes: prefixesOf(servers), hasServers: servers !== null },
        operationId: textAt({ ...doc, tree: operation }, "operationId")?.value ?? null,
        request: requestOf(doc, operation),
        response: responseOf(doc, operation),
        line: keyRangeAt(doc.index, doc.tree, written).start.line,
      },
    ];
  });
}

function isFilled(servers: Tree | null): boolean {
  return servers?.kind === "list" && servers.items.length > 0;
}

/** The parts of the servers' addresses that are paths. */
function prefixesOf(servers: Tree | null): string[] {
  const items = servers?.kind === "list" ? servers.items : [];
  const prefixes = items.flatMap((server) => {
    const url = text(find(server, ["url"]));
    if (url === null) return [];
    const whole = url.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => text(find(server, ["variables", name, "default"])) ?? "",
    );
    const path = whole.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, "").replace(/[?#].*$/, "");
    return [path === "" || path === "/" ? "" : `/${path.replaceAll(/^\/+|\/+$/g, "")}`];
  });
  return prefixes.length === 0 ? [""] : [...new Set(prefixes)];
}

function text(tree: Tree | null): string | null {
  return tree?.kind === "scalar" && tree.value !== null ? String(tree.value) : null;
}

function requestOf(doc: Doc, operation: Tree): ModelUse[] {
  const body = find(operation, ["requestBody"]);
  if (body === null) return [{ kind: "none" }];
  const node = resolved(doc, body);
  return node === null ? [{ kind: "undeclared" }] : contentModels(doc, find(node, ["content"]));
}

/** Of all answers that say that it went well. Those without content say nothing, but for the statuses that must not have any. */
function responseOf(doc: Doc, operation: Tree): ModelUse[] {
  const responses = find(operation, ["responses"]);
  const entries = responses?.kind === "map" ? [...responses.entries] : [];
  const uses = entries
    .filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
    .flatMap(([status, { value }]): ModelUse[] => {
      if (/^20[45]$/.test(status)) return [{ kind: "none" }];
      const node = resolved(doc, value);
      const content = node === null ? null : find(node, ["content"]);
      return content === null ? [{ kind: "undeclared" }] : contentModels(doc, content);
    });
  return uses.length === 0 ? [{ kind: "undeclared" }] : uses;
}
