/** One process at one moment. A pid alone names nobody: pids come again. Pid and start time together do not. */
export type ProcessEntry = {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** Null where the system does not tell. */
  readonly session: number | null;
  /** `ticks:` since boot on Linux, `lstart:` elsewhere. */
  readonly startTime: string;
  readonly hasTerminal: boolean;
  /** The program's name as the system keeps it, cut to 15 bytes on Linux. */
  readonly name: string;
};

/** All processes that live (zombies do not), and what may be asked about each. */
export type Snapshot = {
  readonly entries: readonly ProcessEntry[];
  /** False when some ended while the list was made: a child of theirs may be missing. */
  readonly isCalm: boolean;
  /** Whether it was started with `NAME=value` in its environment. False also for processes of other users. */
  readonly carries: (entry: ProcessEntry, variable: string) => boolean;
  /** Whether its standard input or outputs are one of these open files. False also where the system does not tell. */
  readonly holds: (entry: ProcessEntry, files: ReadonlySet<string>) => boolean;
  /** Where it works: its folder, and files that it has open for writing. None where the system does not tell. */
  readonly placesOf: (entry: ProcessEntry) => readonly string[];
};

export type ProcessTable = () => Promise<Snapshot>;

/** A process as it is remembered. */
export type ProcessRef = { readonly pid: number; readonly startTime: string | null };

/** What `attempt.spawned` records; null where the system does not tell. */
export type StartedProcess = ProcessRef & { readonly bootId: string | null };
