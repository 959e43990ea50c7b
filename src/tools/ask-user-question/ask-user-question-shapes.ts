/** What AskUserQuestion takes and gives back. */
import type { InputSchema } from '../input-schema.js'

type QuestionOption = {
  label: string
  description: string
  /** Something to look at while choosing, such as a sketch or a piece of code. */
  markdown?: string
}

/** One question with two to four answers to choose from. */
export type AskUserQuestion = {
  /** The question. */
  question: string
  /** A word or two to show beside it. */
  header: string
  /** Two to four answers to choose from. */
  options:
    | [QuestionOption, QuestionOption]
    | [QuestionOption, QuestionOption, QuestionOption]
    | [QuestionOption, QuestionOption, QuestionOption, QuestionOption]
  /** Whether several may be chosen. */
  multiSelect: boolean
}

/** What `AskUserQuestion` takes. */
export interface AskUserQuestionInput {
  /** One to four questions. */
  questions:
    | [AskUserQuestion]
    | [AskUserQuestion, AskUserQuestion]
    | [AskUserQuestion, AskUserQuestion, AskUserQuestion]
    | [AskUserQuestion, AskUserQuestion, AskUserQuestion, AskUserQuestion]
  /** Answers by question, put in by the host with `updatedInput`. */
  answers?: { [question: string]: string }
  /** What the user adds to the answers, by question, put in by the host. */
  annotations?: { [question: string]: { markdown?: string; notes?: string } }
  /** Where the questions come from. */
  metadata?: {
    /** What asks. */
    source?: string
  }
}

export const askUserQuestionInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    questions: {
      description: 'One to four questions, shown together.',
      minItems: 1,
      maxItems: 4,
      type: 'array',
      items: {
        type: 'object',
        properties: {
          question: {
            description: 'The whole question, as a sentence the user can answer without knowing anything else.',
            type: 'string',
          },
          header: { description: 'A word or two to show beside the question, at most 12 characters.', type: 'string' },
          options: {
            description:
              'Two to four answers to choose from. Do not add one for "something else": the user can always answer freely.',
            minItems: 2,
            maxItems: 4,
            type: 'array',
            items: {
              type: 'object',
              properties: {
                label: { description: 'The answer itself, in one to five words.', type: 'string' },
                description: { description: 'What choosing it means or leads to.', type: 'string' },
                markdown: {
                  description: 'Something to look at while choosing, such as a sketch or a piece of code.',
                  type: 'string',
                },
              },
              required: ['label', 'description'],
              additionalProperties: false,
            },
          },
          multiSelect: {
            description: 'Let the user choose several answers.',
            default: false,
            type: 'boolean',
          },
        },
        required: ['question', 'header', 'options'],
        additionalProperties: false,
      },
    },
    answers: {
      description: 'Leave this out: the answers of the user go here.',
      type: 'object',
      propertyNames: { type: 'string' },
      additionalProperties: { type: 'string' },
    },
    annotations: {
      description: 'Leave this out: what the user adds to the answers goes here.',
      type: 'object',
      propertyNames: { type: 'string' },
      additionalProperties: {
        type: 'object',
        properties: {
          markdown: { description: 'The markdown of the chosen option.', type: 'string' },
          notes: { description: 'What the user wrote beside the choice.', type: 'string' },
        },
        additionalProperties: false,
      },
    },
    metadata: {
      description: 'For the host; not shown to the user.',
      type: 'object',
      properties: { source: { description: 'Where the questions come from.', type: 'string' } },
      additionalProperties: false,
    },
  },
  required: ['questions'],
  additionalProperties: false,
} satisfies InputSchema<AskUserQuestionInput>

/** What the user answered. */
export interface AskUserQuestionOutput {
  /** What was asked. */
  questions: AskUserQuestion[]
  /** Several choices of one question are joined with commas. */
  answers: { [question: string]: string }
  /** What the user added, by question. */
  annotations?: { [question: string]: { markdown?: string; notes?: string } }
}
