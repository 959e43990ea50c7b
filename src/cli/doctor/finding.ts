/** The result of a check of `kedge doctor`: one line, and a fix if there is something to fix. */
import { type FailureFacts, fixForFailure } from '../../model/messages-api/failure-fix.js'
import { fixForInterface } from '../../protocol/shown/fix-words.js'

/** `note`: nothing is wrong, but the user should know. */
export type FindingState = 'ok' | 'note' | 'warn' | 'fail'

export type DoctorFinding = {
  check: string
  state: FindingState
  text: string
  fix?: string
  /** Where it is wrong, for problems of files. */
  file?: string
  line?: number
  key?: string
}

/** Findings of one check. */
export function createFindingFactory(check: string) {
  return {
    ok: (text: string): DoctorFinding => ({ check, state: 'ok', text }),
    note: (text: string): DoctorFinding => ({ check, state: 'note', text }),
    warn: (text: string, fix?: string): DoctorFinding => ({ check, state: 'warn', text, ...(fix ? { fix } : {}) }),
    fail: (text: string, fix?: string): DoctorFinding => ({ check, state: 'fail', text, ...(fix ? { fix } : {}) }),
  }
}

/** Returns what to do about a failed request, in the words of the shell. */
export function failureFixForShell(facts: FailureFacts): string | undefined {
  const fix = fixForFailure(facts)
  return fix === undefined ? undefined : fixForInterface(fix, 'shell')
}
