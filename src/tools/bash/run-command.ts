/** A command from its start to its result: waited for, or left to continue in the background. */
import type { ToolOutcome } from '../../engine/ports.js'
import type { ProcessEnd } from '../../platform/processes/processes.js'
import { messageOf } from '../../protocol/thrown.js'
import type { CallContext } from '../tool.js'
import { moveCommandToBackground } from './background-command.js'
import type { BashInput } from './bash-shapes.js'
import { trimOutput } from './clean-output.js'
import { type CommandLimits, commandLimits } from './command-limits.js'
import {
  backgroundOutcome,
  createErrorOutcome,
  failedCommandOutcome,
  imageOutcome,
  interruptedOutcome,
  isTooLongForErrorText,
  leftoverProcessesText,
  MAX_OUTPUT_SO_FAR_CHARS,
  succeededOutcome,
  timedOutOutcome,
  withMovedFolderNote,
} from './command-outcomes.js'
import { explainExitCode } from './command-outline.js'
import {
  type CommandFolder,
  explainStartFolderFailure,
  followShellFolder,
  mayChangeFolder,
  missingFolderText,
  resetLostShellFolder,
} from './shell-directory.js'
import {
  type CommandExecutionSetup,
  type StartCommandSetup,
  type StartedCommand,
  startCommand,
} from './start-command.js'

/** How long an interrupt waits, in milliseconds. Whatever is left of the command is ended all the same. */
const ABORT_WAIT_MS = 80

export async function runBashCommand(
  input: BashInput,
  context: CallContext,
  surroundings: CommandExecutionSetup,
  standing: CommandFolder,
): Promise<ToolOutcome> {
  const limits = commandLimits(input, context.env)
  const command = await startThere(input, context, { standing, surroundings, limits })
  if ('ok' in command) return command
  const { cwd: from } = standing
  const wasReset = standing.lost !== undefined
  const resetRemark = `Shell cwd was reset to ${context.cwd}`
  if (input.run_in_background) {
    return toBackground(input, context, command, { byUser: false, remark: wasReset ? resetRemark : '' })
  }

  const stop = await waitFor(command, context, limits)
  const end = stop === undefined ? await command.running.ended : await leave(stop, input, context, command, limits)
  if ('ok' in end) return end
  const reached = end.report.replace(/\n$/, '')
  const { shellCwd: before } = context.session
  const left = reached !== '' && (await followShellFolder(from, reached, context))
  const remarks = [
    ...(await command.undone),
    ...(end.endedLeftovers > 0 ? [leftoverProcessesText(end)] : []),
    ...(wasReset || left ? [resetRemark] : []),
  ]
  const { shellCwd } = context.session
  const hasMoved = !left && shellCwd !== before && mayChangeFolder(input.command)
  return withMovedFolderNote(await finish(input, command, end, limits, remarks), hasMoved ? shellCwd : undefined)
}

/** Starts it in the folder it was judged in, or not at all. */
async function startThere(
  input: BashInput,
  context: CallContext,
  start: StartCommandSetup,
): Promise<ToolOutcome | StartedCommand> {
  if (start.standing.real === undefined) return createErrorOutcome(missingFolderText(start.standing.cwd))
  resetLostShellFolder(start.standing.lost, context)
  try {
    return await startCommand(input, context, start)
  } catch (error) {
    if (context.signal.aborted) return createErrorOutcome('Exit code 137', '[Request interrupted by user for tool use]')
    const why = await explainStartFolderFailure(start.standing, error, context)
    return createErrorOutcome(why ?? `The command could not be started: ${messageOf(error)}`)
  }
}

export const NO_BACKGROUND_TEXT = 'Nothing may go on in the background (CLAUDE_CODE_DISABLE_BACKGROUND_TASKS is set).'

/** Why a command is no longer waited for; undefined when it ended. */
type Stop = 'abort' | 'timeout' | 'moved'

