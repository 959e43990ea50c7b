/** Logs of sessions that never were, with all that a log can hold: the same random choices make the same log. */
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import type { Random } from '../fuzz/random.js'
import { LogMaker } from '../support/log-maker.js'

type Items = Generator<LogItem, void>
type Block = { type: string; [field: string]: unknown }

const WORDS = ['One', 'two.', '\n', 'Ship', 'ö', 'x'.repeat(50), ' ', '🚢', '{"a":1}', '\u0007']
const TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'Grep', 'TideTable', 'mcp__harbor__list']
const UNUSUAL = [
  { type: 'tool_use_summary', summary: 'Two files.', preceding_tool_use_ids: [] },
  { type: 'prompt_suggestion', suggestion: 'And now?' },
  { type: 'of another make', deep: { er: 1 } },
  { type: 'system', subtype: 'of another make' },
  { type: 'system', subtype: 'session_state_changed', state: 'running' },
  { type: 'system', subtype: 'background_tasks_changed', tasks: [] },
  { type: 'tool_progress', tool_use_id: 'none', tool_name: 'Bash', elapsed_time_seconds: 3 },
]

/** The ids of prompts are `p1`, `p2` and so on; their messages in the transcript `uuid-p1`. */
export class GeneratedLog {
  readonly items: LogItem[] = []
  readonly #log = new LogMaker()
  readonly #random: Random
  /** Whether texts may stream whose entry never comes. */
  readonly #isCut: boolean
  #count = 0
  #cost = 0
  #started: string[] = []
  /** What goes on beside the turn: sub-agents and commands in the background. */
  #beside: Items[] = []

  constructor(random: Random, { isCut = true, turns = 4 }: { isCut?: boolean; turns?: number } = {}) {
    this.#random = random
    this.#isCut = isCut
    for (const item of this.#session(1 + random.int(turns))) this.items.push(item)
  }

  #id(kind: string): string {
    this.#count += 1
    return `${kind}${this.#count}`
  }

