/** For the one who changes what all others only look at. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
