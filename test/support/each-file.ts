import { endFile } from "./after-file.ts";

endFile();