  #words(most = 4): string {
    return this.#random.some(WORDS, most).join(' ')
  }

  *#session(turns: number): Items {
    const { state } = this.#log
    yield this.#log.state({ cwd: '/w', status: 'idle', model: 'practice', mode: 'default' })
    for (let turn = 0; turn < turns; turn += 1) {
      yield* this.#interleaved(this.#turn())
      if (this.#random.chance(0.2)) yield* this.#interleaved(this.#betweenTurns())
    }
    if (this.#random.chance(0.5)) for (const items of this.#beside) yield* items
    if (this.#random.chance(0.2))
      yield state.call(this.#log, { status: this.#random.pick(['done', 'error']), error: 'Gone.' })
  }

  *#interleaved(items: Items): Items {
    for (;;) {
      if (this.#beside.length > 0 && this.#random.chance(0.3)) {
        const other = this.#random.pick(this.#beside)
        const { value, done } = other.next()
        if (done) this.#beside = this.#beside.filter((one) => one !== other)
        else yield value
        continue
      }
      const { value, done } = items.next()
      if (done) return
      yield value
    }
  }

  *#betweenTurns(): Items {
    const log = this.#log
    if (this.#random.chance(0.5) && this.#started.length > 0) {
      const at = this.#random.int(this.#started.length)
      const [first] = this.#started.splice(at)
      yield log.state({ rewound: { message: `uuid-${first}` }, by: { name: 'Ada' } })
    }
    if (this.#random.chance(0.5)) yield log.state({ title: this.#random.pick(['Ships', null]), mode: 'plan' })
    if (this.#random.chance(0.2)) yield log.state({ status: 'done' })
    if (this.#random.chance(0.2)) yield log.state({ archived: true, by: { name: 'Ada' } })
  }

  *#turn(): Items {
    const { chance, pick } = bound(this.#random)
    const log = this.#log
    const id = this.#id('p')
    const by = { name: 'Ada' }
    yield log.prompt({ change: 'queued', prompt: { id, content: this.#content(), when: 'queue', by } })
    const waiting = chance(0.3) ? [this.#id('p'), this.#id('p')] : []
    for (const one of waiting)
      yield log.prompt({ change: 'queued', prompt: { id: one, content: 'Wait.', when: 'steer', by } })
    if (waiting.length > 0 && chance(0.5)) yield log.prompt({ change: 'reordered', order: waiting.toReversed() })
    yield log.prompt({ change: 'started', id, message: `uuid-${id}` })
    this.#started.push(id)
    yield log.state({ status: 'running' })
    if (chance(0.5)) yield this.#init()
    for (const one of waiting) {
      if (chance(0.5)) yield log.prompt({ change: 'removed', id: one, by })
      else yield log.prompt({ change: 'started', id: one, message: `uuid-${one}`, joined: true })
    }
    const steps = this.#random.int(6)
    for (let step = 0; step < steps; step += 1) yield* this.#step(undefined, 0)
    if (this.#isCut && chance(0.3)) yield* this.#cut(undefined)
    if (chance(0.1)) yield* this.#calls(undefined, 0, true)
    if (chance(0.1)) yield* this.#errorText()
    yield* this.#end(id)
    yield log.state({ status: pick(['idle', 'idle', 'needs-you']) })
  }

  *#end(id: string): Items {
    const { chance, pick } = bound(this.#random)
    const log = this.#log
    this.#cost += this.#random.int(3) / 10
    const outcome = pick([
      { subtype: 'success', is_error: false, result: this.#words(2), cache_hit_rate: 0.5 },
      { subtype: 'success', is_error: false, result: 'Done.', session_total_cost_usd: 3 },
      {
        subtype: 'success',
        is_error: true,
        result: 'API Error: no',
        error_fix: 'Try again.',
        error_code: 'server_error',
      },
      { subtype: 'error_max_turns', is_error: true, errors: ['Too many.', 'Far too many.'] },
      { subtype: 'error_during_execution', is_error: true, errors: [], terminal_reason: 'aborted_tools' },
    ])
    if (chance(0.9)) yield log.end(this.#cost, { usage: {}, uuid: 'r', num_turns: 1, duration_ms: 5, ...outcome })
    else yield log.state({ status: 'error', error: this.#words(2) })
    if (chance(0.8)) yield log.prompt({ change: 'done', id, result: 'r' })
    else yield log.prompt({ change: 'interrupted', id, reason: 'the process ended' })
  }

  #content(): string | Block[] {
    if (this.#random.chance(0.7)) return this.#words()
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    return [
      { type: 'text', text: this.#words() },
      { type: 'image', source },
    ]
  }

  #init(): LogItem {
    const status = () => this.#random.pick(['connected', 'failed', 'needs-auth', 'pending'])
    const mcp_servers = ['harbor', 'tides'].map((name) => ({ name, status: status() }))
    return this.#log.system('init', { model: 'practice', slash_commands: ['help'], mcp_servers })
  }

  *#step(parent: string | undefined, depth: number): Items {
    const { chance } = bound(this.#random)
    if (chance(0.35)) yield* this.#says(this.#saying(), parent)
    else if (chance(0.6)) yield* this.#calls(parent, depth)
    else if (chance(0.15) && depth < 2) yield* this.#agent(parent, depth)
    else if (parent === undefined) yield* this.#mainStep()
  }

  *#mainStep(): Items {
    const { pick } = bound(this.#random)
    const log = this.#log
    const one = (item: () => LogItem) =>
      function* () {
        yield item()
      }
    yield* pick([
      () => this.#compaction(),
      () => this.#request(pick(['question', 'plan', 'elicitation'])),
      one(() => log.message({ uuid: 'u', ...pick(UNUSUAL) })),
      one(() => log.told(pick(['A reminder.', '<local-command-stdout>Cost: $1</local-command-stdout>']))),
      () => this.#steps(),
      () => this.#serverCall(),
      one(() => this.#notice()),
      one(() => this.#notice()),
    ])()
  }

  #saying(): Block[] {
    const block = (): Block => {
      if (this.#random.chance(0.1)) return { type: 'redacted_thinking', data: 'x' }
      return this.#random.chance(0.3)
        ? { type: 'thinking', thinking: this.#words() }
        : { type: 'text', text: this.#words() }
    }
    return Array.from({ length: 1 + this.#random.int(3) }, block)
  }

  /** Blocks of one message: they stream or come whole, and each is an entry or all of them are one. */
  *#says(blocks: readonly Block[], parent: string | undefined): Items {
    const message = this.#id('m')
    const { chance } = bound(this.#random)
    const log = this.#log
    const of = { message, ...(parent === undefined ? {} : { parent }) }
    if (chance(0.2)) yield* this.#cut(parent)
    if (chance(0.3)) {
      yield log.said([...blocks], of)
      return
    }
    const isStreamed = chance(0.8)
    const shown: LogItem[] = []
    if (isStreamed) yield log.stream(begun(message), parent)
    for (const [index, block] of blocks.entries()) {
      shown.length = 0
      for (const event of isStreamed ? this.#streamOf(block, index) : []) {
        const delta = log.stream(event, parent)
        shown.push(delta)
        yield delta
        // A reader who fell behind gets what isn't complete from its beginning.
        if (chance(0.05)) yield* [log.stream(begun(message), parent), ...shown]
      }
      yield log.said([block], of)
    }
  }

  *#streamOf(block: Block, index: number): Generator<object, void> {
    const [empty, field, whole] = streamParts(block)
    yield { type: 'content_block_start', index, content_block: empty }
    for (let at = 0; field !== undefined && at < whole.length; ) {
      const length = 1 + this.#random.int(20)
      yield {
        type: 'content_block_delta',
        index,
        delta: { type: `${field[0]}_delta`, [field[1]]: whole.slice(at, at + length) },
      }
      at += length
    }
    if (this.#random.chance(0.7)) yield { type: 'content_block_stop', index }
  }

  /** A message that begins, and is never said. */
  *#cut(parent: string | undefined): Items {
    if (parent === undefined && !this.#isCut) return
    yield this.#log.stream(begun(this.#id('m')), parent)
    for (const event of this.#streamOf({ type: 'text', text: this.#words() }, 0)) yield this.#log.stream(event, parent)
    if (this.#isCut && this.#random.chance(0.3))
      for (const event of this.#streamOf(this.#call(this.#id('t'), 'Bash'), 1)) yield this.#log.stream(event, parent)
    if (!this.#isCut) yield this.#log.stream(begun(this.#id('m')), parent)
  }

  #call(id: string, name: string): Block {
    const input = { command: this.#words(2), file_path: '/w/a.txt', old_string: 'a', new_string: 'b', content: 'c' }
    return { type: 'tool_use', id, name, input }
  }

  *#calls(parent: string | undefined, depth: number, isLast = false): Items {
    const blocks = Array.from({ length: 1 + this.#random.int(3) }, () =>
      this.#call(this.#id('t'), this.#random.pick(TOOLS)),
    )
    yield* this.#says(blocks, parent)
    if (isLast) return
    const runs = blocks.map((block) => this.#run(String(block['id']), String(block['name']), parent, depth))
    for (let open = runs; open.length > 0; ) {
      const one = this.#random.pick(open)
      const { value, done } = one.next()
      if (done) open = open.filter((run) => run !== one)
      else yield value
    }
  }

  *#run(id: string, name: string, parent: string | undefined, depth: number): Items {
    const { chance, pick } = bound(this.#random)
    const log = this.#log
    const of = parent === undefined ? {} : { parent }
    const denies = chance(0.3) ? yield* this.#permission(id, name) : false
    if (denies || chance(0.1)) {
      if (!denies)
        yield log.system('permission_denied', {
          tool_use_id: id,
          tool_name: name,
          content: 'No.',
          decision_reason: 'Not here.',
        })
      yield log.result(id, 'Not here.', { ...of, isError: true })
      return
    }
    for (const output of this.#random.some(['one\n', '', null, 'two\n'], 3))
      yield log.delta({
        type: 'tool_progress',
        tool_use_id: id,
        tool_name: name,
        elapsed_time_seconds: 2,
        ...(output === null ? {} : { output }),
      })
    if (chance(0.15) && parent === undefined && depth === 0) {
      yield log.result(id, 'It runs.', { ...of, detail: { backgroundTaskId: `task-${id}` } })
      this.#beside.push(this.#command(id))
      return
    }
    const patch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }]
    const detail = pick([{}, { filePath: '/w/a.txt', structuredPatch: patch }, { stdout: 'x' }])
    yield log.result(id, this.#words(), { ...of, isError: chance(0.2), detail })
  }

  *#command(id: string): Items {
    const log = this.#log
    const task = { task_id: `task-${id}`, tool_use_id: id }
    if (this.#random.chance(0.5))
      yield log.system('task_started', { ...task, description: 'Serve', task_type: 'local_bash' })
    for (const output of this.#random.some(['ready\n', 'more\n'], 3))
      yield log.delta({ type: 'tool_progress', tool_use_id: id, task_id: task.task_id, output })
    yield log.system('task_updated', { task_id: task.task_id, patch: { description: 'Serve on' } })
    const status = this.#random.pick(['completed', 'failed', 'stopped'])
    yield log.system('task_notification', { ...task, status, summary: this.#words(2), output_file: '/tmp/out' })
  }

  /** Returns whether the call was denied. */
  *#permission(id: string, name: string): Generator<LogItem, boolean> {
    const { chance } = bound(this.#random)
    const log = this.#log
    const ask = this.#id('a')
    yield log.ask(ask, id, undefined, {
      why: { layer: 'tool', text: 'why' },
      suggestions: [],
      tool: { name, input: { command: 'ls' }, hash: 'h', useId: id },
    })
    if (chance(0.2)) {
      yield log.withdrawn(ask, 'the turn was stopped')
      return true
    }
    const allows = chance(0.7)
    yield log.answeredWith(ask, allows ? { kind: 'allow', updates: chance(0.5) ? [{}] : [] } : { kind: 'deny' })
    return !allows
  }

  *#request(kind: 'question' | 'plan' | 'elicitation'): Items {
    const log = this.#log
    const ask = this.#id('a')
    const why = { layer: 'tool', text: 'why' }
    const tool = { name: kind === 'plan' ? 'ExitPlanMode' : 'AskUserQuestion', hash: 'h', useId: `none-${ask}` }
    const input = { plan: 'Do it.', questions: [{ question: 'Which?', options: [{ label: 'Red' }] }] }
    const elicitation = { serverName: 'harbor', message: 'Where?', mode: 'form' }
    const about = kind === 'elicitation' ? { elicitation } : { tool: { ...tool, input } }
    yield log.ask(ask, undefined, undefined, { kind, why, suggestions: [], ...about })
    const answers = { question: { kind: 'answers', answers: { 'Which?': 'Red' } }, plan: { kind: 'approve' } }
    const yes = kind === 'elicitation' ? { kind: 'elicitation', action: 'accept', content: {} } : answers[kind]
    const end = this.#random.pick(['answered', 'answered', 'denied', 'withdrawn', 'open'])
    if (end === 'answered') yield log.answeredWith(ask, yes)
    if (end === 'denied') yield log.answeredWith(ask, { kind: 'deny' })
    if (end === 'withdrawn') yield log.withdrawn(ask, 'gone')
  }

  *#agent(parent: string | undefined, depth: number): Items {
    const { chance } = bound(this.#random)
    const log = this.#log
    const id = this.#id('t')
    const input = { description: 'look', prompt: 'Look around.' }
    yield* this.#says([{ type: 'tool_use', id, name: 'Task', input }], parent)
    const of = parent === undefined ? {} : { parent }
    const isBeside = parent === undefined && chance(0.4)
    const task = `agent-${id}`
    if (chance(0.7) || isBeside)
      yield log.system('task_started', {
        task_id: task,
        tool_use_id: id,
        description: 'look',
        task_type: 'local_agent',
      })
    if (!isBeside) {
      yield* this.#inside(id, task, depth)
      yield log.result(id, 'Seen.', { ...of, isError: chance(0.1), detail: { status: 'completed' } })
      return
    }
    yield log.result(id, 'It looks.', { ...of, detail: { status: 'async_launched', agentId: task } })
    this.#beside.push(this.#inside(id, task, depth))
  }

  *#inside(id: string, task: string, depth: number): Items {
    const log = this.#log
    yield log.told('Look around.', id)
    const steps = this.#random.int(4)
    for (let step = 0; step < steps; step += 1) {
      yield* this.#step(id, depth + 1)
      const usage = { total_tokens: 100 * step, tool_uses: step, duration_ms: 5 }
      if (this.#random.chance(0.3))
        yield log.system('task_progress', { task_id: task, tool_use_id: id, description: 'look', usage })
    }
    if (this.#random.chance(0.2)) yield log.told('A reminder.', id)
    if (this.#random.chance(0.8))
      yield log.system('task_notification', { task_id: task, tool_use_id: id, status: 'completed', summary: 'Seen.' })
  }

  *#compaction(): Items {
    const log = this.#log
    const compact_metadata = { trigger: this.#random.pick(['auto', 'manual']), pre_tokens: 9000 }
    if (this.#random.chance(0.7)) yield log.system('status', { status: 'compacting' })
    if (this.#random.chance(0.7)) yield log.system('compact_boundary', { compact_metadata })
    if (this.#random.chance(0.5)) yield log.told('What was said.')
  }

  *#steps(): Items {
    const log = this.#log
    const [create, update, list, write] = [this.#id('t'), this.#id('t'), this.#id('t'), this.#id('t')]
    const calls: [id: string, name: string, input: object, detail: object][] = [
      [create, 'TaskCreate', { subject: 'Build' }, { task: { id: '1', subject: 'Build' } }],
      [update, 'TaskUpdate', { taskId: '1', status: this.#random.pick(['in_progress', 'deleted']) }, {}],
      [list, 'TaskList', {}, { tasks: [{ id: '1', subject: 'Build', status: 'completed' }] }],
      [write, 'TodoWrite', { todos: [{ content: 'Test', status: 'pending' }] }, {}],
    ]
    for (const [id, name, input, detail] of this.#random
      .some(calls, 3)
      .filter((call, n, all) => all.indexOf(call) === n)) {
      yield* this.#says([{ type: 'tool_use', id, name, input }], undefined)
      yield log.result(id, 'ok', { detail })
    }
  }

  /** Its result is a block beside it. */
  *#serverCall(): Items {
    const id = this.#id('t')
    const content = this.#random.pick([
      [{ type: 'web_search_result', url: 'https://a.example' }],
      { type: 'web_search_tool_result_error' },
    ])
    const blocks = [
      { type: 'server_tool_use', id, name: 'web_search', input: { query: 'tides' } },
      { type: 'web_search_tool_result', tool_use_id: id, content },
      { type: 'text', text: this.#words() },
    ]
    yield* this.#says(blocks, undefined)
  }

  *#errorText(): Items {
    const text = this.#random.pick([
      'API Error: 529',
      'API Error: 400 {"type":"error","error":{"message":"No such model."}}',
    ])
    const message = this.#id('m')
    if (this.#random.chance(0.5)) {
      yield this.#log.stream(begun(message))
      for (const event of this.#streamOf({ type: 'text', text }, 0)) yield this.#log.stream(event)
    }
    yield this.#log.text(text, { message, error: 'server_error' })
  }

  #notice(): LogItem {
    const log = this.#log
    const hook = { hook_name: 'lint', hook_event: 'Stop', output: 'out', stderr: 'no file' }
    return this.#random.pick([
      () => log.system('api_retry', { attempt: 1, max_retries: 5, retry_delay_ms: 250, error: 'overloaded' }),
      () => log.system('model_fallback', { content: 'Another model answers.' }),
      () => log.system('informational', { content: 'Hear, hear.', level: 'notice' }),
      () => log.system('mirror_error', { error: 'ENOSPC' }),
      () => log.system('hook_started', hook),
      () => log.system('hook_response', { ...hook, outcome: this.#random.pick(['success', 'error']), exit_code: 2 }),
      () => log.system('files_persisted', { files: [{ filename: 'a' }], failed: [{ filename: 'b', error: 'full' }] }),
      () => log.message({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_790_000_000 } }),
      () => log.message({ type: 'auth_status', output: ['Signing in'], isAuthenticating: true }),
      () => log.message({ type: 'conversation_reset', trigger: 'clear' }),
    ])()
  }
}

/** The empty block a stream begins with, the type and field of its deltas, and what they make together. */
function streamParts(block: Block): [empty: Block, field: [type: string, field: string] | undefined, whole: string] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: '' }, ['text', 'text'], String(block['text'])]
    case 'thinking':
      return [{ type: 'thinking', thinking: '' }, ['thinking', 'thinking'], String(block['thinking'])]
    case 'tool_use':
    case 'server_tool_use':
      return [{ ...block, input: {} }, ['input_json', 'partial_json'], JSON.stringify(block['input'])]
    default:
      return [block, undefined, '']
  }
}

function begun(id: string): object {
  return { type: 'message_start', message: { id, usage: { input_tokens: 5, output_tokens: 1 } } }
}

function bound(random: Random): Pick<Random, 'chance' | 'pick'> {
  return { chance: (probability) => random.chance(probability), pick: (items) => random.pick(items) }
}
