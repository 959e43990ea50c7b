/** Says that nothing is saved any more: once, whether the lines were of the session or of one of its agents. */
import type { RecordingEmitter } from './emitter.js'

export function createUnsavedSessionReporter(emitter: RecordingEmitter, stderr: (text: string) => void) {
  let told = false
  return (problem: string) => {
    if (told) return
    told = true
    stderr(`${problem}\n`)
    void emitter.inform(problem, 'warning', { code: 'session_not_saved' })
  }
}
