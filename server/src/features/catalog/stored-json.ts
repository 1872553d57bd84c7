import { matchLocale } from '../../kernel/locale.ts'
import { type PictureSource, sourcesOf } from '../media/index.ts'

/** The types of the catalog's jsonb columns. */

/** A text in each locale that has one. */
export type LocalizedText = Readonly<Record<string, string>>

/** The text in the served locale, else in the default, else in the first locale by tag. */
export function textIn(texts: LocalizedText | null | undefined, served: string, fallback: string): string | undefined {
  return texts?.[localeOfText(texts, served, fallback) ?? '']
}

/** The locale of the text that `textIn` returns. RFC 4647 §3.4: `de` serves `de-AT`. */
export function localeOfText(
  texts: LocalizedText | null | undefined,
  served: string,
  fallback: string,
): string | undefined {
  if (!texts || texts[served] !== undefined) return texts ? served : undefined
  const available = Object.keys(texts).sort()
  return matchLocale([served, fallback], available) ?? available[0]
}

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
  /** Only for uploaded pictures. */
  readonly sources?: PictureSource[]
}

/** Picks the text in the served locale. */
export type TextPicker = (texts: LocalizedText | null | undefined) => string | undefined

/** An image with its alt text in the served locale, or else the given name. */
export function presentImage(image: StoredImage, text: TextPicker, name: string): ShownImage
export function presentImage(image: StoredImage | null | undefined, text: TextPicker, name: string): ShownImage | null
export function presentImage(image: StoredImage | null | undefined, text: TextPicker, name: string): ShownImage | null {
  if (!image) return null
  return { url: image.url, alt: text(image.alt) ?? name, width: image.width, height: image.height }
}

/** Like `presentImage`, with the sources of an uploaded picture: product pages show it in several sizes. */
export function presentPicture(image: StoredImage, text: TextPicker, name: string): ShownImage
export function presentPicture(image: StoredImage | null | undefined, text: TextPicker, name: string): ShownImage | null
export function presentPicture(
  image: StoredImage | null | undefined,
  text: TextPicker,
  name: string,
): ShownImage | null {
  const shown = presentImage(image, text, name)
  const sources = shown ? sourcesOf(shown.url) : []
  return shown && sources.length > 0 ? { ...shown, sources } : shown
}

/** The labels of option values such as `{ color: 'blue' }` in the served locale, in the order of the product's options. */
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
