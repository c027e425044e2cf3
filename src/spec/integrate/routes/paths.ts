import type { Route, UnclearRoute } from "./route.ts";

/** Paths are the same if they differ in the names of their parameters and in a slash at the end only. */
export function shapeOf(path: string): string {
  const shape = path.replaceAll(/\{[^{}]*\}/g, "{}").replace(/\/+$/, "");
  return shape === "" ? "/" : shape;
}

/** Whether a route of this path is reached by the method of an operation. */
export function answers(route: Route, method: string): boolean {
  if (route.method === "*" || route.method === method) return true;
  // All but one answer by themselves to the one that asks for no content, and to the one that asks what there is.
  const isOwn = route.framework !== "FastAPI";
  return isOwn && ((method === "HEAD" && route.method === "GET") || method === "OPTIONS");
}

/** Whether a route whose beginning is not seen could be this one. */
export function couldEndSo({ path }: Route, shape: string): boolean {
  const end = shapeOf(path);
  return end === "/" || shape.endsWith(end);
}

/** Whether a path could be that of a route that cannot be read. */
export function couldBe({ under }: UnclearRoute, shape: string): boolean {
  if (under === undefined) return true;
  const start = shapeOf(under);
  return start === "/" || shape === start || shape.startsWith(`${start}/`);
}

/** Whether a request to this path would come to a route that has parameters in the place of words. */
export function isTakenBy(shape: string, route: string): boolean {
  const [words, steps] = [shape.split("/"), route.split("/")];
  return words.length === steps.length && steps.every((step, i) => step === "{}" || step === words[i]);
}
