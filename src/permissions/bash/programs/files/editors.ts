/** Editors: they change the files they are given, and run what is typed into them. */
import { changingUse } from '../file-roles.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const EDITORS: KnownPrograms = {
  ...knowledgeForNames('ed red ex vi vim vimdiff gvim view nvim emacs nano pico joe mcedit kak hx', {
    files: changingUse,
    risks: { runsAnything: true },
  }),
  micro: { files: changingUse },
}
