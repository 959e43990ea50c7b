/** Decides whether a hook's matcher covers an event. */

/**
 * No matcher, `''` and `*` cover everything; otherwise a name, a `|` list of names or a regular expression for the
 * whole name. A broken expression covers everything: a hook that guards something must rather be asked too often.
 */
export function matches(matcher: string | undefined, subject: string | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  if (subject === undefined) return true
  if (matcher === subject) return true
  try {
    return new RegExp(`^(?:${matcher})$`).test(subject)
  } catch {
    return true
  }
}
