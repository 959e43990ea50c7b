/** Editors: they change the files they are given, and run what is typed into them. */
import { changesFiles } from '../file-roles.js'
import { named } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const EDITORS: KnownPrograms = {
  ...named('ed red ex vi vim vimdiff gvim view nvim emacs nano pico joe mcedit kak hx', {
    files: changesFiles,
    risks: { runsAnything: true },
  }),
  micro: { files: changesFiles },
}
