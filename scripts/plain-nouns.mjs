/**
 * Nouns that head exported types and need no row in GLOSSARY.md: their everyday sense, or that of any program, is the right one.
 * `migrated` heads a type of the public library; `spoken` and `unfoldable` are of streams and blocks.
 */
export const PLAIN_NOUNS = `
  abilities account activity address argument asker attachment attention backend binding block body buffer catalog change
  check choice code color command commit completion config connection content context count credential cursor database
  decoder draft editor effort end engine event examples factory field figure filter fold frame front gate git guard handler
  head header heartbeat help history hit hunk image inbox index info input key kind library limit link listener
  load look machine maintenance manifest mark menu message meter metric migrated migration name note notification number object
  outcome page part picture piece place post postgres probe problem program props protocol query queue randomness rate
  reader receipt record region reply report row scan schedule schema screen sender server severity shell side sign signals socket
  source speaker spec spoken state statement step status storage stream styles submission subscription suggestion summary talk
  target terminal text timeline timing todo totals transaction translator type ui unfoldable update ups user view void wait webhook word
  writer
`
  .trim()
  .split(/\s+/)
