/** What answers in a trial, by the name that `--model` has: a mind of ours, or any model the agent can use. */

import { SCRIPTED_MIND_BEHAVIORS } from '../minds/habits.js'
import type { Mind } from '../minds/mind.js'
import { createRecordedMind, readRecording } from '../minds/recorded-mind.js'
import { createScriptedMind } from '../minds/scripted-mind.js'
import type { EvalTask } from '../task/eval-task.js'
import type { Trajectory } from '../trial/trajectory.js'

/** The model name that agents ask a mind for: with a known price and window. */
export const MIND_MODEL = 'claude-sonnet-4-6'

/**
 * A model of a run: the name of one, as the option `model` takes it; `mind:capable`, `mind:sloppy`, `mind:small` or
 * `mind:hostile`; `recording:PATH`; or a mind made in code.
 */
export type EvalModel =
  | string
  | {
      /** Its name in tables. */
      name: string
      /** Makes what answers one trial. */
      mind: (task: EvalTask) => Mind
    }

export const nameOfModel = (model: EvalModel): string => (typeof model === 'string' ? model : model.name)

/**
 * Creates the mind that answers as a model of an evaluation. Undefined: a real model, or the practice model.
 * `values`: for placeholders of scripts.
 */
export function createMindFor(model: EvalModel, task: EvalTask, values: Record<string, string>): Mind | undefined {
  if (typeof model !== 'string') return model.mind(task)
  const [kind, name = ''] = splitOnce(model)
  if (kind === 'recording') return createRecordedMind(recordingOf(name, task))
  if (kind !== 'mind') return undefined
  const habit = SCRIPTED_MIND_BEHAVIORS[name]
  if (!habit || !task.script) throw new Error(modelProblem(model, [task]) ?? `${model} can't answer.`)
  return createScriptedMind(habit, task.script, values)
}

const recordingOf = (path: string, task: EvalTask): Trajectory => readRecording(path, task.name)

/** Why this model can't play these tasks; undefined: it can. */
export function modelProblem(model: EvalModel, tasks: readonly EvalTask[]): string | undefined {
  if (typeof model !== 'string') return undefined
  const [kind, name = ''] = splitOnce(model)
  if (kind !== 'mind') return undefined
  if (!Object.hasOwn(SCRIPTED_MIND_BEHAVIORS, name))
    return `There is no scripted mind "${name}". Known: ${Object.keys(SCRIPTED_MIND_BEHAVIORS)
      .map((one) => `mind:${one}`)
      .join(', ')}.`
  const without = tasks.find(({ script }) => !script)
  return without && `Task "${without.name}" has no script for ${model}. Add script.json, or use another model.`
}

function splitOnce(text: string): [string, string?] {
  const at = text.indexOf(':')
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
