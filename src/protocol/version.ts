/** Our version, put in by the build. */
declare const KEDGE_VERSION: string | undefined

export const VERSION: string = typeof KEDGE_VERSION === 'string' ? KEDGE_VERSION : '0.0.0-source'
