export function parseArguments(argv) {
  return { files: argv.filter((word) => !word.startsWith('--')), help: argv.includes('--help') }
}
