/** Programs about which one or two sentences say it all, so that a file for each would hold nothing. */
import type { ShellWord } from '../syntax/syntax.js'
import { readOperands } from './arguments.js'
import { fileUseOfReader, fileUseOfSearcher, noFileUse } from './file-uses.js'
import { filesReadByTextPrinter, knowledgeForNames } from './knowledge-parts.js'
import type { KnownPrograms } from './program-knowledge.js'

export const PLAIN_PROGRAMS: KnownPrograms = {
  // Their words are text, and what their options do is to print it in another way.
  ...knowledgeForNames('seq expr tr which', { looks: { form: filesReadByTextPrinter }, files: noFileUse }),
  ...knowledgeForNames('basename dirname', {
    looks: { form: filesReadByTextPrinter },
    files: noFileUse,
    ignoresInput: true,
  }),
  sleep: { looks: { form: filesReadByTextPrinter }, files: noFileUse, waits: 'always' },
  ...knowledgeForNames('whatis apropos whereis', { files: noFileUse }),
  // They read what they are given, and more than that is not asked of them.
  ...knowledgeForNames('shasum md5 look ul iconv hd vis readelf objdump nm size ldd', { files: fileUseOfReader }),
  bat: { looks: { version: /^(?:--version|-V)$/ }, files: fileUseOfReader },
  strings: { looks: { form: readStrings }, files: fileUseOfReader },
  xmllint: { files: fileUseOfSearcher },
  bc: { looks: { form: readBc } },
  nginx: { looks: { version: /^(?:--version|-v)$/ } },
  // Their words are no programs.
  ...knowledgeForNames('terraform kill pkill killall systemctl service journalctl useradd', {
    runs: { nothing: true },
  }),
  // A program stands behind their verb.
  ...knowledgeForNames('infisical doppler op', { runs: { verbs: ['run'] } }),
  ...knowledgeForNames('aws-vault chamber summon', { runs: { verbs: ['exec', 'run'] } }),
}

/** `@file` is a list of options. */
function readStrings(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const { certain, loose, operands } = readOperands(
    words,
    '-afow# -n= -t= -e= --all --bytes= --radix= --encoding= --print-file-name --include-all-whitespace --help --version',
  )
  if (!certain || loose || operands.some(({ head }) => head.startsWith('@') || head === '')) return undefined
  return operands
}

/** It has no command that runs or writes anything. */
function readBc(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const { certain, loose, operands } = readOperands(words, '-lqsw --mathlib --quiet --standard --warn --help --version')
  return certain && !loose && operands.every((word) => !word.dynamic) ? operands : undefined
}
