/** Leaves out of what was found the files that a rule forbids to read. */

export type FileSearchPorts = {
  /** Which files in a folder, or at a path, may not be read. Undefined when nothing there is forbidden. */
  deniedInside?: (folder: string) => Promise<((path: string) => boolean) | undefined>
}

/** What is left of `found`, all of it from below `root`. */
export async function withoutDeniedFiles<T>(
  found: T[],
  pathOf: (one: T) => string,
  root: string,
  { deniedInside }: FileSearchPorts,
): Promise<T[]> {
  const isDenied = await deniedInside?.(root)
  return isDenied ? found.filter((one) => !isDenied(pathOf(one))) : found
}
