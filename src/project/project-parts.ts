/** Everything about what users, projects and plugins bring, as one part to load when there is something to read. */
export { expandCommand, joinParts } from './expand-command.js'
export { findCommand, findOutputStyle, loadProject } from './read-all.js'
export {
  instructionsText,
  pluginList,
  skillListing,
  skillNames,
  slashCommandNames,
  slashCommands,
} from './told-list.js'