function waitFor(
  { running }: StartedCommand,
  context: CallContext,
  { timeoutMs, background }: CommandLimits,
): Promise<Stop | undefined> {
  const { signal, tasks, platform, toolUseId } = context
  return new Promise((resolve) => {
    const settle = (why?: Stop) => {
      cancelTimer()
      takeBack()
      signal.removeEventListener('abort', onAbort)
      resolve(why)
    }
    const onAbort = () => settle('abort')
    const cancelTimer = platform.clock.after(timeoutMs, () => settle('timeout'))
    const takeBack = background ? tasks.offer(toolUseId, () => settle('moved')) : () => {}
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    void running.ended.then(() => settle())
  })
}

/** The outcome of a call that does not wait; or the end of the command, when that came first after all. */
async function leave(
  stop: Stop,
  input: BashInput,
  context: CallContext,
  command: StartedCommand,
  { timeoutMs, background }: CommandLimits,
): Promise<ToolOutcome | ProcessEnd> {
  const { running, output } = command
  let end: ProcessEnd | undefined
  void running.ended.then((value) => {
    end = value
  })
  const seconds = Number((timeoutMs / 1000).toFixed(1))
  let problem = background ? '' : NO_BACKGROUND_TEXT
  if (stop !== 'abort' && !problem) {
    try {
      await output.openFile()
    } catch (error) {
      problem = `It could not go on in the background: ${messageOf(error)}`
    }
  }
  if (context.signal.aborted) {
    running.end('at once')
    await context.platform.clock.atMost(
      ABORT_WAIT_MS,
      running.ended.then(() => output.finish()),
    )
    return interruptedOutcome(output)
  }
  if (end) return end
  if (problem) {
    running.end('politely')
    await running.ended
    await output.finish()
    const remark = [...(await command.undone), problem].join('\n')
    return stop === 'timeout'
      ? timedOutOutcome(seconds, output, remark)
      : failedCommandOutcome({ exitCode: 143, signal: null }, output, remark)
  }
  return toBackground(input, context, command, {
    byUser: stop === 'moved',
    ...(stop === 'timeout' ? { overtime: true } : {}),
    remark: stop === 'timeout' ? overtimeRemark(seconds, context) : '',
    soFar: trimOutput(output.text(MAX_OUTPUT_SO_FAR_CHARS)),
  })
}

function overtimeRemark(seconds: number | string, { tasks, agentId, offers }: CallContext): string {
  const running = `It is still running after its time limit of ${seconds} s.`
  if (!tasks.endsOvertime || agentId !== undefined) return running
  const stopped = `${running} It is stopped when you give your answer`
  return offers?.('TaskOutput') === false
    ? `${stopped}.`
    : `${stopped}: if you need its end, wait for it with TaskOutput first.`
}

async function toBackground(
  input: BashInput,
  context: CallContext,
  command: StartedCommand,
  { overtime, ...how }: { byUser: boolean; overtime?: true; remark: string; soFar?: string },
): Promise<ToolOutcome> {
  const prepared = await command.prepare()
  moveCommandToBackground(prepared, input, context, command, overtime ? { overtime } : {})
  return backgroundOutcome(input, { ...prepared, ...how, offers: (name) => context.offers?.(name) ?? true })
}

async function finish(
  input: BashInput,
  { output, explain }: StartedCommand,
  end: ProcessEnd,
  limits: CommandLimits,
  remarks: readonly string[],
): Promise<ToolOutcome> {
  const meaning = explainExitCode(input.command, end.exitCode, output.text(limits.outputLength))
  const isFailure = end.exitCode !== 0 && !meaning
  // A failure shows less of the output than is in memory, but nothing of it shall be lost.
  if (isFailure && isTooLongForErrorText(output)) await output.openFile().catch(() => undefined)
  const image = await output.finish({ image: end.exitCode === 0 })
  if (isFailure) return failedCommandOutcome(end, output, [...explain(), ...remarks].join('\n'))
  const remark = remarks.join('\n')
  return image
    ? imageOutcome(input, image, remark)
    : succeededOutcome(input, output, limits.outputLength, { remark, meaning })
}
