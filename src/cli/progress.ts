/** One line on the terminal that says what the agent is doing, for how long, and how much it has read; gone when the answer comes. */
import { oneLine } from '../platform/visible-text.js'
import type { SDKMessage } from '../protocol/messages.js'
import { describeRetry, toolCallTexts } from './message-texts.js'

export type ProgressLine = {
  see(message: SDKMessage): void
  /** Nothing is left of the line; it comes back with the next message. */
  clear(): void
  end(): void
}

const TICK_MS = 1000
const ERASE = '\r\u001b[K'

export function createProgressLine(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): ProgressLine {
  const [dim, plain] = env.NO_COLOR ? ['', ''] : ['\u001b[2m', '\u001b[22m']
  const started = Date.now()
  let doing = 'starting'
  let tokens = 0
  let shown = false

  const draw = () => {
    const seconds = Math.round((Date.now() - started) / 1000)
    const read = tokens === 0 ? '' : ` · ${short(tokens)} tokens in context`
    // The last column stays free: some terminals begin a new line there.
    const text = oneLine(`${doing} · ${seconds} s${read}`, Math.max(10, (stream.columns || 80) - 1))
    stream.write(`${ERASE}${dim}${text}${plain}`)
    shown = true
  }
  const timer = setInterval(draw, TICK_MS)
  timer.unref()
  const clear = () => {
    if (shown) stream.write(ERASE)
    shown = false
  }
  return {
    see(message) {
      const now = activity(message)
      if (now !== undefined) doing = now
      if (message.type === 'assistant' && message.parent_tool_use_id === null) {
        const { usage } = message.message
        const sum = usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
        tokens = sum || tokens
      }
      draw()
    },
    clear,
    end() {
      clearInterval(timer)
      clear()
    },
  }
}

/** Undefined: it continues with what it did. */
function activity(message: SDKMessage): string | undefined {
  switch (message.type) {
    case 'system':
      if (message.subtype === 'init') return 'thinking'
      return message.subtype === 'api_retry' ? describeRetry(message) : undefined
    case 'assistant': {
      const calls = toolCallTexts(message)
      const agent = message.parent_tool_use_id === null ? '' : 'agent: '
      return calls.length > 0 ? agent + calls.join(', ') : undefined
    }
    case 'user':
      return message.parent_tool_use_id === null ? 'thinking' : undefined
    default:
      return undefined
  }
}

function short(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`
}
