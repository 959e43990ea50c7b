/** Everything about settings files that a session needs, as one part to load when there is a file to read or to write. */
export { ruleLayers } from './compose.js'
export { folderBrings } from './folder-brings.js'
export { loadSettings } from './load-files.js'
export { isOwnFile } from './own-file.js'
export { parseSettings } from './parse-file.js'
export { printable } from './setting-problems.js'
export { isTrustedFolder, rememberTrust, trustRoot } from './trusted-folders.js'
export { updateSettingsFile } from './update-file.js'
