/** Sessions with settings files that tests write, as hosts and people start them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CanUseTool, type Options, query } from 'kedge'
import { collect, type ModelServer, startModelServer, type TestOptions, type Turns, testOptions } from 'kedge/testing'
import type { AgentEnvironment } from '../../src/agent/boot.js'
import { runAgent } from '../../src/agent/run-agent.js'
import { type FileSystem, nodeFiles } from '../../src/platform/files/files.js'
import { nodePlatform } from '../../src/platform/node-platform.js'
import { toArgv } from '../../src/protocol/option-table/to-argv.js'
import { createChannelPair } from '../../src/transport/channel.js'
import { type Agent, type AgentSetup, MODEL, startAgent } from './agent-process.js'

/** Objects are written as JSON. */
export type SettingsFiles = { user?: unknown; project?: unknown; local?: unknown }

export const SOURCES = ['--setting-sources', 'user,project,local']

export function settingsFile(source: keyof SettingsFiles, { cwd, env }: Pick<TestOptions, 'cwd' | 'env'>): string {
  if (source === 'user') return join(String(env.CLAUDE_CONFIG_DIR), 'settings.json')
  return join(cwd, '.claude', source === 'local' ? 'settings.local.json' : 'settings.json')
}

export function writeSettings(files: SettingsFiles, options: Pick<TestOptions, 'cwd' | 'env'>): void {
  for (const source of ['user', 'project', 'local'] as const) {
    const content = files[source]
    if (content === undefined) continue
    const path = settingsFile(source, options)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/** The built agent on real stdio, driven by a host that trusts the folder; its `finish()` checks the rules of every row. */
export function agentWith(files: SettingsFiles, turns: Turns, setup: AgentSetup = {}): Promise<Agent> {
  return startAgent(turns, {
    warns: true,
    ...setup,
    args: [...SOURCES, ...(setup.args ?? [])],
    prepare(options) {
      writeSettings(files, options)
      setup.prepare?.(options)
    },
  })
}

/** One query in this process. */
export async function queryWith(files: SettingsFiles, turns: Turns, more: Options = {}) {
  await using server = await startModelServer(turns)
  await using options = testOptions(server, { model: MODEL, settingSources: ['user', 'project', 'local'], ...more })
  writeSettings(files, options)
  let stderr = ''
  const heard = (text: string) => {
    stderr += text
  }
  const run = await collect(query({ prompt: 'Go.', options: { ...options, stderr: heard } }))
  assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+/m)
  const init = run.messages.flatMap((message) =>
    message.type === 'system' && message.subtype === 'init' ? [message] : [],
  )[0]
  return {
    ...run,
    stderr: stderr.replaceAll(options.cwd, '<cwd>'),
    init,
    told: server.requests.length,
    results: results(server),
  }
}

/** The tool results the model was given, one text each. */
export function results({ requests }: Pick<ModelServer, 'requests'>): string[] {
  return requests.flatMap(({ toolResults }) => toolResults.map(({ text }) => text))
}

/** `kedge -p hi`, as a script runs it: nobody to ask. */
export async function typed(options: TestOptions, ...args: string[]) {
  const child = spawn(
    process.execPath,
    [join(process.cwd(), 'dist', 'kedge.cjs'), '-p', '--model', MODEL, ...args, 'hi'],
    {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text.stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk) => (text.stderr += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { ...text, code }
}

/** The agent itself in this process, on a file system that fails as told. Every question is answered with yes, for ever. */
export async function agentOn(files: Partial<FileSystem>, turns: Turns, written: SettingsFiles, more: Options = {}) {
  await using server = await startModelServer(turns)
  await using options = testOptions(server, { model: MODEL, settingSources: ['user', 'project', 'local'], ...more })
  writeSettings(written, options)
  const [host, agent] = createChannelPair<Message, object>()
  let stderr = ''
  const platform = { ...nodePlatform(), files: { ...nodeFiles, ...files } }
  const world: AgentEnvironment = {
    argv: toArgv({ ...options, canUseTool: never }),
    env: options.env,
    cwd: options.cwd,
    home: String(options.env.HOME),
    platform,
    channel: agent,
    stderr: (text) => {
      stderr += text
    },
    signal: new AbortController().signal,
  }
  const running = runAgent(world)
  void host.send({ type: 'user', session_id: '', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null })
  const messages: Message[] = []
  for await (const message of host.incoming) {
    messages.push(message)
    const { request_id, request } = message
    if (request?.subtype === 'can_use_tool') {
      const response = {
        behavior: 'allow',
        updatedInput: request.input,
        updatedPermissions: request.permission_suggestions,
      }
      void host.send({ type: 'control_response', response: { subtype: 'success', request_id, response } })
    }
    if (message.type === 'result') host.end()
  }
  const code = await running
  const local = settingsFile('local', options)
  return {
    messages,
    stderr,
    code,
    told: server.requests.length,
    local: existsSync(local) && readFileSync(local, 'utf8'),
  }
}

type Message = {
  type: string
  is_error?: boolean
  errors?: string[]
  request_id?: string
  request?: { subtype: string; input?: unknown; permission_suggestions?: unknown }
}

/** Only there so that the agent asks. */
const never: CanUseTool = () => assert.fail('the host is asked by message')
