/** Clients of databases: what they are told in their own language can run programs and write files. */
import type { ShellWord } from '../../syntax/syntax.js'
import type { OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const DATABASE_CLIENT_PROGRAMS: KnownPrograms = {
  psql: {
    looks: { version: /^(?:--version|-V)$/ },
    risks: { options: { writes: '-oL --output --log-file' }, danger: textDanger(/\\[!gowi]|\bprogram\b/i) },
  },
  mysql: {
    looks: { version: /^--version$/ },
    risks: {
      options: { runs: '--pager --init-command', writes: '--tee' },
      danger: textDanger(/\\[!TPR]|\b(?:system|tee|pager)\b/i),
    },
  },
  sqlite3: {
    looks: { version: /^(?:--version|-V)$/ },
    risks: { options: { named: '-cmd --cmd -init --init' }, danger: textDanger(/^\s*\./) },
  },
  'redis-cli': { looks: { version: /^(?:--version|-v)$/ } },
}

function textDanger(runs: RegExp) {
  return (words: readonly ShellWord[]): OptionDanger | undefined =>
    words.some((word) => runs.test(word.value)) ? 'runs' : undefined
}
