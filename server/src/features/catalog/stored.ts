import type { LocalizedText } from './locale.ts'

/** The forms of what the catalogue keeps as jsonb. */

export interface StoredImage {
  readonly url: string
  readonly alt?: LocalizedText
  readonly width: number
  readonly height: number
}

export interface StoredOption {
  readonly name: string
  readonly labels?: LocalizedText
  readonly values: readonly { readonly value: string; readonly labels?: LocalizedText }[]
}

export interface StoredAttribute {
  readonly key: string
  readonly labels?: LocalizedText
  readonly value: string | number | boolean | LocalizedText
}

export interface StoredPolicy {
  readonly type: 'returns' | 'shipping' | 'warranty' | 'privacy' | 'terms' | 'imprint'
  readonly titles: LocalizedText
  readonly texts?: LocalizedText
  readonly url?: string
}

export interface ShownImage {
  readonly url: string
  readonly alt: string
  readonly width: number
  readonly height: number
}

/** Picks a text of a set in the locale that is being served. */
export type TextPicker = (texts: LocalizedText | null | undefined) => string | undefined

/** An image with its alternative text in the served locale; the name of what it shows where it has none. */
export function presentImage(image: StoredImage, text: TextPicker, name: string): ShownImage
export function presentImage(image: StoredImage | null | undefined, text: TextPicker, name: string): ShownImage | null
export function presentImage(image: StoredImage | null | undefined, text: TextPicker, name: string): ShownImage | null {
  if (!image) return null
  return { url: image.url, alt: text(image.alt) ?? name, width: image.width, height: image.height }
}

/** `{ colour: 'blue' }` as a shopper reads it, in the product's order. */
export function optionLabels(
  options: readonly StoredOption[],
  values: Readonly<Record<string, string>>,
  text: TextPicker,
): { readonly name: string; readonly value: string }[] {
  return options.flatMap((option) => {
    const value = values[option.name]
    if (value === undefined) return []
    const known = option.values.find((each) => each.value === value)
    return [{ name: text(option.labels) ?? option.name, value: text(known?.labels) ?? value }]
  })
}
