import { asSentence } from '../../ui/format/text.ts'

/** The kind of an email in words: `orders.confirmed` becomes `Order, confirmed`. */
export function mailKindText(kind: string): string {
  return asSentence(kind.replace(/s?\./, ', '))
}
