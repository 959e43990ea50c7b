// A part of the original package that Kedge doesn't have: an import says what to use.
throw Object.assign(
  new Error("kedge/extract doesn't exist, because Kedge has no native binary to extract. Import query() from 'kedge', which runs the agent in your process; docs/packaging.md has single-file programs."),
  { code: 'unsupported_option' },
)
