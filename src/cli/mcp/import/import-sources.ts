/** Where other programs keep their MCP servers. */
import { dirname, join } from '../../../platform/paths.js'

export const IMPORT_SOURCES = ['mcp-json', 'claude-desktop', 'cursor', 'vscode', 'codex'] as const
export type ImportSource = (typeof IMPORT_SOURCES)[number]

export const SOURCE_NAMES: Readonly<Record<ImportSource, string>> = {
  'mcp-json': '.mcp.json of a folder above',
  'claude-desktop': 'Claude Desktop',
  cursor: 'Cursor',
  vscode: 'VS Code',
  codex: 'Codex',
}

export type ImportPlace = {
  home: string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  os: NodeJS.Platform
}

/** Returns the files of a program, those of the folder first. */
export function filesOfSource(source: ImportSource, { home, cwd, env, os }: ImportPlace): string[] {
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  const roaming = env['APPDATA'] ?? join(home, 'AppData/Roaming')
  const support = os === 'darwin' ? join(home, 'Library/Application Support') : os === 'win32' ? roaming : config
  switch (source) {
    case 'mcp-json':
      return foldersAbove(cwd).map((folder) => join(folder, '.mcp.json'))
    case 'claude-desktop':
      return [join(support, 'Claude/claude_desktop_config.json')]
    case 'cursor':
      return [join(cwd, '.cursor/mcp.json'), join(home, '.cursor/mcp.json')]
    case 'vscode':
      return [join(cwd, '.vscode/mcp.json'), join(support, 'Code/User/mcp.json')]
    case 'codex':
      return [join(cwd, '.codex/config.toml'), join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml')]
  }
}

/** That of the folder itself is used anyway. */
function foldersAbove(cwd: string): string[] {
  const above = dirname(cwd)
  return above === cwd ? [] : [above, ...foldersAbove(above)]
}
