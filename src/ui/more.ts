/** What is not needed for the first look at a run: loaded behind it, and in a file part of the one script. */
export { CostsView } from "./costs/costs-view.tsx";
export { QueueView } from "./queue/queue-view.tsx";
export { RunsView } from "./runs/runs-view.tsx";
export { TaskView } from "./task/task-view.tsx";
export { TimelineView } from "./timeline/timeline-view.tsx";
