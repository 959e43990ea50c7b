/** The commands of the terminal, each with the words that help shows and what runs it. Others go to the agent. */
import { askAside, reloadFromTerminal } from './aside-commands.js'
import { exportFromTerminal } from './export-command.js'
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
import { editMemoryFile } from './memory-commands.js'
import { chooseModel, choosePermissionMode } from './model-command.js'
import { openRewind } from './rewind-command.js'
import {
  forkFromTerminal,
  openEmptySession,
  renameFromTerminal,
  resumeFromTerminal,
  serveFromTerminal,
} from './session-commands.js'
import { openBackgroundTasks } from './tasks-command.js'
import type { TerminalCommand } from './terminal-command.js'

export const TERMINAL_COMMANDS: readonly TerminalCommand[] = [
  { name: 'help', help: 'show keys and commands', run: (ui) => openHelp(ui, TERMINAL_COMMANDS) },
  { name: 'resume', help: 'continue another session', run: resumeFromTerminal },
  { name: 'fork', help: 'copy this session and continue in the copy', run: forkFromTerminal },
  { name: 'rename', help: 'give this session a title', hint: 'TITLE', run: renameFromTerminal },
  { name: 'export', help: 'write the conversation to a file', hint: '[FILE]', run: exportFromTerminal },
  { name: 'rewind', help: 'rewind the conversation, files, or both', run: openRewind },
  { name: 'clear', help: 'start a new conversation', run: openEmptySession },
  { name: 'context', help: 'show the use of the context window', run: showContext },
  { name: 'btw', help: 'ask something that leaves no trace', hint: 'QUESTION', run: askAside },
  { name: 'reload', help: 'read settings, plugins, and skills again', run: reloadFromTerminal },
  { name: 'cost', help: 'show the cost of this session', run: showCost },
  { name: 'status', help: 'show session, model, mode, and folder', run: showStatus },
  { name: 'model', help: 'choose a model', hint: '[MODEL]', run: chooseModel },
  { name: 'mode', help: 'choose the permission mode', hint: '[MODE]', run: choosePermissionMode },
  { name: 'permissions', help: 'list permission rules and their files', run: showPermissions },
  { name: 'agents', help: 'list sub-agents', run: showAgents },
  { name: 'mcp', help: 'list, reconnect, enable, or disable MCP servers', run: showMcpServerList },
  { name: 'hooks', help: 'list hooks and their files', run: showHooks },
  { name: 'memory', help: 'edit CLAUDE.md', run: editMemoryFile },
  { name: 'tasks', help: 'list background tasks, stop one', run: openBackgroundTasks },
  { name: 'serve', help: 'open this session in the web app', run: serveFromTerminal },
  { name: 'doctor', help: 'check your setup and suggest fixes', run: showDoctor },
  { name: 'exit', help: 'exit Kedge', run: (ui) => ui.leave() },
  { name: 'quit', help: 'exit Kedge', run: (ui) => ui.leave() },
]
