/** What could not be used, in lines for people: each begins with the file and, where there is one, the line. */
import { printableText } from '../platform/visible-text.js'

export type ProblemCollector = {
  add(path: string, text: string, line?: number): void
  /** Those since the last time. */
  take(): string[]
}

/** Maximum problems reported at a time; a count stands for the rest. */
const MAX_TOLD = 50

export function createProblemCollector(): ProblemCollector {
  let told: string[] = []
  let more = 0
  return {
    add(path, text, line) {
      const place = line === undefined ? path : `${path}:${line}`
      if (told.length < MAX_TOLD) told.push(printableText(`${place}: ${text}`))
      else more += 1
    },
    take() {
      const lines = more > 0 ? [...told, `And ${more} more problems like these.`] : told
      told = []
      more = 0
      return lines
    },
  }
}
