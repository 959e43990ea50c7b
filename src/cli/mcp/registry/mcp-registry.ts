/** `kedge mcp search`, and `kedge mcp add` from a registry. A registry is asked only if its address was set. */
import { printableText } from '../../../platform/visible-text.js'
import type { JsonObject } from '../../../protocol/json.js'
import { print, printToStderr } from '../../terminal-output.js'
import { isServerName } from '../mcp-arguments.js'
import { createRegistryClient } from './registry-client.js'
import { configOfRegistryEntry, type RegistryServer } from './registry-entry.js'

/** Undefined: none was set. */
export function registryAddress(flag: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  return flag ?? (env['KEDGE_MCP_REGISTRY'] || undefined)
}

export const NO_REGISTRY =
  'No registry is set, so nothing was asked. Set KEDGE_MCP_REGISTRY, or pass --registry https://registry.modelcontextprotocol.io.'

export async function searchRegistry(word: string, address: string): Promise<number> {
  const found = await createRegistryClient(address).search(word)
  if (found.length === 0) {
    print(`No server in ${shown(address)} matches ${shown(word)}.\n`)
    return 0
  }
  for (const server of found)
    print(
      `${shown(String(server['name']))} ${shown(textOf(server, 'version'))}\n  ${shown(textOf(server, 'description'))}\n`,
    )
  print(`\nAdd one: kedge mcp add --registry ${shown(address)} NAME\n`)
  return 0
}

export type RegistryAddition = RegistryServer & { name: string }

/** Looks up a server. The name it's saved under is the last part of its own. */
export async function findInRegistry(
  fullName: string,
  address: string,
  given: Readonly<Record<string, string>>,
): Promise<RegistryAddition> {
  const entry = await createRegistryClient(address).find(fullName)
  if (!entry) throw new Error(`${address} has no server ${fullName}. Search for it: kedge mcp search WORD`)
  const name = fullName.slice(fullName.lastIndexOf('/') + 1).replace(/[^A-Za-z0-9_-]+/g, '-')
  if (!isServerName(name)) throw new Error(`${fullName} can't be saved under its name: add it by hand`)
  try {
    return { name, ...configOfRegistryEntry(entry, given) }
  } catch (error) {
    throw new Error(`${fullName} can't be added: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** What a person has to set before the server can start. */
export function printVariables({ variables }: RegistryServer): void {
  for (const { name, about, isRequired } of variables)
    printToStderr(`${isRequired ? 'Set' : 'Optional:'} ${shown(name)}${about === '' ? '' : `: ${shown(about)}`}\n`)
}

function textOf(server: JsonObject, key: string): string {
  const value = server[key]
  return typeof value === 'string' ? value : ''
}

function shown(text: string): string {
  return printableText(text, 500)
}
