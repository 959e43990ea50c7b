/** Has an agent work on a prompt: `query()` in this process, `kedge -p` as its user starts it, or another program. */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { denialText } from '../../hub/answers.js'
import { query } from '../../index.js'
import { processNameSuffix } from '../../platform/processes/temporary-names.js'
import { isObject } from '../../protocol/json.js'
import type { SDKMessage } from '../../protocol/messages.js'
import { toArgv } from '../../protocol/option-table/to-argv.js'
import type { Options } from '../../protocol/options.js'
import type { PermissionResult } from '../../protocol/permission-types.js'
import { messageOf } from '../../protocol/thrown.js'
import { ownCliPath } from '../../sdk/start-agent-process.js'
import type { EvalAnswer, EvalInterface } from '../task/eval-task.js'
import type { AgentPromptInput, AgentPromptResult } from './drive.js'

const KILL_MS = 3000

export async function driveAgent(drive: AgentPromptInput): Promise<AgentPromptResult> {
  const { variant, options } = drive
  if (variant.command) {
    const { env, ...rest } = options
    const KEDGE_EVAL_OPTIONS = JSON.stringify(drive.resumes ? { ...rest, continue: true } : rest)
    const told: AgentPromptInput = { ...drive, options: { ...options, env: { ...env, KEDGE_EVAL_OPTIONS } } }
    return runProgram([...variant.command, drive.prompt], told, (output) => output)
  }
  if (variant.agent || drive.interface === 'library') return runLibrary(drive)
  if (drive.interface === 'server') return (await import('./drive-server.js')).driveServer(drive)
  const servers = saveServersToFile(options)
  const argv = [
    ownCliPath(),
    '-p',
    drive.prompt,
    '--output-format',
    drive.interface,
    ...optionsToCommandFlags(servers.options),
  ]
  if (servers.file !== undefined) argv.push('--mcp-config', servers.file)
  if (drive.interface === 'stream-json') argv.push('--verbose')
  if (drive.resumes) argv.push('--continue')
  try {
    return await runProgram([process.execPath, ...argv], drive, (output) => answerIn(output, drive.interface))
  } finally {
    servers.remove()
  }
}

/** Their variables and headers are for nobody else to read: a file, as its user would write one, not the command line. */
function saveServersToFile(options: Options): { options: Options; file?: string; remove(): void } {
  const { mcpServers } = options
  if (!mcpServers || Object.keys(mcpServers).length === 0) return { options, remove() {} }
  const { mcpServers: _saved, ...rest } = options
  const folder = mkdtempSync(join(tmpdir(), `kedge-args-${processNameSuffix()}`))
  const file = join(folder, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers }), { mode: 0o600 })
  return { options: rest, file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

async function runLibrary({
  prompt,
  options,
  variant,
  signal,
  sessionId,
  answers,
}: AgentPromptInput): Promise<AgentPromptResult> {
  const abortController = new AbortController()
  const stop = () => abortController.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const whole: Options = {
    ...options,
    abortController,
    ...(answers.length > 0 ? { canUseTool: answerer(answers) } : {}),
    ...(sessionId === undefined ? {} : { resume: sessionId }),
  }
  const printed: string[] = []
  const found: { sessionId?: string; error?: string } = {}
  let isError = true
  try {
    const messages = variant.agent
      ? variant.agent({ prompt, options: whole, signal })
      : query({ prompt, options: whole })
    for await (const message of messages) {
      if (message.type !== 'result') continue
      isError = message.is_error
      found.sessionId = message.session_id
      printed.push(textOfResult(message))
    }
  } catch (error) {
    isError = true
    found.error = messageOf(error)
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return { exitCode: isError ? 1 : 0, printed: printed.join('\n'), output: '', complaints: '', ...found }
}

function textOfResult(message: Extract<SDKMessage, { type: 'result' }>): string {
  return message.subtype === 'success' ? message.result : (message.errors ?? []).join('\n')
}

/** Answers as the task's user would, each answer once; what has none is denied. */
function answerer(answers: EvalAnswer[]): NonNullable<Options['canUseTool']> {
  return async (tool, input): Promise<PermissionResult> => {
    const at = answers.findIndex((answer) => answer.tool === tool)
    const [answer] = at < 0 ? [] : answers.splice(at, 1)
    if (!answer || answer.allow === false)
      return { behavior: 'deny', message: denialText(tool === 'ExitPlanMode' ? 'plan' : 'permission', answer?.message) }
    return { behavior: 'allow', updatedInput: answer.answers ? { ...input, answers: answer.answers } : input }
  }
}

/** The flags a user would type for these options. */
export function optionsToCommandFlags(options: Options): string[] {
  const { systemPrompt, agents, env: _env, cwd: _cwd, ...rest } = options
  // The words before the first row are for programs that send messages on stdin.
  const spoken = toArgv({}, []).length
  const flags = toArgv(rest).slice(spoken)
  if (typeof systemPrompt === 'string') flags.push('--system-prompt', systemPrompt)
  else if (isObject(systemPrompt) && typeof systemPrompt['append'] === 'string')
    flags.push('--append-system-prompt', systemPrompt['append'])
  if (agents) flags.push('--agents', JSON.stringify(agents))
  if (rest.settingSources?.includes('project') && rest.untrusted !== true) flags.push('--trust')
  return flags
}

/** The answer in the output of `kedge -p`. */
function answerIn(output: string, format: EvalInterface): string {
  if (format === 'text') return output
  const lines = output.trim().split('\n')
  return lines
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line)
        return isObject(value) && value['type'] === 'result' ? [String(value['result'] ?? '')] : []
      } catch {
        return []
      }
    })
    .join('\n')
}

function runProgram(
  argv: string[],
  { options, signal }: AgentPromptInput,
  answer: (output: string) => string,
): Promise<AgentPromptResult> {
  const [command = '', ...args] = argv
  return new Promise((settle) => {
    // A group of its own, so that nothing it started outlives the trial.
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env as NodeJS.ProcessEnv, // texts, or undefined for what is left out
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let complaints = ''
    let force: NodeJS.Timeout | undefined
    const kill = (name: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name)
      } catch {
        // It has ended meanwhile.
      }
    }
    const stop = () => {
      kill('SIGTERM')
      force = setTimeout(() => kill('SIGKILL'), KILL_MS)
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      complaints += text
    })
    const end = (exitCode: number, error?: string) => {
      clearTimeout(force)
      signal.removeEventListener('abort', stop)
      const printed = answer(output)
      settle({ exitCode, printed, output, complaints, ...(error === undefined ? {} : { error }) })
    }
    child.once('error', (error) => end(127, `Can't start ${command}: ${error.message}`))
    child.once('close', (code) => end(code ?? 1))
  })
}
