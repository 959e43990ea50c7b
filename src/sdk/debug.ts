/** `DEBUG_CLAUDE_AGENT_SDK`: what the library sends and receives, one line each, for people who debug a host. */
import type { Options } from '../protocol/options.js'
import type { AgentConnection, CallerWorld } from './connection.js'

const MAX_LINE = 300

export function withDebugLines(connection: AgentConnection, options: Options, { env }: CallerWorld): AgentConnection {
  if (!env.DEBUG_CLAUDE_AGENT_SDK) return connection
  const write = options.stderr ?? ((text: string) => void process.stderr.write(text))
  const log = (arrow: string, message: object) => {
    const text = JSON.stringify(message).replace(/sk-ant-[\w-]+/g, 'sk-ant-…')
    write(`[kedge sdk] ${arrow} ${text.slice(0, MAX_LINE)}\n`)
  }
  const { channel } = connection
  return {
    ended: connection.ended,
    kill: (signal) => connection.kill(signal),
    own: connection.own,
    get pid() {
      return connection.pid
    },
    channel: {
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
    },
  }
}
