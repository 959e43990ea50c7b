/** What a person can do about a program or an address that can't be reached: by the error, which says only what failed. */
/** What an explanation can be made of. */
export type FailurePlace = {
  name: string
  /** " in /home/you/.claude.json (local)", or ''. */
  at: string
  url: string | undefined
  host: string
  proxy: string
}

type NetworkFailure = {
  pattern: RegExp
  explain(place: FailurePlace, found: RegExpExecArray): { problem: string; fix: string }
}

/** Statuses that say what to do. */
const STATUS_FIXES: Readonly<Record<string, (place: FailurePlace) => string>> = {
  400: ({ at }) => `check that \`url\`${at} is the address of an MCP server, and that \`type\` is right (http or sse).`,
  403: ({ at }) => `check that your account can use it, and the token in \`headers\`${at}.`,
  404: ({ at }) =>
    `correct the path of \`url\`${at}: many servers have it at /mcp, older ones at /sse with "type": "sse".`,
  405: ({ at }) => `set "type": "sse"${at} if it is a server of the older kind, or correct the path of \`url\`.`,
  407: ({ proxy }) => `put the user and password into ${proxy}: http://USER:PASSWORD@HOST:PORT`,
  429: () => 'wait, then try again: the server limits how often it can be called.',
}
const OWN_FAULT = 'try again later, or read the log of the server: the error is on its side.'

export const NETWORK_FAILURES: readonly NetworkFailure[] = [
  {
    pattern: /^spawn (.+) (ENOENT|EACCES)$/,
    explain: ({ at }, [, program, code]) =>
      code === 'ENOENT'
        ? { problem: `the program ${program} doesn't exist`, fix: `correct \`command\`${at}, or install it.` }
        : { problem: `the program ${program} can't be run`, fix: `make it executable, or correct \`command\`${at}.` },
  },
  {
    pattern: /\(PROXY_(?:AUTH|STATUS_407)\)/,
    explain: ({ proxy }) => ({
      problem: `the proxy in ${proxy} wants a user and password (HTTP 407)`,
      fix: `set ${proxy}=http://USER:PASSWORD@HOST:PORT`,
    }),
  },
  {
    pattern: /\(PROXY_STATUS_(\d+)\)/,
    explain: ({ proxy, host }, [, status]) => ({
      problem: `the proxy in ${proxy} doesn't let connections to ${host} through (HTTP ${status})`,
      fix: `allow ${host} at the proxy, or go around it: NO_PROXY=${host.replace(/:\d+$/, '')}`,
    }),
  },
  {
    pattern: /\(PROXY_(\w+)\)/,
    explain: ({ proxy, host }, [, code]) => ({
      problem: `the proxy in ${proxy} can't be reached (${code})`,
      fix: `correct ${proxy}, or go around it: NO_PROXY=${host.replace(/:\d+$/, '')}`,
    }),
  },
  {
    pattern: /^(?!.*\n).*\bECONNREFUSED\b/,
    explain: ({ url, at }) => ({
      problem: url === undefined ? 'nothing listens at its address' : `nothing listens at ${url}`,
      fix: `start the server, or correct \`url\`${at}.`,
    }),
  },
  {
    pattern: /^getaddrinfo (?:ENOTFOUND|EAI_AGAIN|EAI_NODATA) (\S+)$/,
    explain: ({ at }, [, name]) => ({
      problem: `the name ${name} could not be resolved`,
      fix: `correct \`url\`${at}, or check the network and its DNS.`,
    }),
  },
  {
    pattern:
      /\((UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?)\)/,
    explain: ({ host }, [, code]) => ({
      problem: `the certificate of ${host} is signed by an authority that this computer doesn't know (${code})`,
      fix: 'if you trust it, name the file of its authority: NODE_EXTRA_CA_CERTS=/path/to/authority.pem',
    }),
  },
  {
    pattern: /\(CERT_HAS_EXPIRED\)/,
    explain: ({ host }) => ({
      problem: `the certificate of ${host} has expired`,
      fix: "renew it on the server, or correct this computer's clock.",
    }),
  },
  {
    pattern: /\(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    explain: ({ host, at }) => ({
      problem: `the certificate of the server is for another name than ${host}`,
      fix: `use the name of the certificate in \`url\`${at}.`,
    }),
  },
  {
    pattern: /\((?:EPROTO|ERR_SSL_\w+)\)/,
    explain: ({ host, at }) => ({
      problem: `${host} doesn't speak TLS`,
      fix: `write http:// instead of https:// in \`url\`${at}, or correct the port.`,
    }),
  },
  {
    pattern: /\((?:ECONNRESET|EPIPE)\)/,
    explain: ({ host, url = '', at }) => ({
      problem: `${host} cut the connection before it answered`,
      fix: url.startsWith('http:')
        ? `if the server speaks TLS, write https:// in \`url\`${at}; else read its log.`
        : 'read the log of the server, or check the firewalls between.',
    }),
  },
  {
    pattern: /Redirect to (\S+) not followed/,
    explain: ({ at }, [, target]) => ({
      problem: `the server sends you on to ${target}, which Kedge doesn't follow`,
      fix: `if that is the right server, set \`url\` to it${at}.`,
    }),
  },
  {
    pattern: /^The server answered with HTTP (\d+): ?([\s\S]*)$/,
    explain: (place, [, status = '', text = '']) => ({
      problem: `it answered with HTTP ${status}${text.trim() === '' ? '' : ` ("${text.trim().slice(0, 200)}")`}`,
      fix: STATUS_FIXES[status]?.(place) ?? (status.startsWith('5') ? OWN_FAULT : (STATUS_FIXES[400]?.(place) ?? '')),
    }),
  },
  {
    pattern: /Unexpected content type: (.*)$/,
    explain: ({ url, at }, [, type]) => ({
      problem: `${url ?? 'the address'} answers with ${type === 'null' ? 'no type of content' : type}, so it isn't an MCP server`,
      fix: `correct \`url\`${at}: it needs the whole path, such as https://HOST/mcp.`,
    }),
  },
  {
    pattern: /^The server speaks version (\S+) of the protocol; this one speaks ([\s\S]*?)\.?$/,
    explain: (_place, [, theirs, ours]) => ({
      problem: `it speaks version ${theirs} of MCP, and Kedge speaks ${ours}`,
      fix: 'update the server, or Kedge: `kedge update`',
    }),
  },
  {
    pattern: /wants a sign-in \(HTTP 401\)/,
    explain: ({ name, at }) => ({
      problem: 'it wants you to sign in (HTTP 401)',
      fix: `run \`kedge mcp login ${name}\`, or put a token into \`headers\`${at}.`,
    }),
  },
]
