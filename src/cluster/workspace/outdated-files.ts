/** What the model reads if its files are older than the conversation: the calls whose effects are missing. Pure. */
import { oneLine } from '../../platform/visible-text.js'
import type { SessionStoreEntry } from '../../protocol/stored-sessions.js'
import { toCanonicalToolName, toolTraits } from '../../protocol/tool-names.js'

export type FileChangingCall = {
  /** Number of the entry that reports the call's start, or else of its result. */
  seq: number
  tool: string
  input: unknown
  /** False if the call had begun, and its outcome is unknown. */
  finished: boolean
}

/** These tools leave files alone. A sub-agent's work is in separate calls. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'ListMcpResourcesTool', 'ReadMcpResourceTool', 'SendMessage'],
  ...['Skill', 'StructuredOutput', 'Task', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskOutput', 'TaskStop', 'TaskUpdate'],
  ...['TeamCreate', 'TeamDelete', 'TodoWrite', 'ToolSearch', 'WebFetch', 'WebSearch'],
])

/**
 * Returns the tool calls that changed files after a save. `entries`: the whole transcript, with those of sub-agents.
 * A call counts by when it ran, not by when it was asked for.
 */
export function fileChangingCallsSince(
  entries: Iterable<{ seq: number; line: SessionStoreEntry }>,
  savedSeq: number,
): FileChangingCall[] {
  const asked = new Map<string, { tool: string; input: unknown; journaled: boolean }>()
  const ran = new Map<string, { seq: number; finished: boolean }>()
  for (const { seq, line } of entries) {
    if (line.type === 'tool-start') {
      const id = line['toolUseId']
      if (typeof id === 'string') ran.set(id, { seq, finished: false })
    }
    for (const block of blocksOf(line)) {
      if (block['type'] === 'tool_use' && typeof block['id'] === 'string') {
        const journaled = line['journaled'] === true
        asked.set(block['id'], { tool: String(block['name']), input: block['input'], journaled })
      }
      const id = block['type'] === 'tool_result' ? block['tool_use_id'] : undefined
      if (typeof id !== 'string') continue
      const begun = ran.get(id)
      // One that is noted when it begins, and was not, was refused.
      if (begun || !asked.get(id)?.journaled) ran.set(id, { seq: begun?.seq ?? seq, finished: true })
    }
  }
  return [...ran].flatMap(([id, { seq, finished }]) => {
    const call = asked.get(id)
    if (!call || seq <= savedSeq || !mayChangeFiles(call.tool)) return []
    return [{ seq, tool: call.tool, input: call.input, finished }]
  })
}

const MOST = 40
const LENGTH = 160

/**
 * Returns what the model reads if the saved files are older than the conversation. Undefined: there is nothing to
 * tell. `savedSeq` as `prepare` gave it.
 */
export function outdatedFilesText(
  savedSeq: number | undefined,
  calls: readonly FileChangingCall[],
): string | undefined {
  if (savedSeq === undefined || calls.length === 0) return undefined
  const first = calls.length - Math.min(calls.length, MOST)
  const from =
    savedSeq === 0
      ? 'Nothing of its files had been saved: they are as they were at the beginning.'
      : 'Its files are as they were when they were saved last, which was before the end of this conversation.'
  const lines = [
    `This session continues on another machine. ${from}`,
    `The files do NOT contain the changes that ${calls.length === 1 ? 'this call' : `these ${calls.length} calls`} may have made:`,
    ...(first > 0 ? [`- (the ${first} first are not listed)`] : []),
    ...calls.slice(first).map(describe),
    'Look at the files before you rely on them, and make such changes again where they are still wanted. Effects outside of',
    'the files (requests, messages, databases) are not undone: do not repeat those without looking.',
  ]
  return lines.join('\n')
}

function describe({ tool, input, finished }: FileChangingCall): string {
  const field = toolTraits(tool).field
  const told = isRecord(input) && field !== undefined ? input[field] : input
  const text = oneLine(typeof told === 'string' ? told : (JSON.stringify(told) ?? ''), LENGTH)
  return `- ${tool}: ${text}${finished ? '' : ' (was cut off: it may or may not have taken effect)'}`
}

function mayChangeFiles(tool: string): boolean {
  const { files } = toolTraits(tool)
  return files !== 'read' && files !== 'search' && !HARMLESS.has(toCanonicalToolName(tool))
}

function blocksOf(line: SessionStoreEntry): Record<string, unknown>[] {
  const { message } = line
  const content = isRecord(message) ? message['content'] : undefined
  return Array.isArray(content) ? content.filter(isRecord) : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
