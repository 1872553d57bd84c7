/** Who moves money, in words: what no machine moves is a transfer, or cash. */
export function providerName(provider: string): string {
  return provider === 'manual' ? 'transfer or cash' : provider
}
