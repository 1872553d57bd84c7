import { signNotification } from '../../../server/src/features/payments/providers/simulator/notification-signature.ts'
import {
  type SendToSimulator,
  simulatorProvider,
} from '../../../server/src/features/payments/providers/simulator/provider.ts'
import { Simulator } from '../../../server/src/features/payments/providers/simulator/simulator.ts'
import type { TestClock } from '../clock.ts'

const SECRET = 'a secret of the simulator'
const PAGES_URL = 'https://pages.example'

/** The simulator without HTTP: a hanging request counts as timed out, and the test runs deferred effects and notifications. */
export function wirelessSimulator(clock: TestClock) {
  const later: { readonly afterMs: number; readonly act: () => void }[] = []
  const notifications: { readonly id: string; readonly key: string; readonly status: string }[] = []
  const requests: string[] = []
  const simulator = new Simulator({
    origin: () => 'https://simulator.example',
    now: () => clock.now(),
    later: (afterMs, act) => void later.push({ afterMs, act }),
    notify: ({ id, key, status }) => void notifications.push({ id, key, status }),
  })
  const send: SendToSimulator = async ({ path, headers, body }) => {
    const key = headers['idempotency-key']
    requests.push(key === undefined ? `look ${decodeURIComponent(path.split('/')[3]!)}` : `send ${key}`)
    const operation = path.split('/')[2] as never
    const served = path.startsWith('/v1/disputes/')
      ? simulator.disputes(decodeURIComponent(path.split('/')[3]!))
      : key === undefined
        ? simulator.lookup(decodeURIComponent(path.split('/')[3]!))
        : simulator.order({ operation, key, ...JSON.parse(body!) })
    if (served.line === 'answer') return served
    throw served.line === 'hang' ? new DOMException('late', 'TimeoutError') : new Error('the line was dropped')
  }
  return {
    simulator,
    /** Deferred effects, with the delay of their fault. */
    later,
    /** Notifications it wants to send. */
    notifications,
    requests,
    provider: simulatorProvider({ secret: SECRET, pagesUrl: PAGES_URL, send }),
    /** A signed notification request. */
    notification(content: { readonly id: string; readonly key: string; readonly status?: string }, secret = SECRET) {
      const body = JSON.stringify(content)
      return {
        headers: { 'simulator-signature': signNotification(secret, body, clock.now()) },
        body: Buffer.from(body),
      }
    },
  }
}
