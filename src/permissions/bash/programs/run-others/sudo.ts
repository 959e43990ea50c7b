/** Programs that run others as another user. */

import { scriptTextsOfCommandOption } from '../option-script-texts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const USER_CHANGING_PROGRAMS: KnownPrograms = {
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
  su: { risks: { runsAnything: true }, runs: { texts: scriptTextsOfCommandOption } },
  runuser: { runs: { anyWord: 'opaque', texts: scriptTextsOfCommandOption } },
}
