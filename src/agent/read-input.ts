/** Reads a host's messages in order and hands each to whom it concerns. Bad ones are reported, never half-used. */

import type { UUID } from '../protocol/content.js'
import { messageOf } from '../protocol/thrown.js'
import type { StartRefusal } from '../runtime/configuration.js'
import { checkUserMessage } from '../runtime/messages/user-message.js'
import type { Session } from '../runtime/session.js'
import { MalformedLine } from '../transport/channel.js'
import type { ControlMessage, Peer } from '../transport/peer.js'

/** Waiting user messages at which reading pauses. */
const MAX_WAITING = 1000

export type HostInputOptions = {
  incoming: AsyncIterable<object | MalformedLine>
  session: Session
  peer: Peer
  stderr(text: string): void
  /** Called for a user message that can't be used, with the reason and its `uuid`, if it has one. */
  reject(problem: string, uuid?: UUID): void | Promise<void>
  /** A promise while the host is far behind with what we sent. */
  caughtUp(): Promise<void> | undefined
  /** Gives a message back. */
  echo(message: object): void
}

/**
 * Reads the host's messages and passes each to the session. Resolves at the end of the input, or with what made going
 * on impossible. Never rejects.
 */
export async function readHostMessages(reader: HostInputOptions): Promise<StartRefusal | undefined> {
  try {
    return await readAll(reader)
  } catch (error) {
    // The pipe broke, or an in-process host sent an object that throws when it is looked at.
    const message = `Error parsing streaming input line: ${messageOf(error)}`
    reader.stderr(`${message}\n`)
    return { message, code: 'invalid_input', reason: 'invalid_input' }
  }
}

async function readAll(reader: HostInputOptions): Promise<StartRefusal | undefined> {
  const { incoming, session, peer, stderr, reject, caughtUp, echo } = reader
  for await (const message of incoming) {
    if (message instanceof MalformedLine) {
      // It may have been a user message: a host that waits for its result gets one.
      if (message.tooLong && !message.atEnd) await reject(`line ${message.lineNumber} was dropped: ${message.problem}`)
      else {
        const fatal = reportMalformed(message, stderr)
        if (fatal) return fatal
      }
      continue
    }
    // In-process hosts hand over what they have, which need not be JSON.
    if (typeof message !== 'object' || message === null || Array.isArray(message)) throw new Error('not a JSON object')
    const type: unknown = 'type' in message ? message.type : undefined
    switch (type) {
      case 'user': {
        const role = roleOf(message)
        if (typeof role === 'string' && role !== 'user') {
          const text = `Expected message role 'user', got '${role.slice(0, 100)}'`
          stderr(`Error: ${text}\n`)
          return { code: 'invalid_input', reason: 'invalid_input' }
        }
        const checked = checkUserMessage(message)
        if (checked.ok) session.submit(checked.message)
        else await reject(checked.problem, checked.uuid)
        // Reading on is needed as long as an answer of the host is awaited.
        while (session.queue.size() > MAX_WAITING && peer.openRequests() === 0) await session.queue.changed()
        break
      }
      case 'control_request':
      case 'control_response':
      case 'control_cancel_request': {
        // As observed: who wants messages back gets answers back too.
        if (type === 'control_response' && session.main.shared.settings.replay) echo(message)
        // The peer checks the rest of the shape itself.
        const answered = peer.receive(message as ControlMessage)
        // Only this one has to be over before what follows; others may themselves wait for messages still to come.
        if (isInitialize(message)) await answered
        const behind = caughtUp()
        if (behind) await behind
        break
      }
      case 'keep_alive':
        break
      default:
        if (typeof type !== 'string') stderr('Ignored: a message whose `type` is not a string\n')
    }
  }
  return undefined
}

function reportMalformed(line: MalformedLine, stderr: (text: string) => void): StartRefusal | undefined {
  const where = `line ${line.lineNumber}`
  if (line.atEnd) {
    stderr(`Note: the input ended inside ${where}; it was dropped (${line.problem})\n`)
    return undefined
  }
  stderr(`Error parsing streaming input line: ${line.excerpt}: ${line.problem}\n`)
  const message = `Error parsing streaming input line: ${where} is not a JSON object: ${line.problem}`
  return { message, code: 'invalid_input', reason: 'invalid_input' }
}

function isInitialize(message: object): boolean {
  const request = 'request' in message ? message.request : undefined
  return typeof request === 'object' && request !== null && 'subtype' in request && request.subtype === 'initialize'
}

function roleOf(line: object): unknown {
  const message = 'message' in line ? line.message : undefined
  return typeof message === 'object' && message !== null && 'role' in message ? message.role : undefined
}
