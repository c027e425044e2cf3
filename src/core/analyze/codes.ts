import { ownershipCodes } from "./codes-ownership.ts";
import { settingCodes } from "./codes-settings.ts";
import { taskCodes } from "./codes-tasks.ts";

/** Everything that `analyze` can find, as `plait explain` tells it. The severity here is the one without `--strict`. */
export const analyzeCodes = [...taskCodes, ...ownershipCodes, ...settingCodes] as const;

export type AnalyzeCode = (typeof analyzeCodes)[number]["code"];
