/** A running query: reads the agent's messages, answers its questions, and ends it properly in every case. */
import { AbortError, KedgeError, ProcessExitError } from '../errors.js'
import type { SDKControlInitializeResponse } from '../protocol/control.js'
import type {
  SDKMessage,
  SDKResultMessage,
  SDKSessionStateChangedMessage,
  SDKUserMessage,
} from '../protocol/messages.js'
import type { Options } from '../protocol/options.js'
import type { Query } from '../protocol/query.js'
import { MalformedLine } from '../transport/channel.js'
import type { ChildExit } from '../transport/child-process.js'
import { type ControlMessage, createPeer } from '../transport/peer.js'
import { createQueue } from '../transport/queue.js'
import type { AgentConnection } from './agent-connection.js'
import { createInputEnd } from './agent-input.js'
import { createCallbacks } from './callbacks.js'
import { controlMethods } from './control-methods.js'
import { initializeRequest } from './initialize.js'
import { createHostServers } from './mcp/host-servers.js'
import type { Trace } from './trace-query.js'
import { userText } from './user-text.js'

export type QuerySetup = {
  connection: AgentConnection
  options: Options
  prompt: string | AsyncIterable<SDKUserMessage> | undefined
  v2: boolean
  trace?: Trace | undefined
}

/** Unread messages at which we stop reading, unless an answer is awaited. */
const MAX_UNREAD = 10_000
const TERM_AFTER = 2000
const KILL_AFTER = 5000

