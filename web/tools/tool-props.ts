/** What a tool call is drawn from. */
import type { ComponentType } from 'preact'
import type { ToolItem, ViewItem } from '../../src/view/view-items.js'
import type { SessionSignals } from '../state/session-signals.js'

type ItemPlace = { session: string; conversation: SessionSignals; isReplay: boolean }

/** `ItemRow` draws the items of a sub-agent, which can be tool calls again. */
export type ToolProps = ItemPlace & { item: ToolItem; ItemRow: ComponentType<ItemPlace & { item: ViewItem }> }
