/** Bash: runs a command line in a shell of its own and reports what came of it. */
import { type CallContext, defineTool, type JsonSchema, type Tool, type ToolContext } from '../tool.js'
import type { Environment } from './command-environment.js'
import { type BashInput, bashInputSchema } from './input.js'
import { mayRunInBackground } from './limits.js'
import { loginEnvironment } from './login-environment.js'
import { bashPrompt } from './prompt.js'
import { NO_BACKGROUND, runCommand } from './run-command.js'

/** What a process accepts as one argument on Linux. */
const MAX_COMMAND_BYTES = 131_071

export type BashPorts = {
  /** Which commands may run side by side; reading command lines is the permission engine's art. */
  isReadOnlyCommand(command: string): boolean
  /** False: the model is not told that there is a background. */
  background?: boolean
}

export function createBashTool(options: BashPorts): Tool<BashInput> {
  // A session has one environment, and its agents share it.
  const environments = new WeakMap<Environment, Promise<Environment>>()
  const environmentOf = (context: CallContext): Promise<Environment> => {
    const known = environments.get(context.env) ?? loginEnvironment(context)
    environments.set(context.env, known)
    return known
  }
  return defineTool<BashInput>({
    name: 'Bash',
    description: bashPrompt,
    inputSchema: options.background === false ? foregroundSchema() : bashInputSchema,
    marksSuccess: true,
    isReadOnly: (input) => options.isReadOnlyCommand(input.command),
    facts: (input, context) => ({ kind: 'command', command: input.command, cwd: context.session.shellCwd }),
    check: async (input, context) => refuse(input, context),
    async execute(input, context) {
      // Asked again: a host or a hook may have changed the input since.
      const refusal = refuse(input, context)
      if (refusal !== undefined) return { ok: false, error: refusal, refused: true }
      return runCommand(input, context, await unlessAborted(environmentOf(context), context))
    },
  })
}

function foregroundSchema(): JsonSchema {
  const { run_in_background: _, ...properties } = bashInputSchema.properties
  return { ...bashInputSchema, properties }
}

function refuse(input: BashInput, { env }: ToolContext): string | undefined {
  if (input.run_in_background && !mayRunInBackground(env)) return `${NO_BACKGROUND} Run it in the foreground.`
  if (input.command.includes('\0')) return 'The command contains a NUL character, which no program can be given.'
  if (!/^[^\S\n]*[^\s#]/m.test(input.command)) return 'The command is empty: there is nothing to run.'
  if (new TextEncoder().encode(input.command).length > MAX_COMMAND_BYTES) {
    return `The command is too long (at most ${MAX_COMMAND_BYTES} bytes). Write it to a file and run that.`
  }
  if (input.timeout !== undefined && !(input.timeout > 0))
    return 'The timeout must be a positive number of milliseconds.'
  return undefined
}

/** Start files may take seconds; a call that is interrupted meanwhile starts nothing, whatever its environment. */
async function unlessAborted(environment: Promise<Environment>, { signal, env }: CallContext): Promise<Environment> {
  let onAbort = () => {}
  const aborted = new Promise<Environment>((resolve) => {
    onAbort = () => resolve(env)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  try {
    return await Promise.race([environment, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
