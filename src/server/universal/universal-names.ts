/** Sessions under names that callers choose: a name always stands for the same session, without anything being kept. Pure. */
import { createHash } from 'node:crypto'
import type { SessionInfo } from '../../hub/session-types.js'
import { UUID_PATTERN } from '../api/api-schemas.js'

const ID = new RegExp(UUID_PATTERN)

/** Returns the id for a name. A name that is an id stays as it is. */
export function sessionIdForUniversalName(name: string): string {
  if (ID.test(name)) return name.toLowerCase()
  const hash = createHash('sha256').update(`kedge universal session\n${name}`).digest()
  // Version 8 is for ids that are made in a custom way.
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns the session's title while it is still the name it was created with, else its id. */
export function getUniversalSessionName({ id, title }: Pick<SessionInfo, 'id' | 'title'>): string {
  return title !== undefined && sessionIdForUniversalName(title) === id ? title : id
}
