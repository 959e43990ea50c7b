/** Programs that open connections of any kind. */
import type { ShellWord } from '../../syntax/syntax.js'
import { toScriptTexts } from '../option-script-texts.js'
import type { KnownPrograms, ScriptText } from '../program-knowledge.js'

export const SOCKET_PROGRAMS: KnownPrograms = {
  nc: { risks: { options: { runs: '-ec' } } },
  ncat: { risks: { options: { runs: '-ec --exec --sh-exec --lua-exec', writes: '-ox --output --hex-dump' } } },
  tcpdump: { risks: { options: { runs: '-z', writes: '-w' } } },
  lftp: { risks: { options: { runs: '-ecf' } } },
  socat: { risks: { runsAnything: true }, runs: { texts: addressTexts } },
}

function addressTexts(words: readonly ShellWord[]): ScriptText[] {
  return words
    .slice(1)
    .flatMap((word) =>
      /^(?:EXEC|SYSTEM):/i.test(word.value) ? toScriptTexts(word, word.value.slice(word.value.indexOf(':') + 1)) : [],
    )
}
