// Pins what the package exports: adding or losing a name is a decision, made by changing this list.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const EXPORTS = {
  'dist/index.js': [
    'AbortError',
    'BUILTIN_TOOL_NAMES',
    'ConfigurationError',
    'EXIT_REASONS',
    'HOOK_EVENTS',
    'InMemorySessionStore',
    'KedgeError',
    'LEGACY_TOOL_NAME_ALIASES',
    'ORG_POLICY_LIMIT_PREFIXES',
    'ProcessExitError',
    'SYSTEM_PROMPT_DYNAMIC_BOUNDARY',
    'USAGE_LIMIT_ERROR_PREFIXES',
    'USAGE_TRANSITION_PREFIXES',
    'USAGE_WARNING_PREFIXES',
    'archiveSession',
    'createSdkMcpServer',
    'deleteSession',
    'explainPermission',
    'filterEscalatingDefaultMode',
    'foldSessionSummary',
    'folderTrust',
    'forkSession',
    'getSessionInfo',
    'getSessionMessages',
    'getSubagentMessages',
    'importSessionToStore',
    'listSessions',
    'listSubagents',
    'matchDeniedModels',
    'prewarm',
    'query',
    'renameSession',
    'resolveSettings',
    'startup',
    'tagSession',
    'tool',
    'trustFolder',
    'unarchiveSession',
    'unstable_v2_createSession',
    'unstable_v2_prompt',
    'unstable_v2_resumeSession',
  ],
  'dist/client.js': [
    'ClientError',
    'ConflictError',
    'ForbiddenError',
    'IncompatibleServerError',
    'InvalidRequestError',
    'NotFoundError',
    'ServerBusyError',
    'ServerFailedError',
    'ServerTimeoutError',
    'ServerUnreachableError',
    'UnauthorizedError',
    'createClient',
  ],
  'dist/cluster.js': ['PostgresSessionStore', 'checkSchema', 'defineApp', 'migrate', 'openDatabase', 'startEmbedded'],
  'dist/elements.js': ['createClient'],
  'dist/eval.js': [
    'defineTask',
    'diffRuns',
    'formatHtml',
    'formatJson',
    'formatJunit',
    'formatTable',
    'passRate',
    'readRun',
    'readTasks',
    'runEval',
    'summarize',
  ],
  'dist/ag-ui.js': ['createAgUiHandler', 'toAgUiEvents'],
  'dist/ai-sdk.js': ['createChatHandler', 'createChatTransport', 'toUIMessageStream', 'toUIMessages'],
  'dist/harness.js': ['createHarness', 'serverFolder'],
  'dist/react.js': ['KedgeProvider', 'useClient', 'useRequests', 'useSession', 'useSessions'],
  'dist/server.js': ['createMcpHttpServer', 'createServer'],
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
