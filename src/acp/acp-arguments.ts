/** The command line of `kedge acp`: a few defaults for its sessions. Editors send the rest with each session. */
import { createUsageError, type HelpOrUsageError, readCommandLine } from '../platform/command-line/read-command-line.js'
import { ACP_COMMAND } from '../protocol/command-table/server-command-rows.js'
import type { Options } from '../protocol/options.js'
import { isPermissionMode, unknownModeText } from '../protocol/permission-modes.js'

export type AcpArguments = { options: Options } | HelpOrUsageError

export function readAcpArguments(args: readonly string[]): AcpArguments {
  const read = readCommandLine(ACP_COMMAND, args)
  if ('text' in read) return read
  const { model, settings, 'permission-mode': mode, 'no-project-settings': isWithoutProject } = read.values
  if (mode !== undefined && !isPermissionMode(mode)) return createUsageError(ACP_COMMAND, unknownModeText(mode))
  return {
    options: {
      settingSources: isWithoutProject ? ['user'] : ['user', 'project', 'local'],
      ...(model === undefined ? {} : { model }),
      ...(settings === undefined ? {} : { settings }),
      ...(mode === undefined ? {} : { permissionMode: mode }),
    },
  }
}
