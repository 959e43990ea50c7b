/** Structured output of a session: the schema it has to match, what was handed in, and how often the model is asked again. */
import type { HookPort, StopVerdict, ToolDefinition } from '../../engine/ports.js'
import type { OutputSchema } from '../../tools/structured-output/output-schema.js'
import {
  createStructuredOutputTool,
  STRUCTURED_OUTPUT_MISSING_TEXT,
} from '../../tools/structured-output/structured-output.js'

/** Tries of one turn, texts without the tool included. */
const MAX_ATTEMPTS = 5

/** Maximum characters of an attempt that is shown to the host. */
const MAX_SHOWN = 2000

export type StructuredOutputTracker = ReturnType<typeof createStructuredOutputTracker>

export function createStructuredOutputTracker() {
  let schema: OutputSchema | undefined
  let given: { value: unknown } | undefined
  let failed = 0
  let problems: readonly string[] = []
  let last: unknown

  const missing = (): StopVerdict => {
    if (!schema || given) return {}
    failed += 1
    return failed < MAX_ATTEMPTS ? { block: STRUCTURED_OUTPUT_MISSING_TEXT } : {}
  }

  const tool = createStructuredOutputTool({
    handIn(value) {
      last = value
      const fits = (candidate: unknown) => schema?.problems(candidate).length === 0
      problems = schema?.problems(value) ?? []
      const meant = problems.length === 0 ? value : readings(value).find(fits)
      if (meant === undefined) failed += 1
      else {
        problems = []
        given = { value: meant }
      }
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
      last = undefined
    },
    given: () => given,
    /** The turn has had all its tries. */
    gaveUp: () => schema !== undefined && !given && failed >= MAX_ATTEMPTS,
    /** For the result of a turn that gave up. */
    errors: () => [
      `Failed to provide valid structured output after ${MAX_ATTEMPTS} attempts`,
      ...problems,
      ...(last === undefined ? [] : [`Last attempt: ${JSON.stringify(last).slice(0, MAX_SHOWN)}`]),
    ],
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

/** What models mean that hand in the right thing in the wrong way: wrapped in one key, or with parts of it as text. */
function readings(value: Record<string, unknown>): unknown[] {
  const [only, ...others] = Object.values(value)
  const unwrapped = others.length === 0 ? [only, parsed(only)] : []
  const parts = Object.entries(value).map(([name, part]) => [name, parsed(part)])
  return [...unwrapped, Object.fromEntries(parts)]
}

/** What a text says as JSON, where that is an object or a list. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Makes the session owe answers of this shape. Returns what is wrong with the schema, if something is. */
export async function requireStructuredOutput(
  structured: StructuredOutputTracker,
  change: (edit: (offered: readonly ToolDefinition[]) => readonly ToolDefinition[]) => void,
  schema: unknown,
): Promise<string | undefined> {
  const { compileOutputSchema } = await import('../../tools/structured-output/output-schema.js')
  const compiled = await compileOutputSchema(schema)
  if (!compiled.ok) return `outputFormat: the schema can't be used: ${compiled.problem}.`
  const tool = structured.require(compiled.schema)
  change((offered) => [...offered.filter(({ name }) => name !== tool.name), tool])
  return undefined
}
