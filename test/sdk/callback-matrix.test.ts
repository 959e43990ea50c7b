/**
 * Callbacks are reached from wherever work is done, for as long as it is done: every way to give a prompt, with every kind of work,
 * in-process and in a process of its own; canUseTool, the host's own tools, and every hook there is (`matrix-table.ts`).
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import {
  type CanUseTool,
  createSdkMcpServer,
  HOOK_EVENTS,
  type HookCallback,
  type Options,
  query,
  type SDKMessage,
  type SDKUserMessage,
  tool,
} from 'kedge'
import {
  collect,
  type Lane,
  type ModelHandler,
  type ModelRequest,
  type Step,
  script,
  startModelServer,
  testOptions,
} from 'kedge/testing'
import { isInPart, isolationsOf } from '../support/tier.js'
import { ACTORS, type Actor, type Cell, TABLE } from './callback-matrix-table.js'

const call = (name: string, input: object) => ({ name, input: { ...input } })
const helper = call('Task', { description: 'Help', prompt: 'HELP', subagent_type: 'general-purpose' })

/**
 * Calls that succeed, fail, ask, and are denied; a tool of the host that asks the user; a file with instructions beside it; the task
 * list; and then so many tokens that the conversation is summed up.
 */
const CALLS = (more: readonly { name: string; input: object }[]): Step => ({
  tools: [
    call('mcp__host__probe', {}),
    call('Bash', { command: 'exit 3' }),
    call('Bash', { command: 'rm nothing' }),
    call('Read', { file_path: 'inner/note.txt' }),
    call('TaskCreate', { subject: 'one', description: 'd' }),
    ...more.map(({ name, input }) => call(name, input)),
  ],
  usage: { input_tokens: 199_000 },
})
const DONE: Step = { tools: [call('TaskUpdate', { taskId: '1', status: 'completed' })] }
const SUMMARY = 'A summary.'
/** What the main thread does when it is the one at work. */
const OF_MAIN = (world: World): Step[] => [
  CALLS([helper, call('Bash', { command: 'cd inner' })]),
  SUMMARY,
  DONE,
  world.changeFiles,
]

type Work = {
  /** What the main thread does, request by request; then it only talks. */
  main(world: World): Step[]
  /** What the agent or mate does whose prompt begins with this, once it may. */
  lane?: string
  /** How many turns there are, those that follow by themselves included. */
  results: number
}

const WORK: Record<Actor, Work> = {
  foreground: { main: OF_MAIN, results: 1 },
  'background agent': { main: () => [task({ run_in_background: true })], lane: 'WORK', results: 2 },
  'background command': {
    main: (world) => [
      { tools: [call('Bash', { command: UNTIL_GO, run_in_background: true })] },
      'Launched.',
      ...OF_MAIN(world),
    ],
    results: 2,
  },
  teammate: {
    main: () => [{ tools: [call('TeamCreate', { team_name: 'alpha' })] }, task({ name: 'bob' })],
    lane: '\nWORK',
    results: 2,
  },
}
const WORKER = 'You are the one who works.'
const UNTIL_GO = 'until [ -e go ]; do sleep 0.02; done'

function task(more: object): Step {
  return { tools: [call('Task', { description: 'Work', prompt: 'WORK now.', subagent_type: 'worker', ...more })] }
}

const SHAPES = {
  'a string': () => 'Go.',
  'one message': async function* (world: World) {
    yield say('Go.')
    await world.first.opened
  },
  'messages that end early': async function* () {
    yield say('Go.')
  },
  'messages held open': async function* (world: World) {
    yield say('Go.')
    await world.last.opened
  },
} satisfies Record<string, (world: World) => string | AsyncIterable<SDKUserMessage>>

type World = {
  /** The first result came; the last one did. */
  first: Gate
  last: Gate
  /** Changes what is watched, and answers when that was noticed. */
  changeFiles: ModelHandler
}

test('the table has every hook and everybody who works', () => {
  assert.deepEqual(Object.keys(TABLE).sort(), [...HOOK_EVENTS].sort())
  for (const cells of Object.values(TABLE)) assert.deepEqual(Object.keys(cells).sort(), [...ACTORS].sort())
})

/** What must have been called for this one, and when. */
const wantedOf = (actor: Actor, cell: Cell) => HOOK_EVENTS.filter((event) => TABLE[event][actor] === cell)

