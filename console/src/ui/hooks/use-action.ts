import { useState } from 'preact/hooks'

/** Something that is done by one press: what went wrong with it, and whether it is under way. */
export interface Act {
  readonly failed: unknown
  readonly busy: boolean
  act(work: () => Promise<unknown>): Promise<void>
}

/** Does one thing at a time, and tells when it is done. */
export function useAct(onDone: () => void): Act {
  const [failed, setFailed] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  async function act(work: () => Promise<unknown>): Promise<void> {
    if (busy) return
    setBusy(true)
    setFailed(null)
    try {
      await work()
      onDone()
    } catch (thrown) {
      setFailed(thrown)
    } finally {
      setBusy(false)
    }
  }
  return { failed, busy, act }
}
