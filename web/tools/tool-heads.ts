/** What a call of a tool is about, in a line. Pure. */
import { textOrNothing } from '../safe/clean-text.js'
import type { ToolItem } from '../state/items.js'
import { T } from '../texts.js'

export type ToolHead = { verb: string; target: string; count: string; isOpen: boolean }

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined

export function headOf(item: ToolItem, cwd: string): ToolHead {
  const { name, input, result, live, isWaiting } = item
  const detail = result?.detail
  const head = (target: string, more: Partial<ToolHead> = {}): ToolHead => ({
    verb: name,
    target,
    count: '',
    isOpen: result?.isError ?? false,
    ...more,
  })
  const path = near(textOrNothing(input['file_path'] ?? input['notebook_path'] ?? input['path']), cwd)
  switch (name) {
    case 'Bash':
      return head(textOrNothing(input['command']), { isOpen: (!result && !isWaiting) || result?.isError === true })
    case 'Edit':
    case 'MultiEdit':
    case 'Write': {
      const { added, removed } = linesOf(detail)
      return head(path, {
        count: added + removed > 0 ? `+${added} −${removed}` : '',
        isOpen: !live && result !== undefined,
      })
    }
    case 'Read': {
      const lines = field(field(detail, 'file'), 'numLines')
      return head(path, { count: typeof lines === 'number' ? T.lines(lines) : '' })
    }
    case 'Grep':
    case 'Glob': {
      const where = path === '' ? '' : ` ${T.inside} ${path}`
      return head(`${textOrNothing(input['pattern'])}${where}`, { count: result ? T.found(countOf(item)) : '' })
    }
    case 'WebFetch':
      return head(textOrNothing(input['url']))
    case 'WebSearch':
      return head(textOrNothing(input['query']))
    case 'TodoWrite': {
      const todos = Array.isArray(input['todos']) ? input['todos'] : []
      const done = todos.filter((todo) => field(todo, 'status') === 'completed').length
      return head('', { verb: T.checklist, count: todos.length > 0 ? `${done}/${todos.length}` : '', isOpen: true })
    }
    case 'Task':
    case 'Agent': {
      const agent = textOrNothing(input['name']) || textOrNothing(input['subagent_type'])
      return head(textOrNothing(input['description']), { verb: agent === '' ? name : agent, isOpen: !result })
    }
    case 'AskUserQuestion':
      return head('', { verb: T.questionsAsked, isOpen: false })
    case 'ExitPlanMode':
      return head('', { verb: T.planPresented, isOpen: false })
    case 'StructuredOutput':
      return head('', { verb: T.structuredOutput, isOpen: true })
    case 'Skill':
      return head(textOrNothing(input['skill']))
    case 'SendMessage':
      return head(
        `→ ${textOrNothing(input['recipient'] ?? input['to'])}: ${textOrNothing(input['summary'] ?? input['content'] ?? input['message'])}`,
      )
    default:
      return head(shortInput(input), { verb: mcpName(name) })
  }
}

/** `mcp__github__list_issues` is `github › list_issues`. */
export function mcpName(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  return server === undefined ? name : `${server} › ${tool}`
}

/** A path below the session's folder without it. */
export function near(path: string, cwd: string): string {
  return cwd !== '' && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

function shortInput(input: Record<string, unknown>): string {
  const [first] = Object.values(input)
  if (typeof first === 'string') return first
  const all = JSON.stringify(input)
  return all === '{}' ? '' : all
}

function countOf({ result }: ToolItem): number {
  const number = field(result?.detail, 'numFiles') ?? field(result?.detail, 'numMatches')
  if (typeof number === 'number' && number > 0) return number
  const said = resultText(result?.content)
  return /^No (files|matches)/.test(said) ? 0 : said.split('\n').filter((line) => line !== '').length
}

export function resultText(content: NonNullable<ToolItem['result']>['content'] | undefined): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return content
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

function linesOf(detail: unknown): { added: number; removed: number } {
  const hunks = field(detail, 'structuredPatch')
  if (field(detail, 'type') === 'create')
    return { added: textOrNothing(field(detail, 'content')).split('\n').length, removed: 0 }
  const lines: unknown[] = (Array.isArray(hunks) ? hunks : []).flatMap((hunk) => field(hunk, 'lines') ?? [])
  const count = (sign: string) => lines.filter((line) => textOrNothing(line).startsWith(sign)).length
  return { added: count('+'), removed: count('-') }
}
