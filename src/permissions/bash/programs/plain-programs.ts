/** Programs about which one or two sentences say it all, so that a file for each would hold nothing. */
import type { ShellWord } from '../syntax/syntax.js'
import { readOperands } from './arguments.js'
import { readsFiles, searchesFiles, usesNoFiles } from './file-roles.js'
import { named, textForm } from './knowledge-parts.js'
import type { KnownPrograms } from './program-knowledge.js'

export const PLAIN_PROGRAMS: KnownPrograms = {
  // Their words are text, and what their options do is to print it in another way.
  ...named('seq expr tr which', { looks: { form: textForm }, files: usesNoFiles }),
  ...named('basename dirname', { looks: { form: textForm }, files: usesNoFiles, ignoresInput: true }),
  sleep: { looks: { form: textForm }, files: usesNoFiles, waits: 'always' },
  ...named('whatis apropos whereis', { files: usesNoFiles }),
  // They read what they are given, and more than that is not asked of them.
  ...named('shasum md5 look ul iconv hd vis readelf objdump nm size ldd', { files: readsFiles }),
  bat: { looks: { version: /^(?:--version|-V)$/ }, files: readsFiles },
  strings: { looks: { form: readStrings }, files: readsFiles },
  xmllint: { files: searchesFiles },
  bc: { looks: { form: readBc } },
  nginx: { looks: { version: /^(?:--version|-v)$/ } },
  // Their words are no programs.
  ...named('terraform kill pkill killall systemctl service journalctl useradd', { runs: { nothing: true } }),
  // A program stands behind their verb.
  ...named('infisical doppler op', { runs: { verbs: ['run'] } }),
  ...named('aws-vault chamber summon', { runs: { verbs: ['exec', 'run'] } }),
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
