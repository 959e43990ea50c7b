/** `--debug`: a readable timeline of every message in and out, secrets masked. Wraps the channel; nothing else knows. */
import type { Platform } from '../platform/platform.js'
import type { SessionSettings } from '../runtime/settings.js'
import { type Channel, MalformedLine, maskSecrets, watchChannel } from '../transport/channel.js'

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
  return watchChannel(channel, (direction, message) => {
    const seconds = ((platform.clock.monotonic() - started) / 1000).toFixed(3)
    const line = `[kedge ${seconds}] ${direction} ${maskSecrets(describe(message)).slice(0, MAX_LINE)}\n`
    if (debug.file === undefined) return stderr(line)
    try {
      platform.files.appendSync(debug.file, line)
    } catch {
      // A timeline that can't be written must not stop the work it describes.
    }
  })
}

function describe(message: object): string {
  if (message instanceof MalformedLine) return `malformed line ${message.lineNumber}: ${message.problem}`
  return JSON.stringify(message)
}
