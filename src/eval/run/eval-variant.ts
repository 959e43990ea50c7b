/** A variant: what is different about the agent while tasks and models stay the same. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isObject } from '../../protocol/json.js'
import type { SDKMessage } from '../../protocol/messages.js'
import type { Options } from '../../protocol/options.js'
import { messageOf } from '../../protocol/thrown.js'
import type { EvalInterface } from '../task/eval-task.js'

/** What an agent of yours gets to work on. */
export type AgentWork = {
  /** What the user asks. */
  prompt: string
  /** Options for `query()`: those of task and variant, with `cwd`, `env` and `model` set. */
  options: Options
  /** Aborted when the time is up. */
  signal: AbortSignal
}

/** A setting under which tasks are tried. */
export type EvalVariant = {
  /** Its name in tables. */
  name: string
  /** Options of `query()`, on top of the task's. */
  options?: Options
  /** Variables, on top of the task's. */
  environment?: Record<string, string>
  /** The prompt; `{{prompt}}` is the task's. */
  prompt?: string
  /** Another interface than the task's. */
  interface?: EvalInterface
  /**
   * A program to evaluate instead of `kedge`. It works in the current folder, gets the prompt as its last argument, and prints its
   * answer. The variable `KEDGE_EVAL_OPTIONS` has the options of task and variant as JSON.
   */
  command?: readonly string[]
  /** A function to evaluate instead of `query()`. */
  agent?: (work: AgentWork) => AsyncIterable<SDKMessage>
}

export const DEFAULT_VARIANT: EvalVariant = { name: 'default' }

const FIELDS = ['name', 'options', 'environment', 'prompt', 'interface', 'command']

/** Reads a JSON file; its name is the variant's unless it has one. */
export function readVariant(file: string): EvalVariant {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`Can't read the variant ${file}: ${messageOf(error)}`)
  }
  if (!isObject(value)) throw new Error(`${file} must contain a JSON object.`)
  const unknown = Object.keys(value).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined)
    throw new Error(`${file}: the field \`${unknown}\` isn't known. Known fields: ${FIELDS.join(', ')}.`)
  return { name: basename(file).replace(/\.json$/, ''), ...value }
}
