/** What a tool call is drawn from. */
import type { ComponentType } from 'preact'
import type { ConversationFold } from '../state/fold-conversation.js'
import type { Item, ToolItem } from '../state/items.js'

type ItemPlace = { session: string; conversation: ConversationFold; isReplay: boolean }

/** `ItemRow` draws the items of a sub-agent, which can be tool calls again. */
export type ToolProps = ItemPlace & { item: ToolItem; ItemRow: ComponentType<ItemPlace & { item: Item }> }
