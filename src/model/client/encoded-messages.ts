/**
 * The beginning of a conversation as bytes that are ready to be sent. Each message is encoded once, so that what a further request
 * costs does not grow with the conversation, but for the sending itself.
 */
import type { MessageParam } from '../../protocol/content.js'

export interface EncodedMessageCache {
  /**
   * The first `count` of these messages, joined by commas. The bytes stay as they are: a request may still be sending them while
   * the next is written.
   */
  first(messages: readonly MessageParam[], count: number): Uint8Array
}

type Conversation = {
  /** Encoded so far, by identity: whoever hands a message over promises not to change it. */
  messages: MessageParam[]
  /** Where each ends in `bytes`. */
  ends: number[]
  bytes: Uint8Array
}

const NOTHING = new Uint8Array(0)
const SMALLEST = 4096
/** Maximum UTF-8 bytes per UTF-16 unit. */
const MOST_BYTES = 3
const COMMA = 44

/**
 * Creates a cache of messages that are encoded once and sent many times. `textOf`: JSON of a message, or null when
 * nothing of it can be sent.
 */
export function createEncodedMessageCache(textOf: (message: MessageParam) => string | null): EncodedMessageCache {
  const encoder = new TextEncoder()
  // By their first message: an agent and its sub-agents ask through the same client, in turns.
  const conversations = new WeakMap<MessageParam, Conversation>()

  function append(conversation: Conversation, added: readonly MessageParam[]): void {
    const { messages, ends } = conversation
    const texts = added.map(textOf)
    let end = ends.at(-1) ?? 0
    // For all of them at once, as they mostly are: a character a byte, and a comma each.
    makeRoom(
      conversation,
      end,
      texts.reduce((sum, text) => sum + (text?.length ?? 0) + 1, 0),
    )
    for (const [index, message] of added.entries()) {
      const text = texts[index] ?? ''
      if (text !== '') {
        makeRoom(conversation, end, text.length + 1)
        if (end > 0) conversation.bytes[end++] = COMMA
        end = encode(conversation, end, text)
      }
      messages.push(message)
      ends.push(end)
    }
  }

  /** Where it ends. Room for the most that a text could take would be a copy of the whole conversation, for nothing mostly. */
  function encode(conversation: Conversation, start: number, text: string): number {
    const { read, written } = encoder.encodeInto(text, conversation.bytes.subarray(start))
    if (read === text.length) return start + written
    makeRoom(conversation, start, text.length * MOST_BYTES)
    return start + encoder.encodeInto(text, conversation.bytes.subarray(start)).written
  }

  return {
    first(messages, count) {
      const [beginning] = messages
      if (beginning === undefined || count === 0) return NOTHING
      let conversation = conversations.get(beginning) ?? { messages: [], ends: [], bytes: NOTHING }
      const known = conversation.messages
      let same = 0
      while (same < count && same < known.length && known[same] === messages[same]) same += 1
      if (same < known.length) {
        const ends = conversation.ends.slice(0, same)
        // A copy: the bytes after it may be on their way.
        const bytes = conversation.bytes.slice(0, ends.at(-1) ?? 0)
        conversation = { messages: known.slice(0, same), ends, bytes }
      }
      conversations.set(beginning, conversation)
      append(conversation, messages.slice(same, count))
      return conversation.bytes.subarray(0, conversation.ends.at(-1) ?? 0)
    },
  }
}

/** What is there stays where it is: somebody may be sending it. */
function makeRoom(conversation: Conversation, end: number, more: number): void {
  if (end + more <= conversation.bytes.length) return
  const larger = new Uint8Array(Math.max(SMALLEST, Math.ceil(end * 1.5), end + more))
  larger.set(conversation.bytes.subarray(0, end))
  conversation.bytes = larger
}
