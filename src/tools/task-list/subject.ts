/** Subjects of tasks, as they stand in lists. */

export function whyEmptySubjectIsRefused(subject: string | undefined): string | undefined {
  return subject?.trim() === '' ? 'The subject is empty: say in a few words what is to be done.' : undefined
}

/** So that no subject can look like another line of the list. */
export function subjectOnOneLine(subject: string): string {
  return subject.trim().replace(/\s+/g, ' ')
}
