/**
 * `interrupt()` at every point where a turn can hang: it is answered at once, the turn has its result, nothing of it happens
 * later, and the same conversation serves the next message.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  createSdkMcpServer,
  type HookEvent,
  type Options,
  query,
  type SDKMessage,
  type SDKUserMessage,
  tool,
} from 'kedge'
import { type ModelServer, type Step, startModelServer, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'

/** Promised is half a second; a machine that does other things as well is forgiven more. */
const LIMIT_MS = process.env['KEDGE_LONG'] ? 500 : 20_000

type Situation = {
  /** What the model does until it is interrupted. */
  turns: Step[] | ((there: () => void) => Step[])
  options?(there: () => void): Options
  /** Where it hangs; otherwise callbacks tell. */
  isThere?(message: SDKMessage): boolean
  /** The first message waits for it. */
  needsServer?: boolean
  /** It has come so far when this file exists. */
  file?: string
  /** Turns of the model before the interrupt whose requests the next message does not repeat: those of a sub-agent. */
  ofOthers?: number
}

const deafServer = fileURLToPath(new URL('./deaf-server.js', import.meta.url))
const never = () => new Promise<never>(() => {})
const call = (name: string, input: object): Step => ({ tools: [{ id: 'toolu_1', name, input }] })
const marks = call('Bash', { command: ': > ran' })
/** For ever, the first time; then it has nothing to say. */
const hangs = (there: () => void) => {
  let first = true
  return async () => {
    if (!first) return {}
    first = false
    there()
    return never()
  }
}
const stuck = (there: () => void) => () => {
  there()
  return never()
}
const hooked = (event: HookEvent) => ({
  turns: event === 'Stop' ? ['Nearly done.'] : event === 'UserPromptSubmit' ? [] : [marks],
  options: (there: () => void): Options => ({
    allowedTools: event === 'PermissionRequest' ? [] : ['Bash'],
    hooks: { [event]: [{ hooks: [hangs(there)], timeout: 600 }] },
  }),
})
const deaf = "trap '' TERM INT HUP; : > there; while :; do sleep 0.05; done"

const SITUATIONS: Record<string, Situation> = {
  'before the answer': {
    turns: (there) => [
      () => {
        there()
        return { noAnswer: 'hang' }
      },
    ],
  },
  'in the middle of the answer': {
    turns: [{ text: 'A long story.', stallAfterEvents: 3 }],
    options: () => ({ includePartialMessages: true }),
    isThere: (m) => m.type === 'stream_event',
  },
  'between two tries': {
    turns: [{ status: 529, retryAfter: 500 }],
    isThere: (m) => m.type === 'system' && m.subtype === 'api_retry',
  },
  'in a command': {
    turns: [call('Bash', { command: ': > there; sleep 300' })],
    options: () => ({ allowedTools: ['Bash'] }),
    file: 'there',
  },
  'in a command that does not listen': {
    turns: [call('Bash', { command: `setsid bash -c "${deaf}" & ${deaf}` })],
    options: () => ({ allowedTools: ['Bash'] }),
    file: 'there',
  },
  'in a question to canUseTool': { turns: [marks], options: (there) => ({ canUseTool: stuck(there) }) },
  'in a UserPromptSubmit hook': hooked('UserPromptSubmit'),
  'in a PreToolUse hook': hooked('PreToolUse'),
  'in a PermissionRequest hook': hooked('PermissionRequest'),
  'in a PostToolUse hook': hooked('PostToolUse'),
  'in a Stop hook': hooked('Stop'),
  'in a command hook that does not listen': {
    turns: [marks],
    options: () => ({
      allowedTools: ['Bash'],
      settings: { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: deaf }] }] } },
    }),
    file: 'there',
  },
  'in a tool of the host': {
    turns: [call('mcp__host__wait', {})],
    options: (there) => ({
      allowedTools: ['mcp__host'],
      mcpServers: { host: createSdkMcpServer({ name: 'host', tools: [tool('wait', 'Waits.', {}, stuck(there))] }) },
    }),
  },
  'in a tool of a server that does not listen': {
    turns: [call('mcp__deaf__wait', {})],
    options: () => ({
      allowedTools: ['mcp__deaf'],
      mcpServers: { deaf: { command: process.execPath, args: [deafServer] } },
    }),
    isThere: (m) => m.type === 'assistant',
    needsServer: true,
  },
  'in a sub-agent': {
    turns: [
      call('Task', { description: 'x', prompt: 'Work.', subagent_type: 'general-purpose' }),
      { tools: [{ id: 'toolu_2', name: 'Bash', input: { command: deaf } }] },
    ],
    options: () => ({ allowedTools: ['Bash'] }),
    file: 'there',
    ofOthers: 1,
  },
  'in a wait for a background command': {
    turns: [
      call('Bash', { command: 'sleep 300', run_in_background: true }),
      ({ toolResults }) => ({
        tools: [
          { id: 'toolu_2', name: 'Bash', input: { command: ': > there' } },
          {
            id: 'toolu_3',
            name: 'TaskOutput',
            input: { task_id: /ID: (\w+)/.exec(toolResults[0]?.text ?? '')?.[1], timeout: 600_000 },
          },
        ],
      }),
    ],
    options: () => ({ allowedTools: ['Bash'] }),
    file: 'there',
  },
}

