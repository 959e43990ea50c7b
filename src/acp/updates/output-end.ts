/** What a command in the background printed last, from the file that its agent wrote. */
import { nodeFiles } from '../../platform/files/files.js'
import { MAX_SHOWN_OUTPUT_CHARS } from './tool-content.js'

/** `undefined` if there is no such file, or if it is none of ours: those are no links. */
export function readOutputFileTail(path: string): string | undefined {
  try {
    const stat = nodeFiles.lstatSync(path)
    if (stat?.kind !== 'file') return undefined
    const text = new TextDecoder().decode(nodeFiles.readEndSync(path, MAX_SHOWN_OUTPUT_CHARS))
    // A character that the cut went through.
    return stat.size > MAX_SHOWN_OUTPUT_CHARS ? text.replace(/^\uFFFD+/, '') : text
  } catch {
    return undefined
  }
}
