/** The usual file types and their names, as ripgrep knows them, for the search without it. */

const TYPES: Record<string, string> = {
  c: '*.[chH] *.[chH].in *.cats',
  cpp: '*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl',
  cs: '*.cs',
  csharp: '*.cs',
  css: '*.css *.scss',
  dart: '*.dart',
  docker: '*Dockerfile*',
  elixir: '*.eex *.ex *.exs *.heex *.leex *.livemd',
  go: '*.go',
  graphql: '*.graphql *.graphqls',
  html: '*.ejs *.htm *.html',
  java: '*.java *.jsp *.jspx *.properties',
  js: '*.cjs *.js *.jsx *.mjs *.vue',
  json: '*.json *.sarif composer.lock',
  kotlin: '*.kt *.kts',
  less: '*.less',
  lua: '*.lua',
  markdown: '*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn',
  md: '*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn',
  php: '*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml',
  protobuf: '*.proto',
  py: '*.py *.pyi',
  python: '*.py *.pyi',
  ruby: '*.gemspec *.rake *.rb *.rbw .irbrc Gemfile Rakefile config.ru',
  rust: '*.rs',
  sass: '*.sass *.scss',
  scala: '*.sbt *.scala',
  sql: '*.psql *.sql',
  svelte: '*.svelte *.svelte.ts',
  swift: '*.swift',
  toml: '*.toml Cargo.lock',
  ts: '*.cts *.mts *.ts *.tsx',
  txt: '*.txt',
  typescript: '*.cts *.mts *.ts *.tsx',
  vue: '*.vue',
  xml: '*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt',
  yaml: '*.yaml *.yml',
  zig: '*.zig',
}

/** The globs of a type; undefined for one that is not known here. */
export function fileTypeGlobs(type: string): string[] | undefined {
  return Object.hasOwn(TYPES, type) ? TYPES[type]?.split(' ') : undefined
}

export const fileTypeNames: readonly string[] = Object.keys(TYPES)
