// A part of the original package that Kedge doesn't have: an import says what to use.
throw Object.assign(
  new Error("kedge/bridge doesn't exist, because it connects to a service of the vendor. To drive sessions from elsewhere, use `kedge serve` (docs/server.md) or the option transport (docs/transports.md)."),
  { code: 'unsupported_option' },
)
