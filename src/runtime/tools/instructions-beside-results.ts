/** What the model reads beside the results of tools: what hooks say, and instructions that apply to the files it went to. */
import type { EngineCall, HookPort } from '../../engine/ports.js'
import type { SessionHooks } from '../../hooks/session-hooks.js'
import { isAbsolute, resolve } from '../../platform/paths.js'
import type { SessionProject } from '../session-project.js'

const PATH_FIELDS: Record<string, string> = {
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
}

export function addInstructionsToHooks(hooks: SessionHooks, project: SessionProject, cwd: string): HookPort {
  return {
    preTool: hooks.preTool,
    stop: hooks.stop,
    async postTool(call, outcome, interrupted, signal, durationMs) {
      const verdict = await hooks.postTool(call, outcome, interrupted, signal, durationMs)
      const path = outcome.ok ? pathOf(call, cwd) : undefined
      const instructions = path === undefined ? [] : await project.nestedInstructions(path)
      if (instructions.length === 0) return verdict
      await runInstructionsLoadedHooks(hooks, instructions, signal)
      return { ...verdict, context: [...verdict.context, project.instructionsText(instructions)] }
    },
    async postBatch(calls, signal) {
      const verdict = await hooks.postBatch(calls, signal)
      return { ...verdict, context: [...verdict.context, ...hooks.takeLate()] }
    },
  }
}

/** InstructionsLoaded, for each of them. */
export async function runInstructionsLoadedHooks(
  hooks: SessionHooks,
  instructions: SessionProject['instructions'],
  signal: AbortSignal,
): Promise<void> {
  if (!hooks.has('InstructionsLoaded')) return
  for (const { path, kind, reason } of instructions) {
    await hooks.instructionsLoaded({ file_path: path, memory_type: kind, load_reason: reason }, signal)
  }
}

function pathOf({ name, input }: EngineCall, cwd: string): string | undefined {
  const field = Object.hasOwn(PATH_FIELDS, name) ? PATH_FIELDS[name] : undefined
  const path = field === undefined ? undefined : input[field]
  if (typeof path !== 'string') return undefined
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path)
}
