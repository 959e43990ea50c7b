// Pins what the package exports: adding or losing a name is a decision, made by changing this list.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const EXPORTS = {
  'dist/index.js': [
    'AbortError',
    'ConfigurationError',
    'EXIT_REASONS',
    'HOOK_EVENTS',
    'InMemorySessionStore',
    'KedgeError',
    'ProcessExitError',
    'createSdkMcpServer',
    'deleteSession',
    'explainPermission',
    'foldSessionSummary',
    'forkSession',
    'getSessionInfo',
    'getSessionMessages',
    'getSubagentMessages',
    'listSessions',
    'listSubagents',
    'query',
    'renameSession',
    'startup',
    'tagSession',
    'tool',
    'unstable_v2_createSession',
    'unstable_v2_prompt',
    'unstable_v2_resumeSession',
  ],
  'dist/testing.js': [
    'callTools',
    'callsOf',
    'collect',
    'record',
    'replay',
    'script',
    'startModelServer',
    'testOptions',
  ],
}

export async function checkExports(root) {
  const problems = []
  for (const [file, expected] of Object.entries(EXPORTS)) {
    const path = join(root, file)
    if (!existsSync(path)) {
      problems.push(`${file} is missing: run npm run build`)
      continue
    }
    const names = Object.keys(await import(pathToFileURL(path).href)).sort()
    if (names.join() !== expected.join()) problems.push(`${file} exports ${names.join(', ')}`)
  }
  return problems
}
