/** The kinds of messages that `--debug` and `KEDGE_DEBUG` can show. */
export const DEBUG_KINDS = ['messages', 'tools', 'api', 'control', 'hooks', 'mcp', 'stream'] as const
export type DebugKind = (typeof DEBUG_KINDS)[number]

/** `api,tools`, or `!control`: everything else. Kinds that only others know may stand in such a list. */
export const DEBUG_FILTER_PATTERN = new RegExp(`^(?:${DEBUG_KINDS.join('|')}|!\\w+|\\w+,!?\\w+)(?:,!?\\w+)*$`)

/** Single events of a stream are many: they are shown when they are asked for. */
const USUAL = DEBUG_KINDS.filter((kind) => kind !== 'stream')

export function parseDebugFilter(filter: string | undefined): ReadonlySet<DebugKind> {
  const words = filter?.split(',') ?? []
  const named = DEBUG_KINDS.filter((kind) => words.includes(kind))
  const shown = named.length > 0 ? named : USUAL
  return new Set(shown.filter((kind) => !words.includes(`!${kind}`)))
}
