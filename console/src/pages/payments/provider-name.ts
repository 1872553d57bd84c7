/** The display name of a payment provider. */
export function providerName(provider: string): string {
  return provider === 'manual' ? 'Bank transfer or cash' : provider
}
