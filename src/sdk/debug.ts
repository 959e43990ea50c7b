/** `DEBUG_CLAUDE_AGENT_SDK`: what the library sends and receives, one line each, for people who debug a host. */
import { readSwitch } from '../platform/switch.js'
import { secretValues } from '../protocol/option-table/secrets.js'
import type { Options } from '../protocol/options.js'
import { watchChannel } from '../transport/channel.js'
import { type AgentConnection, type HostProcessDefaults, replaceConnectionChannel } from './agent-connection.js'

const MAX_LINE = 300

export function withDebugLines(
  connection: AgentConnection,
  options: Options,
  { env }: HostProcessDefaults,
): AgentConnection {
  if (readSwitch(env.DEBUG_CLAUDE_AGENT_SDK) === false) return connection
  const write = options.stderr ?? ((text: string) => void process.stderr.write(text))
  const masking = import('../transport/secret-mask.js').then(({ createSecretMask, collectMaskableVariables }) =>
    createSecretMask(env, ...collectMaskableVariables(secretValues(options))),
  )
  const channel = watchChannel(connection.channel, (direction, message) => {
    const text = JSON.stringify(message)
    void masking.then((mask) => write(`[kedge sdk] ${direction} ${mask(text).slice(0, MAX_LINE)}\n`))
  })
  return replaceConnectionChannel(connection, channel)
}
