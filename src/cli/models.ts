/** `kedge models`: what can be passed as `--model`, from the API when it answers, else from the built-in table. */
import { createCredentialSource } from '../model/credentials/resolve.js'
import { readModelEnvironment } from '../model/environment.js'
import { listModels } from '../model/list-models.js'
import { homeFolder } from '../platform/home.js'
import { nodePlatform } from '../platform/node-platform.js'
import { VERSION } from '../runtime/version.js'
import { configFolder } from '../sessions/location.js'

export async function listModelsCommand(args: readonly string[]): Promise<number> {
  if (args.length > 0 && args[0] !== '--json') {
    process.stderr.write('Usage: kedge models [--json]\n')
    return 1
  }
  const { env } = process
  const home = homeFolder(env)
  const platform = nodePlatform()
  const { files, clock } = platform
  const credential = await createCredentialSource({
    env,
    home,
    configDir: configFolder(env, home),
    files,
    clock,
  }).current()
  const list = await listModels({
    platform,
    environment: readModelEnvironment(env),
    credential,
    version: VERSION,
    signal: new AbortController().signal,
  })
  platform.http.close()
  if (args[0] === '--json') {
    process.stdout.write(`${JSON.stringify(list, null, 2)}\n`)
    return 0
  }
  const width = Math.max(...list.models.map(({ id }) => id.length))
  for (const { id, displayName } of list.models) process.stdout.write(`${id.padEnd(width)}  ${displayName}\n`)
  if (list.source === 'built-in') process.stderr.write(`(built-in list: ${list.problem.split('\n')[0]})\n`)
  return 0
}
