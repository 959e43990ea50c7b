/** A limit on what one message of a remote server may take, whatever the answer is made of. */
import { MAX_MESSAGE_CHARACTERS } from './server-wire.js'

/** The same response; its body fails where one message, or all of an answer that is one, is too long. */
export function boundResponse(response: Response, onTooLong: (problem: string) => void): Response {
  if (!response.body) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  let length = 0
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        // A message of a stream ends with its line.
        const lineEnd = isStream ? chunk.lastIndexOf(10) : -1
        length = lineEnd < 0 ? length + chunk.length : chunk.length - lineEnd
        if (length <= MAX_MESSAGE_CHARACTERS) return controller.enqueue(chunk)
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
