/** The vocabulary in which `known-keys.ts` describes settings, and the TypeScript types that follow from a description. */
import type { JsonObject } from '../../protocol/json.js'
import type { PermissionBehavior } from '../../protocol/permission-types.js'

type Common = {
  /** What the setting does, for people. */
  about: string
  /** A wrong value refuses the start, because leaving it out would make the session wider than asked for. */
  strict?: true
  /** The same where it is of another kind; what stands in it is judged by itself. */
  firm?: true
  /** Only ever narrows, so that it holds even before a folder is trusted. */
  beforeTrust?: true
  /** Only administrators can set it. */
  managedOnly?: true
  /**
   * What of it a repository may set once its folder is trusted: by default everything. `never`: neither can the user's
   * own file there.
   */
  fromRepository?: 'never' | 'nothing' | { only: boolean }
}

export type TextShape = Common & {
  kind: 'text'
  max?: number
  mayBeEmpty?: true
  /** A permission rule of this list. */
  rule?: PermissionBehavior
  /** What is wrong with a text; undefined when nothing is. */
  problem?: (value: string) => string | undefined
  /** Why no repository may say this; undefined when it may. */
  withheld?: (value: string) => string | undefined
}
export type NumberShape = Common & { kind: 'number'; min: number; max: number; whole?: true }
export type SwitchShape = Common & { kind: 'switch' }
export type ChoiceShape = Common & {
  kind: 'choice'
  values: readonly string[]
  /** Values of the original that are refused by name. */
  unsupported?: readonly string[]
}
export type ListShape = Common & { kind: 'list'; of: Shape }
export type MapShape = Common & {
  kind: 'map'
  of: Shape
  /** What is wrong with a name; undefined when nothing is. */
  problem?: (name: string) => string | undefined
  /** Why no file in a project may set this name; undefined when it may. */
  withheld?: (name: string, value: unknown) => string | undefined
  /** Numbers and true/false stand for their own text, as in an environment. */
  asText?: true
}
export type ObjectShape = Common & {
  kind: 'object'
  keys: Readonly<Record<string, Shape>>
  /** Without these the object is not used. */
  needs?: readonly string[]
  /** Used as a whole or not at all: not with one of its values wrong, not mixed from two files. */
  whole?: true
}
/** Objects of several kinds, told apart by one key. */
export type VariantShape = Common & {
  kind: 'variant'
  by: string
  of: Readonly<Record<string, ObjectShape>>
  /** One of another kind is kept as `{ [by]: 'unknown', kind }`, so that nothing is left out in silence. */
  keepsUnknown?: true
}
/** Any JSON object, taken as it is. */
export type JsonShape = Common & { kind: 'json' }
export type Shape =
  | VariantShape
  | JsonShape
  | TextShape
  | NumberShape
  | SwitchShape
  | ChoiceShape
  | ListShape
  | MapShape
  | ObjectShape

/** The TypeScript type of a shape's value. What a checked value of a shape is. */
export type ShapeValue<S> = S extends { kind: 'text' }
  ? string
  : S extends { kind: 'number' }
    ? number
    : S extends { kind: 'switch' }
      ? boolean
      : S extends { kind: 'choice'; values: readonly (infer V)[] }
        ? V
        : S extends { kind: 'list'; of: infer Item }
          ? ShapeValue<Item>[]
          : S extends { kind: 'json' }
            ? JsonObject
            : S extends { kind: 'variant'; of: infer Variants; by: infer By extends string }
              ?
                  | { [K in keyof Variants]: Flat<{ [B in By]: K } & ShapeValue<Variants[K]>> }[keyof Variants]
                  | { type: 'unknown'; kind: string }
              : S extends { kind: 'map'; of: infer Item }
                ? Record<string, ShapeValue<Item>>
                : S extends { kind: 'object'; keys: infer Keys; needs: readonly (infer Needed)[] }
                  ? Flat<
                      { [K in Extract<keyof Keys, Needed>]: ShapeValue<Keys[K]> } & {
                        [K in Exclude<keyof Keys, Needed>]?: ShapeValue<Keys[K]>
                      }
                    >
                  : S extends { kind: 'object'; keys: infer Keys }
                    ? { [K in keyof Keys]?: ShapeValue<Keys[K]> }
                    : never

type Flat<T> = { [K in keyof T]: T[K] }
