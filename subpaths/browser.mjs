// A part of the original package that Kedge doesn't have: an import says what to use.
throw Object.assign(
  new Error("kedge/browser doesn't exist, because an agent needs Node. In a browser, use the HTTP API of `kedge serve`: docs/server-clients.md."),
  { code: 'unsupported_option' },
)
