/** Options for a query in a test: an agent that talks to the test's server and sees nothing of the developer's machine. */
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Options } from '../protocol/options.js'

type TestServer = {
  /** The variables that point an agent at the model. */
  env(): Record<string, string | undefined>
}

/** Options for `query()` in a test: a home and a folder of its own, removed at the end. */
export type TestOptions = Options &
  AsyncDisposable & {
    /** The folder the agent works in. */
    cwd: string
    /** The environment the agent gets. */
    env: Record<string, string | undefined>
  }

/**
 * The `options` of a query that runs against a test server: an empty home and configuration, an empty working
 * directory, and no credentials but those of the server. Leaving the `await using` scope deletes the directories.
 *
 * ```ts
 * await using options = testOptions(server, { allowedTools: ['Read'] })
 * writeFileSync(join(options.cwd, 'notes.txt'), 'remember the milk')
 * const run = await collect(query({ prompt: 'What do my notes say?', options }))
 * ```
 *
 * `overrides` are put on top; an `env` in them is added to the one made here, and a `cwd` is yours to clean up.
 */
export function testOptions(server: TestServer, overrides: Options = {}): TestOptions {
  // Without links in it, so that paths a tool reports can be compared with `options.cwd`.
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-test-'))
  const folder = (name: string) => {
    mkdirSync(join(root, name), { recursive: true })
    return join(root, name)
  }
  const home = folder('home')
  const temp = folder('tmp')
  return {
    ...overrides,
    cwd: overrides.cwd ?? folder('project'),
    env: {
      ...systemVariables(),
      HOME: home,
      USERPROFILE: home,
      CLAUDE_CONFIG_DIR: folder(join('home', '.claude')),
      TMPDIR: temp,
      TEMP: temp,
      TMP: temp,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      // A test wants to know everything.
      KEDGE_NOTICES: '1',
      ...server.env(),
      ...overrides.env,
    },
    async [Symbol.asyncDispose]() {
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** What programs need to start, and where they keep compiled code; the rest of the caller's environment stays outside. */
function systemVariables(): Record<string, string> {
  const needed = new Set(['PATH', 'PATHEXT', 'SYSTEMROOT', 'COMSPEC', 'LANG', 'XDG_CACHE_HOME'])
  const variables: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && needed.has(name.toUpperCase())) variables[name] = value
  }
  return variables
}
