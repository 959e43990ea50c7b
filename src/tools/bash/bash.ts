/** Bash: runs a command line in a shell of its own and reports what came of it. */

import type { Environment } from '../../platform/environment.js'
import { raceWithAbort } from '../../platform/until-aborted.js'
import { type CallContext, defineTool, type JsonSchema, type Tool, type ToolContext } from '../tool.js'
import { bashToolDescription } from './bash-description.js'
import { type BashInput, bashInputSchema } from './bash-shapes.js'
import { areBackgroundTasksEnabled } from './command-limits.js'
import { findShell } from './find-shell.js'
import { loginEnvironment } from './login-environment.js'
import { readOnlyGitEnvironment } from './read-only-git-env.js'
import { NO_BACKGROUND_TEXT, runBashCommand } from './run-command.js'
import type { BashSandbox } from './sandbox-port.js'
import { type CommandFolder, findCommandFolder, mayChangeFolder } from './shell-directory.js'
import type { CommandShell } from './start-command.js'

/** What a process accepts as one argument on Linux. */
const MAX_COMMAND_BYTES = 131_071

export type BashPorts = {
  /** Which commands may run side by side; reading command lines is the permission engine's art. */
  isReadOnlyCommand(command: string): boolean
  /**
   * The text of a command line as it was judged, which is what bash is given: bash may read the original in another way. Undefined:
   * there is none, so a person has approved the original.
   */
  judgedText?(command: string): Promise<string | undefined>
  /** Loads what that takes: while the model still writes, and not before it calls for a command. */
  prepare?(): Promise<void>
  /** False: the model is not told that there is a background. */
  background?: boolean
  /** Absent when it is off. */
  sandbox?: BashSandbox | undefined
}

export function createBashTool(options: BashPorts): Tool<BashInput> {
  const { sandbox } = options
  // A session has one environment, and its agents share it.
  const shells = new WeakMap<Environment, Promise<CommandShell>>()
  const shellOf = (context: CallContext): Promise<CommandShell> => {
    const known = shells.get(context.env) ?? lookForShell(context)
    shells.set(context.env, known)
    return known
  }
  // By the input of a call: where it begins was found before it was judged.
  const standings = new WeakMap<BashInput, CommandFolder>()
  const refuse = async (input: BashInput, context: ToolContext): Promise<string | undefined> => {
    const refusal = refuseInput(input, context)
    if (refusal !== undefined || !sandbox) return refusal
    await sandbox.prepare()
    const place = sandbox.placeOf(input)
    return place.where === 'nowhere' ? place.error : undefined
  }
  return defineTool<BashInput>({
    name: 'Bash',
    description: bashToolDescription(sandbox?.rules, options.background !== false),
    inputSchema: options.background === false ? foregroundSchema() : bashInputSchema,
    hidden: sandbox?.rules.mayLeave ? [] : ['dangerouslyDisableSandbox'],
    marksSuccess: true,
    async prepare(input) {
      await options.prepare?.()
      return input
    },
    // Where the shell stands is where all tools begin, so what may move it runs alone.
    isReadOnly: (input) => !mayChangeFolder(input.command) && options.isReadOnlyCommand(input.command),
    facts(input, context) {
      const place = sandbox?.placeOf(input)
      const isLeaving = place?.where === 'outside' && place.why === 'asked'
      const { cwd, real } = standings.get(input) ?? { cwd: context.session.shellCwd, real: undefined }
      return {
        kind: 'command',
        command: input.command,
        cwd,
        ...(real === undefined ? {} : { realCwd: real }),
        ...(isLeaving ? { unsandboxed: true as const } : {}),
      }
    },
    async check(input, context) {
      standings.set(input, await findCommandFolder(context))
      return refuse(input, context)
    },
    async execute(input, context) {
      // Asked again: a host or a hook may have changed the input since.
      const refusal = await refuse(input, context)
      if (refusal !== undefined) return { ok: false, error: refusal, refused: true }
      const standing = standings.get(input) ?? (await findCommandFolder(context))
      // Start files can take seconds. After an interrupt nothing starts, so any environment will do.
      const found = await raceWithAbort<CommandShell, CommandShell>(
        context.signal,
        () => ({ program: '/bin/bash', environment: context.env }),
        () => shellOf(context),
      )
      const looks = /git|npm/.test(input.command) && options.isReadOnlyCommand(input.command)
      const environment = looks ? readOnlyGitEnvironment(found.environment) : found.environment
      const line = (await options.judgedText?.(input.command)) ?? input.command
      const shell = { ...found, environment, line }
      if (sandbox?.placeOf(input).where !== 'inside')
        return runBashCommand(input, context, { ...shell, sandbox: undefined }, standing)
      const { dangerouslyDisableSandbox: _, ...inside } = input
      return runBashCommand(inside, context, { ...shell, sandbox }, standing)
    },
  })
}

async function lookForShell(context: CallContext): Promise<CommandShell> {
  const program = await findShell(context.env['PATH'], context)
  return { program, environment: await loginEnvironment(program, context) }
}

function foregroundSchema(): JsonSchema {
  const { run_in_background: _, ...properties } = bashInputSchema.properties
  return { ...bashInputSchema, properties }
}

function refuseInput(input: BashInput, { env }: ToolContext): string | undefined {
  if (input.run_in_background && !areBackgroundTasksEnabled(env))
    return `${NO_BACKGROUND_TEXT} Run it in the foreground.`
  if (input.command.includes('\0')) return 'The command contains a NUL character, which no program can be given.'
  if (!/^[^\S\n]*[^\s#]/m.test(input.command)) return 'The command is empty: there is nothing to run.'
  if (new TextEncoder().encode(input.command).length > MAX_COMMAND_BYTES) {
    return `The command is too long (at most ${MAX_COMMAND_BYTES} bytes). Write it to a file and run that.`
  }
  if (input.timeout !== undefined && !(input.timeout > 0))
    return 'The timeout must be a positive number of milliseconds.'
  return undefined
}
