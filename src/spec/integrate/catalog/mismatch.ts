// Data that an endpoint takes or returns, and in what it differs from the contract.

export type DataRole =
  | { readonly kind: "request" | "response" }
  | { readonly kind: "parameter"; readonly place: string; readonly name: string };

export type DataSubject = {
  readonly role: DataRole;
  /** From the type that it is in: `lines[].price`; empty: the whole. */
  readonly path: string;
  readonly owner: string | null;
};

export type DataMismatch = DataSubject &
  (
    | { readonly kind: "null"; readonly isNullInCode: boolean }
    | { readonly kind: "optional"; readonly isOptionalInCode: boolean }
    /** A list where the contract has an object. */
    | { readonly kind: "json"; readonly code: readonly string[]; readonly contract: readonly string[] }
    | {
        readonly kind: "value";
        readonly value: string;
        readonly isMissing: boolean;
        readonly of: string | null;
      }
    /** Only one side limits the values. */
    | { readonly kind: "values"; readonly values: readonly string[]; readonly side: "code" | "contract" }
    | {
        readonly kind: "field";
        readonly field: string;
        readonly isMissing: boolean;
        /** Why the type may have more fields. */
        readonly reason: string | null;
      }
  );

export function formatRole(role: DataRole): string {
  if (role.kind !== "parameter") return role.kind;
  return `${role.place} ${role.place === "cookie" ? "" : "parameter "}\`${role.name}\``;
}

/** "response field `total` of `OrderOut`"; without a path, the whole. */
function formatSubject({ role, path, owner }: DataSubject): string {
  const name = formatRole(role);
  if (path === "") return role.kind === "parameter" ? name : `${name} body`;
  if (/^(?:\[\])+$/.test(path)) return `each item of ${name}`;
  return `${name} field \`${path}\`${owner === null ? "" : ` of \`${owner}\``}`;
}

/** "response `OrderOut`". */
const formatOwner = ({ role, owner }: DataSubject): string =>
  owner === null ? formatRole(role) : `${formatRole(role)} \`${owner}\``;

const MOST_VALUES = 4;

export function formatMismatch(mismatch: DataMismatch): string {
  const subject = formatSubject(mismatch);
  switch (mismatch.kind) {
    case "null":
      return mismatch.isNullInCode
        ? `${subject} may be null in the code, not in the contract`
        : `${subject} may be null in the contract, not in the code`;
    case "optional": {
      const [here, there] = mismatch.isOptionalInCode ? ["optional", "required"] : ["required", "optional"];
      return `${subject} is ${here} in the code, ${there} in the contract`;
    }
    case "json":
      return `${subject} is ${mismatch.code.join(" or ")} in the code, ${mismatch.contract.join(" or ")} in the contract`;
    case "value": {
      const owner = mismatch.of === null ? subject : `\`${mismatch.of}\``;
      return `${owner} ${mismatch.isMissing ? "lacks" : "has extra"} value \`${mismatch.value}\``;
    }
    case "values": {
      const values = mismatch.values.slice(0, MOST_VALUES).map((value) => `\`${value}\``);
      const list = `one of ${values.join(", ")}`;
      const [here, there] = mismatch.side === "code" ? [list, "any value"] : ["any value", list];
      return `${subject} is ${here} in the code, ${there} in the contract`;
    }
    default: {
      const text = `${formatOwner(mismatch)} ${mismatch.isMissing ? "lacks" : "has extra"} field \`${mismatch.field}\``;
      return mismatch.reason === null ? text : `${text}, but ${mismatch.reason}`;
    }
  }
}
