/** Long pasted text and images stand in the prompt as one short mark each, and are whole again when it is sent. */

export type PromptImage = { mediaType: string; data: string; name: string }

const LONG_LINES = 5
const LONG_TEXT = 800

export class PastedParts {
  readonly #texts = new Map<string, string>()
  readonly #images = new Map<string, PromptImage>()
  #count = 0

  /** What to put into the prompt for it. */
  add(text: string): string {
    const lines = text.split('\n').length
    if (lines <= LONG_LINES && text.length <= LONG_TEXT) return text
    this.#count += 1
    const mark = `[Pasted text #${this.#count}: ${lines > 1 ? `${lines} lines` : `${text.length} characters`}]`
    this.#texts.set(mark, text)
    return mark
  }

  addImage(image: PromptImage): string {
    this.#count += 1
    const mark = `[Image #${this.#count}: ${image.name}]`
    this.#images.set(mark, image)
    return mark
  }

  whole(text: string): { text: string; images: PromptImage[] } {
    let whole = text
    for (const [mark, paste] of this.#texts) whole = whole.replaceAll(mark, () => paste)
    const images = [...this.#images].flatMap(([mark, image]) => (text.includes(mark) ? image : []))
    return { text: whole, images }
  }

  /** Returns the length of the mark that ends at `at`; 0 if none does. */
  lengthBefore(text: string, at: number): number {
    const before = text.slice(0, at)
    const marks = [...this.#texts.keys(), ...this.#images.keys()]
    return marks.find((mark) => before.endsWith(mark))?.length ?? 0
  }

  clear(): void {
    this.#texts.clear()
    this.#images.clear()
  }
}
