/** `kedge eval`: reads the command line and does what it says. */

import { messageOf } from '../protocol/thrown.js'
import { readEvalFlags } from './command/eval-flags.js'
import { EVAL_HELP, HAND_HELP } from './command/eval-help.js'
import { handCommand } from './command/hand-command.js'
import { initTask } from './command/init-task.js'
import { type EvalPrinter, runEvalCommand, writeReports } from './command/run-tasks.js'
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
  try {
    return await perform(args, out, signal)
  } catch (error) {
    const text = messageOf(error)
    out.tell(`error: ${text}\nRun \`kedge eval --help\` for all options.\n`)
    return UNUSABLE
  }
}

async function perform(args: string[], out: EvalPrinter, signal: AbortSignal): Promise<number> {
  const { values, positionals } = readEvalFlags(args)
  const [command, ...words] = positionals
  if (values.help || command === undefined) {
    out.print(command === 'hand' ? HAND_HELP : EVAL_HELP)
    return values.help ? 0 : UNUSABLE
  }
  switch (command) {
    case 'run':
      return runEvalCommand(words, values, out, signal)
    case 'list': {
      const tasks = readTasks(words.length > 0 ? words : ['.'])
      const width = Math.max(...tasks.map(({ name }) => name.length))
      for (const { name, description = '' } of tasks) out.print(`${name.padEnd(width)}  ${description}\n`)
      return 0
    }
    case 'report': {
      const run = readRun(words[0] ?? '.')
      writeReports(run, values)
      out.print(formatTable(run))
      return 0
    }
    case 'diff': {
      const [a, b] = words
      if (a === undefined || b === undefined) throw new Error('kedge eval diff needs two results folders.')
      const diff = diffRuns(readRun(a), readRun(b))
      out.print(formatDiff(diff))
      return values.fail && diff.tasks.some(({ change }) => change === 'worse') ? 1 : 0
    }
    case 'init': {
      const [folder = 'eval/first-task'] = words
      out.print(
        `${initTask(folder)
          .map((path) => `Created ${path}`)
          .join('\n')}\n`,
      )
      out.print(`Try it without a key: kedge eval run ${folder} --model practice --model mind:capable\n`)
      return 0
    }
    case 'hand': {
      const { code, out: text } = await handCommand(words, values.wait)
      out.print(text)
      return code
    }
    default:
      throw new Error(`There is no command "${command}". Known: init, run, list, report, diff, hand.`)
  }
}
