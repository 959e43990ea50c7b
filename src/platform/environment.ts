/** Environment variables by name. A variable that isn't set is left out or `undefined`. */
export type Environment = Readonly<Record<string, string | undefined>>
