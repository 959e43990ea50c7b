/** What a check of `kedge doctor` found: one line, and what to do where something is to be done. */
export type FindingState = 'ok' | 'warn' | 'fail'

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
export function createFindings(check: string) {
  return {
    ok: (text: string): DoctorFinding => ({ check, state: 'ok', text }),
    warn: (text: string, fix?: string): DoctorFinding => ({ check, state: 'warn', text, ...(fix ? { fix } : {}) }),
    fail: (text: string, fix?: string): DoctorFinding => ({ check, state: 'fail', text, ...(fix ? { fix } : {}) }),
  }
}
