/** Ssh, and the programs that come with it. */
import { copyFileUse } from '../files/copies.js'
import { lineTexts } from '../option-texts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const SSH_PROGRAMS: KnownPrograms = {
  ssh: {
    looks: { version: /^-V$/ },
    risks: { options: { runs: '-oFSI', writes: '-E' } },
    runs: { anyWord: 'named', texts: lineTexts },
  },
  scp: { files: (words) => copyFileUse(words, { follows: true }), risks: { options: { runs: '-SoF' } } },
  sftp: { risks: { options: { runs: '-SoFbD' } } },
  'ssh-keygen': { risks: { options: { runs: '-Dw' } } },
  'ssh-add': { risks: { options: { runs: '-s' } } },
}
