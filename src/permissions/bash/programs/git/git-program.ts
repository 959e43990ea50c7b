/**
 * Git. What its command lines do is read by `git.ts`, from the tables of `git-readers.ts` (what looks) and `git-verbs.ts` (what
 * acts); `git-trust.ts` looks at the repository it would use.
 */
import { wordList } from '../../../word-list.js'
import { createLiteralWord } from '../../syntax/shell-words.js'
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { readOperands } from '../arguments.js'
import { scriptTextsOfOption, toScriptTexts } from '../option-script-texts.js'
import type { PipedNames } from '../piped-names.js'
import type { FileUse, KnownPrograms, ScriptText } from '../program-knowledge.js'
import { mentionedPaths, outputFileWords } from '../word-files.js'
import { filesReadByGit, gitCommandEffects, gitDanger, gitVerbWords } from './git.js'

export const GIT_PROGRAM: KnownPrograms = {
  git: {
    looks: { form: filesReadByGit, alone: true },
    files: gitFiles,
    risks: { danger: gitDanger },
    runs: { verbs: ['run', 'foreach'], nothing: true, texts: gitTexts },
    obeys: {
      // `bisect` and `submodule` are scripts in many versions.
      programs: wordList('sed uname basename dirname expr cat cut tr wc ls gettext gettext.sh envsubst'),
      enters: /^-C$/,
    },
    prints: { names: namesTracked },
    verbWords: gitVerbWords,
  },
}

/** Any word may be a revision or a file. It searches, packs and restores everything below. */
function gitFiles(words: readonly ShellWord[]): FileUse {
  const args = words.slice(1)
  const call = gitVerbWords(words) ?? words
  const verb = wordValueAt(call, 1)
  const comparesFiles = verb === 'diff' && call.some(({ value }) => value.startsWith('--no-in'))
  const recursive = comparesFiles || /^(?:grep|archive|checkout|restore|clean|reset)$/.test(verb)
  const reads = [
    ...mentionedPaths([...args, ...fromOtherFolder(words, call)]),
    ...(recursive ? [createLiteralWord('.')] : []),
  ]
  return { reads, writes: gitCommandEffects(words)?.writes ?? outputFileWords(args), known: false, recursive }
}

/** The arguments as files of the folder that `-C` names. */
function fromOtherFolder(words: readonly ShellWord[], call: readonly ShellWord[]): ShellWord[] {
  const globals = words.slice(1, words.length - call.length + 1)
  const folders = globals.filter((_, i) => wordValueAt(globals, i - 1) === '-C').map(({ value }) => value)
  if (folders.length === 0) return []
  const folder = folders.reduce((before, next) => (next.startsWith('/') ? next : `${before}/${next}`))
  return call
    .slice(2)
    .flatMap((word) => (/^[-/~]/.test(word.value) ? [] : [createLiteralWord(`${folder}/${word.value}`)]))
}

/** It runs `!text` of an alias, and the text of a few options. */
function gitTexts(words: readonly ShellWord[]): ScriptText[] {
  const aliases = words.flatMap((word) => {
    const code = /^(?:--config-env=)?alias\.[^=]*=!?(.*)$/s.exec(word.value)?.[1]
    return code === undefined ? [] : toScriptTexts(word, code)
  })
  return [
    ...aliases,
    ...scriptTextsOfOption(
      words,
      /^(?:-x|--exec|--extcmd|--upload-pack|--receive-pack)$/,
      /^--(?:exec|extcmd|upload-pack|receive-pack)=(.*)$/s,
    ),
  ]
}

function namesTracked(words: readonly ShellWord[]): PipedNames | undefined {
  if (wordValueAt(words, 1) !== 'ls-files') return undefined
  const { certain, operands, options } = readOperands(words.slice(1), '-zcm --cached --modified')
  const isBelow = ({ value, dynamic, glob }: ShellWord) =>
    !dynamic && !glob && !/^[:/-]|(?:^|\/)\.\.(?:\/|$)/.test(value)
  return certain && operands.every(isBelow)
    ? { roots: [createLiteralWord('.')], exact: options.has('-z'), tracked: true }
    : undefined
}
