/** The PostgreSQL client: an optional package, loaded on first use. */
import type * as Pg from 'pg'
import { createPackageMissingError } from '../cluster-error.js'

export type PgLibrary = Pick<typeof Pg, 'Client' | 'Pool'>

export async function loadPg(): Promise<PgLibrary> {
  try {
    const loaded: { default: PgLibrary } = await import('pg')
    return loaded.default
  } catch (error) {
    throw createPackageMissingError('pg', 'A database', error)
  }
}
