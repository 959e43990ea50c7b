/** Pieces of what is shown. */

/** `isNew`: a blank line goes before it. */
export type SpacedLineBlock = { lines: string[]; isNew: boolean }

/** A block that can be shown whole. */
export type Unfoldable = { title: string; whole(columns: number): string[] }
