// Which packages a build took code from: what THIRD-PARTY-NOTICES and the bill of materials have to name.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Inside dist/, and never published. */
export const BUNDLED = '.bundled.json'

/** A plugin of esbuild: `found` gets the folder of each package of which something is left after unused code was dropped. */
export function noteBundled(found) {
  return {
    name: 'note-bundled',
    setup(bundle) {
      bundle.initialOptions.metafile = true
      bundle.onEnd(({ metafile }) => {
        for (const { inputs } of Object.values(metafile?.outputs ?? {})) {
          for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
            const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []
            if (folder !== undefined && bytesInOutput > 0) found.add(folder.replace(/^.*?(?=node_modules\/)/, ''))
          }
        }
      })
    },
  }
}

export async function writeBundled(root, dist, found) {
  const packages = await Promise.all(
    [...found].map(async (folder) => {
      const { name, version } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
      return { name, version, folder }
    }),
  )
  packages.sort((a, b) => (a.folder < b.folder ? -1 : 1))
  await writeFile(join(dist, BUNDLED), `${JSON.stringify(packages, null, 1)}\n`)
}
