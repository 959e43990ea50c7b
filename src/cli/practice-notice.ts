/** On a terminal without any credential the practice model answers, and says so in one line. Never in pipes or CI. */
import { isCloudSelected } from '../model/clouds/load-cloud-factory.js'
import { createCredentialSource } from '../model/messages-api/credentials/resolve.js'
import { nodeClock } from '../platform/clock.js'
import { nodeFiles } from '../platform/files/files.js'
import { readSwitch } from '../platform/switch.js'
import type { FlagReader } from '../protocol/option-table/parse-argv.js'
import { configFolder } from '../sessions/transcript-paths.js'
import { printToStderr } from './terminal-output.js'

/** Further arguments: the model to use. */
export function pickModelWithoutKey(flags: FlagReader, home: string): string[] {
  const { env } = process
  const interactive = process.stdout.isTTY && process.stderr.isTTY && readSwitch(env.CI) === false
  if (!interactive || flags.text('model') !== undefined || env.ANTHROPIC_MODEL || isCloudSelected(env)) return []
  const source = createCredentialSource({
    env,
    home,
    configDir: configFolder(env, home),
    files: nodeFiles,
    clock: nodeClock,
  }).source()
  if (source !== 'none') return []
  printToStderr('No API key found: the offline practice model answers. Set ANTHROPIC_API_KEY for a real one.\n')
  return ['--model', 'practice']
}
