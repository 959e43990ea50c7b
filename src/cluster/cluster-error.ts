/** What can be wrong with a database or with what is needed to speak to one, each with a `code` and what to do about it. */
import { KedgeError } from '../errors.js'

/** A command line that names no database. */
export const NO_DATABASE_MESSAGE =
  'No database given. Use --database postgres://… (or --database embedded), or set KEDGE_DATABASE.'

type Said = { code?: unknown; message?: unknown }

/** By what PostgreSQL or the network calls it. */
const REFUSED = ['28P01', '28000', '3D000', '42501']
const NETWORK = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EACCES',
]
/** One that only reads, as a standby does until it is promoted. */
const READ_ONLY = '25006'
const CUT = [
  ...['ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '25P03', READ_ONLY],
  ...['08000', '08001', '08003', '08004', '08006'],
]
const FULL = ['53300']
/** Undone by the database to end a wait in a circle: it may be tried again. */
const UNDONE = ['40001', '40P01']
const DISK = ['53100', '58030']
/** A text with U+0000 in it, which none of its texts can hold. */
const NUL = ['22021', '22P05']

/** Messages of the PostgreSQL library. The engine puts its own words before one of them. */
const LOST =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)|(?:^|: )timeout expired$/

/**
 * The connection was cut, or the database doesn't answer just now. Whether a statement took effect is unknown; it can
 * be tried again.
 */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = said(error)
  if (typeof code === 'string' && [...CUT, ...NETWORK, ...FULL, ...UNDONE].includes(code)) return true
  // The library has no code for these.
  return LOST.test(String(message))
}

/** Returns an error that names the database and says what failed. `where` names the database without its password. */
export function databaseError(error: unknown, where: string): Error {
  if (KedgeError.isInstance(error)) return error
  const { code, message } = said(error)
  const text = String(message)
  const options = { cause: error }
  if (FULL.includes(String(code))) {
    const fix = 'Raise max_connections there, or lower --connections'
    return new KedgeError('database_full', `The database ${where} has no connection left (${text}). ${fix}.`, options)
  }
  if (DISK.includes(String(code))) {
    const fix = 'Free some space there; sessions then continue with what was written'
    return new KedgeError('database_disk_full', `The database ${where} can't write (${text}). ${fix}.`, options)
  }
  if (REFUSED.includes(String(code))) {
    const fix =
      code === '42501'
        ? 'Grant its user this right'
        : 'Check the user, password, and database name in --database or KEDGE_DATABASE'
    return new KedgeError('database_refused', `The database ${where} denies access (${text}). ${fix}.`, options)
  }
  if (NUL.includes(String(code))) {
    return new KedgeError(
      'invalid_option',
      "A text has the character U+0000, which can't be stored. Remove it.",
      options,
    )
  }
  if (code === READ_ONLY) {
    const fix = 'Use the address of the primary server, or let this one accept writes'
    return new KedgeError('database_unreachable', `The database ${where} only reads (${text}). ${fix}.`, options)
  }
  if (isConnectionLost(error)) {
    const isUndone = UNDONE.includes(String(code))
    const fix = isUndone ? 'Try again' : 'Start it, or correct the address in --database or KEDGE_DATABASE'
    return new KedgeError('database_unreachable', `The database ${where} can't be reached (${text}). ${fix}.`, options)
  }
  return error instanceof Error ? error : new Error(text)
}

export function createPackageMissingError(name: string, what: string, cause: unknown): KedgeError {
  return new KedgeError('package_missing', `${what} needs the package ${name}. Install it: npm install ${name}`, {
    cause,
  })
}

/** A network error that tried several addresses says so only inside, and so does one that the engine met. */
function said(error: unknown): Said {
  if (typeof error !== 'object' || error === null) return { message: error }
  if ('error' in error && error.error instanceof Error) return said(error.error)
  const inner = 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined
  const { code, message } = error as Said // both optional
  const first: Said = inner ?? {}
  return { code: code ?? first.code, message: message || first.message }
}
