import type { Diagnostic } from "../source.ts";

/** As it is printed: `tasks[2].wave: must be a number`. */
export const formatMessage = ({ path, message }: Pick<Diagnostic, "path" | "message">): string =>
  path === undefined ? message : `${path}: ${message}`;
