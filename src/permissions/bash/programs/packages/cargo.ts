/** Cargo and the compiler of Rust. */
import { wordList } from '../../../word-list.js'
import type { ShellWord } from '../../syntax/syntax.js'
import { scriptTextsOfCommandOption } from '../option-script-texts.js'
import type { OptionDanger } from '../option-words.js'
import type { KnownPrograms, ProgramConfigFiles } from '../program-knowledge.js'

/** They name the version that runs, which is downloaded or looked for in the project. */
const TOOLCHAIN: ProgramConfigFiles = {
  files: wordList('rust-toolchain rust-toolchain.toml .cargo/config .cargo/config.toml'),
}

export const RUST_PROGRAMS: KnownPrograms = {
  cargo: {
    looks: { version: /^(?:--version|-V)$/ },
    risks: { options: { runs: '-C --config' } },
    runs: { verbs: ['watch'], nothing: true, texts: scriptTextsOfCommandOption },
    obeys: { files: TOOLCHAIN, enters: /^-C$/ },
  },
  rustc: {
    looks: { version: /^(?:--version|-V)$/ },
    risks: { danger: linkerDanger },
    obeys: { files: TOOLCHAIN },
  },
  rustup: { runs: { nothing: true } },
}

function linkerDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  return words.some((word) => /linker|^-C?$|^@/.test(word.value)) ? 'runs' : undefined
}
