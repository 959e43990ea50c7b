/** Structured output of a session: the schema it has to match, what was handed in, and how often the model is asked again. */
import type { HookPort, StopVerdict, ToolDefinition } from '../engine/ports.js'
import type { OutputSchema } from '../tools/structured-output/output-schema.js'
import { STRUCTURED_OUTPUT_MISSING } from '../tools/structured-output/prompt.js'
import { createStructuredOutputTool } from '../tools/structured-output/structured-output.js'
import type { SessionParts } from './session-parts.js'

/** Tries of one turn, texts without the tool included. */
const MAX_ATTEMPTS = 5

export type StructuredOutput = ReturnType<typeof createStructuredOutput>

export function createStructuredOutput() {
  let schema: OutputSchema | undefined
  let given: { value: unknown } | undefined
  let failed = 0
  let problems: readonly string[] = []

  const missing = (): StopVerdict => {
    if (!schema || given) return {}
    failed += 1
    return failed < MAX_ATTEMPTS ? { block: STRUCTURED_OUTPUT_MISSING } : {}
  }

  const tool = createStructuredOutputTool({
    handIn(value) {
      problems = schema?.problems(value) ?? []
      if (problems.length === 0) given = { value }
      else failed += 1
      return problems
    },
  })

  return {
    tool,
    /** From now on every turn owes an answer that matches it. Returns the tool as the model is shown it. */
    require(wanted: OutputSchema): ToolDefinition {
      schema = wanted
      const { name, description } = tool
      return { name, description, input_schema: wanted.schema }
    },
    /** A turn begins. */
    begin() {
      given = undefined
      failed = 0
      problems = []
    },
    given: () => given,
    /** The turn has had all its tries. */
    gaveUp: () => schema !== undefined && !given && failed >= MAX_ATTEMPTS,
    /** For the result of a turn that gave up. */
    errors: () => [`Failed to provide valid structured output after ${MAX_ATTEMPTS} attempts`, ...problems],
    /** The model is sent back when it ends without an answer; the user's own stop hooks come first. */
    guard: (hooks: HookPort): HookPort => ({
      ...hooks,
      async stop(active, lastText, signal) {
        const verdict = await hooks.stop(active, lastText, signal)
        return verdict.block !== undefined || verdict.prevent ? verdict : { ...verdict, ...missing() }
      },
    }),
  }
}

/** Makes the session owe answers of this shape. Returns what is wrong with the schema, if something is. */
export async function requireOutput(parts: SessionParts, schema: unknown): Promise<string | undefined> {
  const { compileOutputSchema } = await import('../tools/structured-output/output-schema.js')
  const compiled = await compileOutputSchema(schema)
  if (!compiled.ok) return `outputFormat: the schema can't be used: ${compiled.problem}.`
  const offered = parts.offered.filter(({ name }) => name !== parts.structured.tool.name)
  parts.offered = [...offered, parts.structured.require(compiled.schema)]
  return undefined
}
