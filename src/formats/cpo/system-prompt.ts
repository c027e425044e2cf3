/** The file by which an agent of this format reports that it is done. */
export const DONE_FILE = ".claude-task-complete";

/**
 * The result that agents of this format end with, asked for in the system prompt because prompt files do not. plait's own way to end is
 * left out where a plan asks for this one (agents/prompt-task.ts). The file is not named here: prompt files name it, and for those
 * that do not, a run does.
 */
export const SYSTEM_PROMPT = `# Result

End your final message with one JSON object, and write nothing after it:

{
  "task_completed": true,
  "validation_passed": true,
  "files_created": ["path"],
  "files_modified": ["path"],
  "tests_run": 0,
  "tests_passed": 0,
  "tests_failed": 0,
  "summary": "what you changed and why, in one to three sentences",
  "full_log": "what else is worth knowing",
  "error_message": null
}

task_completed: whether you did everything the task asks for. validation_passed: true only if every acceptance criterion is met and all
tests pass. If one of them is false, for example because you are blocked, give the reason in error_message.
`;
