/** Package managers of systems. */
import { knowledgeForNames } from '../knowledge-parts.js'
import { scriptTextsOfCommandOption } from '../option-script-texts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const PACKAGE_MANAGER_PROGRAMS: KnownPrograms = {
  ...knowledgeForNames('apt apt-get brew dnf yum apk pacman snap flatpak port', { runs: { nothing: true } }),
  nix: { runs: { verbs: ['run', 'shell', 'develop'], texts: scriptTextsOfCommandOption } },
}
