/** Marks in the environment of everything an agent starts, by which it is found again wherever it went. */

/** The variable that holds the marks, outermost first. */
export const PROCESS_MARKS_VARIABLE = 'KEDGE_TASK'

/** Agents nest (a command may run an agent): the outer marks are kept, so that ending the outer ends the inner too. */
export function environmentWithProcessMarks(
  env: Readonly<Record<string, string | undefined>>,
  marks: readonly string[],
) {
  const outer = env[PROCESS_MARKS_VARIABLE]
  return { ...env, [PROCESS_MARKS_VARIABLE]: [...(outer ? [outer] : []), ...marks].join(',') }
}
