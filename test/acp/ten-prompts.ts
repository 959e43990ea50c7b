/** The ten prompts that go through ours and through another ACP agent, with the same client and the same scripted model. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from 'kedge/testing'
import type { Wire } from './acp-schema.js'
import { select } from './clients.js'
import { openRig, type Played, type Rig, type RigSetup, type Session } from './rig.js'

export type Scenario = {
  name: string
  steps(session: Session, rig: Rig): readonly Step[]
  /** What the person does, if not to allow everything once. */
  permission?(request: Wire, session: Session, rig: Rig): unknown
  /** Before the prompt. */
  prepare?(session: Session, rig: Rig): void | Promise<void>
  /** Of `session/new`. */
  params?: Record<string, unknown>
}

const use = (name: string, input: object) => ({ tools: [{ name, input }] })
const options = ['Tea', 'Coffee'].map((label) => ({ label, description: `${label}, please` }))

/** A server with prompts, which are commands of a session. */
const everything = {
  name: 'every',
  command: process.execPath,
  args: [join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  env: [],
}

export const tenPrompts: readonly Scenario[] = [
  { name: 'text', steps: () => ['Hello there.'] },
  { name: 'thinking', steps: () => [{ thinking: 'Let me see what this is.', text: 'I see.' }] },
  { name: 'Bash', steps: () => [use('Bash', { command: 'echo one; echo two', description: 'Count' }), 'Counted.'] },
  {
    name: 'Write',
    steps: ({ cwd }) => [use('Write', { file_path: join(cwd, 'new.txt'), content: 'one\ntwo\n' }), 'Written.'],
  },
  {
    name: 'Edit',
    prepare: ({ cwd }) => writeFileSync(join(cwd, 'old.txt'), 'first\nsecond\nthird\n'),
    steps: ({ cwd }) => [
      use('Read', { file_path: join(cwd, 'old.txt') }),
      use('Edit', { file_path: join(cwd, 'old.txt'), old_string: 'second', new_string: 'SECOND' }),
      'Edited.',
    ],
  },
  {
    name: 'TodoWrite',
    steps: () => [
      use('TodoWrite', {
        todos: [
          { content: 'Look', status: 'in_progress', activeForm: 'Looking' },
          { content: 'Mend', status: 'pending', activeForm: 'Mending' },
        ],
      }),
      'Planned.',
    ],
  },
  {
    name: 'AskUserQuestion',
    steps: () => [
      use('AskUserQuestion', { questions: [{ question: 'Which?', header: 'Drink', multiSelect: false, options }] }),
      'Chosen.',
    ],
  },
  {
    name: 'leaving plan mode',
    prepare: async ({ id }, rig) => void (await rig.request('session/set_mode', { sessionId: id, modeId: 'plan' })),
    steps: () => [use('ExitPlanMode', { plan: '# Plan\n\n1. Look\n2. Mend\n' }), 'Off I go.'],
  },
  {
    name: 'a sub-agent',
    steps: (_, { model }) => [
      use('Task', {
        description: 'Count files',
        prompt: `Count the files. ${model.plan(['There are twelve.'])}`,
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
      'Twelve.',
    ],
  },
  {
    name: 'a permission denied',
    permission: (request) => select(request, 'reject_once'),
    steps: () => [use('Bash', { command: 'touch denied.txt', description: 'Make a file' }), 'Then not.'],
  },
  {
    name: 'cancel at a permission',
    permission: async (_, session, rig) => {
      await rig.notify('session/cancel', { sessionId: session.id })
      return { outcome: { outcome: 'cancelled' } }
    },
    steps: () => [use('Bash', { command: 'touch canceled.txt', description: 'Make a file' })],
  },
  {
    name: 'prompts of an MCP server',
    params: { mcpServers: [everything] },
    prepare: async (session) =>
      void (await session
        .update('available_commands_update', (update) => mcpCommands(update).length > 0)
        .catch(() => {})),
    steps: () => [use('mcp__every__echo', { message: 'Hi.' }), 'Echoed.'],
  },
]

function mcpCommands({ availableCommands = [] }: Wire): string[] {
  return availableCommands.map(({ name }: Wire) => name).filter((name: string) => /^mcp[:_]/.test(name))
}

/** What one agent did with every prompt, in the words of the protocol; paths and ids made the same. */
export type Story = { name: string; lines: string[]; stopReason: string }
export type Telling = { stories: Story[]; violations: readonly string[]; strangers: string[]; initialized: Wire }

export async function tellStories(setup: RigSetup, names: readonly string[] = []): Promise<Telling> {
  const stories: Story[] = []
  const rig = await openRig('rich', setup)
  try {
    for (const scenario of tenPrompts) {
      if (names.length > 0 && !names.includes(scenario.name)) continue
      const begun = await rig.begin(scenario.params).catch(described)
      if (typeof begun === 'string') {
        stories.push({ name: scenario.name, lines: [begun], stopReason: 'error' })
        continue
      }
      const session = begun
      await scenario.prepare?.(session, rig)
      const { permission } = rig.person
      rig.person.permission = (request) => scenario.permission?.(request, session, rig) ?? permission(request)
      const played = await session.play(scenario.steps(session, rig)).catch(described)
      rig.person.permission = permission
      const story = storyOf(scenario.name, session, played)
      const commands = session.updates('available_commands_update').flatMap(mcpCommands)
      if (scenario.params) story.lines.unshift(`commands ${[...new Set(commands)].sort().join(' ')}`)
      stories.push(story)
    }
    return {
      stories,
      violations: [...rig.agent.tap.violations],
      strangers: [...rig.agent.tap.strangers],
      initialized: rig.initialized,
    }
  } finally {
    await endQuietly(rig, setup.command !== undefined)
  }
}

/** An agent that is not ours may end as it likes: some wait for ever. */
async function endQuietly(rig: Rig, isForeign: boolean): Promise<void> {
  try {
    if (isForeign) await rig.agent.kill()
    await rig[Symbol.asyncDispose]()
  } catch (error) {
    console.error(`at the end: ${error}`)
  }
}

function storyOf(name: string, session: Session, played: Played | string): Story {
  const tidy = (line: string) =>
    line
      .replaceAll(session.cwd, '~')
      .replace(/req_test_\d+/g, 'req')
      .replace(/\[\[p\d+\]\]/g, '[[p]]')
  if (typeof played === 'string') return { name, lines: [tidy(played)], stopReason: 'error' }
  const lines = played.heard.flatMap(({ from, message }) => (from === 'agent' ? describe(message, session) : []))
  return { name, lines: mergeRepeats(lines.map(tidy)), stopReason: played.response.stopReason }
}

/** One line per message, with what a client acts upon. */
function describe(message: Wire, session: Session): string[] {
  const { method, params } = message ?? {}
  if (method === undefined) return []
  if (method === 'session/update') {
    const where = params.sessionId === session.id ? '' : ' (child)'
    return [`${params.update.sessionUpdate}${where}${detailsOf(params.update)}`]
  }
  if (method === 'session/request_permission') {
    const kinds = params.options.map((option: Wire) => option.kind).join(' ')
    const shown = partsOf(params.toolCall.content)
    return [`? permission ${params.toolCall.kind ?? ''}${shown} [${kinds}]`]
  }
  if (method === 'elicitation/create') {
    const fields = Object.keys(params.requestedSchema?.properties ?? {}).join(' ')
    return [`? elicitation ${params.mode} [${fields}]`]
  }
  return [`? ${method}`]
}

function detailsOf(update: Wire): string {
  switch (update.sessionUpdate) {
    case 'tool_call':
    case 'tool_call_update': {
      const words = [update.name, update.kind, update.status].filter(Boolean)
      return ` ${words.join(' ')}${partsOf(update.content)}`
    }
    case 'plan':
    case 'plan_update': {
      const entries = update.entries ?? update.plan?.entries ?? []
      return ` ${update.plan?.type ?? ''} ${entries.map((entry: Wire) => `${entry.content}:${entry.status}`).join(', ')}`
    }
    case 'current_mode_update':
      return ` ${update.currentModeId}`
    case 'usage_update':
      return update.cost ? ' with cost' : ''
    default:
      return ''
  }
}

/** What a tool call shows; of a diff, what it says was there before. */
function partsOf(content: Wire): string {
  const parts = (content ?? []).map((part: Wire) =>
    part.type === 'diff' ? `diff(${part.oldText == null ? 'new' : JSON.stringify(part.oldText)})` : part.type,
  )
  return parts.length > 0 ? ` {${parts}}` : ''
}

/** Streams arrive in pieces of any number. */
function mergeRepeats(lines: string[]): string[] {
  return lines.filter((line, index) => line !== lines[index - 1])
}

/** What an agent refused, with what it said about why. */
function described(error: unknown): string {
  const data: unknown = error instanceof Error ? Reflect.get(error, 'data') : undefined
  // What was written to stderr, which sandbox-agent hands on, has ids in it.
  const isOutput = typeof data === 'object' && data !== null && 'agentStderr' in data
  return data === undefined || isOutput ? String(error) : `${error}: ${JSON.stringify(data)}`
}
