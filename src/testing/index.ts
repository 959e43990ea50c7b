/** `kedge/testing`: everything needed to test an agent without a key and without a network. */
export { type CalledTool, callTools, type ToolToCall } from './call-tools.js'
export type { CassetteRequest, CassetteServer } from './cassette.js'
export { collect, type Run } from './collect-messages.js'
export type { IncomingCall } from './http-listener.js'
export { callsOf, type MadeCall } from './made-calls.js'
export type { MessagesBody, ModelRequest, Outcome, RequestMatcher, ToolResult } from './observed-request.js'
export { type TestOptions, testOptions } from './query-options.js'
export { type RecordOptions, record } from './record.js'
export { type ReplayOptions, replay } from './replay.js'
export { type Lane, type Script, type ScriptOptions, script, type Turns } from './script.js'
export { type ModelServer, type ModelServerOptions, startModelServer } from './server.js'
export type {
  Answer,
  Delivery,
  Expectation,
  HttpFault,
  ModelHandler,
  Silence,
  Step,
  StreamShape,
  ToolCall,
  Turn,
} from './turn.js'
