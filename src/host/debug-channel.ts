/** `--debug`: a readable timeline of every message in and out, secrets masked. Wraps the channel; nothing else knows. */
import type { Platform } from '../platform/platform.js'
import type { SessionSettings } from '../runtime/settings.js'
import { type Channel, MalformedLine } from '../transport/channel.js'

type AgentChannel = Channel<object | MalformedLine, object>

/** Longest line of the timeline. */
const MAX_LINE = 400

export function withDebugLog(
  channel: AgentChannel,
  { debug }: Pick<SessionSettings, 'debug'>,
  platform: Platform,
  stderr: (text: string) => void,
): AgentChannel {
  if (!debug.on && debug.file === undefined) return channel
  const started = platform.clock.monotonic()
  const log = (arrow: string, message: object) => {
    const seconds = ((platform.clock.monotonic() - started) / 1000).toFixed(3)
    const line = `[kedge ${seconds}] ${arrow} ${mask(describe(message)).slice(0, MAX_LINE)}\n`
    if (debug.file === undefined) return stderr(line)
    try {
      platform.files.appendSync(debug.file, line)
    } catch {
      // A timeline that can't be written must not stop the work it describes.
    }
  }
  return {
    send(message) {
      log('→', message)
      return channel.send(message)
    },
    end: () => channel.end(),
    incoming: (async function* () {
      for await (const message of channel.incoming) {
        log('←', message)
        yield message
      }
    })(),
  }
}

function describe(message: object): string {
  if (message instanceof MalformedLine) return `malformed line ${message.lineNumber}: ${message.problem}`
  return JSON.stringify(message)
}

/** API keys and bearer tokens, wherever they turn up. */
function mask(text: string): string {
  return text.replace(/sk-ant-[\w-]+/g, 'sk-ant-…').replace(/(bearer )[\w.~+/-]+/gi, '$1…')
}
