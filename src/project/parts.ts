/** Everything about what users, projects and plugins bring, as one part to load when there is something to read. */
export { expandCommand, joinParts } from './expand.js'
export { instructionsText, pluginList, skillListing, skillNames, slashCommandNames, slashCommands } from './listing.js'
export { findCommand, findOutputStyle, loadProject } from './load.js'
