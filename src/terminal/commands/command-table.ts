/** The commands of the terminal, each with the words that help shows and what runs it. Others go to the agent. */
import { exportSession } from './export-command.js'
import { openHelp } from './help-command.js'
import {
  showAgents,
  showContext,
  showCost,
  showDoctor,
  showHooks,
  showMcpServerList,
  showPermissions,
  showStatus,
} from './info-commands.js'
import { openMemory } from './memory-commands.js'
import { chooseMode, chooseModel } from './model-command.js'
import { openRewind } from './rewind-command.js'
import {
  clearSession,
  forkFromTerminal,
  renameFromTerminal,
  resumeSession,
  serveFromTerminal,
} from './session-commands.js'
import { openTasks } from './tasks-command.js'
import type { TerminalCommand } from './terminal-command.js'

export const TERMINAL_COMMANDS: readonly TerminalCommand[] = [
  { name: 'help', help: 'keys and commands', run: (ui) => openHelp(ui, TERMINAL_COMMANDS) },
  { name: 'resume', help: 'go on with another session', run: resumeSession },
  { name: 'fork', help: 'a copy of this session that can go its own way', run: forkFromTerminal },
  { name: 'rename', help: 'give this session a title', hint: 'TITLE', run: renameFromTerminal },
  { name: 'export', help: 'write the conversation to a file', hint: '[FILE]', run: exportSession },
  { name: 'rewind', help: 'go back: conversation, files or both', run: openRewind },
  { name: 'clear', help: 'begin a new conversation', run: clearSession },
  { name: 'context', help: 'what fills the context window', run: showContext },
  { name: 'cost', help: 'what this session has cost', run: showCost },
  { name: 'status', help: 'session, model, mode, folder', run: showStatus },
  { name: 'model', help: 'choose the model', hint: '[MODEL]', run: chooseModel },
  { name: 'mode', help: 'choose what is asked about', hint: '[MODE]', run: chooseMode },
  { name: 'permissions', help: 'which rules hold, and from which file', run: showPermissions },
  { name: 'agents', help: 'sub-agents there are', run: showAgents },
  { name: 'mcp', help: 'MCP servers: state, reconnect, turn on or off', run: showMcpServerList },
  { name: 'hooks', help: 'hooks there are, and from which file', run: showHooks },
  { name: 'memory', help: 'edit CLAUDE.md', run: openMemory },
  { name: 'tasks', help: 'work in the background: look, stop', run: openTasks },
  { name: 'serve', help: 'put this session on a page', run: serveFromTerminal },
  { name: 'doctor', help: 'what is wrong with this set-up', run: showDoctor },
  { name: 'exit', help: 'leave', run: (ui) => ui.leave() },
  { name: 'quit', help: 'leave', run: (ui) => ui.leave() },
]
