// Shapes of zod 3, 4 and mini, side by side in one server.
import { createSdkMcpServer, type InferShape, tool } from 'kedge'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'

const three = tool(
  'three',
  'zod 3',
  { width: z3.number(), title: z3.string().nullable() },
  async ({ width, title }) => ({
    content: [{ type: 'text', text: `${width.toFixed()} ${title?.length}` }],
  }),
)
const four = tool('four', 'zod 4', { at: z.coerce.date(), on: z.boolean().default(true) }, async ({ at, on }) => ({
  content: [{ type: 'text', text: `${at.getTime()} ${on}` }],
}))
const small = tool('small', 'zod mini', { word: mini.string(), times: mini.optional(mini.number()) }, async (args) => ({
  content: [{ type: 'text', text: args.word.repeat(args.times ?? 1) }],
}))

export const server = createSdkMcpServer({ name: 'all', tools: [three, four, small] })
export const args: InferShape<(typeof three)['inputSchema']> = { width: 1, title: null }
