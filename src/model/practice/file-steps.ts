/** Requests about files: each becomes calls of the file tools, or of Bash where a session has only that. */
import { isAbsolute, join } from '../../platform/paths.js'
import { toAppendingEdit } from './append.js'
import * as answer from './practice-answer.js'
import {
  type PracticeContext,
  type PracticeIntentOf,
  type PracticeStep,
  type PracticeSteps,
  reportDone,
  reportStopped,
  stepsToCallTool,
} from './practice-steps.js'
import type { PracticeToolOutcome } from './read-request.js'

export function* stepsToListFiles({ pattern, path }: PracticeIntentOf<'list'>, means: PracticeContext): PracticeSteps {
  const folder = absolute(path ?? means.cwd, means)
  const everything = pattern === '**/*'
  const where = `${everything ? '' : ` matching ${pattern}`}${path === undefined ? '' : ` in ${path}`}`
  const say = `I list the files${where}.`
  const report = (outcome: PracticeToolOutcome) => answer.foundFilesText(outcome, folder, where)
  if (!means.tools.has('Glob') && everything) {
    return yield* stepsToCallTool(means, say, 'Bash', { command: `ls -A -- ${quoteForShell(folder)}` }, report)
  }
  // Those of the folder itself, as `ls` does: below it there may be a thousand of git and of packages.
  const glob = everything ? './*' : pattern
  return yield* stepsToCallTool(
    means,
    say,
    'Glob',
    { pattern: glob, ...(path === undefined ? {} : { path: folder }) },
    report,
  )
}

export function* stepsToSearchFiles({ text, path }: PracticeIntentOf<'search'>, means: PracticeContext): PracticeSteps {
  const say = `I search for ${answer.quoteText(text)}${path === undefined ? '' : ` in ${path}`}.`
  const report = (outcome: PracticeToolOutcome) => answer.describeSearchMatches(outcome, text)
  const where = path === undefined ? {} : { path: absolute(path, means) }
  if (!means.tools.has('Grep')) {
    const command = `grep -rnF -e ${quoteForShell(text)} -- ${quoteForShell(where.path ?? means.cwd)}`
    return yield* stepsToCallTool(means, say, 'Bash', { command }, report)
  }
  // Grep takes a regular expression; what was asked for is meant as it is.
  const pattern = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return yield* stepsToCallTool(means, say, 'Grep', { pattern, ...where, output_mode: 'content' }, report)
}

export function* stepsToReadFile({ path }: PracticeIntentOf<'read'>, means: PracticeContext): PracticeSteps {
  const file = absolute(path, means)
  const say = `I read ${path}.`
  if (!means.tools.has('Read')) {
    const command = `cat -- ${quoteForShell(file)}`
    return yield* stepsToCallTool(means, say, 'Bash', { command }, ({ text }) => answer.fileContentText(path, text))
  }
  return yield* stepsToCallTool(means, say, 'Read', { file_path: file }, ({ text }) => {
    return answer.fileContentText(path, answer.withoutLineNumbers(text))
  })
}

const UNREAD = /has not been read yet|has changed since/

export function* stepsToCreateFile(
  { path, content }: PracticeIntentOf<'create'>,
  means: PracticeContext,
): PracticeSteps {
  if (!means.tools.has('Write')) return reportStopped(answer.needsToolText('Write'))
  const outcome = yield writing(path, content, means)
  if (outcome.isError && UNREAD.test(outcome.text)) {
    return reportStopped(`${path} exists already, so I left it as it is. To replace it, say: write … to ${path}`)
  }
  return outcome.isError ? reportStopped(answer.failedToolText('Write', outcome)) : reportDone(outcome.text)
}

export function* stepsToWriteFile({ path, content }: PracticeIntentOf<'write'>, means: PracticeContext): PracticeSteps {
  if (!means.tools.has('Write')) return reportStopped(answer.needsToolText('Write'))
  const outcome = yield writing(path, content, means)
  if (!outcome.isError) return reportDone(outcome.text)
  if (!UNREAD.test(outcome.text)) return reportStopped(answer.failedToolText('Write', outcome))
  const seen = yield* stepsToReadFile({ kind: 'read', path }, means)
  if (!seen.continues) return seen
  const again = yield writing(path, content, means)
  return again.isError ? reportStopped(answer.failedToolText('Write', again)) : reportDone(again.text)
}

function writing(path: string, content: string, means: PracticeContext): PracticeStep {
  return { say: `I write ${path}.`, call: { name: 'Write', input: { file_path: absolute(path, means), content } } }
}

export function* stepsToEditFile(
  { path, from, to, all }: PracticeIntentOf<'edit'>,
  means: PracticeContext,
): PracticeSteps {
  if (!means.tools.has('Edit') || !means.tools.has('Read'))
    return reportStopped(answer.needsToolText('Edit, and Read before it'))
  const file = absolute(path, means)
  const seen = yield* stepsToReadFile({ kind: 'read', path }, means)
  if (!seen.continues) return seen
  const input = { file_path: file, old_string: from, new_string: to, ...(all ? { replace_all: true } : {}) }
  return yield* stepsToCallTool(means, `I change ${path}.`, 'Edit', input, ({ text }) => text)
}

/** Maximum lines read of a file that text is appended to. */
const LINES_SEEN = 2000

export function* stepsToAppendToFile(
  { path, content }: PracticeIntentOf<'append'>,
  means: PracticeContext,
): PracticeSteps {
  if (!means.tools.has('Read')) return reportStopped(answer.needsToolText('Read'))
  const file = absolute(path, means)
  const seen = yield { say: `I read ${path}.`, call: { name: 'Read', input: { file_path: file, limit: LINES_SEEN } } }
  if (seen.isError) return reportStopped(answer.failedToolText('Read', seen))
  const before = answer.withoutLineNumbers(seen.text)
  if (before.split('\n').length >= LINES_SEEN) return reportStopped(`${path} is too long for me: I do not see its end.`)
  const change = toAppendingEdit(before, content)
  if (!change)
    return yield* stepsToCallTool(means, `I write ${path}.`, 'Write', { file_path: file, content }, ({ text }) => text)
  return yield* stepsToCallTool(means, `I add to ${path}.`, 'Edit', { file_path: file, ...change }, ({ text }) => text)
}

/** The tools know `~` themselves. */
function absolute(path: string, means: PracticeContext): string {
  return isAbsolute(path) || path === '~' || path.startsWith('~/') ? path : join(means.cwd, path)
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
