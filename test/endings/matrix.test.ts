/**
 * Callbacks are reached from wherever work is done, for as long as it is done: every way to give a prompt, with every kind of work,
 * in-process and in a process of its own. What is counted happens after the first result, when hosts of old had hung up.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  type CanUseTool,
  createSdkMcpServer,
  HOOK_EVENTS,
  type HookCallback,
  type HookEvent,
  type Options,
  query,
  type SDKMessage,
  type SDKUserMessage,
  tool,
} from 'kedge'
import { type Lane, type ModelHandler, type Step, script, startModelServer, testOptions } from 'kedge/testing'
import { ISOLATIONS } from '../e2e/both-ways.js'

/** Reaches canUseTool, the tool of the host, and the hooks around calls that succeed, fail and are denied. */
const CALLS: Step = {
  tools: [
    { name: 'mcp__host__probe', input: {} },
    { name: 'Bash', input: { command: 'exit 3' } },
    { name: 'Bash', input: { command: 'rm nothing' } },
  ],
}
const AROUND_CALLS: HookEvent[] = [
  ...(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'] as const),
  ...(['PermissionRequest', 'PermissionDenied'] as const),
]

type Work = {
  /** What the main thread does, request by request; then it only talks. */
  main: Step[]
  /** What the agent or mate does whose prompt begins with this, once it may. */
  lane?: string
  /** How many turns there are, those that follow by themselves included. */
  results: number
  /** Beside those around calls. */
  events: HookEvent[]
}

const WORK: Record<string, Work> = {
  foreground: { main: [CALLS], results: 1, events: ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'] },
  'background agent': {
    main: [task({ run_in_background: true })],
    lane: 'WORK',
    results: 2,
    events: ['SubagentStop', 'Stop', 'SessionEnd'],
  },
  'background command': {
    main: [
      {
        tools: [{ name: 'Bash', input: { command: 'until [ -e go ]; do sleep 0.02; done', run_in_background: true } }],
      },
      'Launched.',
      CALLS,
    ],
    results: 2,
    events: ['Stop', 'SessionEnd'],
  },
  teammate: {
    main: [{ tools: [{ name: 'TeamCreate', input: { team_name: 'alpha' } }] }, task({ name: 'bob' })],
    lane: '\nWORK',
    results: 2,
    events: ['TeammateIdle', 'Stop', 'SessionEnd'],
  },
}

function task(more: object): Step {
  const input = { description: 'Work', prompt: 'WORK now.', subagent_type: 'general-purpose', ...more }
  return { tools: [{ name: 'Task', input }] }
}

const SHAPES = {
  'a string': () => 'Go.',
  'one message': async function* (world: Progress) {
    yield say('Go.')
    await world.first
  },
  'messages that end early': async function* () {
    yield say('Go.')
  },
  'messages held open': async function* (world: Progress) {
    yield say('Go.')
    await world.last
  },
} satisfies Record<string, (world: Progress) => string | AsyncIterable<SDKUserMessage>>

/** The first result came; the last one did. */
type Progress = { first: Promise<void>; last: Promise<void> }

describe('callbacks are reached', { concurrency: 3 }, () => {
  for (const isolation of ISOLATIONS) {
    for (const [workName, work] of Object.entries(WORK)) {
      for (const [shapeName, shape] of Object.entries(SHAPES)) {
        it(`${shapeName}, ${workName} (${isolation})`, async () => {
          const first = createGate()
          const last = createGate()
          const lane: Lane | undefined =
            work.lane === undefined ? undefined : { when: { opening: work.lane }, turns: later(first) }
          const lanes: Record<string, Lane> = lane ? { lane } : {}
          await using server = await startModelServer(script(inTurn(work.main), { lanes }))
          const reached = new Set<string>()
          await using options = testOptions(server, {
            model: 'claude-sonnet-4-5-20250929',
            isolation,
            agentTeams: workName === 'teammate',
            disallowedTools: ['Bash(rm:*)'],
            ...callbacks((name) => {
              // Before the first result everybody listens.
              if (workName === 'foreground' || first.isOpen) reached.add(name)
            }),
          })
          const messages: SDKMessage[] = []
          const prompt = shape({ first: first.opened, last: last.opened })
          let results = 0
          for await (const message of query({ prompt, options })) {
            messages.push(message)
            if (message.type !== 'result') continue
            results += 1
            first.open()
            writeFileSync(join(options.cwd, 'go'), '')
            if (results === work.results) last.open()
          }
          check(messages, work)
          const wanted = ['canUseTool', 'in-process tool', ...AROUND_CALLS, ...work.events]
          assert.deepEqual(
            wanted.filter((name) => !reached.has(name)),
            [],
            'these were not called',
          )
        })
      }
    }
  }
})

function check(messages: readonly SDKMessage[], { results }: Work): void {
  const count = (kind: (message: SDKMessage) => boolean) => messages.filter(kind).length
  assert.equal(
    count(({ type }) => type === 'result'),
    results,
  )
  assert.equal(
    count((m) => m.type === 'system' && m.subtype === 'init'),
    results,
  )
  for (const message of messages) {
    if (message.type === 'result') assert.deepEqual([message.subtype, message.is_error], ['success', false])
    assert.doesNotMatch(JSON.stringify(message), /stream closed/i)
  }
}

function callbacks(reach: (name: string) => void): Options {
  const canUseTool: CanUseTool = async (_name, updatedInput) => {
    reach('canUseTool')
    return { behavior: 'allow', updatedInput }
  }
  const hook: HookCallback = async ({ hook_event_name }) => {
    reach(hook_event_name)
    return {}
  }
  const probe = tool('probe', 'Says that it was reached.', {}, async () => {
    reach('in-process tool')
    return { content: [{ type: 'text' as const, text: 'reached' }] }
  })
  return {
    canUseTool,
    hooks: Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [hook] }]])),
    mcpServers: { host: createSdkMcpServer({ name: 'host', tools: [probe] }) },
  }
}

/** Step by step; after the last only words. */
function inTurn(steps: readonly Step[]): ModelHandler {
  let next = 0
  return (request) => {
    const step = steps[next++] ?? 'Very well.'
    return typeof step === 'function' ? step(request) : step
  }
}

/** The same calls, when the first result has come. */
function later(first: Gate): ModelHandler {
  const play = inTurn([CALLS])
  return async (request) => {
    await first.opened
    return play(request)
  }
}

type Gate = { readonly opened: Promise<void>; readonly isOpen: boolean; open(): void }

function createGate(): Gate {
  let isOpen = false
  let resolve = () => {}
  const opened = new Promise<void>((done) => {
    resolve = done
  })
  return {
    opened,
    get isOpen() {
      return isOpen
    },
    open() {
      isOpen = true
      resolve()
    },
  }
}

function say(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' }
}
