/** What TodoWrite gives back to hosts. */

export interface TodoWriteOutput {
  /** The list before. */
  oldTodos: {
    content: string
    status: 'pending' | 'in_progress' | 'completed'
    activeForm: string
  }[]
  /** The list from now on. */
  newTodos: {
    content: string
    status: 'pending' | 'in_progress' | 'completed'
    activeForm: string
  }[]
}
