/** The library: what the command line does, without a command line. */
export type { Caps } from "../core/caps.ts";
export type { SettingsLayers } from "../core/draft.ts";
export type { Plan, Task } from "../core/plan.ts";
export type { Diagnostic, Severity, SourceRange } from "../core/source.ts";
export { formatNames, type LoadedPlan, type LoadOptions, loadPlan } from "./load-plan.ts";
export { planSchema } from "./plan-schema.ts";
