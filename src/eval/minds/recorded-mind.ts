/** Plays a recorded trajectory again: the same answers in the same order, whatever comes back. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelRequest } from '../../testing/observed-request.js'
import type { Answer } from '../../testing/turn.js'
import type { Trajectory, TrajectoryStep } from '../trial/trajectory.js'
import type { Mind } from './mind.js'

/**
 * Reads the trajectory of an earlier trial. `path`: a `trajectory.json`, or the results folder of a run, in which the
 * task's first one is taken.
 */
export function readRecording(path: string, task: string): Trajectory {
  const file = statSync(path).isDirectory() ? findTrajectory(path, task) : path
  if (file === undefined) throw new Error(`There is no trajectory of the task "${task}" in ${path}.`)
  // ATIF, by `kedge eval` or another program; what is not there reads as empty.
  return JSON.parse(readFileSync(file, 'utf8')) as Trajectory
}

function findTrajectory(folder: string, task: string): string | undefined {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const file = all.find((name) => name.endsWith('trajectory.json') && name.split(/[/\\]/).includes(task))
  return file === undefined ? undefined : join(folder, file)
}

export function createRecordedMind(recording: Trajectory): Mind {
  const lanes = new Map<string, TrajectoryStep[]>()
  for (const trajectory of [recording, ...(recording.extra?.subagents ?? [])]) {
    const opening = trajectory.steps.find(({ source }) => source === 'user')?.message ?? ''
    lanes.set(
      opening,
      trajectory.steps.filter(({ source }) => source === 'agent'),
    )
  }
  const [main = []] = lanes.values()
  return {
    name: 'recording',
    answer(request: ModelRequest): Answer {
      const lane = [...lanes].find(([opening]) => opening !== '' && request.opening.includes(opening))?.[1] ?? main
      const step = lane.shift()
      if (!step) return { text: 'The recording has ended.' }
      const tools = step.tool_calls?.map(({ function_name, arguments: input }) => ({ name: function_name, input }))
      return {
        ...(step.reasoning_content ? { thinking: step.reasoning_content } : {}),
        ...(step.message ? { text: step.message } : {}),
        ...(tools && tools.length > 0 ? { tools } : {}),
      }
    },
  }
}
