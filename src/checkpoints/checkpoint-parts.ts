/** All of this folder, in one piece that is loaded when a session keeps checkpoints. */
export { createDiskStore, createMemoryStore } from './blobs.js'
export * from './checkpoints.js'
export { emptyHistory } from './file-history.js'
export { applyHistoryLine } from './history-lines.js'
