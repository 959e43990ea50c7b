/**
 * Keeps a session's title and tag near the end of its file, which is where lists look: as the conversation grows they are written
 * again. Others may rename a session while it runs; what they wrote last is what counts.
 */
import type { SyncFiles } from '../../platform/files/files.js'
import type { TranscriptTagLine, TranscriptTitleLine } from '../../protocol/transcript.js'

export type SessionLabels = { title?: string | undefined; tag?: string | undefined }

/** Characters of other lines after which they are written again; lists look at twice as much. */
const EVERY = 32 * 1024
const MAX_READ = 1024 * 1024

export type SessionLabelRepeaterOptions = { files: SyncFiles; path: string; sessionId: string; labels: SessionLabels }

export function createSessionLabelRepeater({ files, path, sessionId, labels }: SessionLabelRepeaterOptions) {
  let current = labels
  let since = 0
  return {
    /** The lines to write after so many more characters; mostly none. */
    dueAfter(characters: number): string {
      since += characters
      if (since < EVERY) return ''
      // What others added since the last time is not further from the end than this.
      const end = files.readEndSync(path, Math.min(MAX_READ, EVERY + 4 * since))
      since = 0
      current = { ...current, ...labelsIn(new TextDecoder().decode(end)) }
      return [...titleLines(current, sessionId), ...tagLines(current, sessionId)]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join('')
    },
  }
}

function titleLines({ title }: SessionLabels, sessionId: string): TranscriptTitleLine[] {
  return title === undefined ? [] : [{ type: 'custom-title', customTitle: title, sessionId }]
}

function tagLines({ tag }: SessionLabels, sessionId: string): TranscriptTagLine[] {
  // Also one that was taken away: an older line may still be found at the beginning.
  return tag === undefined ? [] : [{ type: 'tag', tag, sessionId }]
}

function labelsIn(text: string): SessionLabels {
  const found: SessionLabels = {}
  for (const line of text.split('\n')) {
    if (!line.startsWith('{"type":"custom-title"') && !line.startsWith('{"type":"tag"')) continue
    try {
      const { customTitle, tag }: { customTitle?: unknown; tag?: unknown } = JSON.parse(line)
      if (typeof customTitle === 'string') found.title = customTitle
      if (typeof tag === 'string') found.tag = tag
    } catch {
      // Torn: it does not count.
    }
  }
  return found
}
