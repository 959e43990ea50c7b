/** `kedge eval`: reads the command line and does what it says. */

import {
  type ChosenCommand,
  chooseCommand,
  createUsageError,
  type HelpOrUsageError,
  readCommandLine,
} from '../platform/command-line/read-command-line.js'
import { lastWordOfCommand } from '../protocol/command-table/command-row.js'
import {
  EVAL_COMMAND,
  EVAL_DIFF_COMMAND,
  EVAL_INIT_COMMAND,
  EVAL_REPORT_COMMAND,
  EVAL_RUN_COMMAND,
  type NEXT_MODEL_REQUEST_COMMAND,
} from '../protocol/command-table/eval-command-rows.js'
import { messageOf } from '../protocol/thrown.js'
import { modelByHandCommand } from './command/hand-command.js'
import { writeNewTaskFolder } from './command/init-task.js'
import { type EvalPrinter, type ReportFiles, runEvalCommand, writeReports } from './command/run-tasks.js'
import { diffRuns, formatDiff } from './report/diff-runs.js'
import { formatTable } from './report/format-table.js'
import { readRun } from './run/results-file.js'
import { readTasks } from './task/read-task.js'

const UNUSABLE = 2
const STOPPED = 130

export async function evalMain(args: string[]): Promise<void> {
  const out: EvalPrinter = { print: (text) => process.stdout.write(text), tell: (text) => process.stderr.write(text) }
  const stop = new AbortController()
  const end = () => {
    // The first ends trials in order, the second at once.
    if (stop.signal.aborted) process.exit(STOPPED)
    stop.abort()
    out.tell('Stopping…\n')
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  const isServing = args[0] === 'hand' && args[1] === 'serve'
  const code = await evalCommand(args, out, stop.signal)
  process.exitCode = code
  // An answer that is being typed keeps standard input open; an endpoint is there to be called.
  if (!isServing || code !== 0) process.stdout.write('', () => process.exit(code))
  else stop.signal.addEventListener('abort', () => process.exit(0))
}

export async function evalCommand(args: string[], out: EvalPrinter, signal: AbortSignal): Promise<number> {
  const chosen = chooseCommand(EVAL_COMMAND, args)
  if ('text' in chosen) return printText(chosen, out)
  const { command } = chosen
  try {
    return await runCommand(chosen, out, signal)
  } catch (error) {
    return printText(createUsageError(command, messageOf(error)), out)
  }
}

function printText({ text, isHelp }: HelpOrUsageError, { print, tell }: EvalPrinter): number {
  if (isHelp) print(text)
  else tell(text)
  return isHelp ? 0 : UNUSABLE
}

async function runCommand({ command, args }: ChosenCommand, out: EvalPrinter, signal: AbortSignal): Promise<number> {
  if (command === EVAL_RUN_COMMAND) {
    const read = readCommandLine(EVAL_RUN_COMMAND, args)
    return 'text' in read ? printText(read, out) : runEvalCommand(read.words, read.values, out, signal)
  }
  if (command === EVAL_REPORT_COMMAND) {
    const read = readCommandLine(EVAL_REPORT_COMMAND, args)
    return 'text' in read ? printText(read, out) : reportRun(read.words[0] ?? '.', read.values, out)
  }
  if (command === EVAL_DIFF_COMMAND) {
    const read = readCommandLine(EVAL_DIFF_COMMAND, args)
    return 'text' in read ? printText(read, out) : compareRuns(read.words, read.values.fail, out)
  }
  if (command.name.startsWith('eval hand ')) {
    const read = readCommandLine(command as typeof NEXT_MODEL_REQUEST_COMMAND, args) // those that don't wait have no flag for it
    if ('text' in read) return printText(read, out)
    const { code, out: text } = await modelByHandCommand([lastWordOfCommand(command), ...read.words], read.values.wait)
    out.print(text)
    return code
  }
  const read = readCommandLine(command, args)
  if ('text' in read) return printText(read, out)
  return command === EVAL_INIT_COMMAND ? initFolder(read.words, out) : listTasks(read.words, out)
}

function listTasks(folders: readonly string[], out: EvalPrinter): number {
  const tasks = readTasks(folders.length > 0 ? folders : ['.'])
  const width = Math.max(...tasks.map(({ name }) => name.length))
  for (const { name, description = '' } of tasks) out.print(`${name.padEnd(width)}  ${description}\n`)
  return 0
}

function reportRun(results: string, files: ReportFiles, out: EvalPrinter): number {
  const run = readRun(results)
  writeReports(run, files)
  out.print(formatTable(run))
  return 0
}

function compareRuns([before = '', after = '']: readonly string[], fails: boolean, out: EvalPrinter): number {
  const diff = diffRuns(readRun(before), readRun(after))
  out.print(formatDiff(diff))
  return fails && diff.tasks.some(({ change }) => change === 'worse') ? 1 : 0
}

function initFolder([folder = 'eval/first-task']: readonly string[], out: EvalPrinter): number {
  const created = writeNewTaskFolder(folder).map((path) => `Created ${path}\n`)
  out.print(`${created.join('')}Try it without a key: kedge eval run ${folder} --model practice --model mind:capable\n`)
  return 0
}
