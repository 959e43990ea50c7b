/** Marks in the environment of everything an agent starts, by which it is found again wherever it went. */

/** The variable that holds the marks, outermost first. */
export const TASK_VARIABLE = 'KEDGE_TASK'

/** Agents nest (a command may run an agent): the outer marks are kept, so that ending the outer ends the inner too. */
export function markedEnvironment(env: Readonly<Record<string, string | undefined>>, marks: readonly string[]) {
  const outer = env[TASK_VARIABLE]
  return { ...env, [TASK_VARIABLE]: [...(outer ? [outer] : []), ...marks].join(',') }
}
