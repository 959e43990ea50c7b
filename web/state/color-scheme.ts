/** Light or dark: as the system has it, or as the user chose in this browser. */
import { store, stored } from './stored.js'

export const COLOR_SCHEMES = ['system', 'light', 'dark'] as const
export type ColorSchemeName = (typeof COLOR_SCHEMES)[number]

export function applyStoredColorScheme(): void {
  apply(stored<ColorSchemeName>('color-scheme') ?? 'system')
}

export function chooseColorScheme(scheme: ColorSchemeName): void {
  store('color-scheme', scheme === 'system' ? undefined : scheme)
  apply(scheme)
}

/** The style sheet reads the attribute; every color is made of both schemes' own. */
function apply(scheme: ColorSchemeName): void {
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset['scheme'] = scheme
  else delete document.documentElement.dataset['scheme']
}
