/** Ssh, and the programs that come with it. */
import { fileUseOfCopier } from '../files/copies.js'
import { scriptTextsOfWords } from '../option-script-texts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const SSH_PROGRAMS: KnownPrograms = {
  ssh: {
    looks: { version: /^-V$/ },
    risks: { options: { runs: '-oFSI', writes: '-E' } },
    runs: { anyWord: 'named', texts: scriptTextsOfWords },
  },
  scp: { files: (words) => fileUseOfCopier(words, { follows: true }), risks: { options: { runs: '-SoF' } } },
  sftp: { risks: { options: { runs: '-SoFbD' } } },
  'ssh-keygen': { risks: { options: { runs: '-Dw' } } },
  'ssh-add': { risks: { options: { runs: '-s' } } },
}
