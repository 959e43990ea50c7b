/** Options that make a known program run or write something else, so that a rule with a wildcard does not cover them. */
import { wordList } from '../../word-list.js'
import { hasOption, mayBeOption, type OptionDanger, type OptionNames } from '../programs/option-words.js'
import type { ProgramRisks, RiskyOptions } from '../programs/program-knowledge.js'
import { knowledgeOf } from '../programs/program-table.js'
import { programNameOrEmpty, type ShellWord } from '../syntax/syntax.js'

/** What the command could do beyond what its name says; undefined when nothing of that kind is seen. `byRule`: words of a rule for it. */
export function commandDanger(words: readonly ShellWord[], byRule: readonly string[] = []): OptionDanger | undefined {
  const risks = risksOf(words)
  if (risks?.runsAnything) return 'runs'
  return risks?.danger?.(words, byRule) ?? (risks?.options && dangerByOptions(words.slice(1), risks.options))
}

/** Whether the program runs commands in a text of its own language. */
export function mayRunCommandsInScript(words: readonly ShellWord[]): boolean {
  const risks = risksOf(words)
  return Boolean(risks?.runsAnything || risks?.hasScript) && commandDanger(words) === 'runs'
}

/** Does the program have options of that kind at all? */
export function hasProgramRiskyOptions(words: readonly ShellWord[]): boolean {
  const risks = risksOf(words)
  return Boolean(risks?.runsAnything || risks?.danger || risks?.options)
}

/** Whether it might write a protected name that isn't visible before it exists. */
export function mayUnpackArchive(words: readonly ShellWord[]): boolean {
  return risksOf(words)?.unpacks?.(words) === true
}

function risksOf(words: readonly ShellWord[]): ProgramRisks | undefined {
  return knowledgeOf(programNameOrEmpty(words))?.risks
}

function dangerByOptions(args: readonly ShellWord[], row: RiskyOptions): OptionDanger | undefined {
  const options = optionsOf(args, row).flatMap((value) => (row.anyDashes ? [value, withTwoDashes(value)] : value))
  const named = row.named === undefined ? [] : wordList(row.named)
  const [running, writing] = [optionNamesOf(row.runs), optionNamesOf(row.writes)]
  const runs = (value: string) => hasOption(value, running) || named.some((name) => value.startsWith(name))
  if (args.some(mayBeOption) || options.some(runs)) return 'runs'
  return options.some((value) => hasOption(value, writing)) ? 'writes' : undefined
}

function withTwoDashes(value: string): string {
  return value.replace(/^-+(?=[^-].)/s, '--')
}

function optionNamesOf(text = ''): OptionNames {
  const names = text === '' ? [] : wordList(text)
  return {
    short: names
      .filter((name) => !name.startsWith('--'))
      .map((name) => name.slice(1))
      .join(''),
    long: names.filter((name) => name.startsWith('--')).map((name) => name.slice(2)),
  }
}

function optionsOf(args: readonly ShellWord[], { bareFirst }: RiskyOptions): string[] {
  const end = args.findIndex((word) => word.value === '--')
  const values = (end < 0 ? args : args.slice(0, end)).map((word) => word.value)
  const first = values[0]
  if (bareFirst && first !== undefined && !first.startsWith('-')) values[0] = `-${first}`
  return values.filter((value) => /^-./.test(value))
}
