/** Programs that run others as another user. */
import { commandTexts } from '../option-texts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const USER_CHANGERS: KnownPrograms = {
  sudo: {
    runs: {
      opaque: {
        values: 'CDghpRrTtUu',
        flags: 'AbEeHiKklNnPSsVv',
        longs: ['--user', '--group', '--chdir', '--prompt', '--host'],
        assignments: true,
      },
      assigns: true,
    },
    obeys: { enters: /^(?:-D|--chdir)(?:=|$)/ },
  },
  doas: { runs: { opaque: { values: 'aCu', flags: 'Lns' } } },
  su: { risks: { runsAnything: true }, runs: { texts: commandTexts } },
  runuser: { runs: { anyWord: 'opaque', texts: commandTexts } },
}
