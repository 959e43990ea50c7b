/**
 * An entry of a registry as a server's configuration. Strangers write entries: the program is one that Kedge chooses by
 * the kind of package, and nothing of an entry becomes an option of it.
 */
import { isObject, type JsonObject } from '../../../protocol/json.js'

export type RegistryServer = {
  config: JsonObject
  /** Variables that it needs, with what they are for. */
  variables: { name: string; about: string; isRequired: boolean }[]
}

const VERSION = /^[0-9A-Za-z][\w.+-]{0,100}$/
const RUNNERS: Readonly<Record<string, { name: RegExp; run(name: string, version: string | undefined): string[] }>> = {
  npm: {
    name: /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i,
    run: (name, version) => ['npx', '-y', version === undefined ? name : `${name}@${version}`],
  },
  pypi: {
    name: /^[a-z0-9][\w.-]*$/i,
    run: (name, version) => ['uvx', version === undefined ? name : `${name}==${version}`],
  },
  oci: {
    name: /^[a-z0-9][\w.-]*(?::\d+)?(?:\/[a-z0-9][\w.-]*)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/i,
    run: (name, version) => [
      'docker',
      'run',
      '-i',
      '--rm',
      version === undefined || /[:@]/.test(name) ? name : `${name}:${version}`,
    ],
  },
}

/** Throws with why none of its packages and addresses can be used. */
export function configOfRegistryEntry(entry: JsonObject, given: Readonly<Record<string, string>>): RegistryServer {
  const problems: string[] = []
  for (const remote of objectsIn(entry['remotes'])) {
    const made = remoteOf(remote, given)
    if (typeof made !== 'string') return made
    problems.push(made)
  }
  for (const one of objectsIn(entry['packages'])) {
    const made = packageOf(one, given)
    if (typeof made !== 'string') return made
    problems.push(made)
  }
  throw new Error(problems[0] ?? 'it has no package and no address that Kedge can use')
}

function remoteOf(remote: JsonObject, given: Readonly<Record<string, string>>): RegistryServer | string {
  const url = textOf(remote['url'])
  const type = textOf(remote['type'] ?? remote['transport_type'])
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') return 'its address must begin with https://'
  if (/[{}]/.test(decodeURIComponent(url))) return 'its address has parts to fill in: add it with its URL'
  const variables: RegistryServer['variables'] = []
  const headers: JsonObject = {}
  for (const header of objectsIn(remote['headers'])) {
    const name = textOf(header['name'])
    if (!/^[\w-]{1,100}$/.test(name)) return 'a header has no valid name'
    const variable = name.toUpperCase().replace(/\W+/g, '_')
    if (header['isRequired'] === true || given[variable] !== undefined) {
      headers[name] = given[variable] ?? `\${${variable}}`
      if (given[variable] === undefined)
        variables.push({ name: variable, about: textOf(header['description']), isRequired: true })
    }
  }
  const config = { type: type === 'sse' ? 'sse' : 'http', url, ...(Object.keys(headers).length > 0 ? { headers } : {}) }
  return { config, variables }
}

function packageOf(one: JsonObject, given: Readonly<Record<string, string>>): RegistryServer | string {
  const kind = textOf(one['registryType'] ?? one['registry_type'] ?? one['registry_name'])
  const runner = Object.hasOwn(RUNNERS, kind) ? RUNNERS[kind] : undefined
  if (!runner) return `Kedge can't start packages of the kind ${kind || 'it has'}: add it by hand`
  const [name, version] = [textOf(one['identifier'] ?? one['name']), one['version']]
  if (!runner.name.test(name)) return 'the name of its package is not a valid one'
  if (version !== undefined && !VERSION.test(textOf(version))) return 'the version of its package is not a valid one'
  const transport = isObject(one['transport']) ? textOf(one['transport']['type']) : 'stdio'
  if (transport !== 'stdio') return `its package speaks ${transport}: start it yourself, and add its URL`
  if (objectsIn(one['runtimeArguments'] ?? one['runtime_arguments']).length > 0)
    return 'it wants options of the program that starts it: check them, and add it by hand'
  const args = argumentsOf(one, given)
  if (typeof args === 'string') return args
  const variables: RegistryServer['variables'] = []
  const env: JsonObject = {}
  for (const variable of objectsIn(one['environmentVariables'] ?? one['environment_variables'])) {
    const title = textOf(variable['name'])
    if (!/^[A-Za-z_]\w{0,100}$/.test(title) || RISKY.test(title))
      return `its variable ${title.slice(0, 50)} is not one that a server may set`
    const isRequired = variable['isRequired'] === true || variable['is_required'] === true
    if (given[title] !== undefined) env[title] = given[title]
    else if (isRequired) env[title] = `\${${title}}`
    if (given[title] === undefined) variables.push({ name: title, about: textOf(variable['description']), isRequired })
  }
  const [command = '', ...start] = runner.run(name, version === undefined ? undefined : textOf(version))
  const passed = kind === 'oci' ? Object.keys(env).flatMap((title) => ['-e', title]) : []
  const all = [
    ...start.slice(0, kind === 'oci' ? 3 : undefined),
    ...passed,
    ...(kind === 'oci' ? start.slice(3) : []),
    ...args,
  ]
  return { config: { type: 'stdio', command, args: all, ...(Object.keys(env).length > 0 ? { env } : {}) }, variables }
}

/** Variables that change what another program runs. */
const RISKY =
  /^(?:PATH|HOME|SHELL|LD_\w+|DYLD_\w+|NODE_OPTIONS|PYTHON\w+|npm_config_\w+|DOCKER_\w+|UV_\w+|PIP_\w+|https?_proxy|NODE_EXTRA_CA_CERTS)$/i

function argumentsOf(one: JsonObject, given: Readonly<Record<string, string>>): string[] | string {
  const args: string[] = []
  for (const argument of objectsIn(one['packageArguments'] ?? one['package_arguments'])) {
    const isNamed = argument['type'] === 'named'
    const name = textOf(argument['name'])
    const hint = textOf(argument['valueHint'] ?? argument['value_hint'])
    const value = argument['value'] ?? argument['default'] ?? given[hint]
    if (value === undefined) {
      if (argument['isRequired'] === true || argument['is_required'] === true)
        return `it needs the argument ${name || hint}: give it with --env ${hint || 'NAME'}=VALUE, or add it by hand`
      continue
    }
    if (/[{}]/.test(textOf(value))) return 'its arguments have parts to fill in: add it by hand'
    if (isNamed) args.push(name)
    if (textOf(value) !== '') args.push(textOf(value))
  }
  return args
}

function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.slice(0, 100).filter(isObject) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 4000) : ''
}
