import type { VitrineClient } from '@vitrine/sdk'

// region enter
/** Gets access to a store with a password. Send the grant with each read of the store; it is valid for twelve hours. */
export async function enter(shop: VitrineClient, store: string, password: string): Promise<string> {
  const { mode } = await shop.getStoreAccessConfig({ params: { store } })
  if (mode !== 'password') throw new Error(`${store} asks for no password: its mode is ${mode}.`)
  const challenge = await shop.createStorefrontChallenge({ params: { store }, body: { purpose: 'store_access' } })
  const grant = await shop.verifyStorefrontChallenge({
    params: { store },
    body: { challengeId: challenge.id, password },
  })
  return grant.accessToken
}
// endregion

// region read
/** The first products of a gated store. */
export function productsOf(shop: VitrineClient, store: string, storeAccess: string) {
  return shop.listStoreProducts({ params: { slug: store }, query: { limit: 10 } }, { storeAccess })
}
// endregion
