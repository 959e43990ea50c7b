/** pnpm and yarn. */
import type { KnownPrograms } from '../program-knowledge.js'

export const PNPM_AND_YARN_PROGRAMS: KnownPrograms = {
  pnpm: {
    risks: {
      options: {
        runs: `-C --script-shell --node-options --dir --shell-mode --prefix --userconfig --npmrc-auth-file --pnpmfile
          --global-pnpmfile --registry --use-node-version --lockfile-dir`,
        writes: '--store-dir --cache-dir --state-dir --global-dir --global-bin-dir --modules-dir --virtual-store-dir',
        named: '--config. --@ --//',
        anyDashes: true,
      },
    },
    runs: { verbs: ['exec', 'dlx'], nothing: true },
    obeys: { enters: /^(?:-C|--dir)(?:=|$)/ },
  },
  yarn: {
    risks: {
      options: {
        runs: '--cwd --script-shell --use-yarnrc --registry --prefix',
        writes: '--cache-folder --modules-folder --global-folder --link-folder --preferred-cache-folder',
      },
    },
    runs: { verbs: ['exec', 'dlx'], nothing: true },
    obeys: { enters: /^--cwd(?:=|$)/ },
  },
}
