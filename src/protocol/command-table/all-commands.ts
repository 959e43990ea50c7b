/** All commands of `kedge`. Help, completion, the manual, "did you mean", the docs and the tests are made of this table. */
import { ADMIN_COMMAND } from './admin-command-rows.js'
import { type Command, withSubcommands } from './command-row.js'
import { EVAL_COMMAND } from './eval-command-rows.js'
import { MCP_COMMAND } from './mcp-command-rows.js'
import { PERMISSIONS_COMMAND } from './permissions-command-rows.js'
import { ACP_COMMAND, ATTACH_COMMAND, SERVE_COMMAND } from './server-command-rows.js'
import { SESSIONS_COMMAND } from './sessions-command-rows.js'
import {
  COMPLETION_COMMAND,
  DOCTOR_COMMAND,
  HELP_COMMAND,
  MIGRATE_COMMAND,
  MODELS_COMMAND,
  UPDATE_COMMAND,
} from './setup-command-rows.js'
import { WORKER_COMMAND } from './worker-command-row.js'

/** In the order of `kedge --help`. */
export const TOP_LEVEL_COMMANDS: readonly Command[] = [
  DOCTOR_COMMAND,
  MODELS_COMMAND,
  MCP_COMMAND,
  PERMISSIONS_COMMAND,
  SESSIONS_COMMAND,
  SERVE_COMMAND,
  ATTACH_COMMAND,
  ACP_COMMAND,
  EVAL_COMMAND,
  MIGRATE_COMMAND,
  WORKER_COMMAND,
  ADMIN_COMMAND,
  UPDATE_COMMAND,
  COMPLETION_COMMAND,
  HELP_COMMAND,
]

/** With the commands below them, each right after its parent. */
export const CLI_COMMANDS_WITH_SUBCOMMANDS: readonly Command[] = TOP_LEVEL_COMMANDS.flatMap(withSubcommands)
