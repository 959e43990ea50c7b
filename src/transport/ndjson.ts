/** NDJSON framing: bytes in any pieces to lines, lines to objects. Readline is wrong here: it also splits at U+2028. */
import { MalformedLine } from './channel.js'

/** Longest line we take; a longer one is dropped and reported, never buffered. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024

export interface LineDecoder {
  /** Objects, or what was wrong, in order. Blank lines yield nothing. */
  push(chunk: Uint8Array): (object | MalformedLine)[]
  /** The last line may lack its newline. */
  end(): (object | MalformedLine)[]
}

export function createLineDecoder(maxLength = MAX_LINE_BYTES): LineDecoder {
  const decoder = new TextDecoder('utf-8')
  let pending = ''
  let dropped = 0
  let lineNumber = 0

  const finish = (out: (object | MalformedLine)[], line: string, atEnd = false) => {
    lineNumber += 1
    if (dropped > 0) {
      const length = dropped + line.length
      dropped = 0
      const problem = `line of ${length} characters is over the limit of ${maxLength}`
      out.push(new MalformedLine(lineNumber, problem, line, { atEnd, tooLong: true }))
      return
    }
    const parsed = parseLine(line, lineNumber, atEnd)
    if (parsed) out.push(parsed)
  }

  const feed = (text: string): (object | MalformedLine)[] => {
    const out: (object | MalformedLine)[] = []
    let from = 0
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      const line = pending + text.slice(from, at)
      pending = ''
      from = at + 1
      if (line.length > maxLength) dropped += 1
      finish(out, line)
    }
    pending += text.slice(from)
    if (pending.length > maxLength) {
      dropped += pending.length
      pending = ''
    }
    return out
  }

  return {
    push: (chunk) => feed(decoder.decode(chunk, { stream: true })),
    end() {
      const out = feed(decoder.decode())
      if (pending !== '' || dropped > 0) finish(out, pending, true)
      pending = ''
      return out
    },
  }
}

function parseLine(line: string, lineNumber: number, atEnd: boolean): object | MalformedLine | undefined {
  if (line.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return new MalformedLine(lineNumber, String(error), line, { atEnd })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  return new MalformedLine(lineNumber, 'not a JSON object', line, { atEnd })
}

/** One message as a line. U+2028/2029 are escaped, for readers that take them for line ends. */
export function encodeLine(message: unknown): string {
  const json = JSON.stringify(message)
  return `${/[\u2028\u2029]/.test(json) ? json.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029') : json}\n`
}
