/** Rsync. */
import { fileUseOfCopier } from '../files/copies.js'
import { unpacksUnless } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const RSYNC_PROGRAM: KnownPrograms = {
  rsync: {
    files: (words) => fileUseOfCopier(words, { recursive: true }),
    risks: {
      options: { runs: '-e --rsh --rsync-path', writes: '--log-file --write-batch --only-write-batch' },
      unpacks: unpacksUnless({ short: 'n', long: ['dry-run', 'list-only', 'help', 'version'] }),
    },
  },
}
