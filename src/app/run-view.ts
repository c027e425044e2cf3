export type { RunListener, RunView } from "../core/run-view.ts";
