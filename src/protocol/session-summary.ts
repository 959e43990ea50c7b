/** What a list says about a session, gathered from its lines as they come. */
import type { SDKSessionInfo, SessionKey, SessionStoreEntry, SessionSummaryEntry } from './stored-sessions.js'

/** What is gathered. Stores keep it as it is and don't look into it. */
export type SessionSummaryData = {
  isSidechain?: boolean
  createdAt?: number
  cwd?: string
  firstPrompt?: string
  /** The first slash command, for a session without another prompt. */
  firstCommand?: string
  customTitle?: string
  aiTitle?: string
  lastPrompt?: string
  summaryHint?: string
  gitBranch?: string
  tag?: string
  /** Which program it was begun with, where that is written down. */
  entrypoint?: string
}

const MAX_PROMPT = 200

/**
 * Adds entries that were appended to the summary of what was there before. For the `append()` of a store that implements
 * `listSessionSummaries()`: keep the result, with the time of writing as `mtime`.
 */
export function foldSessionSummary(
  previous: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
  options: {
    /** When the session was changed last, in milliseconds. */
    mtime?: number
  } = {},
): SessionSummaryEntry {
  // What `previous` holds was made here.
  const data: SessionSummaryData = { ...(previous?.data as SessionSummaryData | undefined) }
  for (const entry of entries) addToSummary(data, entry)
  return { sessionId: key.sessionId, mtime: options.mtime ?? previous?.mtime ?? 0, data }
}

/** Changes `data`. What is said once stays, what is said again and again is what it was last. */
export function addToSummary(data: SessionSummaryData, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const entry = value as Record<string, unknown> // any object can be looked into
  const text = (name: string) => (typeof entry[name] === 'string' ? entry[name] : undefined)
  const time = Date.parse(text('timestamp') ?? '')
  if (!Number.isNaN(time)) data.createdAt ??= time
  switch (entry.type) {
    case 'custom-title':
      data.customTitle = text('customTitle') ?? data.customTitle
      return
    case 'ai-title':
      data.aiTitle = text('aiTitle') ?? data.aiTitle
      return
    case 'tag':
      data.tag = text('tag') ?? data.tag
      return
    case 'last-prompt':
      data.lastPrompt = text('lastPrompt') ?? data.lastPrompt
      return
    case 'summary':
      data.summaryHint = text('summary') ?? data.summaryHint
      return
  }
  if (typeof entry.uuid !== 'string') return
  if (typeof entry.isSidechain === 'boolean') data.isSidechain ??= entry.isSidechain
  data.cwd ??= text('cwd')
  data.entrypoint ??= text('entrypoint')
  data.gitBranch = text('gitBranch') || data.gitBranch
  if (entry.type !== 'user' || data.firstPrompt !== undefined) return
  const prompt = promptOf(entry)
  if (prompt?.startsWith('/')) data.firstCommand ??= prompt
  else if (prompt !== undefined) data.firstPrompt = prompt
}

/** Undefined for a sub-agent's own file, and where nothing was said. */
export function toSessionInfo(
  sessionId: string,
  lastModified: number,
  data: SessionSummaryData,
  fileSize?: number,
): SDKSessionInfo | undefined {
  const { createdAt, cwd, gitBranch } = data
  const customTitle = data.customTitle || data.aiTitle || undefined
  const firstPrompt = data.firstPrompt ?? data.firstCommand
  const summary = customTitle ?? (data.lastPrompt || data.summaryHint || firstPrompt)
  if (summary === undefined || data.isSidechain) return undefined
  return {
    sessionId,
    summary,
    lastModified: Math.floor(lastModified),
    ...(fileSize === undefined ? {} : { fileSize }),
    ...(customTitle === undefined ? {} : { customTitle }),
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
    ...(gitBranch === undefined ? {} : { gitBranch }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(data.tag ? { tag: data.tag } : {}),
    ...(createdAt === undefined ? {} : { createdAt }),
  }
}

/** What people typed: not what a program put in their place. */
function promptOf({ message, isMeta, isCompactSummary }: Record<string, unknown>): string | undefined {
  if (isMeta === true || isCompactSummary === true) return undefined
  const content: unknown =
    typeof message === 'object' && message !== null && 'content' in message ? message.content : ''
  const texts = Array.isArray(content) ? content.map(textOf) : [content]
  for (const text of texts) {
    if (typeof text !== 'string') continue
    const command = /<command-name>([^<]*)<\/command-name>/.exec(text)?.[1]?.trim()
    if (command) return command.startsWith('/') ? command : `/${command}`
    const prompt = text.replaceAll(/\s+/g, withoutLines).trim()
    if (prompt === '' || NOT_TYPED.test(prompt)) continue
    return prompt.length > MAX_PROMPT ? `${prompt.slice(0, MAX_PROMPT).trim()}…` : prompt
  }
  return undefined
}

/**
 * Up to its last line break, a run of spaces counts as one. Each run is read once, because prompts can contain very
 * long ones.
 */
function withoutLines(blanks: string): string {
  const end = blanks.lastIndexOf('\n')
  return end < 0 ? blanks : ` ${blanks.slice(end + 1)}`
}

const NOT_TYPED =
  /^(?:<(?:local-command|command|bash|system-reminder|task-notification|ide)[\w-]*>|\[Request interrupted by user)/

function textOf(block: unknown): unknown {
  return typeof block === 'object' && block !== null && 'text' in block ? block.text : undefined
}
