/** The texts of a command's end, for the model and for hosts. */
import type { ToolOutcome } from '../../engine/ports.js'
import type { ProcessEnd } from '../../platform/processes/processes.js'
import type { ToolResultContent } from '../../protocol/content.js'
import type { BashInput, BashOutput } from './bash-shapes.js'
import { trimOutput } from './clean-output.js'
import { expectsNoOutput } from './command-outline.js'
import type { CommandOutput } from './command-output.js'
import type { OutputImage } from './image-output.js'

/** Maximum characters of a failed command's output that the model reads. */
const MAX_ERROR_LENGTH = 10_000

/** `remark`: about the shell itself. `meaning`: what an exit code says that isn't a failure. */
export function succeededOutcome(
  input: BashInput,
  output: CommandOutput,
  limit: number,
  { remark, meaning }: { remark: string; meaning?: string | undefined },
): ToolOutcome {
  const stdout = trimOutput(output.text(limit))
  const { file } = output
  const details: BashOutput = {
    ...plainOutput(input),
    stdout,
    stderr: remark && `\n${remark}`,
    ...(meaning ? { returnCodeInterpretation: meaning } : {}),
    ...(file ? { persistedOutputPath: file.path, persistedOutputSize: file.size } : {}),
  }
  return { ok: true, content: joinLines(stdout || (remark === '' ? silence(meaning) : ''), remark), output: details }
}

/** Nothing at all would leave it open whether the command ran. */
function silence(meaning: string | undefined): string {
  return meaning === undefined ? '(no output, exit code 0)' : `(no output, exit code 1: ${meaning.toLowerCase()})`
}

export function imageOutcome(input: BashInput, image: OutputImage | 'too large', remark: string): ToolOutcome {
  if (image === 'too large') {
    const error =
      'The command printed an image that is too large to be passed on (at most 5 MB as base64, 8000 pixels a side). Send it to a file and make it smaller.'
    return { ok: false, error: joinLines(error, remark) }
  }
  const content: ToolResultContent[] = [image.block, ...(remark ? [{ type: 'text' as const, text: remark }] : [])]
  const details = { ...plainOutput(input), stdout: image.url, stderr: remark && `\n${remark}`, isImage: true }
  return { ok: true, content, output: details satisfies BashOutput }
}

export function failedCommandOutcome(
  end: Pick<ProcessEnd, 'exitCode' | 'signal'>,
  output: CommandOutput,
  remark: string,
) {
  const code = `Exit code ${end.exitCode ?? 128 + signalNumber(end.signal)}`
  return createErrorOutcome(code, errorText(output), remark)
}

export const interruptedOutcome = (output: CommandOutput) =>
  createErrorOutcome('Exit code 137', errorText(output), '[Request interrupted by user for tool use]')

/** It ran out of time and could not continue in the background. */
export const timedOutOutcome = (seconds: number, output: CommandOutput, remark: string) =>
  createErrorOutcome('Exit code 143', `Command timed out after ${seconds}s`, errorText(output), remark)

/** Relative paths of all tools begin there from now on. Hosts learn of it by an event of its own. */
export function withMovedFolderNote(outcome: ToolOutcome, moved: string | undefined): ToolOutcome {
  if (moved === undefined) return outcome
  const note = `(The working directory is now ${moved})`
  if (!outcome.ok) return { ...outcome, error: joinLines(outcome.error, note) }
  const { content } = outcome
  if (typeof content !== 'string') return { ...outcome, content: [...content, { type: 'text', text: note }] }
  return { ...outcome, content: content === silence(undefined) ? note : joinLines(content, note) }
}

export function createErrorOutcome(...lines: string[]): ToolOutcome {
  return { ok: false, error: joinLines(...lines) }
}

/** Is some of the output lost to a failure's reader unless there is a file? */
export function isTooLongForErrorText(output: CommandOutput): boolean {
  return output.length > MAX_ERROR_LENGTH
}

const errorText = (output: CommandOutput) => trimOutput(output.text(MAX_ERROR_LENGTH))

export function leftoverProcessesText({ endedLeftovers }: ProcessEnd): string {
  return `${endedLeftovers} processes that the command left running were ended: they were too many.`
}

export type BackgroundedCommand = {
  id: string
  outputFile: string
  byUser: boolean
  remark: string
  /** What it printed until it went to the background. */
  soFar?: string
  /** Whether the model can call the tool of this name. */
  offers(toolName: string): boolean
}

/** Maximum characters of the output before a command moved to the background; the rest is in its file. */
export const MAX_OUTPUT_SO_FAR_CHARS = 4000

export function backgroundOutcome(
  input: BashInput,
  { id, outputFile, byUser, remark, soFar = '', offers }: BackgroundedCommand,
): ToolOutcome {
  const text = `Command running in background with ID: ${id}. Output is being written to: ${outputFile}`
  const look = offers('TaskOutput') ? 'Look at it with TaskOutput' : 'Read that file to look at it'
  const advice = `${look}${offers('TaskStop') ? '; end it with TaskStop' : ''}.`
  const details: BashOutput = {
    ...plainOutput(input),
    backgroundTaskId: id,
    ...(byUser ? { backgroundedByUser: true } : {}),
  }
  const said = [text, remark, advice].filter((part) => part !== '').join('\n')
  return { ok: true, content: soFar === '' ? said : `${said}\nOutput so far:\n${soFar}`, output: details }
}

function plainOutput(input: BashInput) {
  const noOutputExpected = expectsNoOutput(input.command)
  const asked = input.dangerouslyDisableSandbox ? { dangerouslyDisableSandbox: true } : {}
  return { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected, ...asked }
}

function joinLines(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

/** The signals whose numbers are the same everywhere; shells add them to 128. */
function signalNumber(name: string | null): number {
  const numbers: Record<string, number> = {
    SIGHUP: 1,
    SIGINT: 2,
    SIGQUIT: 3,
    SIGILL: 4,
    SIGTRAP: 5,
    SIGABRT: 6,
    SIGFPE: 8,
    SIGKILL: 9,
    SIGSEGV: 11,
    SIGPIPE: 13,
    SIGALRM: 14,
    SIGTERM: 15,
  }
  return numbers[name ?? ''] ?? 0
}
