/** A limit on what one message of a remote server may take, whatever the answer is made of. */
import { MAX_MESSAGE_CHARACTERS } from './mcp-transport.js'

/** Returns the same response; its body fails where one message, or all of an answer that is one, is too long. */
export function boundResponse(response: Response, onTooLong: (problem: string) => void): Response {
  if (!response.body) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const measure = isStream ? eventLength() : wholeLength()
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (measure(chunk) <= MAX_MESSAGE_CHARACTERS) return controller.enqueue(chunk)
        const problem = `a message of more than ${MAX_MESSAGE_CHARACTERS / 1024 / 1024} MB`
        onTooLong(problem)
        controller.error(new Error(problem))
      },
    }),
  )
  const { status, statusText, headers } = response
  const copy = new Response(bounded, { status, statusText, headers })
  Object.defineProperty(copy, 'url', { value: response.url })
  return copy
}

/** The first bytes of a body, as text; the rest of it is not waited for. */
export async function readBodyStart(response: Response, most: number): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (let left = most; reader && left > 0; ) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value.subarray(0, left), { stream: true })
      left -= value.length
    }
  } catch {
    // What came before it broke off is what there is.
  }
  void reader?.cancel().catch(() => {})
  return text
}

/** Takes chunks, and tells how much there was so far. */
type Measure = (chunk: Uint8Array) => number

function wholeLength(): Measure {
  let length = 0
  return (chunk) => {
    length += chunk.length
    return length
  }
}

const [LF, CR] = [10, 13]

/** The longest event that was not over before the chunk: one ends with an empty line, however many others it has. */
function eventLength(): Measure {
  let length = 0
  let lineLength = 0
  let before = LF
  return (chunk) => {
    let longest = 0
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(LF, at)
      const next = end < 0 ? chunk.length : end + 1
      length += next - at
      longest = Math.max(longest, length)
      lineLength += next - at
      const last = end > 0 ? chunk[end - 1] : before
      const isEmpty = end >= 0 && (lineLength === 1 || (lineLength === 2 && last === CR))
      if (isEmpty) length = 0
      if (end >= 0) lineLength = 0
      at = next
    }
    before = chunk.at(-1) ?? before
    return longest
  }
}
