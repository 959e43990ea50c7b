/** What AskUserQuestion gives back to hosts. */
import type { AskUserQuestion } from './input.js'

export interface AskUserQuestionOutput {
  questions: AskUserQuestion[]
  /** Several choices of one question are joined with commas. */
  answers: { [question: string]: string }
  /** What the user added, by question. */
  annotations?: { [question: string]: { markdown?: string; notes?: string } }
}
