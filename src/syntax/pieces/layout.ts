import type { Language } from "../language.ts";

/** From the root to where a walk is, by depth. */
export type Way = {
  readonly language: Language;
  readonly types: string[];
  readonly starts: number[];
  /** How many commas are directly in each. */
  readonly commas: number[];
  /** Of those that are brackets around something: whether they mean nothing. */
  readonly brackets: boolean[];
};

/** Whether a token is there for the eye only, as formatters put it or take it away; `next` is of what type the node behind it is. */
export function isLayout(way: Way, depth: number, next: string): boolean {
  const parent = way.types[depth - 1] ?? "";
  switch (way.types[depth]) {
    case ";": // at the end of a statement, and not in the head of a loop
      return !/^(?:for|if|expression_switch|type_switch)_/.test(parent);
    case ",": // between members, which are told apart by themselves
      return parent === "interface_body" || parent === "object_type";
    case "|":
    case "&": // before the first of several types
      return /^(?:union|intersection)_type$/.test(parent) && way.starts[depth] === way.starts[depth - 1];
    case "(":
      if (BRACKETS.has(parent)) way.brackets[depth - 1] = isForTheEye(way, depth, next);
      return BRACKETS.has(parent) && way.brackets[depth - 1] === true;
    case ")":
      return BRACKETS.has(parent) && way.brackets[depth - 1] === true;
    default:
      return false;
  }
}

/** What may have round brackets for the eye only. */
const BRACKETS: ReadonlySet<string> = new Set([
  ...["parenthesized_expression", "with_clause", "tuple_pattern", "argument_list"],
]);

/** Where all of an expression may be in brackets, whatever it is. */
const ALL_OF_IT: ReadonlySet<string> = new Set(["return_statement", "assignment", "augmented_assignment"]);
const ALL_IN_PYTHON: ReadonlySet<string> = new Set([
  ...["expression_statement", "assert_statement", "if_statement", "elif_clause", "while_statement"],
  ...["for_statement", "delete_statement", "raise_statement", "with_item"],
]);
const ALL_IN_SCRIPTS: ReadonlySet<string> = new Set([
  ...["variable_declarator", "arrow_function", "assignment_expression", "jsx_expression", "pair"],
]);
/** But for what is something else without them, such as an object that would be the body of a function. */
const NEEDS_THEM = /^(?:object|sequence_expression|comment|named_expression|yield|generator_expression)$/;

function isForTheEye({ types, language }: Way, depth: number, inner: string): boolean {
  const holder = types[depth - 2] ?? "";
  switch (types[depth - 1]) {
    case "with_clause":
      return true;
    case "tuple_pattern": // `for (a, b) in c`
      return /^for_/.test(holder);
    case "argument_list": // `class A():`
      return holder === "class_definition" && inner === ")";
  }
  if (NEEDS_THEM.test(inner) || language === "go") return false;
  if (inner.startsWith("jsx_")) return true;
  return ALL_OF_IT.has(holder) || (language === "python" ? ALL_IN_PYTHON : ALL_IN_SCRIPTS).has(holder);
}

/** Where a comma alone makes a tuple of what it follows. */
const TUPLES: ReadonlySet<string> = new Set(["tuple", "tuple_pattern", "subscript"]);

/** Whether a comma right before this closing bracket means nothing; `before` is what stands in front of the comma. */
export function isTrailing({ types, commas, language }: Way, depth: number, before: string): boolean {
  if (language === "python") return !TUPLES.has(types[depth - 1] ?? "") || (commas[depth - 1] ?? 0) > 1;
  return language === "go" || !/^[,[]$/.test(before); // `[,]` has an element more than `[]`
}

/** What holds statements or members, one after the other. */
const BODIES: ReadonlySet<string> = new Set([
  ...["module", "block", "program", "statement_block", "class_body", "interface_body", "object_type"],
  ...["switch_body", "switch_case", "switch_default", "source_file", "statement_list"],
  ...["field_declaration_list", "expression_case", "default_case", "communication_case", "type_case"],
]);

/** Whether one of several statements or members begins with a node. In the head of a loop nothing is one, too: `for (;;i++)`. */
export function startsStatement(type: string, parent: string): boolean {
  if (type === "empty_statement") return parent === "for_statement";
  return BODIES.has(parent) && !/^(?:\W|comment$|line_continuation$)/.test(type);
}
