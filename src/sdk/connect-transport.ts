/** An agent behind a transport of the caller: anything that carries whole messages both ways. */
import { ConfigurationError, KedgeError } from '../errors.js'
import { raceWithAbort } from '../platform/until-aborted.js'
import type { Options } from '../protocol/options.js'
import type { AgentStart, Channel } from '../protocol/spawn.js'
import { messageOf } from '../protocol/thrown.js'
import { createChannelPair } from '../transport/channel.js'
import type { AgentConnection, AgentExit } from './agent-connection.js'

/** Rejects when there is no channel; `abandoned` is aborted when nobody waits for it any more. */
export async function connectTransport(
  transport: NonNullable<Options['transport']>,
  start: Omit<AgentStart, 'signal'>,
  abandoned: AbortSignal,
): Promise<AgentConnection> {
  if (typeof transport !== 'function') {
    checkChannel(transport)
    return connectChannel(transport, () => {})
  }
  const stop = new AbortController()
  const opening = (async () => transport({ ...start, signal: stop.signal }))()
  try {
    const channel = await raceWithAbort(
      abandoned,
      () => {
        throw new KedgeError('query_closed', 'The query ended before its transport was open')
      },
      opening,
    )
    checkChannel(channel)
    return connectChannel(channel, () => stop.abort())
  } catch (error) {
    stop.abort()
    // One that opens when nobody waits for it any more is closed again.
    opening.then(
      (channel) => channel?.close?.(),
      () => {},
    )
    if (KedgeError.isInstance(error)) throw error
    throw new KedgeError('spawn_failed', `The transport could not be opened: ${messageOf(error)}`, { cause: error })
  }
}

/** The caller's code is on the other side: whatever it throws, late or early, ends this query and nothing else. */
function connectChannel(channel: Channel, onGivenUp: () => void): AgentConnection {
  const [arrived, arriving] = createChannelPair<object, object>()
  let isOver = false
  let settle: (exit: AgentExit) => void = () => {}
  const ended = new Promise<AgentExit>((resolve) => {
    settle = resolve
  })
  const finish = (error?: Error) => {
    if (isOver) return
    isOver = true
    arriving.end()
    settle({ code: 'unknown', signal: null, stderr: '', ...(error ? { error } : {}) })
    try {
      channel.close?.()
    } catch {
      // It is over in any case.
    }
  }
  const fail = (error: unknown) => {
    const problem = new KedgeError('transport_closed', `The transport failed: ${messageOf(error)}`, { cause: error })
    finish(KedgeError.isInstance(error) ? error : problem)
  }
  const read = async () => {
    for await (const message of channel.incoming) {
      if (isOver) return
      const given: unknown = message
      if (typeof given !== 'object' || given === null)
        throw new KedgeError(
          'invalid_output',
          `The transport gave ${given === null ? 'null' : typeof given} in place of a message`,
        )
      await arriving.send(given)
    }
  }
  read().then(() => finish(), fail)

  return {
    channel: {
      send(message) {
        if (isOver) return
        const taken = channel.send(message)
        if (taken !== undefined) return Promise.resolve(taken).catch(fail)
      },
      end() {
        if (isOver) return
        try {
          channel.end()
        } catch (error) {
          fail(error)
        }
      },
      incoming: arrived.incoming,
    },
    ended,
    kill() {
      onGivenUp()
      finish()
    },
    unref() {},
    pid: undefined,
    // Which agent it is shows only in what it says.
    own: false,
    kind: 'transport',
  }
}

/** Callers in plain JavaScript may give anything. */
function checkChannel(given: unknown): asserts given is Channel {
  const { send, end, incoming }: Partial<Channel> = Object(given)
  if (typeof send === 'function' && typeof end === 'function' && incoming && Symbol.asyncIterator in incoming) return
  const text = 'transport must be a channel, or a function that opens one: { send(message), end(), incoming }.'
  throw new ConfigurationError('transport', text)
}
