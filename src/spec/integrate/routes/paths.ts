import { type Route, type UnclearRoute, WEBSOCKET } from "./route.ts";

/** Paths are the same if they differ in the names of their parameters and in a slash at the end only. */
export function formOf(path: string): string {
  const form = path.replaceAll(/\{[^{}]*\}/g, "{}").replace(/\/+$/, "");
  return form === "" ? "/" : form;
}

/** Whether a route of this path is reached by the method of an operation. */
export function answers(route: Route, method: string): boolean {
  if (route.method === "*" || route.method === method) return true;
  if (route.method === WEBSOCKET) return method === "GET";
  // All but one answer by themselves to the one that asks for no content, and to the one that asks what there is.
  const isOwn = route.framework !== "FastAPI";
  return isOwn && ((method === "HEAD" && route.method === "GET") || method === "OPTIONS");
}

/** Whether a route whose beginning is not seen could be this one. */
export function couldEndSo({ path }: Route, form: string): boolean {
  const end = formOf(path);
  return end === "/" || form.endsWith(end);
}

/** Whether two paths differ only in what stands before one of them. */
export function endsAs(a: string, b: string): boolean {
  const isWord = /[^/{}]/.test(a.length < b.length ? a : b);
  return isWord && (a.endsWith(b) || b.endsWith(a));
}

/** Whether a path could be that of a route that cannot be read. */
export function couldBe({ under }: UnclearRoute, form: string): boolean {
  if (under === undefined) return true;
  const start = formOf(under);
  return start === "/" || form === start || form.startsWith(`${start}/`);
}

/** Whether a request to this path would come to a route that has parameters in the place of words. */
export function isTakenBy(form: string, route: string): boolean {
  const [words, steps] = [form.split("/"), route.split("/")];
  return words.length === steps.length && steps.every((step, i) => step === "{}" || step === words[i]);
}
