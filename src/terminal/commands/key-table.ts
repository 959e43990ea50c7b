/** The keys as people read about them; docs/terminal.md is checked against it. */

export type KeyHelp = { keys: string; does: string }

export const KEYS: readonly KeyHelp[] = [
  { keys: 'Enter', does: 'send; while it works: queue' },
  { keys: 'Ctrl-S', does: 'say it now, in the middle of the turn' },
  { keys: 'Shift-Enter, Alt-Enter, Ctrl-J, \\ Enter', does: 'a new line' },
  { keys: 'Up, Down', does: 'move; earlier prompts; with an empty prompt: take the last queued one back' },
  { keys: 'Ctrl-R', does: 'search earlier prompts of this folder' },
  { keys: 'Tab', does: 'complete a command or file; turn to a question while something is typed' },
  { keys: 'Esc', does: 'stop the turn; close a menu' },
  { keys: 'Esc Esc', does: 'go back to an earlier prompt; with text: clear it' },
  { keys: 'Ctrl-C', does: 'clear the prompt, stop the turn; twice: leave' },
  { keys: 'Ctrl-D', does: 'leave, when the prompt is empty' },
  { keys: 'Shift-Tab', does: 'next mode: Ask first, Accept edits, Plan only' },
  { keys: 'Alt-M', does: 'choose the model' },
  { keys: 'Ctrl-B', does: 'send the running command to the background' },
  { keys: 'Ctrl-T', does: 'work in the background: look, stop' },
  { keys: 'Ctrl-O', does: 'show what was folded; again: what was folded before it' },
  { keys: 'Ctrl-G', does: 'write the prompt in your editor' },
  { keys: 'Ctrl-V', does: 'paste an image' },
  { keys: 'Ctrl-A, Ctrl-E, Alt-B, Alt-F', does: 'start and end of the line, word by word' },
  { keys: 'Ctrl-U, Ctrl-K, Ctrl-W, Alt-D, Ctrl-Y', does: 'cut to the start, to the end, a word; put it back' },
  { keys: 'Ctrl-_', does: 'undo' },
  { keys: 'Ctrl-L', does: 'paint the screen anew' },
  { keys: 'Ctrl-Z', does: 'stop the program; fg goes on' },
  { keys: '!', does: 'at the start: run a shell command yourself' },
  { keys: '#', does: 'at the start: remember this in CLAUDE.md' },
  { keys: '?', does: 'in an empty prompt: this help' },
]