for (const [name, situation] of Object.entries(SITUATIONS)) {
  for (const isolation of isolationsOf(`interrupt ${name}`)) {
    test(`interrupt ${name} (${isolation})`, async () => {
      let arrive = () => {}
      const there = new Promise<void>((resolve) => {
        arrive = resolve
      })
      const turns = typeof situation.turns === 'function' ? situation.turns(arrive) : situation.turns
      await using server = await startModelServer([...turns, 'Second answer.'])
      await using options = testOptions(server, {
        model: 'claude-sonnet-4-5-20250929',
        isolation,
        ...situation.options?.(arrive),
      })
      const messages = await play(situation, options, arrive, there)
      check(name, messages, server, situation)
      assert.equal(existsSync(join(options.cwd, 'ran')), name === 'in a PostToolUse hook', 'it ran after the interrupt')
    })
  }
}

for (const isolation of isolationsOf('interrupt with scope all does not')) {
  test(`interrupt with scope all does not wait for a command that does not listen, which ends (${isolation})`, async () => {
    const command = { command: deaf, run_in_background: true }
    await using server = await startModelServer([call('Bash', command), 'Started.'])
    await using options = testOptions(server, { isolation, allowedTools: ['Bash'] })
    const running = query({ prompt: 'Go.', options })
    const messages: SDKMessage[] = []
    for await (const message of running) {
      messages.push(message)
      if (message.type !== 'result') continue
      await exists(join(options.cwd, 'there'))
      const started = performance.now()
      await running.interrupt({ scope: 'all' })
      const took = performance.now() - started
      assert.ok(took < LIMIT_MS, `interrupt() took ${Math.round(took)} ms`)
    }
    const [notice] = messages.flatMap((m) => (m.type === 'system' && m.subtype === 'task_notification' ? [m] : []))
    assert.equal(notice?.status, 'stopped')
    assert.match(notice?.summary ?? '', /was stopped \(interrupted\)$/)
  })
}

async function play(
  { isThere, file, needsServer }: Situation,
  options: Options & { cwd: string },
  arrive: () => void,
  there: Promise<void>,
): Promise<SDKMessage[]> {
  let goOn = () => {}
  const answered = new Promise<void>((resolve) => {
    goOn = resolve
  })
  async function* prompts() {
    await nextTurn()
    const areReady = async () => (await running.mcpServerStatus()).every(({ status }) => status === 'connected')
    while (needsServer && !(await areReady())) await pause(20)
    yield say('First.')
    await answered
    yield say('Second.')
  }
  const running = query({ prompt: prompts(), options })
  const messages: SDKMessage[] = []
  const interrupted = (async () => {
    await Promise.race([there, file === undefined ? never() : exists(join(options.cwd, file))])
    const started = performance.now()
    await running.interrupt()
    const took = performance.now() - started
    assert.ok(took < LIMIT_MS, `interrupt() took ${Math.round(took)} ms`)
    if (process.env['KEDGE_SHOW']) console.error(`interrupt() took ${Math.round(took)} ms`)
    return started
  })()
  let results = 0
  for await (const message of running) {
    messages.push(message)
    if (isThere?.(message)) arrive()
    if (message.type !== 'result') continue
    results += 1
    if (results === 1) {
      const took = performance.now() - (await interrupted)
      if (process.env['KEDGE_SHOW']) console.error(`its result took ${Math.round(took)} ms`)
      goOn()
    } else await running.interrupt({ scope: 'all' })
  }
  return messages
}

function check(name: string, messages: readonly SDKMessage[], server: ModelServer, { ofOthers = 0 }: Situation): void {
  const results = messages.flatMap((m) => (m.type === 'result' ? [m] : []))
  assert.deepEqual(
    results.map(({ subtype, is_error }) => [subtype, is_error]),
    [
      ['error_during_execution', false],
      ['success', false],
    ],
    name,
  )
  assert.match(results[0]?.terminal_reason ?? '', /^aborted_/)
  const bare = server.requests.map(({ body }) => {
    const { messages, ...rest } = JSON.parse(
      JSON.stringify(body).replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
    )
    // Without the ends of the last message and of the list: what follows may be another block, or another message.
    return { messages: JSON.stringify(messages).replace(/\]\}\]$/, ''), rest: JSON.stringify(rest) }
  })
  const last = bare.at(-1)
  const before = bare.at(-2 - ofOthers)
  // A turn that never got as far as the model has nothing to repeat.
  if (!before) return
  assert.ok(last?.rest === before.rest, `the next request offers something else: ${server.requests.at(-1)?.tools}`)
  assert.ok(last?.messages.startsWith(before.messages), 'the next request does not begin like the interrupted one')
}

function say(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' }
}

async function exists(path: string): Promise<void> {
  while (!existsSync(path)) await pause(5)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
