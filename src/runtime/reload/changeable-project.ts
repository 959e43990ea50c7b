/** The project of a running session: what was read of it last. Whoever holds it sees what a reload has read. */
import type { SessionProject } from '../session-project.js'

export interface ChangeableProject extends SessionProject {
  /** Folders that came while the session runs. They are read at each reload. */
  readonly added: { readonly pluginFolders: string[] }
  /** From now on this is what the project has. */
  become(next: SessionProject): void
}

export function createChangeableProject(first: SessionProject): ChangeableProject {
  let now = first
  let chosen: readonly string[] | undefined
  return {
    added: { pluginFolders: [] },
    become(next) {
      if (chosen) next.chooseSkills(chosen)
      now = next
    },
    get lists() {
      return now.lists
    },
    get instructions() {
      return now.instructions
    },
    get agents() {
      return now.agents
    },
    get plugins() {
      return now.plugins
    },
    get style() {
      return now.style
    },
    get skillListing() {
      return now.skillListing
    },
    chooseSkills(names) {
      chosen = names
      now.chooseSkills(names)
    },
    isChosen: (name) => now.isChosen(name),
    instructionsText: (instructions) => now.instructionsText(instructions),
    find: (name) => now.find(name),
    forModel: () => now.forModel(),
    expand: (command, args, sessionId) => now.expand(command, args, sessionId),
    join: (parts, outputs) => now.join(parts, outputs),
    nestedInstructions: (path) => now.nestedInstructions(path),
    forgetNested: () => now.forgetNested(),
  }
}
