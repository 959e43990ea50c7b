/** Requests about files: each becomes calls of the file tools, or of Bash where a session has only that. */
import { isAbsolute, join } from '../../platform/paths.js'
import { appendText } from './append.js'
import * as answer from './practice-answer.js'
import type { PracticeOutcome } from './read-request.js'
import { done, type Means, type Of, type PracticeStep, stop, useTool, type Work } from './work.js'

export function* listPracticeFiles({ pattern, path }: Of<'list'>, means: Means): Work {
  const folder = absolute(path ?? means.cwd, means)
  const everything = pattern === '**/*'
  const where = `${everything ? '' : ` matching ${pattern}`}${path === undefined ? '' : ` in ${path}`}`
  const say = `I list the files${where}.`
  const report = (outcome: PracticeOutcome) => answer.files(outcome, folder, where)
  if (!means.tools.has('Glob') && everything) {
    return yield* useTool(means, say, 'Bash', { command: `ls -A -- ${quoteForShell(folder)}` }, report)
  }
  // Those of the folder itself, as `ls` does: below it there may be a thousand of git and of packages.
  const glob = everything ? './*' : pattern
  return yield* useTool(means, say, 'Glob', { pattern: glob, ...(path === undefined ? {} : { path: folder }) }, report)
}

export function* search({ text, path }: Of<'search'>, means: Means): Work {
  const say = `I search for ${answer.quoteText(text)}${path === undefined ? '' : ` in ${path}`}.`
  const report = (outcome: PracticeOutcome) => answer.matchesText(outcome, text)
  const where = path === undefined ? {} : { path: absolute(path, means) }
  if (!means.tools.has('Grep')) {
    const command = `grep -rnF -e ${quoteForShell(text)} -- ${quoteForShell(where.path ?? means.cwd)}`
    return yield* useTool(means, say, 'Bash', { command }, report)
  }
  // Grep takes a regular expression; what was asked for is meant as it is.
  const pattern = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return yield* useTool(means, say, 'Grep', { pattern, ...where, output_mode: 'content' }, report)
}

export function* read({ path }: Of<'read'>, means: Means): Work {
  const file = absolute(path, means)
  const say = `I read ${path}.`
  if (!means.tools.has('Read')) {
    const command = `cat -- ${quoteForShell(file)}`
    return yield* useTool(means, say, 'Bash', { command }, ({ text }) => answer.fileText(path, text))
  }
  return yield* useTool(means, say, 'Read', { file_path: file }, ({ text }) => {
    return answer.fileText(path, answer.fromNumberedLines(text))
  })
}

const UNREAD = /has not been read yet|has changed since/

export function* create({ path, content }: Of<'create'>, means: Means): Work {
  if (!means.tools.has('Write')) return stop(answer.needsTool('Write'))
  const outcome = yield writing(path, content, means)
  if (outcome.isError && UNREAD.test(outcome.text)) {
    return stop(`${path} exists already, so I left it as it is. To replace it, say: write … to ${path}`)
  }
  return outcome.isError ? stop(answer.failedText('Write', outcome)) : done(outcome.text)
}

export function* write({ path, content }: Of<'write'>, means: Means): Work {
  if (!means.tools.has('Write')) return stop(answer.needsTool('Write'))
  const outcome = yield writing(path, content, means)
  if (!outcome.isError) return done(outcome.text)
  if (!UNREAD.test(outcome.text)) return stop(answer.failedText('Write', outcome))
  const seen = yield* read({ kind: 'read', path }, means)
  if (!seen.continues) return seen
  const again = yield writing(path, content, means)
  return again.isError ? stop(answer.failedText('Write', again)) : done(again.text)
}

function writing(path: string, content: string, means: Means): PracticeStep {
  return { say: `I write ${path}.`, call: { name: 'Write', input: { file_path: absolute(path, means), content } } }
}

export function* edit({ path, from, to, all }: Of<'edit'>, means: Means): Work {
  if (!means.tools.has('Edit') || !means.tools.has('Read')) return stop(answer.needsTool('Edit, and Read before it'))
  const file = absolute(path, means)
  const seen = yield* read({ kind: 'read', path }, means)
  if (!seen.continues) return seen
  const input = { file_path: file, old_string: from, new_string: to, ...(all ? { replace_all: true } : {}) }
  return yield* useTool(means, `I change ${path}.`, 'Edit', input, ({ text }) => text)
}

/** Maximum lines read of a file that text is appended to. */
const LINES_SEEN = 2000

export function* append({ path, content }: Of<'append'>, means: Means): Work {
  if (!means.tools.has('Read')) return stop(answer.needsTool('Read'))
  const file = absolute(path, means)
  const seen = yield { say: `I read ${path}.`, call: { name: 'Read', input: { file_path: file, limit: LINES_SEEN } } }
  if (seen.isError) return stop(answer.failedText('Read', seen))
  const before = answer.fromNumberedLines(seen.text)
  if (before.split('\n').length >= LINES_SEEN) return stop(`${path} is too long for me: I do not see its end.`)
  const change = appendText(before, content)
  if (!change)
    return yield* useTool(means, `I write ${path}.`, 'Write', { file_path: file, content }, ({ text }) => text)
  return yield* useTool(means, `I add to ${path}.`, 'Edit', { file_path: file, ...change }, ({ text }) => text)
}

/** The tools know `~` themselves. */
function absolute(path: string, means: Means): string {
  return isAbsolute(path) || path === '~' || path.startsWith('~/') ? path : join(means.cwd, path)
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
