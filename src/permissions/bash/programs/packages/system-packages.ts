/** Package managers of systems. */
import { knowledgeForNames } from '../knowledge-parts.js'
import { commandTexts } from '../option-texts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const SYSTEM_PACKAGES: KnownPrograms = {
  ...knowledgeForNames('apt apt-get brew dnf yum apk pacman snap flatpak port', { runs: { nothing: true } }),
  nix: { runs: { verbs: ['run', 'shell', 'develop'], texts: commandTexts } },
}
