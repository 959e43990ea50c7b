/** Everything about what users, projects and plugins bring, as one part to load when there is something to read. */
export { expandCommand, joinExpansionParts } from './expand-command.js'
export { findCommandOrSkill, findOutputStyle, loadProject } from './load-project.js'
export {
  instructionsText,
  pluginsForInit,
  skillListing,
  skillNames,
  slashCommandNames,
  slashCommands,
} from './project-listing.js'
