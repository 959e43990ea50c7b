// What handlers get for every kind of input schema, and what `tool()` refuses.
import { createSdkMcpServer, type McpServerConfig, type SdkMcpCallContext, type StandardSchema, tool } from 'kedge'
import { z } from 'zod'

const whole = tool('whole', 'A whole schema', z.object({ at: z.string().transform(Number) }), async ({ at }, extra) => {
  const context: SdkMcpCallContext = extra
  const aborted: boolean = context.signal.aborted
  await extra.reportProgress(1, 2, 'half')
  return { content: [{ type: 'text', text: `${at.toFixed()} ${aborted} ${extra.toolUseId?.length}` }] }
})
const plain = tool('plain', 'JSON Schema', { type: 'object', properties: { a: { type: 'string' } } }, async (args) => {
  const value: unknown = args['a']
  return { content: [{ type: 'text', text: String(value) }] }
})
declare const own: StandardSchema<{ count: number }>
const standard = tool('standard', 'Any library', own, async ({ count }) => ({
  content: [{ type: 'text', text: count.toFixed() }],
}))
// Handlers written for the original take anything there.
const older = tool('older', 'As before', { a: z.string() }, async ({ a }, _extra: unknown) => ({
  content: [{ type: 'text', text: a }],
}))

export const server = createSdkMcpServer({ name: 'all', tools: [whole, plain, standard, older], timeout: 60_000 })
export const config: McpServerConfig = server
server.instance.addTool(older)

// @ts-expect-error not a schema of an object
tool('wrong', 'Wrong', { type: 'string' }, async () => ({ content: [] }))
// @ts-expect-error the arguments have no such field
tool('wrong', 'Wrong', z.object({ a: z.string() }), async ({ b }) => ({ content: [{ type: 'text', text: b }] }))
// @ts-expect-error a handler answers with content
tool('wrong', 'Wrong', { a: z.string() }, async () => 'text')
