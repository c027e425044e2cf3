/**
 * What a type says, whatever language it is written in: the one form in which contracts and code are compared. What cannot be
 * seen in the text is said to be unknown, with the reason; it is never filled in by a guess.
 */
export type TypeShape =
  | {
      readonly kind: "fields";
      readonly fields: readonly Field[];
      /** Why it may have more than these: a base that cannot be seen; null: these are all. */
      readonly more: string | null;
    }
  /** An enum, or literals of which it is one: as JSON writes them, or `READ = 1 << 0` where only a program that runs knows the value. */
  | { readonly kind: "values"; readonly values: readonly string[] }
  /** Another name for this. */
  | { readonly kind: "alias"; readonly type: ValueType }
  | { readonly kind: "unknown"; readonly why: string };

export type Field = {
  readonly name: string;
  readonly type: ValueType;
  /** It may be left out: it has a default, or is marked so. That its value may be null is part of the type. */
  readonly isOptional: boolean;
  /** From 1. */
  readonly line: number;
  /** What it is called in data, where that is another name. */
  readonly alias?: string;
  /** A rule of its class says what it is called in data: `order_id` is `orderId` there, or the like. */
  readonly isCalledByRule?: boolean;
  /** The text does not say whether it may be left out, as with the column of a table: then `isOptional` says nothing. */
  readonly leftOutUnclear?: boolean;
  /** It is there without being one of the data, as the other side of a relation: a contract may name it or not. */
  readonly isImplied?: boolean;
  /** The database gives it: it may be null in the code as long as it has not been given. */
  readonly isKey?: boolean;
  /** It is in one direction only, as `readOnly` and `writeOnly` of an API document say. */
  readonly only?: "request" | "response";
  /** The file that it stands in, once files are linked: a base may be in another one. */
  readonly file?: string;
};

/**
 * The type of a value. Names are the same for both languages where they mean the same: string, integer, number, boolean, null, bytes,
 * any, object, datetime, date, time, duration, decimal, uuid, function; list (one argument), set, map (two), tuple. All other names
 * are those of the project. A `number` of TypeScript is `number`. What TypeScript makes of types that stand elsewhere keeps the name
 * of the operation: see script/operators.ts.
 */
export type ValueType =
  | { readonly kind: "name"; readonly name: string; readonly args: readonly ValueType[] }
  /** As JSON writes it: `"active"`, `3`, `true`. */
  | { readonly kind: "literal"; readonly value: string }
  /** In any order, nested ones taken apart, each once. */
  | { readonly kind: "union"; readonly of: readonly ValueType[] }
  | { readonly kind: "fields"; readonly fields: readonly Field[] }
  | { readonly kind: "unknown"; readonly text: string };

export type NameType = Extract<ValueType, { kind: "name" }>;

export type DeclaredShape = {
  /** With what it is nested in: `Orders.Line`. */
  readonly name: string;
  /** From 1: where its name stands. */
  readonly line: number;
  readonly shape: TypeShape;
  /** What it takes fields from, by the names in its file; they are looked up when all files are known. */
  readonly bases: readonly string[];
  /** What each of these takes, as in `extends Page<Order>`; without it, nothing. */
  readonly baseArguments?: readonly (readonly ValueType[])[];
  /** Of what sort it is, as in the code: `dataclass`, `BaseModel`, `Enum`, `interface`, `z.object`, `django model`. */
  readonly sort: string;
  /** It has such a rule, which holds for what it takes from bases and for who takes from it: see `Field`. */
  readonly hasNameRule?: boolean;
  /** Its values, should one of its bases turn out to be an enum. */
  readonly members?: readonly string[];
  /** It only helps to declare what others need: who implements the contract may do without it. */
  readonly isHelper?: boolean;
  /** The file that a comment above it names: where a contract wants it to be. */
  readonly home?: string;
};

/** What one file has of types; a plain value, so that its tree can be freed. */
export type ModuleTypes = { readonly types: readonly DeclaredShape[] };
