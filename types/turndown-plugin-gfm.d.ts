// The package has no types of its own.
declare module 'turndown-plugin-gfm' {
  import type { Plugin } from 'turndown'
  /** Tables, task lists, struck-out text. */
  export const gfm: Plugin
}
