/** A connection that is there at once while its agent is still being started: what is said meanwhile waits, in order. */
import type { AgentConnection, AgentConnectionKind } from './agent-connection.js'

/** `start` rejects when there is no agent to talk to; its signal is aborted when nobody waits for it any more. */
export function connectAgentLater(
  start: (stop: AbortSignal) => Promise<AgentConnection>,
  kind: AgentConnectionKind,
): AgentConnection {
  const early: object[] = []
  let earlyEnd = false
  let earlyKill: 'SIGTERM' | 'SIGKILL' | undefined
  let agent: AgentConnection | undefined
  const stop = new AbortController()

  const started = start(stop.signal).then((connection) => {
    agent = connection
    for (const message of early.splice(0)) void agent.channel.send(message)
    if (earlyEnd) agent.channel.end()
    if (earlyKill) agent.kill(earlyKill)
    return agent
  })
  const incoming = async function* () {
    // That it could not start is told by `ended`.
    const connection = await started.catch(() => undefined)
    if (connection) yield* connection.channel.incoming
  }
  return {
    channel: {
      send(message) {
        if (agent) return agent.channel.send(message)
        // What can't be sent has to fail here, where somebody hears of it.
        JSON.stringify(message)
        early.push(message)
      },
      end() {
        if (agent) agent.channel.end()
        else earlyEnd = true
      },
      incoming: incoming(),
    },
    ended: started.then(
      (connection) => connection.ended,
      (error) => ({ code: null, signal: null, stderr: '', error }),
    ),
    kill(signal) {
      if (agent) return agent.kill(signal)
      earlyKill = signal
      stop.abort()
    },
    unref: () => agent?.unref(),
    get pid() {
      return agent?.pid
    },
    ...kind,
  }
}
