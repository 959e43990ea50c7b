/** The shared view, as a part of its own: the client loads it when a view is first watched. */
export { addTranscript, applyToView, dropUnfinishedStreams } from '../hub/view/session-view.js'
export { createSessionView } from '../hub/view/view-state.js'
