import { inWords } from '../../ui/format/text.ts'

/** What a mail is about: `orders.confirmed` is of an order, and says that it is confirmed. */
export function aboutOf(kind: string): string {
  return inWords(kind.replace(/s?\./, ', '))
}
