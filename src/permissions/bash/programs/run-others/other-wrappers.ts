/** Programs that are known for nothing but running others. */
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import { joinWordsAsScript, scriptTextsOfCommandOption, scriptTextsOfWords } from '../option-script-texts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const OTHER_WRAPPER_PROGRAMS: KnownPrograms = {
  setsid: { runs: { opaque: { flags: 'cfw' } } },
  ionice: { runs: { opaque: { values: 'cnpPu', flags: 't', longs: ['--class', '--classdata'] } } },
  chrt: { runs: { opaque: { values: 'TPD', flags: 'abdfiormpRv', operands: 1 } } },
  taskset: { runs: { opaque: { flags: 'acp', operands: 1 } } },
  chroot: { runs: { opaque: { longs: ['--userspec', '--groups'], operands: 1 } } },
  strace: { runs: { opaque: { values: 'abeEIoOpPsSuUX', flags: 'cCdfFhiknqrtTvVwxyYz' } } },
  ltrace: { runs: { opaque: { values: 'aAeFlnopsuwx', flags: 'bcCfhiLrStTV' } } },
  unbuffer: { runs: { opaque: { flags: 'p' } } },
  ifne: { runs: { opaque: { flags: 'n' } } },
  faketime: { runs: { opaque: { flags: 'm', values: 'f', operands: 1 } } },
  cgexec: { runs: { opaque: { values: 'g' } } },
  perf: { runs: { opaque: { operands: 1 } } },
  ...knowledgeForNames('fakeroot toybox valgrind proot', { runs: { opaque: {} } }),
  busybox: { runs: { opaque: {}, texts: scriptTextsOfCommandOption } },
  flock: {
    runs: {
      opaque: { values: 'wE', flags: 'eFnosuxv', longs: ['--timeout', '--wait', '--conflict-exit-code'], operands: 1 },
      texts: scriptTextsOfCommandOption,
    },
  },
  watch: {
    runs: {
      opaque: { values: 'nq', flags: 'bcdeghprtwx', longs: ['--interval'] },
      texts: (words) => joinWordsAsScript(behindDashes(words).filter((word) => !word.value.startsWith('-'))),
    },
  },
  parallel: { runs: { anyWord: 'opaque', adds: 'read', texts: scriptTextsOfWords, mark: () => '{}' } },
  gdb: { risks: { runsAnything: true }, runs: { anyWord: 'opaque', behind: /^--?args$/ } },
  'nix-shell': { runs: { anyWord: 'opaque', texts: scriptTextsOfCommandOption } },
  hyperfine: {
    looks: { version: /^(?:--version|-V)$/ },
    runs: { anyWord: 'opaque', texts: scriptTextsOfCommandOption },
  },
  // They take options that are not known here; any of their words may be the program.
  ...knowledgeForNames(
    `unshare nsenter systemd-run firejail bwrap proxychains proxychains4 torsocks dbus-run-session entr setpriv prlimit numactl
     eatmydata caffeinate linux32 linux64 setarch xvfb-run rlwrap tsp chronic start-stop-daemon dtach abduco setlock chpst envdir
     softlimit with-contenv s6-setuidgid gosu su-exec tini dumb-init catchsegv trickle nocache pv-run`,
    { runs: { anyWord: 'opaque' } },
  ),
  dotenv: { runs: { anyWord: 'named' } },
  tmux: {
    looks: { version: /^-V$/ },
    risks: { runsAnything: true },
    runs: { anyWord: 'named', texts: scriptTextsOfWords },
  },
  screen: { risks: { runsAnything: true }, runs: { anyWord: 'named', texts: scriptTextsOfWords } },
  lldb: { risks: { runsAnything: true } },
  expect: { risks: { runsAnything: true }, runs: { texts: scriptTextsOfCommandOption } },
  script: { risks: { options: { runs: '-c --command' } }, runs: { texts: scriptTextsOfCommandOption } },
  ...knowledgeForNames('dbus-launch xterm sg', { runs: { texts: scriptTextsOfWords } }),
  // Queues of jobs that are read.
  at: { risks: { runsAnything: true }, runs: { texts: scriptTextsOfWords, input: () => true } },
  batch: { risks: { runsAnything: true }, runs: { input: () => true } },
  crontab: { runs: { input: (words) => !words.slice(1).some((word) => /^-[ler]/.test(word.value)) } },
}

function behindDashes(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.slice(wordValueAt(words, 1) === '--' ? 2 : 1)
}
