/** What a session's row says about its files, checked: an error names the field and what is wrong with it. */
import { isAbsolute } from 'node:path'
import { KedgeError } from '../../errors.js'
import type { ArchiveSpec, FolderSpec, GitSpec, WorkspaceSpec } from './session-workspace.js'

type Fields = Record<string, unknown>

/** Nothing said is `none`. */
export function parseWorkspaceSpec(json: unknown): WorkspaceSpec {
  if (json === undefined || json === null) return { kind: 'none' }
  const fields = record(json, 'workspace')
  switch (fields['kind']) {
    case 'none':
      only(fields, ['kind'])
      return { kind: 'none' }
    case 'folder':
      return folder(fields)
    case 'git':
      return git(fields)
    case 'archive':
      return archive(fields)
    default:
      throw wrong('workspace.kind', "must be 'none', 'folder', 'git' or 'archive'")
  }
}

function folder(fields: Fields): FolderSpec {
  only(fields, ['kind', 'path', 'shared', 'machine'])
  const path = text(fields['path'], 'workspace.path')
  if (!isAbsolute(path)) throw wrong('workspace.path', 'must be an absolute path')
  if (typeof fields['shared'] !== 'boolean') throw wrong('workspace.shared', 'must be true or false')
  if (!fields['shared'])
    return { kind: 'folder', path, shared: false, machine: text(fields['machine'], 'workspace.machine') }
  if (fields['machine'] !== undefined) throw wrong('workspace.machine', 'is not for a folder that is shared')
  return { kind: 'folder', path, shared: true }
}

/** Over a network, or a folder of the operator's; nothing git takes for an option or for a program to run. */
const REMOTE = /^(?:https:\/\/|ssh:\/\/|git:\/\/|http:\/\/|file:\/\/\/|\/|[\w.-]+@[\w.-]+:(?!:))[^\s\\]*$/
const REF = /^(?!-)(?!.*(?:\.\.|@\{|\/\/|\.lock$|[/.]$))[\w./@+-]{1,250}$/

function git(fields: Fields): GitSpec {
  only(fields, ['kind', 'remote', 'ref', 'setup', 'credentials'])
  const remote = text(fields['remote'], 'workspace.remote')
  if (!REMOTE.test(remote) || remote.includes('::'))
    throw wrong('workspace.remote', 'must be an address of https, ssh, git or file, user@host:path or a path')
  if (URL.canParse(remote)) {
    const { password, username, protocol } = new URL(remote)
    if (password !== '' || (username !== '' && protocol.startsWith('http')))
      throw wrong('workspace.remote', 'must have no user and password in it: name a secret in workspace.credentials')
  }
  const ref = optional(fields['ref'], 'workspace.ref', text)
  if (ref !== undefined && !REF.test(ref)) throw wrong('workspace.ref', 'must be the name of a branch, tag or commit')
  const setup = optional(fields['setup'], 'workspace.setup', argv)
  const credentials = optional(fields['credentials'], 'workspace.credentials', (value, field) => {
    const given = record(value, field)
    only(given, ['user', 'password'], field)
    if (!remote.startsWith('https://')) throw wrong(field, 'are for remotes of https only')
    const user = optional(given['user'], `${field}.user`, text)
    return { ...(user === undefined ? {} : { user }), password: secretName(given['password'], `${field}.password`) }
  })
  return { kind: 'git', remote, ...(ref && { ref }), ...(setup && { setup }), ...(credentials && { credentials }) }
}

function archive(fields: Fields): ArchiveSpec {
  const known = ['kind', 'endpoint', 'bucket', 'region', 'prefix', 'credentials', 'setup', 'leaveOut']
  only(fields, known)
  const endpoint = text(fields['endpoint'], 'workspace.endpoint')
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw wrong('workspace.endpoint', 'must be an address of http or https')
  if (url.username !== '' || url.password !== '')
    throw wrong('workspace.endpoint', 'must have no user and password in it: name secrets in workspace.credentials')
  const bucket = text(fields['bucket'], 'workspace.bucket')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw wrong('workspace.bucket', 'must be the name of a bucket')
  const region = text(fields['region'], 'workspace.region')
  if (!/^[a-z0-9-]{1,40}$/.test(region)) throw wrong('workspace.region', 'must be a region such as eu-central-1')
  const prefix = optional(fields['prefix'], 'workspace.prefix', text)
  if (prefix !== undefined && !/^(?:[\w-][\w.-]*)(?:\/[\w-][\w.-]*)*$/.test(prefix))
    throw wrong('workspace.prefix', 'must be names with / between them')
  const given = record(fields['credentials'], 'workspace.credentials')
  only(given, ['accessKeyId', 'secretAccessKey', 'sessionToken'], 'workspace.credentials')
  const named = (name: string) => secretName(given[name], `workspace.credentials.${name}`)
  const credentials = {
    accessKeyId: named('accessKeyId'),
    secretAccessKey: named('secretAccessKey'),
    ...(given['sessionToken'] === undefined ? {} : { sessionToken: named('sessionToken') }),
  }
  const setup = optional(fields['setup'], 'workspace.setup', argv)
  const leaveOut = optional(fields['leaveOut'], 'workspace.leaveOut', patterns)
  return {
    kind: 'archive',
    endpoint,
    bucket,
    region,
    credentials,
    ...(prefix && { prefix }),
    ...(setup && { setup }),
    ...(leaveOut && { leaveOut }),
  }
}

/**
 * Allows only capitals, digits, and `_`. A secret that was pasted here by mistake hardly matches, and the error doesn't
 * repeat it.
 */
const SECRET_NAME = /^KEDGE_SECRET_[A-Z0-9_]{1,100}$/

function secretName(value: unknown, field: string): string {
  if (typeof value === 'string' && SECRET_NAME.test(value)) return value
  throw wrong(field, 'must be the name of a secret, KEDGE_SECRET_…, and not the secret itself')
}

function argv(value: unknown, field: string): string[] {
  const words = texts(value, field, 100)
  if (words.length === 0 || words[0] === '') throw wrong(field, 'must be a program and its arguments')
  return words
}

function patterns(value: unknown, field: string): string[] {
  const names = texts(value, field, 1000)
  const odd = names.find((name) => name === '' || name.includes('/'))
  if (odd !== undefined) throw wrong(field, 'must be names without /')
  return names
}

function texts(value: unknown, field: string, most: number): string[] {
  if (!Array.isArray(value) || value.length > most) throw wrong(field, 'must be a list of texts')
  return value.map((one, at) => (one === '' ? '' : text(one, `${field}[${at}]`)))
}

function text(value: unknown, field: string): string {
  if (typeof value !== 'string' || value === '') throw wrong(field, 'must be a text')
  if (value.length > 4096 || value.includes('\0'))
    throw wrong(field, 'is too long, or has a character that no name has')
  return value
}

function optional<T>(value: unknown, field: string, read: (value: unknown, field: string) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value, field)
}

function record(value: unknown, field: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw wrong(field, 'must be an object')
}

function only(fields: Fields, known: readonly string[], field = 'workspace'): void {
  const odd = Object.keys(fields).find((name) => !known.includes(name))
  if (odd !== undefined) throw wrong(`${field}.${odd.slice(0, 50)}`, `is not known; there are ${known.join(', ')}`)
}

function wrong(field: string, what: string): KedgeError {
  return new KedgeError('workspace_invalid', `${field} ${what}.`)
}
