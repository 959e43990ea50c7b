/** What a folder contains that its user may trust or not: for the question, and for saying what is not used without trust. */

import { relative } from '../platform/paths.js'
import { printableText } from '../platform/visible-text.js'
import { loadProject } from '../project/load-project.js'
import type { ProjectFileAccess } from '../project/project.js'
import { type FolderConfigurationSources, findFolderConfiguration } from '../settings/folder-configuration.js'

type Brought = {
  /** Everything, safe to print: settings by key, servers, instructions, commands, skills, agents, styles. */
  brings: string[]
  /** The part that isn't used without trust: of texts for the model only their tools, models, servers, and commands. */
  withheld: string[]
}

export async function listFolderConfiguration(
  folders: Omit<FolderConfigurationSources, 'files'> & {
    files: FolderConfigurationSources['files'] & ProjectFileAccess
  },
): Promise<Brought> {
  const { brings, deeds } = await findFolderConfiguration(folders)
  if (brings.length === deeds.length) return { brings, withheld: deeds }
  const { cwd, home, configDir, sources, files } = folders
  const { agents, commands, skills } = await loadProject({
    cwd,
    home,
    configDir,
    files,
    isTrusted: () => false,
    sources: sources.filter((source) => source !== 'user'),
    pluginDirs: [],
    managedInstructions: [],
    builtInCommands: [],
  })
  const ofFiles = [...commands, ...skills, ...agents].flatMap(({ path, withheld = [] }) =>
    withheld.length > 0 ? [`${printableText(relative(cwd, path), 200)} (${withheld.join(', ')})`] : [],
  )
  return { brings, withheld: [...deeds, ...ofFiles] }
}
