/** The style of all elements: one sheet, made in the script, which a strict content security policy permits. */

/** The build puts `elements.css` here, as one text. */
declare const KEDGE_ELEMENTS_STYLE: string

let sheet: CSSStyleSheet | undefined

export function elementStyleSheet(): CSSStyleSheet {
  if (sheet) return sheet
  sheet = new CSSStyleSheet()
  sheet.replaceSync(KEDGE_ELEMENTS_STYLE)
  return sheet
}
