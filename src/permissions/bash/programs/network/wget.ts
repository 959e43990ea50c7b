/** Wget. */
import type { KnownPrograms } from '../program-knowledge.js'

export const WGET_PROGRAM: KnownPrograms = {
  wget: {
    looks: { version: /^--version$/ },
    risks: {
      options: {
        runs: '-e --execute --use-askpass --config',
        writes: `-OoaP --output-document --output-file --append-output --directory-prefix --save-cookies --warc-file
          --warc-tempdir --rejected-log --hsts-file`,
      },
    },
  },
}
