/** Editors: they change the files they are given, and run what is typed into them. */
import { fileUseOfChanger } from '../file-uses.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const EDITOR_PROGRAMS: KnownPrograms = {
  ...knowledgeForNames('ed red ex vi vim vimdiff gvim view nvim emacs nano pico joe mcedit kak hx', {
    files: fileUseOfChanger,
    risks: { runsAnything: true },
  }),
  micro: { files: fileUseOfChanger },
}
