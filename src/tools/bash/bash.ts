/** Bash: runs a command line in a shell of its own and reports what came of it. */
import type { ToolOutcome } from '../../engine/ports.js'
import type { RunResult } from '../../platform/processes.js'
import { type CallContext, defineTool, type Tool } from '../tool.js'
import { createEscapeFilter, shorten, stripEscapes, trimOutput } from './clean-output.js'
import { commandEnvironment } from './command-environment.js'
import { exitMeaning, expectsNoOutput } from './command-outline.js'
import { type BashInput, bashInputSchema } from './input.js'
import { commandLimits } from './limits.js'
import type { BashOutput } from './output.js'
import { bashPrompt } from './prompt.js'
import { followShell, startDirectory } from './shell-directory.js'

/**
 * Around the command: at the end, however it comes, the shell says where it stands on a descriptor out of the way of the
 * usual small numbers. One line, so that bash counts the command's own lines from 1. The command is data to `eval`.
 */
const SCRIPT = `exec 29>&3 3>&-; trap 'pwd -P 2>/dev/null >&29' EXIT; __kedge_command=$1; shift; eval "$__kedge_command"`

/** What a process accepts as one argument on Linux. */
const MAX_COMMAND_BYTES = 131_071
/** Failures carry their output twice; this bounds the whole text. */
const MAX_ERROR_LENGTH = 10_000

/** `isReadOnlyCommand` says which commands may run side by side; reading command lines is the permission engine's art. */
export function createBashTool(options: { isReadOnlyCommand(command: string): boolean }): Tool<BashInput> {
  return defineTool<BashInput>({
    name: 'Bash',
    description: bashPrompt,
    inputSchema: bashInputSchema,
    marksSuccess: true,
    isReadOnly: (input) => options.isReadOnlyCommand(input.command),
    facts: (input, context) => ({ kind: 'command', command: input.command, cwd: context.session.shellCwd }),
    check: async (input) => refuse(input),
    async execute(input, context) {
      // Asked again: a host or a hook may have changed the input since.
      const refusal = refuse(input)
      return refusal === undefined ? runCommand(input, context) : { ok: false, error: refusal, refused: true }
    },
  })
}

function refuse(input: BashInput): string | undefined {
  if (input.command.includes('\0')) return 'The command contains a NUL character, which no program can be given.'
  if (!/^[^\S\n]*[^\s#]/m.test(input.command)) return 'The command is empty: there is nothing to run.'
  if (new TextEncoder().encode(input.command).length > MAX_COMMAND_BYTES) {
    return `The command is too long (at most ${MAX_COMMAND_BYTES} bytes). Write it to a file and run that.`
  }
  if (input.timeout !== undefined && !(input.timeout > 0))
    return 'The timeout must be a positive number of milliseconds.'
  if (input.run_in_background) {
    return 'Background commands are not supported yet. Run the command in the foreground, with a timeout if it may take long.'
  }
  return undefined
}

async function runCommand(input: BashInput, context: CallContext): Promise<ToolOutcome> {
  const limits = commandLimits(input, context.env)
  const start = await startDirectory(context)
  if (!start) return { ok: false, error: `The working directory does not exist any more: ${context.cwd}` }
  const filter = createEscapeFilter()
  let result: RunResult
  try {
    result = await context.platform.processes.run({
      command: 'bash',
      args: ['--noprofile', '--norc', '-c', SCRIPT, '/bin/bash', input.command],
      cwd: start.path,
      env: commandEnvironment(context.env, start.path),
      signal: context.signal,
      timeoutMs: limits.timeoutMs,
      merge: true,
      report: true,
      // A character takes up to four bytes.
      maxBytes: limits.outputLength * 4,
      onOutput: (chunk) => context.progress(filter(chunk)),
    })
  } catch (error) {
    return { ok: false, error: `Bash could not be started: ${error instanceof Error ? error.message : String(error)}` }
  }
  const reached = result.report?.replace(/\n$/, '')
  const left = reached ? await followShell(start.path, reached, context) : false
  const remark = start.reset || left ? `Shell cwd was reset to ${context.cwd}` : ''
  const output = trimOutput(stripEscapes(result.stdout))
  const meaning = exitMeaning(input.command, result.exitCode, output)
  if (result.aborted || result.timedOut || (result.exitCode !== 0 && !meaning)) {
    return { ok: false, error: joinLines(shorten(failure(result, output, limits.timeoutMs), MAX_ERROR_LENGTH), remark) }
  }
  return success(input, shorten(output, limits.outputLength), remark, meaning)
}

function success(input: BashInput, stdout: string, remark: string, meaning: string | undefined): ToolOutcome {
  const output: BashOutput = {
    stdout,
    stderr: remark && `\n${remark}`,
    interrupted: false,
    isImage: false,
    ...(meaning ? { returnCodeInterpretation: meaning } : {}),
    noOutputExpected: expectsNoOutput(input.command),
  }
  return { ok: true, content: joinLines(stdout, remark), output }
}

function failure(result: RunResult, output: string, timeoutMs: number): string {
  if (result.aborted) return joinLines('Exit code 137', output, '[Request interrupted by user for tool use]')
  if (result.timedOut) {
    return joinLines('Exit code 143', `Command timed out after ${Math.floor(timeoutMs / 1000)}s`, output)
  }
  const code = `Exit code ${result.exitCode ?? 128 + signalNumber(result.signal)}`
  // Twice, as the original does and as its readers expect.
  return output ? `${code}\n${output}\n\n${output}` : code
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
