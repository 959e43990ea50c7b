/** `kedge models`: what can be passed as `--model`, from the API when it answers, else from the built-in table. */

import { ConfigurationError } from '../errors.js'
import { loadCloudFactory } from '../model/clouds/load-cloud-factory.js'
import { readModelEnvironment } from '../model/messages-api/client-environment.js'
import { createCredentialSource } from '../model/messages-api/credentials/resolve.js'
import { fetchModel, type ListModelsOptions, listModels } from '../model/messages-api/list-models.js'
import { KNOWN_MODEL_IDS } from '../model/model-facts.js'
import {
  type ListServiceModelsOptions,
  listServiceModels,
  type ServiceModelList,
} from '../model/openai/list-service-models.js'
import { type ConfiguredServices, type Service, servicesInUse } from '../model/openai/service.js'
import type { Cloud } from '../model/provider.js'
import { readCommandLine } from '../platform/command-line/read-command-line.js'
import { withFirstAbort } from '../platform/first-abort.js'
import { homeFolder } from '../platform/home.js'
import { readNetworkSettings } from '../platform/network/network.js'
import { nodePlatform } from '../platform/node-platform.js'
import { VERSION } from '../platform/version.js'
import { MODELS_COMMAND } from '../protocol/command-table/setup-command-rows.js'
import { configFolder } from '../sessions/transcript-paths.js'
import { resolveSessionConfiguration } from './session-settings.js'
import { print, printCommandText, printJson, printToStderr } from './terminal-output.js'

const SERVICE_MS = 5000

export async function listModelsCommand(args: readonly string[]): Promise<number> {
  const read = readCommandLine(MODELS_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  const { json } = read.values
  const [id] = read.words
  const { env } = process
  const home = homeFolder(env)
  const platform = nodePlatform()
  const { files, clock } = platform
  const source = createCredentialSource({ env, home, configDir: configFolder(env, home), files, clock })
  try {
    const network = await readNetworkSettings(env, files)
    const { own, models } = await configured(platform)
    const services = servicesInUse(env, own, [...models, ...(id === undefined ? [] : [id])])
    const asked = services.filter(({ name }) => id === undefined || id === name || id.startsWith(`${name}/`))
    if (id !== undefined && asked.length > 0) return await showServices(asked, { platform, network }, id, json)
    const cloud = await loadCloudFactory(env)
    if (cloud) {
      const place = { env, home, configDir: configFolder(env, home), cwd: process.cwd(), platform }
      return showCloud(cloud({ ...place, sessionId: '', version: VERSION, onAuthStatus: () => {} }), id, json)
    }
    const options = {
      platform,
      environment: readModelEnvironment(env),
      credential: await source.current(),
      version: VERSION,
      network,
      signal: new AbortController().signal,
    }
    if (id !== undefined) return await showOne(options, id, json)
    const others = json ? await listOthers(asked, { platform, network }) : []
    const code = await showAll(options, json, others)
    if (!json && asked.length > 0) await showServices(asked, { platform, network }, undefined, false)
    return code
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    printToStderr(`Error: ${error.message}\n`)
    return 1
  } finally {
    platform.http.close()
  }
}

/** Clouds list what they have in ways of their own, and only with further permissions: ours are named as the cloud names them. */
function showCloud({ models: names, about, endpoint }: Cloud, id: string | undefined, json: boolean): number {
  const models = [...new Set((id === undefined ? KNOWN_MODEL_IDS : [id]).map((known) => names.resolve(known)))]
  const { title, region } = about
  if (json) {
    const place = { cloud: title, region: region?.name ?? null, endpoint: endpoint().baseUrl.origin }
    printJson({
      source: 'built-in',
      ...place,
      models: models.map((one) => ({ id: one, displayName: one, createdAt: null })),
    })
    return 0
  }
  for (const one of models) print(`${one}\n`)
  const where = region ? `, ${region.name} (${region.from})` : ''
  printToStderr(`(built-in list with the names of ${title}${where}; your account might not have all of them)\n`)
  return 0
}

type Reach = Pick<ListServiceModelsOptions, 'platform' | 'network'>
type OtherList = { service: string } & ServiceModelList

function listOthers(services: readonly Service[], reach: Reach): Promise<OtherList[]> {
  const options = { ...reach, env: process.env, version: VERSION }
  return Promise.all(
    services.map(async (service) => {
      // A person is waiting, and a service that is not running may be one of several.
      const list = await withFirstAbort([], SERVICE_MS, (signal) => listServiceModels(service, { ...options, signal }))
      return { service: service.name, ...list }
    }),
  )
}

async function showServices(
  services: readonly Service[],
  reach: Reach,
  id: string | undefined,
  json: boolean,
): Promise<number> {
  const lists = await listOthers(services, reach)
  const wanted = (one: string) => id === undefined || !id.includes('/') || one === id
  const models = lists.flatMap((list) => (list.ok ? list.models.filter((one) => wanted(one.id)) : []))
  if (json) printJson({ services: lists })
  else {
    const width = Math.max(0, ...models.map((one) => one.id.length))
    for (const { id: name, contextWindow } of models)
      print(
        `${name.padEnd(width)}  ${contextWindow === null ? '' : `reads ${contextWindow} tokens`}`
          .trimEnd()
          .concat('\n'),
      )
  }
  for (const list of lists) if (!list.ok && !json) printToStderr(`(${list.service}: ${list.problem})\n`)
  if (id?.includes('/') && models.length === 0 && lists.every(({ ok }) => ok))
    printToStderr(`There is no model ${id}.\n`)
  return id === undefined || models.length > 0 ? 0 : 1
}

/** As a session here would have them. */
async function configured(
  platform: ReturnType<typeof nodePlatform>,
): Promise<{ own: ConfiguredServices; models: string[] }> {
  const settings = await resolveSessionConfiguration(process.cwd(), [], platform, () => {})
  if (typeof settings === 'string') return { own: {}, models: [] }
  return { own: settings.modelProviders ?? {}, models: settings.model === undefined ? [] : [settings.model] }
}

async function showAll(options: ListModelsOptions, json: boolean, services: readonly OtherList[]): Promise<number> {
  const list = await listModels(options)
  if (json) {
    printJson({ ...list, ...(services.length > 0 && { services }) })
    return 0
  }
  const width = Math.max(...list.models.map(({ id }) => id.length))
  for (const { id, displayName } of list.models)
    print(displayName === id ? `${id}\n` : `${id.padEnd(width)}  ${displayName}\n`)
  if (list.source === 'built-in') printToStderr(`(built-in list: ${list.problem.split('\n')[0]})\n`)
  return 0
}

async function showOne(options: ListModelsOptions, id: string, json: boolean): Promise<number> {
  const found = await fetchModel(options, id)
  if (!found.ok) {
    printToStderr(`${found.problem}\n`)
    return 1
  }
  const { model } = found
  if (json) printJson(model)
  else print(model.displayName === model.id ? `${model.id}\n` : `${model.id}  ${model.displayName}\n`)
  return 0
}
