/** Starts a command line in a shell of its own. */

import type { Environment } from '../../platform/environment.js'
import { areLocalFiles } from '../../platform/files/files.js'
import { REPORT_DESCRIPTOR } from '../../platform/processes/process-family.js'
import type { RunningProcess, StartProcessOptions } from '../../platform/processes/processes.js'
import type { CallContext } from '../tool.js'
import type { BashInput } from './bash-shapes.js'
import { commandEnvironment } from './command-environment.js'
import type { CommandLimits } from './command-limits.js'
import { type CommandOutput, createCommandOutput } from './command-output.js'
import type { BashSandbox, SandboxedStart, ShellStart } from './sandbox-port.js'
import { type CommandFolder, replacedFolderText } from './shell-directory.js'

export type TaskOutputFile = { id: string; outputFile: string }

export type StartedCommand = {
  running: RunningProcess
  output: CommandOutput
  /** The task this may become, and whose file holds the output when it is long. */
  prepare(): Promise<TaskOutputFile>
  /** From now on somebody else watches the output live. */
  listen(take: (text: string) => void): void
  /** Once it has ended: what the sandbox undid of it. Never rejects. */
  undone: Promise<string[]>
  /** What the sandbox has to say about a failure. */
  explain(): string[]
}

export type CommandShell = {
  /** Bash, by its whole name. */
  program: string
  environment: Environment
}

/** Where a command runs; without `sandbox` as it is. `line`: what the shell is given, which is what was judged. */
export type CommandExecutionSetup = CommandShell & { sandbox: BashSandbox | undefined; line: string }

/**
 * Around the command: at the end, however it comes, the shell says where it stands on a descriptor out of the way of the
 * usual small numbers. One line, so that bash counts the command's own lines from 1. The command is data to `eval`.
 */
const SCRIPT = `exec ${REPORT_DESCRIPTOR}>&3 3>&-; trap 'pwd -P 2>/dev/null >&${REPORT_DESCRIPTOR}' EXIT; __kedge_command=$1; shift $#; eval -- "$__kedge_command"`

/**
 * Before it, where only the shell itself can tell what folder it was started in: a sandbox enters it by name, and not every
 * system starts a process by a handle. A shell stays in a folder it has entered, so a look afterwards is good.
 */
const STAY = `if [[ $(pwd -P; echo .) != "$2"$'\\n'. ]]; then echo "$3 Nothing was run." >&2; exit 126; fi; `

/** Characters of the output that are looked at for the reason of a failure. */
const EXPLAINED = 10_000

export type StartCommandSetup = { standing: CommandFolder; surroundings: CommandExecutionSetup; limits: CommandLimits }

/**
 * Starts a Bash command. Rejects when there is no shell to be had, or no sandbox for it. In the background the file
 * comes first: without it nothing is started.
 */
export async function startCommand(
  input: BashInput,
  context: CallContext,
  start: StartCommandSetup,
): Promise<StartedCommand> {
  const { files, identity, processes } = context.platform
  let prepared: Promise<TaskOutputFile> | undefined
  const prepare = () => {
    prepared ??= context.tasks.prepare('local_bash')
    return prepared
  }
  let take: (text: string) => void = input.run_in_background ? () => {} : context.progress
  const listen = (taker: typeof take) => {
    take = taker
  }
  const output = createCommandOutput({
    limit: start.limits.outputLength,
    place: async () => (await prepare()).outputFile,
    onText: (text) => take(text),
  })
  if (input.run_in_background) await output.openFile()
  const mostProcesses = processes.processLimit(start.limits.processes)
  // A limit that can't be set is none.
  const limit = mostProcesses === undefined ? '' : `ulimit -S -u ${mostProcesses} 2>/dev/null; `
  const { program, environment, sandbox, line } = start.surroundings
  const { cwd, real } = start.standing
  const looksItself = real !== undefined && areLocalFiles(files) && (sandbox !== undefined || identity.os !== 'linux')
  const script = looksItself ? STAY + limit + SCRIPT : limit + SCRIPT
  const bare = {
    command: program,
    args: [
      ...['--noprofile', '--norc', '-c', script, '/bin/bash', line],
      ...(looksItself ? [real, replacedFolderText(cwd)] : []),
    ],
    scriptAt: 3,
    cwd,
    env: commandEnvironment(environment, cwd),
  }
  const options: Omit<StartProcessOptions, 'command' | 'args' | 'env'> = {
    cwd,
    ...(real === undefined ? {} : { judgedCwd: real }),
    merge: true,
    report: true,
    leftovers: 'keep',
    unless: context.signal,
    onOutput: output.take,
  }
  let wrapped: SandboxedStart | undefined
  try {
    wrapped = await enterSandbox(sandbox, { ...bare, line: input.command })
    const running = await processes.start({ ...options, ...(wrapped ? sandboxed(wrapped) : bare) })
    const { finish, explain } = wrapped ?? { finish: async () => [], explain: () => [] }
    const undone = running.ended.then(finish).catch((error: unknown) => [String(error)])
    return { running, output, prepare, listen, undone, explain: () => explain(output.text(EXPLAINED)) }
  } catch (error) {
    await wrapped?.finish()
    await output.finish()
    await output.file?.remove()
    throw error
  }
}

/** With a sandbox, Kedge starts the sandbox, which starts the shell. */
const sandboxed = ({ command, args, env }: SandboxedStart) => ({ command, args, env })

async function enterSandbox(sandbox: BashSandbox | undefined, start: ShellStart): Promise<SandboxedStart | undefined> {
  const wrapped = await sandbox?.wrap(start)
  if (wrapped?.ok === false) throw new Error(wrapped.error)
  return wrapped
}