export function createQuery({ connection, options, prompt, v2, trace }: QuerySetup) {
  const { channel } = connection
  const messages = createQueue<SDKMessage>()
  const abort = options.abortController?.signal
  let sessionId: string | undefined
  const mcp = createHostServers({
    servers: options.mcpServers,
    tell: (request) => peer.request(request),
    sessionId: () => sessionId,
  })
  const callbacks = createCallbacks(options, (error) => note(error), mcp)
  let closing = false
  let lastIsError = false
  /** Why the last turn failed, if it has. */
  let lastFailure: Pick<SDKResultMessage, 'error_code' | 'error_fix'> = {}
  /** What the caller did wrong; thrown when everything else is over. */
  let mistake: Error | undefined
  let wakeReader = () => {}
  let stopListening = () => {}

  const note = (error: Error) => {
    mistake ??= error
    options.stderr?.(`${error.message}\n`)
  }
  const peer = createPeer({
    send: (message) => void channel.send(message),
    newId: () => Math.random().toString(36).slice(2),
    handle: callbacks.handle,
    report: () => {},
  })
  const input = createInputEnd({
    reportsState: connection.own,
    hasCallbacks: () => Boolean(options.canUseTool || callbacks.hooks || mcp.names.length > 0),
    openRequests: () => peer.open,
    end: () => void endInput(),
    letGo: () => letGo(),
  })

  /** Our agent is asked to end, so that SessionEnd hooks still reach us; others see the end of their stdin. */
  const endInput = async () => {
    if (connection.own && callbacks.hooks?.SessionEnd) await peer.request({ subtype: 'end_session' }).catch(() => {})
    channel.end()
  }

  const write = async (message: SDKUserMessage) => {
    if (closing || input.ended) throw notReady()
    const taken = channel.send(message)
    // Only what was sent, and what the agent counts too: waiting for anything else would never end.
    if (message?.type === 'user') input.sending()
    await taken
  }
  const writeAll = async (stream: AsyncIterable<SDKUserMessage>) => {
    input.opened(false)
    try {
      for await (const message of stream) {
        // Nobody takes it any more: `streamInput` closed the input, or the query is over.
        if (closing || input.ended) return
        await write(message)
      }
    } finally {
      input.closed()
    }
  }
  const give = (given: string | AsyncIterable<SDKUserMessage>) => {
    if (typeof given === 'string') {
      input.opened(true)
      void write(userText(given)).then(input.closed, input.closed)
      return
    }
    // What was sent is still answered; then the caller gets the error of its own stream.
    writeAll(given).catch((error) => {
      mistake ??= error instanceof Error ? error : new Error(String(error))
    })
  }

  const read = async () => {
    for await (const message of channel.incoming) {
      if (message instanceof MalformedLine) {
        const text = `CLI output was not valid JSON. This may indicate an error during startup. Output: ${message.excerpt}`
        throw new KedgeError(message.tooLong ? 'line_too_long' : 'invalid_output', text)
      }
      take(message)
      // A caller that does not read must not make us keep everything; but an answer we wait for may be behind it.
      while (messages.size > MAX_UNREAD && peer.open === 0 && !closing)
        await new Promise<void>((wake) => (wakeReader = wake))
    }
  }
  const take = (message: object) => {
    const type = 'type' in message ? message.type : undefined
    switch (type) {
      case 'control_request':
      case 'control_response':
      case 'control_cancel_request':
        // Checked by the peer.
        void peer.receive(message as ControlMessage)
        if (type === 'control_response') input.answered()
        return
      case 'keep_alive':
      case 'streamlined_text':
      case 'streamlined_tool_use_summary':
        return
      case 'system':
        if ('session_id' in message && typeof message.session_id === 'string') sessionId = message.session_id
        if ('subtype' in message && message.subtype === 'session_state_changed') {
          // Our own or the original's agent.
          const { state, user_messages, background_tasks } = message as Partial<SDKSessionStateChangedMessage>
          input.stateChanged(String(state), user_messages, background_tasks)
          return
        }
        break
      case 'result':
        lastIsError = 'is_error' in message && message.is_error === true
        // Of our own agent; others have neither.
        lastFailure = message as typeof lastFailure
        input.result()
        break
    }
    trace?.message(message as SDKMessage) // those it knows
    // Unknown messages of newer agents reach the caller as they are.
    void messages.push(message as SDKMessage)
  }

  const finish = () => {
    closing = true
    peer.close(new KedgeError('query_closed', 'Query closed before response received'), notReady())
    mcp.close()
    stopListening()
    wakeReader()
  }

  /** The caller has all it gets. Callbacks are answered as long as the agent works, which keeps no process alive. */
  const letGo = () => {
    trace?.end()
    messages.end(mistake ?? (lastIsError ? new ProcessExitError(1, null, '', lastFailure) : undefined))
    connection.unref()
  }

  /** Ends the agent: its input first, then by force. The iterator ends now. */
  const shutDown = (error?: Error) => {
    if (closing) return
    // Our own agent stops at once; others see the end of their input, and finish what they do until they are told.
    const stop = { type: 'control_request', request_id: 'close', request: { subtype: 'interrupt', scope: 'all' } }
    if (connection.own) void channel.send(stop)
    finish()
    channel.end()
    trace?.end(error)
    messages.end(error)
    if (connection.inProcess) connection.kill('SIGTERM')
    const timers = [
      setTimeout(() => connection.kill('SIGTERM'), TERM_AFTER),
      setTimeout(() => connection.kill('SIGKILL'), TERM_AFTER + KILL_AFTER),
    ]
    void connection.ended.then(() => timers.forEach(clearTimeout))
  }
  const onAbort = () => shutDown(new AbortError('Claude Code process aborted by user'))
  abort?.addEventListener('abort', onAbort, { once: true })
  stopListening = () => abort?.removeEventListener('abort', onAbort)

  const closed = (async () => {
    try {
      await read()
    } catch (error) {
      // What it says can't be understood: the agent is ended, by force if it must be.
      shutDown(error instanceof Error ? error : new Error(String(error)))
      connection.kill('SIGTERM')
    }
    const exit = await connection.ended
    const wasClosing = closing
    finish()
    const error = exitError(exit, lastFailure)
    trace?.end(error)
    if (!wasClosing) messages.end(error ?? mistake)
  })()
  // Ends are reported through the iterator; nobody has to listen here.
  closed.catch(() => {})

  /** A question of the caller wakes a reader that waits for unread messages to be taken: the answer may be behind them. */
  const requests = {
    request(request: object) {
      const answer = peer.request(request)
      wakeReader()
      return answer
    },
  }
  const inProcess = {
    hooks: callbacks.hooks,
    sdkMcpServers: mcp.names,
    // Older agents shake hands in any case.
    sdkMcpServerManifests: connection.own ? mcp.manifests : undefined,
  }
  const initialized = peer.request(
    initializeRequest(options, inProcess, v2),
  ) as Promise<unknown> as Promise<SDKControlInitializeResponse> // the agent's answer has this shape by protocol
  // An answer of the agent is its own business; but a request that never left (it is no JSON) means no hooks and no limits.
  initialized.catch((error) => error instanceof KedgeError || shutDown(error))
  if (prompt !== undefined) give(prompt)

  const iterator = messages[Symbol.asyncIterator]()
  const running: Query & { give: typeof give } = {
    give,
    ...controlMethods(requests, initialized, mcp),
    get pid() {
      return connection.pid
    },
    closed: closed.then(() => {}),
    async streamInput(stream) {
      if (closing || input.ended) throw notReady()
      await writeAll(stream)
      // As observed: its end is the end of the input, also when the prompt is a stream that is still open.
      input.finish()
    },
    async compact(instructions = '') {
      if (closing || input.ended) throw notReady()
      await write(userText(`/compact ${instructions}`.trim()))
    },
    close: () => shutDown(),
    async next() {
      const item = await iterator.next()
      if (messages.size < MAX_UNREAD / 2) wakeReader()
      return item
    },
    async return() {
      shutDown()
      return { value: undefined, done: true }
    },
    async throw(error) {
      shutDown()
      throw error
    },
    [Symbol.asyncIterator]() {
      return running
    },
    async [Symbol.asyncDispose]() {
      shutDown()
      await closed
    },
  }
  return running
}

function exitError(
  { code, signal, stderr, error }: ChildExit,
  last: Pick<SDKResultMessage, 'error_code' | 'error_fix'>,
): Error | undefined {
  if (error) return error
  return code === 0 ? undefined : new ProcessExitError(code, signal, stderr, last)
}

function notReady(): KedgeError {
  return new KedgeError('transport_closed', 'ProcessTransport is not ready for writing')
}
