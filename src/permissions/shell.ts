/**
 * All that is known about command lines, in one piece that is loaded on first use: it is most of the engine, and no session
 * needs it before its first request.
 */
export { judgeCommand } from './bash/judge.js'
export { isReadOnlyScript } from './bash/read-only-script.js'
export { loadShellParser } from './bash/syntax/parse-command.js'
export { findFilesCommandWrites } from './written-files.js'
