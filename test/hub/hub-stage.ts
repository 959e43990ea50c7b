/** A hub over the scripted model, in a home of its own. */
import { type ModelServer, type Step, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { createHub, type HubOptions } from '../../src/hub/create-hub.js'
import type { Hub } from '../../src/hub/hub.js'
import type { LogReadOptions } from '../../src/hub/log/session-log.js'
import type { SessionSpec } from '../../src/hub/session-types.js'
import type { Sessions } from '../../src/hub/sessions.js'
import type { LogEntry, LogItem, PromptChange } from '../../src/protocol/session-log/entries.js'

export type HubStage = AsyncDisposable & {
  hub: Hub
  server: ModelServer
  options: TestOptions
  /** A session in the test's folder. */
  begin(spec?: Partial<SessionSpec>): Promise<string>
  /** Another hub over the same stored sessions. */
  reopen(): Promise<Hub>
}

export async function openHubStage(steps: Step[], given: HubOptions = {}): Promise<HubStage> {
  const server = await startModelServer(steps)
  const options = testOptions(server, { model: 'claude-sonnet-4-5-20250929', ...given.options })
  const before = process.env['CLAUDE_CONFIG_DIR']
  process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR']
  const stage: HubStage = {
    hub: createHub({ ...given, options }),
    server,
    options,
    begin: async (spec = {}) => (await stage.hub.create({ cwd: options.cwd, ...spec })).id,
    async reopen() {
      await stage.hub.end()
      stage.hub = createHub({ ...given, options })
      return stage.hub
    },
    async [Symbol.asyncDispose]() {
      await stage.hub.end()
      if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR']
      else process.env['CLAUDE_CONFIG_DIR'] = before
      await options[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
  return stage
}

/** Reads until `isLast` says so; that item is the last one. */
export async function readUntil(
  hub: Sessions,
  session: string,
  isLast: (item: LogItem) => boolean,
  options: LogReadOptions = {},
): Promise<LogItem[]> {
  const items: LogItem[] = []
  for await (const item of hub.read(session, options)) {
    items.push(item)
    if (isLast(item)) break
  }
  return items
}

/** A prompt is over. */
export function isEndOf(id: string) {
  return (item: LogItem) =>
    item.kind === 'prompt' && 'id' in item.data && item.data.id === id && item.data.change !== 'started'
}

export const entriesOf = (items: readonly LogItem[]): LogEntry[] =>
  items.filter((item): item is LogEntry => item.kind !== 'delta')

/** What happened, at a glance. */
export function story(items: readonly LogItem[]): string[] {
  return entriesOf(items).map((entry) => {
    if (entry.kind === 'message') return entry.data.type === 'system' ? `system/${entry.data.subtype}` : entry.data.type
    if (entry.kind === 'prompt') return `prompt ${entry.data.change} ${idOf(entry.data)}`
    if (entry.kind === 'state') return `state ${Object.keys(entry.data).join(' ')}`
    return entry.kind
  })
}

function idOf(change: PromptChange): string {
  if (change.change === 'reordered') return change.order.join(' ')
  return change.change === 'queued' ? change.prompt.id : change.id
}
