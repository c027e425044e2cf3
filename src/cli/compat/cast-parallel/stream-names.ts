export type StreamName = "a" | "b";

export const taskOf = (name: StreamName): string => `stream-${name}`;
export const letterOf = (task: string): string => task.replace(/^stream-/, "").toUpperCase();
export const titleOf = (task: string): string => `Stream ${letterOf(task)}`;
export const taskIn = (attempt: string): string => attempt.replace(/\/\d+$/, "");
