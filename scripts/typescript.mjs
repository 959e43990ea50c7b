// The compiler's parser. Imported as a module, its nine megabytes would first be searched for names it exports, for a second.
import { createRequire } from 'node:module'

export default /** @type {typeof import('typescript')} */ (createRequire(import.meta.url)('typescript'))
