/** What a Markdown file imports: words that begin with `@`, outside of code and comments. */

/** More than this in one file isn't a list of imports. */
const MAX_REFERENCES = 100
const MAX_LENGTH = 1024

/** In the order they stand there, each once. The first spelling is as written, the second without punctuation at its end. */
export function findImportReferences(text: string): string[][] {
  const found = new Map<string, string[]>()
  for (const paragraph of proseOf(text)) {
    for (const [, written = ''] of withoutCodeSpans(paragraph).matchAll(/(?:^|[\s(])@((?:\\ |[^\s\\])+)/g)) {
      const path = written.replaceAll('\\ ', ' ')
      if (path.length > MAX_LENGTH || !/^(~\/|\.{0,2}\/|[\p{L}\p{N}_.-])/u.test(path)) continue
      const bare = withoutPunctuation(path)
      found.set(path, bare === path || bare === '' ? [path] : [path, bare])
      if (found.size === MAX_REFERENCES) return [...found.values()]
    }
  }
  return [...found.values()]
}

function withoutPunctuation(path: string): string {
  let end = path.length
  while (end > 0 && '.,;:!?)]\'"*_'.includes(path[end - 1] ?? '')) end -= 1
  return path.slice(0, end)
}

/** Comments that stand on lines of their own are for people; code keeps them. One that is never closed stays. */
export function withoutHtmlComments(text: string): string {
  if (!text.includes('<!--')) return text
  const lines = text.split('\n')
  const kept: string[] = []
  const fence = fenceTracker()
  let closes = true
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const begins = !fence(line) && /^ {0,3}<!--/.test(line)
    const end = begins && closes ? endOfComment(lines, at) : undefined
    if (!end) {
      kept.push(line)
      // Where one is not closed, no later one is.
      closes &&= !begins
    } else {
      at = end.line
      if (end.rest.trim() !== '') kept.push(end.rest)
    }
  }
  return kept.join('\n')
}

function endOfComment(lines: readonly string[], start: number): { line: number; rest: string } | undefined {
  for (let line = start; line < lines.length; line += 1) {
    const text = lines[line] ?? ''
    const end = text.indexOf('-->', line === start ? text.indexOf('<!--') + 4 : 0)
    if (end !== -1) return { line, rest: text.slice(end + 3) }
  }
  return undefined
}

/** Tells for each line, in order, whether it is code between fences or a fence. */
function fenceTracker(): (line: string) => boolean {
  let open: string | undefined
  return (line) => {
    const [, fence, rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (open === undefined) {
      // What has a backtick behind three of them is a code span, no fence.
      if (fence !== undefined && !(fence.startsWith('`') && rest.includes('`'))) open = fence
      return open !== undefined
    }
    if (fence?.startsWith(open) && rest.trim() === '') open = undefined
    return true
  }
}

/** The paragraphs of a text, without code blocks. */
function proseOf(text: string): string[] {
  const paragraphs: string[] = []
  const fence = fenceTracker()
  let current: string[] = []
  let inList = false
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === ''
    // Indented code can't interrupt a paragraph, and in a list the same indentation means something else.
    const isIndentedCode = /^( {4}|\t)/.test(line) && current.length === 0 && !inList
    if (fence(line) || isBlank || isIndentedCode) {
      if (current.length > 0) paragraphs.push(current.join('\n'))
      current = []
      continue
    }
    if (/^\s*([-*+]|\d{1,9}[.)])\s/.test(line)) inList = true
    else if (current.length === 0 && !/^\s/.test(line)) inList = false
    current.push(line)
  }
  return [...paragraphs, current.join('\n')]
}

/** A run of backticks opens a span that the next run of the same length closes; without one it is just backticks. */
function withoutCodeSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)]
  const closings: (number | undefined)[] = []
  const latest = new Map<number, number>()
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const length = runs[at]?.[0].length ?? 0
    closings[at] = latest.get(length)
    latest.set(length, at)
  }
  let prose = ''
  let from = 0
  for (let at = 0; at < runs.length; at += 1) {
    const close = closings[at]
    const [opening, closing] = [runs[at], close === undefined ? undefined : runs[close]]
    if (!opening || close === undefined || !closing) continue
    prose += `${text.slice(from, opening.index)} `
    from = closing.index + closing[0].length
    at = close
  }
  return prose + text.slice(from)
}
