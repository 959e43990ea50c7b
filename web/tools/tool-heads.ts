/** What a tool call is about, in a line. Pure. */

import { displayOf } from '../../src/tools/displays.js'
import type { ToolDisplay } from '../../src/tools/tool-display.js'
import type { ToolItem } from '../../src/view/view-items.js'

export type ToolHead = { verb: string; target: string; count: string; isOpen: boolean }

export function headOf(item: ToolItem, cwd: string): ToolHead {
  const { name, input, result } = item
  const display = displayOf(name)
  const call = { input, cwd }
  const isError = result?.isError ?? false
  const isCounted = display.body === 'todos' || (result !== undefined && !isError)
  const outcome = isCounted
    ? display.outcome({ text: resultText(result?.content), isError, output: result?.detail }, call)
    : undefined
  return {
    verb: display.label(call),
    target: display.subject(call),
    count: outcome ?? '',
    isOpen: isError || opensBody(display, item),
  }
}

function opensBody({ opens }: ToolDisplay, { state, result }: ToolItem): boolean {
  switch (opens) {
    case 'always':
      return true
    case 'while-running':
      return result === undefined && state !== 'waiting'
    case 'when-done':
      return result !== undefined
    default:
      return false
  }
}

export function resultText(content: NonNullable<ToolItem['result']>['content'] | undefined): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return content
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}
