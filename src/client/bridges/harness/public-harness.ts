/** `kedge/harness`: an adapter for the AI SDK's `HarnessAgent`. */
export type { HarnessPermissionMode, HarnessSession, HarnessStartOptions } from './harness-parts.js'
export { createHarness, type HarnessOptions, type KedgeHarness } from './kedge-harness.js'
export { type ServerFolder, serverFolder } from './server-folder.js'
