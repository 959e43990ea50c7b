/** For tests of WebFetch: the tool in a small web, called as the loop calls it. */
import type { RequestListener } from 'node:http'
import type { PermissionFacts, ToolOutcome } from '../../engine/ports.js'
import { createTestWeb, type TestWeb } from '../../platform/web/test-web.js'
import { createTestContext } from '../test-context.js'
import type { CallContext } from '../tool.js'
import { createWebFetchTool, type WebFetchPorts } from './web-fetch.js'

export type FetchCall = {
  prompt?: string
  /** Sees what only shows after the first permission, and may do something before the call continues. */
  onMoreFacts?: (facts: PermissionFacts | undefined) => void
  context?: Partial<CallContext>
}

export type FetchTest = AsyncDisposable & {
  web: TestWeb
  context: CallContext
  tool: ReturnType<typeof createWebFetchTool>
  /** Asks for a page, all questions answered with yes. */
  fetch(url: string, call?: FetchCall): Promise<ToolOutcome>
}

/** Without a digest the result is the page itself. */
export async function createFetchTest(
  listener: RequestListener,
  ports: Partial<WebFetchPorts> = {},
): Promise<FetchTest> {
  const web = await createTestWeb(listener)
  const test = await createTestContext()
  let calls = 0
  const tool = createWebFetchTool({
    web: web.client,
    digest: async () => undefined,
    isDenied: async () => false,
    userAgent: 'kedge/test',
    ...ports,
  })
  return {
    web,
    tool,
    context: test.context,
    async fetch(url, { prompt = 'What?', onMoreFacts = () => {}, context = {} } = {}) {
      calls += 1
      const call: CallContext = { ...test.context, toolUseId: `toolu_${calls}`, ...context }
      onMoreFacts(await tool.moreFacts?.({ url, prompt }, call))
      return tool.execute({ url, prompt }, call)
    },
    async [Symbol.asyncDispose]() {
      await web[Symbol.asyncDispose]()
      await test.dispose()
    },
  }
}

/** What the page was, or the error; without the marks around it. */
export function textOfTestFetch(outcome: ToolOutcome): string {
  if (!outcome.ok) return `error: ${outcome.error}`
  // Outputs of WebFetch have a result.
  return (outcome.output as { result: string }).result
}

export function withoutSchemaDescriptions<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'description' ? undefined : value)))
}
