/** `kedge/ai-sdk`: sessions for pages and programs that use the AI SDK. */
export { type ChatHandlerOptions, createChatHandler } from './chat-handler.js'
export { type ChatTransportOptions, createChatTransport, type KedgeChatTransport } from './chat-transport.js'
export { toUIMessageStream, type UiStreamOptions } from './to-ui-message-stream.js'
export { toUIMessages } from './to-ui-messages.js'
export type { ApprovalDescriptor, KedgeDataParts, TurnMetadata, UiChunk } from './ui-chunks.js'
