/** What Bash takes and gives back. */
import type { InputSchema } from '../input-schema.js'

/** What `Bash` takes. */
export interface BashInput {
  /** The command line, as bash reads it. */
  command: string
  /** Milliseconds to wait for the command, which then continues in the background; 120000 if left out, at most 600000. */
  timeout?: number
  /** What the command does, in five to ten plain words, for whoever watches. */
  description?: string
  /** Start the command and return at once, without waiting for its end. */
  run_in_background?: boolean
  /** Ask to run outside the sandbox, when one is active. */
  dangerouslyDisableSandbox?: boolean
}

export const bashInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    command: { description: 'The command line, as bash reads it.', type: 'string' },
    timeout: {
      description: 'Milliseconds to wait for the command; 120000 by default, at most 600000.',
      type: 'number',
    },
    description: {
      description: 'What the command does, in five to ten plain words, for the user.',
      type: 'string',
    },
    run_in_background: {
      description: 'Start the command and return at once.',
      type: 'boolean',
    },
    dangerouslyDisableSandbox: {
      description: 'Ask to run outside the sandbox.',
      type: 'boolean',
    },
  },
  required: ['command'],
  additionalProperties: false,
} satisfies InputSchema<BashInput>

/** What Bash gives back to hosts. */
export interface BashOutput {
  /** Both outputs of the command, in the order they were written. */
  stdout: string
  /** Remarks about the shell itself, such as a reset of its folder. */
  stderr: string
  /** File with the raw output, when it was too large to pass on. */
  rawOutputPath?: string
  /** True when the command was ended before it was done. */
  interrupted: boolean
  /** True when `stdout` is an image as a data URL. */
  isImage?: boolean
  /** Id of the task, when the command runs in the background. */
  backgroundTaskId?: string
  /** True when a person moved the command to the background. */
  backgroundedByUser?: boolean
  /** True when the command ran outside the sandbox on request. */
  dangerouslyDisableSandbox?: boolean
  /** What an exit code other than 0 means that is not a failure, as 1 from grep. */
  returnCodeInterpretation?: string
  /** True when success of this command is silent, as with mkdir. */
  noOutputExpected?: boolean
  /** Content blocks, when the output is more than text. */
  structuredContent?: unknown[]
  /** File with the whole output, when it was too long to pass on. */
  persistedOutputPath?: string
  /** Bytes of that file. */
  persistedOutputSize?: number
}
