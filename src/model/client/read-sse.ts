/** Server-sent events of a response body, as parsed JSON, in one batch per chunk that arrived. */
import { createParser } from 'eventsource-parser'
import { parseJson } from './parse-json.js'

/** A single event longer than this isn't a model's answer. */
const MAX_EVENT_CHARACTERS = 32 * 1024 * 1024

/** An event that is not JSON is `undefined` in its batch, and so is one that is too long, after which nothing follows. */
export async function* readServerEvents(
  body: AsyncIterable<string>,
  parse: (data: string) => unknown = parseJson,
): AsyncGenerator<unknown[]> {
  let batch: unknown[] = []
  let overflown = false
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ data }) => batch.push(parse(data)),
    onError: (error) => {
      // Fields the format does not know are to be ignored, which leaves the one error that is fatal.
      if (error.type !== 'max-buffer-size-exceeded') return
      overflown = true
      batch.push(undefined)
    },
  })
  let isFirst = true
  let last = ''
  for await (const chunk of body) {
    if (chunk === '') continue
    parser.feed(isFirst && chunk.startsWith('\uFEFF') ? chunk.slice(1) : chunk)
    isFirst = false
    last = chunk
    yield batch
    batch = []
    if (overflown) return
  }
  // The parser waits to see whether a final CR is half of a CRLF.
  if (last.endsWith('\r')) parser.feed('\n')
  yield batch
}
