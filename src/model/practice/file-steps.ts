/** Requests about files: each becomes calls of the file tools, or of Bash where a session has only that. */
import { isAbsolute, join } from '../../platform/paths.js'
import { toAppendingEdit } from './append.js'
import * as answer from './practice-answer.js'
import type { PracticeToolOutcome } from './read-request.js'
import {
  callPracticeTool,
  type PracticeContext,
  type PracticeRequestOf,
  type PracticeStep,
  type PracticeWork,
  reportDone,
  reportStopped,
} from './work.js'

export function* stepsToListFiles({ pattern, path }: PracticeRequestOf<'list'>, means: PracticeContext): PracticeWork {
  const folder = absolute(path ?? means.cwd, means)
  const everything = pattern === '**/*'
  const where = `${everything ? '' : ` matching ${pattern}`}${path === undefined ? '' : ` in ${path}`}`
  const say = `I list the files${where}.`
  const report = (outcome: PracticeToolOutcome) => answer.foundFilesText(outcome, folder, where)
  if (!means.tools.has('Glob') && everything) {
    return yield* callPracticeTool(means, say, 'Bash', { command: `ls -A -- ${quoteForShell(folder)}` }, report)
  }
  // Those of the folder itself, as `ls` does: below it there may be a thousand of git and of packages.
  const glob = everything ? './*' : pattern
  return yield* callPracticeTool(
    means,
    say,
    'Glob',
    { pattern: glob, ...(path === undefined ? {} : { path: folder }) },
    report,
  )
}

export function* stepsToSearchFiles({ text, path }: PracticeRequestOf<'search'>, means: PracticeContext): PracticeWork {
  const say = `I search for ${answer.quoteText(text)}${path === undefined ? '' : ` in ${path}`}.`
  const report = (outcome: PracticeToolOutcome) => answer.describeSearchMatches(outcome, text)
  const where = path === undefined ? {} : { path: absolute(path, means) }
  if (!means.tools.has('Grep')) {
    const command = `grep -rnF -e ${quoteForShell(text)} -- ${quoteForShell(where.path ?? means.cwd)}`
    return yield* callPracticeTool(means, say, 'Bash', { command }, report)
  }
  // Grep takes a regular expression; what was asked for is meant as it is.
  const pattern = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return yield* callPracticeTool(means, say, 'Grep', { pattern, ...where, output_mode: 'content' }, report)
}

export function* stepsToReadFile({ path }: PracticeRequestOf<'read'>, means: PracticeContext): PracticeWork {
  const file = absolute(path, means)
  const say = `I read ${path}.`
  if (!means.tools.has('Read')) {
    const command = `cat -- ${quoteForShell(file)}`
    return yield* callPracticeTool(means, say, 'Bash', { command }, ({ text }) => answer.fileText(path, text))
  }
  return yield* callPracticeTool(means, say, 'Read', { file_path: file }, ({ text }) => {
    return answer.fileText(path, answer.fromNumberedLines(text))
  })
}

const UNREAD = /has not been read yet|has changed since/

export function* stepsToCreateFile(
  { path, content }: PracticeRequestOf<'create'>,
  means: PracticeContext,
): PracticeWork {
  if (!means.tools.has('Write')) return reportStopped(answer.needsToolText('Write'))
  const outcome = yield writing(path, content, means)
  if (outcome.isError && UNREAD.test(outcome.text)) {
    return reportStopped(`${path} exists already, so I left it as it is. To replace it, say: write … to ${path}`)
  }
  return outcome.isError ? reportStopped(answer.failedText('Write', outcome)) : reportDone(outcome.text)
}

export function* stepsToWriteFile({ path, content }: PracticeRequestOf<'write'>, means: PracticeContext): PracticeWork {
  if (!means.tools.has('Write')) return reportStopped(answer.needsToolText('Write'))
  const outcome = yield writing(path, content, means)
  if (!outcome.isError) return reportDone(outcome.text)
  if (!UNREAD.test(outcome.text)) return reportStopped(answer.failedText('Write', outcome))
  const seen = yield* stepsToReadFile({ kind: 'read', path }, means)
  if (!seen.continues) return seen
  const again = yield writing(path, content, means)
  return again.isError ? reportStopped(answer.failedText('Write', again)) : reportDone(again.text)
}

function writing(path: string, content: string, means: PracticeContext): PracticeStep {
  return { say: `I write ${path}.`, call: { name: 'Write', input: { file_path: absolute(path, means), content } } }
}

export function* stepsToEditFile(
  { path, from, to, all }: PracticeRequestOf<'edit'>,
  means: PracticeContext,
): PracticeWork {
  if (!means.tools.has('Edit') || !means.tools.has('Read'))
    return reportStopped(answer.needsToolText('Edit, and Read before it'))
  const file = absolute(path, means)
  const seen = yield* stepsToReadFile({ kind: 'read', path }, means)
  if (!seen.continues) return seen
  const input = { file_path: file, old_string: from, new_string: to, ...(all ? { replace_all: true } : {}) }
  return yield* callPracticeTool(means, `I change ${path}.`, 'Edit', input, ({ text }) => text)
}

/** Maximum lines read of a file that text is appended to. */
const LINES_SEEN = 2000

export function* stepsToAppendToFile(
  { path, content }: PracticeRequestOf<'append'>,
  means: PracticeContext,
): PracticeWork {
  if (!means.tools.has('Read')) return reportStopped(answer.needsToolText('Read'))
  const file = absolute(path, means)
  const seen = yield { say: `I read ${path}.`, call: { name: 'Read', input: { file_path: file, limit: LINES_SEEN } } }
  if (seen.isError) return reportStopped(answer.failedText('Read', seen))
  const before = answer.fromNumberedLines(seen.text)
  if (before.split('\n').length >= LINES_SEEN) return reportStopped(`${path} is too long for me: I do not see its end.`)
  const change = toAppendingEdit(before, content)
  if (!change)
    return yield* callPracticeTool(means, `I write ${path}.`, 'Write', { file_path: file, content }, ({ text }) => text)
  return yield* callPracticeTool(means, `I add to ${path}.`, 'Edit', { file_path: file, ...change }, ({ text }) => text)
}

/** The tools know `~` themselves. */
function absolute(path: string, means: PracticeContext): string {
  return isAbsolute(path) || path === '~' || path.startsWith('~/') ? path : join(means.cwd, path)
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
