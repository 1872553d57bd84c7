import type { Picture, Tone } from './drawings/index.ts'
import type { DemoProduct, DemoStore } from './facts.ts'
import { type DrawnPicture, drawn } from './pictures.ts'
import { havelton } from './stores/havelton.ts'
import { quire } from './stores/quire.ts'
import { saumpfad } from './stores/saumpfad.ts'

/** The door of the demo's facts. */
export { type CategoryNode, categories } from './categories.ts'
export { contactChannels } from './contact.ts'
export { type DemoBlock, type DemoDecoration, decorations } from './decorations.ts'
export { type Picture, type Tone, tones } from './drawings/index.ts'
export type { Both, Choice, DemoProduct, DemoStore, Family, Price } from './facts.ts'
export { demoInstallations } from './installations.ts'
export { LEGAL_VERSION, legalDocuments } from './legal/index.ts'
export { licenceKeys, mailedProducts } from './licences.ts'
export { drawn } from './pictures.ts'
export { type DemoPromotion, promotions } from './promotions.ts'
export { shippingZones } from './shipping.ts'
export { taxRates } from './taxes.ts'

export const stores: readonly DemoStore[] = [havelton, saumpfad, quire]

/** The product's picture in one of its colours. */
export function pictureIn(product: DemoProduct, tone: Tone | null): Picture {
  return tone === null ? product.picture : ({ ...product.picture, tone } as Picture)
}

/** Every picture that the demo shows: each store's logo, and each product in each of its colours. */
export function* allPictures(): Generator<DrawnPicture> {
  for (const store of stores) {
    yield drawn(store.logo, store.backdrop)
    for (const product of store.products) {
      for (const tone of product.colours ?? [null]) yield drawn(pictureIn(product, tone), store.backdrop)
    }
  }
}
