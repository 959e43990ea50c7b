/** The keys as people read about them; docs/terminal.md is checked against it. */

export type KeyHelp = { keys: string; does: string }

export const KEY_HELP: readonly KeyHelp[] = [
  { keys: 'Enter', does: 'send; while it works: queue' },
  { keys: 'Ctrl-S', does: 'send now, in the middle of the turn' },
  { keys: 'Shift-Enter, Alt-Enter, Ctrl-J, \\ Enter', does: 'insert a line break' },
  { keys: 'Up, Down', does: 'move the cursor, recall prompts; in an empty prompt: edit the last queued one' },
  { keys: 'Ctrl-R', does: 'search earlier prompts of this folder' },
  { keys: 'Tab', does: 'complete a command or file; while typing: switch to the open request' },
  { keys: 'Esc', does: 'stop the turn; close a menu' },
  { keys: 'Esc Esc', does: 'rewind to an earlier prompt; with text: clear it' },
  { keys: 'Ctrl-C', does: 'clear the prompt, stop the turn; twice: exit' },
  { keys: 'Ctrl-D', does: 'exit, if the prompt is empty' },
  { keys: 'Shift-Tab', does: 'next permission mode: Ask first, Accept edits, Plan only' },
  { keys: 'Alt-M', does: 'choose a model' },
  { keys: 'Ctrl-B', does: 'move the running command to the background' },
  { keys: 'Ctrl-T', does: 'list background tasks, stop one' },
  { keys: 'Ctrl-O', does: 'expand the last collapsed block; again: the one before' },
  { keys: 'Ctrl-G', does: 'edit the prompt in your editor' },
  { keys: 'Ctrl-V', does: 'paste an image' },
  { keys: 'Ctrl-A, Ctrl-E, Alt-B, Alt-F', does: 'start of line, end of line, back and forward by word' },
  { keys: 'Ctrl-U, Ctrl-K, Ctrl-W, Alt-D, Ctrl-Y', does: 'cut to the start, to the end, a word; paste it' },
  { keys: 'Ctrl-_', does: 'undo' },
  { keys: 'Ctrl-L', does: 'redraw the screen' },
  { keys: 'Ctrl-Z', does: 'suspend Kedge; fg continues' },
  { keys: '!', does: 'first in the prompt: run a shell command' },
  { keys: '#', does: 'first in the prompt: add a line to CLAUDE.md' },
  { keys: '?', does: 'in an empty prompt: show this help' },
]
