/** The first start without a key: the ways there are, and keeping one for the next time, after asking. */
import { isCloudSelected } from '../../model/clouds/load-cloud-factory.js'
import { createCredentialSource } from '../../model/messages-api/credentials/resolve.js'
import { nodeClock } from '../../platform/clock.js'
import { nodeFiles } from '../../platform/files/files.js'
import { isObject } from '../../protocol/json.js'
import { wrapText } from '../screen/styled-text.js'
import type { TerminalUi } from '../session/terminal-ui.js'
import { askChoice, askText } from './card-answers.js'

type Way = 'key' | 'gateway' | 'local' | 'practice'

const ONLY_MINE = 0o600

export async function setUpModelAccess(ui: TerminalUi): Promise<void> {
  const { settings, machine } = ui
  const { env, home, configDir } = machine
  if (settings.model === 'practice' || env['ANTHROPIC_MODEL'] === 'practice') return
  // A service's model has its own key, or none.
  if ((settings.model ?? env['ANTHROPIC_MODEL'])?.includes('/')) return
  const stored = storedEnv(ui)
  if (isCloudSelected({ ...stored, ...env })) return
  const source = createCredentialSource({
    env: { ...stored, ...env },
    home,
    configDir,
    files: nodeFiles,
    clock: nodeClock,
  }).source()
  if (source !== 'none' || hasHelper(ui)) return
  const way = await askChoice<Way>(ui, {
    title: 'Choose a model: Kedge found no API key',
    words: ({ columns }) =>
      wrapText('  Kedge needs a model. You can change your choice later.', columns - 1, {
        indent: '  ',
      }),
    choices: [
      {
        value: 'practice',
        label: 'Look around first',
        detail: 'an offline stand-in answers; nothing leaves this machine',
      },
      {
        value: 'key',
        label: 'Use a key of the Anthropic API',
        detail: 'ANTHROPIC_API_KEY, from console.anthropic.com',
      },
      {
        value: 'gateway',
        label: 'Use a gateway',
        detail: 'ANTHROPIC_BASE_URL and ANTHROPIC_AUTH_TOKEN, of your company or a proxy',
      },
      {
        value: 'local',
        label: 'Use a model on this machine',
        detail: 'a server that speaks the Messages API; docs/endpoints.md says which',
      },
    ],
  })
  if (way === 'key')
    return useEntered(
      ui,
      await askText(ui, { title: 'Your key', hint: 'sk-ant-…', isSecret: true }),
      'ANTHROPIC_API_KEY',
      {},
    )
  if (way === 'gateway' || way === 'local') {
    const hint = way === 'local' ? 'http://127.0.0.1:8080' : 'https://gateway.example'
    const url = await askText(ui, { title: 'Its address', hint })
    const token =
      url === undefined || url.trim() === ''
        ? undefined
        : way === 'local'
          ? 'local'
          : await askText(ui, { title: 'Your token for it', hint: '', isSecret: true })
    if (url !== undefined && token !== undefined)
      return useEntered(ui, token, 'ANTHROPIC_AUTH_TOKEN', { ANTHROPIC_BASE_URL: url.trim() })
  }
  ui.settings = { ...ui.settings, model: 'practice' }
  ui.screen.notice('notice', 'The offline practice model answers. Set ANTHROPIC_API_KEY for a real one.')
}

async function useEntered(
  ui: TerminalUi,
  value: string | undefined,
  name: string,
  more: Record<string, string>,
): Promise<void> {
  const entered = value?.trim() ?? ''
  if (entered === '') {
    ui.settings = { ...ui.settings, model: 'practice' }
    return ui.screen.notice('notice', 'Nothing was entered: the offline practice model answers.')
  }
  const given = { [name]: entered, ...more }
  ui.settings = { ...ui.settings, env: { ...process.env, ...given } }
  const path = `${ui.machine.configDir}/settings.json`
  const keep = await askChoice<boolean>(ui, {
    title: 'Keep it for the next time?',
    words: ({ columns }) =>
      wrapText(`  It would be written to ${path}, which only you can read.`, columns - 1, { indent: '  ' }),
    choices: [
      { value: false, label: 'No, only for now' },
      { value: true, label: 'Yes, keep it' },
    ],
  })
  if (!keep) return
  const problem = store(ui, path, given)
  ui.screen.notice(problem === undefined ? 'notice' : 'error', problem ?? `Kept in ${path}.`)
}

/** Everything else in the file stays. One that can't be read is not written over. */
function store({ machine }: TerminalUi, path: string, given: Record<string, string>): string | undefined {
  const text = machine.readText(path)
  let settings: unknown = {}
  try {
    settings = text === undefined || text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return `${path} isn't JSON. Kedge left it unchanged.`
  }
  if (!isObject(settings)) return `${path} holds no settings: it was left as it is.`
  const env = isObject(settings['env']) ? settings['env'] : {}
  const written = JSON.stringify({ ...settings, env: { ...env, ...given } }, null, 2)
  return machine.writeText(path, `${written}\n`, ONLY_MINE)
}

function userSettings({ machine }: TerminalUi): Record<string, unknown> {
  try {
    const settings: unknown = JSON.parse(machine.readText(`${machine.configDir}/settings.json`) ?? '{}')
    return isObject(settings) ? settings : {}
  } catch {
    return {}
  }
}

function storedEnv(ui: TerminalUi): Record<string, string> {
  const { env } = userSettings(ui)
  if (!isObject(env)) return {}
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

function hasHelper(ui: TerminalUi): boolean {
  return typeof userSettings(ui)['apiKeyHelper'] === 'string'
}
