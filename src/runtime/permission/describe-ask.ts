/** What a permission question says of its call: why it is asked, and what would happen. */
import type { DecideContext, EngineCall, EngineTool, PermissionFacts } from '../../engine/ports.js'
import type { ExplainedDecision, Permissions } from '../../permissions/permission-engine.js'
import { decisionReason } from '../../permissions/reasons.js'
import type { AskPreview, AskReason } from '../../protocol/permission-types.js'
import { messageOf } from '../../protocol/thrown.js'

export async function describeAsk(
  permissions: Permissions,
  call: EngineCall,
  facts: PermissionFacts,
  tool: EngineTool,
  context: DecideContext,
): Promise<{ why: AskReason; preview?: AskPreview }> {
  const explained = await permissions.explain(call, facts, context)
  const say = (answer: ExplainedDecision) => decisionReason(answer, context.mode ?? permissions.mode(), facts.kind)
  const { rule } = explained
  const why: AskReason = {
    layer: layerOf(explained),
    text: say(explained),
    ...(rule ? { rule: rule.text, source: rule.source } : {}),
  }
  const preview = await previewOf(call, facts, tool, explained, say)
  return preview ? { why, preview } : { why }
}

/** Nobody is kept from answering by a preview that can't be made. */
async function previewOf(
  call: EngineCall,
  facts: PermissionFacts,
  tool: EngineTool,
  explained: ExplainedDecision,
  say: (answer: ExplainedDecision) => string,
): Promise<AskPreview | undefined> {
  try {
    if (facts.kind === 'command') {
      const parts = (await explained.parts?.()) ?? []
      const toPart = ({ command, ...part }: (typeof parts)[number]) =>
        ({ command, behavior: part.decision.behavior, reason: say(part) }) as const
      return { type: 'command', command: facts.command, parts: parts.map(toPart) }
    }
    if (facts.kind === 'fetch') return { type: 'address', url: facts.url, host: hostOf(facts.url) }
    return await tool.preview?.(call.input)
  } catch (error) {
    return { type: 'none', reason: messageOf(error) }
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return ''
  }
}

function layerOf({ layer, decision, rule }: ExplainedDecision): AskReason['layer'] {
  if (rule) return 'rule'
  if (layer === 'hook' || layer === 'sandbox' || layer === 'mode') return layer
  return decision.behavior === 'ask' && decision.blockedPath !== undefined ? 'path' : 'tool'
}