describe('callbacks are reached', { concurrency: 3 }, () => {
  for (const actor of ACTORS) {
    for (const [shapeName, shape] of Object.entries(SHAPES)) {
      for (const isolation of isolationsOf(`${shapeName}, ${actor}`)) {
        it(`${shapeName}, ${actor} (${isolation})`, async () => {
          const work = WORK[actor]
          const run = await play(actor, shape, isolation, (world) => work.main(world))
          assert.equal(run.error, undefined)
          check(run.messages, work.results)
          const late = ['canUseTool', 'in-process tool', ...wantedOf(actor, 'late')].filter(
            (name) => name !== 'StopFailure',
          )
          const missed = (names: readonly string[], reached: Set<string>) => names.filter((name) => !reached.has(name))
          assert.deepEqual(missed(late, run.late), [], 'these were not called')
          assert.deepEqual(missed(wantedOf(actor, 'early'), run.reached), [], 'these were not called before')
          // A reason why something can't happen must be true.
          const impossible = HOOK_EVENTS.filter((event) => !['late', 'early'].includes(TABLE[event][actor]))
          assert.deepEqual(
            impossible.filter((event) => run.late.has(event)),
            [],
            'the table says that these do not happen',
          )
        })
      }
    }
  }
})

describe('StopFailure is reached', { concurrency: 3 }, () => {
  for (const actor of wantedActors('StopFailure')) {
    for (const [shapeName, shape] of Object.entries(SHAPES)) {
      // The shapes are those of above: one of them is enough for each actor.
      if (shapeName !== 'a string' && !isInPart(`StopFailure, ${shapeName}, ${actor}`)) continue
      for (const isolation of isolationsOf(`StopFailure, ${shapeName}, ${actor}`)) {
        it(`${shapeName}, ${actor} (${isolation})`, async () => {
          const untilThen = actor === 'foreground' ? 0 : 2
          const run = await play(actor, shape, isolation, (world) => [
            ...WORK[actor].main(world).slice(0, untilThen),
            { status: 400 },
          ])
          assert.ok(run.late.has('StopFailure'))
          // As ever when the last result is an error; in this process nothing exits, and it says its cause.
          assert.match(String(run.error), isolation === 'process' ? /exited with code 1/ : /API Error: 400/)
          assert.equal(run.messages.filter(({ type }) => type === 'result').length, WORK[actor].results)
        })
      }
    }
  }
})

function wantedActors(event: keyof typeof TABLE): Actor[] {
  return ACTORS.filter((actor) => TABLE[event][actor] === 'late')
}

type Shape = (typeof SHAPES)[keyof typeof SHAPES]

async function play(actor: Actor, shape: Shape, isolation: 'in-process' | 'process', main: (world: World) => Step[]) {
  const { lane, results: wanted } = WORK[actor]
  const first = createGate()
  const late = new Set<string>()
  const reached = new Set<string>()
  const noticed = createGate()
  const isChanged = () => late.has('FileChanged') && late.has('ConfigChange')
  let cwd = ''
  const world: World = {
    first,
    last: createGate(),
    async changeFiles() {
      writeFileSync(join(cwd, 'changed.txt'), '')
      writeFileSync(join(cwd, '.claude', 'settings.json'), '{}')
      if (!isChanged()) await noticed.opened
      return 'Very well.'
    },
  }
  const helps: Lane = { when: { opening: 'HELP' }, turns: () => 'Helped.' }
  // When its conversation was summed up, only its system prompt tells it from others.
  const when = ({ opening, body }: ModelRequest) =>
    lane !== undefined && (opening.includes(lane) || `${JSON.stringify(body.system)}`.includes(WORKER))
  const lanes: Record<string, Lane> = { helps, works: { when, turns: later(world) } }
  await using server = await startModelServer(script(inTurn(main(world)), { lanes }))
  await using options = testOptions(server, {
    model: 'claude-sonnet-4-5-20250929',
    isolation,
    agentTeams: actor === 'teammate',
    settingSources: ['project'],
    extraArgs: { init: null },
    agents: { worker: { description: 'Works', prompt: WORKER, tools: ['*'] } },
    env: { CLAUDE_CODE_ENABLE_TASKS: '1' },
    disallowedTools: ['Bash(rm:*)'],
    ...callbacks((name) => {
      reached.add(name)
      // Before the first result everybody listens.
      if (actor === 'foreground' || first.isOpen) late.add(name)
      if (isChanged()) noticed.open()
    }),
  })
  cwd = options.cwd
  for (const folder of ['.claude', 'inner']) mkdirSync(join(cwd, folder))
  for (const name of ['note.txt', 'CLAUDE.md']) writeFileSync(join(cwd, 'inner', name), 'Be kind.')
  let results = 0
  const watched = async function* () {
    for await (const message of query({ prompt: shape(world), options })) {
      yield message
      if (message.type !== 'result') continue
      results += 1
      first.open()
      writeFileSync(join(cwd, 'go'), '')
      if (results === wanted) world.last.open()
    }
  }
  return { ...(await collect(watched())), late, reached }
}

function check(messages: readonly SDKMessage[], results: number): void {
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
  const probe = tool('probe', 'Says that it was reached.', {}, async (_, { sendRequest }) => {
    reach('in-process tool')
    await sendRequest({ method: 'elicitation/create', params: { message: 'Sure?' } })
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
function later({ first, changeFiles }: World): ModelHandler {
  const play = inTurn([CALLS([]), SUMMARY, DONE, changeFiles])
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
