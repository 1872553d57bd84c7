import { type Clock, type SimulatorServer, startSimulator } from '@vitrine/server'

const SECRET = 'a secret that only tests know'

/** A payment simulator with the clock of its world, and the settings that connect a server to it. */
export async function testSimulator(
  clock: Clock,
): Promise<{ readonly simulator: SimulatorServer; readonly environment: Readonly<Record<string, string>> }> {
  const simulator = await startSimulator({ secret: SECRET, clock })
  return {
    simulator,
    environment: { SIMULATOR_URL: simulator.url, SIMULATOR_SECRET: SECRET, PAYMENT_TIMEOUT_MS: '2000' },
  }
}
