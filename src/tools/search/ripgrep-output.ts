/** Reads what ripgrep prints. Names come with a NUL behind them, because they may hold anything else, line breaks too. */
import type { FileMatches } from './search-request.js'

/** Calls back for each whole path, as the output comes. What is behind the last NUL was cut off. */
export function createRipgrepPathReader(onPath: (path: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  return (chunk) => {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\0')
    rest = parts.pop() ?? ''
    for (const path of parts) onPath(path)
  }
}

export function parseCounts(output: string): FileMatches[] {
  const files: FileMatches[] = []
  for (let at = 0; ; ) {
    const nul = output.indexOf('\0', at)
    const end = output.indexOf('\n', nul)
    if (nul === -1 || end === -1) return files
    files.push({ path: output.slice(at, nul), count: Number(output.slice(nul + 1, end)), block: '', time: 0 })
    at = end + 1
  }
}

const REMARK = /: ((?:WARNING: stopped searching binary file after match|binary file matches) \(found .*\))\n?$/

/**
 * One block per file: its name and its lines, with an empty line between files. Every line begins with its number, so none
 * is empty, and nothing in between has to be looked at.
 */
export function parseFileMatches(output: string): FileMatches[] {
  const files: FileMatches[] = []
  // The last line may have been cut off.
  const text = output.slice(0, output.lastIndexOf('\n') + 1)
  for (let at = 0; at < text.length; ) {
    const nul = text.indexOf('\0', at)
    if (nul === -1) {
      // A single file without any line to show: only the remark, with the name in front.
      const remark = REMARK.exec(text.slice(at))
      if (remark) files.push({ path: text.slice(at, at + remark.index), count: 0, block: remark[1] ?? '', time: 0 })
      return files
    }
    const path = text.slice(at, nul)
    const gap = text.indexOf('\n\n', nul)
    const block = text.slice(nul + 1, gap === -1 ? text.length - 1 : gap)
    files.push({ path, count: 0, block: withPlainRemark(block, path), time: 0 })
    at = gap === -1 ? text.length : gap + 2
  }
  return files
}

function withPlainRemark(block: string, path: string): string {
  const last = block.lastIndexOf(`\n${path}: `)
  if (last === -1) return block
  const rest = block.slice(last + 1 + path.length)
  return REMARK.test(rest) ? block.slice(0, last + 1) + rest.slice(2) : block
}

const NOT_FOUND = '2'
/** Said when a filter left nothing to search, which is an answer and no error. */
const NOTHING_TO_SEARCH = /^No files were searched[\s\S]*?show why files are being skipped\.?$/m
/** Advice about options that nobody who reads this can set. */
const ADVICE = /\n\nConsider enabling [\s\S]*$/
const LINE_BREAK = /the literal "\\n" is not allowed/

/** `unread`: what could not be read, as `<path>: <reason>`. `error`: what is wrong with the request itself. */
export function parseRipgrepErrors(errors: string): { unread: string[]; error: string } {
  const unread: string[] = []
  const rest: string[] = []
  for (const line of errors.split('\n')) {
    const text = line.replace(/^rg: /, '')
    const [, what, code] = /^(?:IO error for operation on )?(.*) \(os error (\d+)\)$/.exec(text) ?? []
    if (what === undefined) {
      // One broken line in an ignore file is no reason to fail.
      if (!/: line \d+: error parsing glob /.test(text)) rest.push(text)
    }
    // Gone since its folder was listed.
    else if (code !== NOT_FOUND) unread.push(what)
  }
  const error = rest.join('\n').replace(NOTHING_TO_SEARCH, '').replace(ADVICE, '').trim()
  return { unread, error: LINE_BREAK.test(error) ? `${error}\nSet multiline to match across lines.` : error }
}
