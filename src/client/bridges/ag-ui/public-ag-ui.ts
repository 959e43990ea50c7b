/** `kedge/ag-ui`: sessions for pages and programs that speak the AG-UI protocol. */
export type { AgUiEvent, AgUiInterrupt, AgUiState } from './ag-ui-events.js'
export { type AgUiHandlerOptions, createAgUiHandler } from './ag-ui-handler.js'
export { type AgUiStreamOptions, toAgUiEvents } from './to-ag-ui-events.js'
