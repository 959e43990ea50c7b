/** One row of the feature table: shown with whichever client the rig has. */
import type { Rig } from './rig.js'

export type Row = (rig: Rig) => Promise<void>
