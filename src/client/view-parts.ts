/** The shared view, as a part of its own: the client loads it when a view is first watched. */
export { addTranscriptToView, applyToView, dropUnfinishedStreams } from '../view/session-view.js'
export { createSessionView } from '../view/view-state.js'
