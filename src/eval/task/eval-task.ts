/** What a task is: a prompt, a folder to work in, and checks that decide whether the work is done. */
import { ConfigurationError } from '../../errors.js'
import type { Options } from '../../protocol/options.js'
import type { MindScript } from '../minds/mind-script.js'

/** How a trial reaches the agent: `query()` in this process, `kedge -p` with an output format, or `kedge serve`. */
export type EvalInterface = 'library' | 'text' | 'json' | 'stream-json' | 'server'

export const EVAL_INTERFACES: readonly EvalInterface[] = ['library', 'text', 'json', 'stream-json', 'server']

/** What a check function looks at after the agent has ended. */
export type CheckContext = {
  /** The folder the agent worked in. */
  folder: string
  /** The task's own folder; undefined for a task made in code. */
  taskFolder: string | undefined
  /** The answer: what `kedge -p` prints as text, or the `result` of each turn, one per line. */
  printed: string
  /** The process's exit code; 0 or 1 for the library. */
  exitCode: number
  /** The tool calls, with the results the model read. */
  calls: readonly CheckedCall[]
}

/** A tool call of a trial. */
export type CheckedCall = {
  /** The tool. */
  name: string
  /** The input as the model sent it. */
  input: unknown
  /** The result as the model read it. */
  result: string
  /** Whether the result is an error. */
  isError: boolean
}

/** Decides in code, also asynchronously. A text it returns, or an error it throws, is the reason the task isn't done. */
export type CheckFunction = (context: CheckContext) => unknown

/** A command that must exit with 0. */
export type CommandCheck = {
  /** Run by a shell in the folder the agent worked in. */
  run: string
}

/** A file, and what must be in it. */
export type FileCheck = {
  /** Its path in the folder the agent worked in. */
  file: string
  /** A text it must contain. */
  contains?: string
  /** A text it must not contain. */
  lacks?: string
  /** A regular expression it must match. */
  matches?: string
  /** All of its text, but for spaces at the end. */
  equals?: string
  /** Whether the file must not exist. */
  absent?: boolean
}

/** What must have been printed. */
export type PrintedCheck = {
  /** A regular expression that the answer must match, ignoring case. */
  printed: string
}

/** How the process must have ended. */
export type ExitCheck = {
  /** Its exit code; 0 or 1 for the library. */
  exitCode: number
}

/** Files that must be what they were before. */
export type UnchangedCheck = {
  /** Their paths. */
  unchanged: readonly string[]
}

/** How often a tool must have been called. */
export type CalledCheck = {
  /** The tool. */
  called: string
  /** Default 1, or 0 with `atMost`. */
  atLeast?: number
  /** Default: any number. */
  atMost?: number
}

/** A check in a module. */
export type ModuleCheck = {
  /** A file of the task's folder whose default export is a `CheckFunction`. */
  module: string
}

/** One condition of a finished task. Those of a list must all hold. */
export type EvalCheck =
  | CommandCheck
  | FileCheck
  | PrintedCheck
  | ExitCheck
  | UnchangedCheck
  | CalledCheck
  | ModuleCheck
  | CheckFunction

/** Answers a permission request, a plan, or a question. The first unused answer that fits is taken. */
export type EvalAnswer = {
  /** The tool that asks. */
  tool: string
  /** Whether the call is allowed; default true. */
  allow?: boolean
  /** Why not, in the user's words. */
  message?: string
  /** For `AskUserQuestion`: the answer to each question, by its text. */
  answers?: Record<string, string>
}

/** Where a trial is ended. */
export type EvalLimits = {
  /** Seconds until the trial is ended and counts as failed; default 300. */
  seconds?: number
  /** Model requests per prompt, as the option `maxTurns`; default 200. */
  turns?: number
  /** Dollars, as the option `maxBudgetUsd`. */
  dollars?: number
}

/** A task. In a folder, `task.json` has these fields. */
export type EvalTask = {
  /** Its name; the folder's name if left out of `task.json`. */
  name: string
  /** One sentence for people. */
  description?: string
  /** What the agent is asked. Further prompts resume the session, each in its own process where there is one. */
  prompt: string | readonly string[]
  /** How the agent is reached; default `library`. */
  interface?: EvalInterface
  /** Options of `query()`; the command gets them as flags. Only JSON in `task.json`. */
  options?: Options
  /** Variables for the agent and the checks. */
  environment?: Record<string, string>
  /** A folder, `.tar`, `.tgz` or `.tar.gz` that the agent works in a copy of; default `repo` or `repo.tgz` beside `task.json`. */
  repository?: string
  /** A command that prepares the copy, run by a shell in it. */
  setup?: string
  /** Whether the copy becomes a git repository with one commit. */
  git?: boolean
  /** A folder whose files are put on top before the checks run, such as tests the agent must not see; default `hidden`. */
  hidden?: string
  /** What a user would answer; needs the interface `library` or `server`. */
  answers?: readonly EvalAnswer[]
  /** What must hold at the end. */
  checks: readonly EvalCheck[]
  /** Where a trial is ended. */
  limits?: EvalLimits
  /** What scripted minds intend to do here. Without it they can't play this task. */
  script?: MindScript
  /** Where the task is kept; set for tasks read from a folder. */
  folder?: string
}

/**
 * Checks the shape of a task made in code and returns it.
 *
 * ```ts
 * const task = defineTask({ name: 'greet', prompt: 'Say hello', checks: [{ printed: 'hello' }] })
 * ```
 */
export function defineTask(task: EvalTask): EvalTask {
  const problem = taskProblem(task)
  if (problem !== undefined) throw new ConfigurationError('tasks', `Task "${task.name}": ${problem}`)
  return task
}

const FIELDS = new Set(
  (
    'name description prompt interface options environment repository setup git hidden answers checks limits script folder ' +
    '$schema'
  ).split(' '),
)

/** The first thing wrong with a task; undefined if it can be run. */
export function taskProblem(task: EvalTask): string | undefined {
  const unknown = Object.keys(task).find((field) => !FIELDS.has(field))
  if (unknown !== undefined) return `the field \`${unknown}\` isn't known. Known fields: ${[...FIELDS].join(', ')}.`
  if (!/^[\w.-]+$/.test(task.name)) return '`name` must consist of letters, digits, "-", "_" and ".".'
  const prompts = typeof task.prompt === 'string' ? [task.prompt] : task.prompt
  if (
    !Array.isArray(prompts) ||
    prompts.length === 0 ||
    prompts.some((text) => typeof text !== 'string' || text === '')
  )
    return '`prompt` must be a text, or a list of texts.'
  if (!Array.isArray(task.checks) || task.checks.length === 0)
    return '`checks` must be a list with at least one check, such as {"run": "npm test"}.'
  const wrong = task.checks.find((check) => typeof check !== 'function' && !CHECKS.some((key) => key in check))
  if (wrong !== undefined) return `the check ${JSON.stringify(wrong)} isn't known. Known checks: ${CHECKS.join(', ')}.`
  if (task.interface !== undefined && !EVAL_INTERFACES.includes(task.interface))
    return `\`interface\` must be one of ${EVAL_INTERFACES.join(', ')}.`
  if (task.answers && !['library', 'server'].includes(task.interface ?? 'library'))
    return '`answers` need the interface `library` or `server`.'
  return undefined
}

const CHECKS = ['run', 'file', 'printed', 'exitCode', 'unchanged', 'called', 'module']

export const taskPrompts = ({ prompt }: Pick<EvalTask, 'prompt'>): readonly string[] =>
  typeof prompt === 'string' ? [prompt] : prompt
