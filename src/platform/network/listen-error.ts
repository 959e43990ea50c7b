/** Says why a program can't listen on its address, and which flag changes that. */

/** The error of `server.listen(port, host)` as a sentence. `what` is what the port is for, as in " for metrics". */
export function createListenError(host: string, port: number, error: NodeJS.ErrnoException, what = ''): Error {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const reason = REASONS[error.code ?? '']
  const [why, fix] = reason ?? [error.message, 'choose another address with --host or --port']
  const text = `Can't listen on ${place}${what}, because ${why} (${error.code}): ${fix}.`
  return Object.assign(new Error(text, { cause: error }), { code: error.code })
}

const NO_ADDRESS = ['this machine has no such address', 'choose another with --host'] as const
const REASONS: Record<string, readonly [why: string, fix: string]> = {
  EADDRINUSE: ['another program uses the port', 'choose another with --port'],
  EACCES: ['this user may not use the port', 'choose one above 1023 with --port'],
  EADDRNOTAVAIL: NO_ADDRESS,
  EAFNOSUPPORT: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
}
