/** An installation of the demo. Both kinds can be tried: of the marketplace, and of one store. */
export interface DemoInstallation {
  readonly name: string
  /** The slug of its store, or null for the whole marketplace. */
  readonly store: string | null
  readonly environment: 'test' | 'live'
}

/** In the test environment: live keys need the readiness proofs first. */
export const demoInstallations: readonly [marketplace: DemoInstallation, store: DemoInstallation] = [
  { name: 'Demo marketplace app', store: null, environment: 'test' },
  { name: 'Havelton’s own shop', store: 'havelton', environment: 'test' },
]
