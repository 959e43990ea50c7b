/** Variables of the environment by which an interpreter loads more code than the script it is given. */
import { wordList } from '../../word-list.js'

const NODE = wordList('NODE_OPTIONS NODE_PATH')
const PYTHON = wordList('PYTHONPATH PYTHONHOME PYTHONUSERBASE PYTHONPLATLIBDIR')
const JAVA = wordList('JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS JDK_JAVAC_OPTIONS _JAVA_OPTIONS')

/** `node` and `python` themselves are not here: they print their version before they load anything. */
const LOADERS: Readonly<Record<string, readonly string[]>> = {
  npm: NODE,
  tsc: NODE,
  pip: PYTHON,
  pip3: PYTHON,
  ruby: wordList('RUBYOPT RUBYLIB'),
  php: wordList('PHPRC PHP_INI_SCAN_DIR'),
  java: JAVA,
  javac: JAVA,
}

/** What people set for Node that loads nothing. */
const HARMLESS = /^\s*(?:--(?:max-[a-z-]+=\d+|no-warnings|no-deprecation|trace-warnings|enable-source-maps)(?:\s+|$))*$/

/** Whether such a variable is set for the program. Where it leads does not matter: a module of the project may be found by it. */
export function loadsMore(program: string, variable: (name: string) => string | undefined): boolean {
  const names = Object.hasOwn(LOADERS, program) ? (LOADERS[program] ?? []) : []
  return names.some((name) => !HARMLESS.test(variable(name) ?? ''))
}
