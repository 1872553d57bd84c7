import { useState } from 'preact/hooks'

/** An action started by a button: its error, and whether it is running. */
export interface Act {
  readonly failed: unknown
  readonly busy: boolean
  act(work: () => Promise<unknown>): Promise<void>
}

/** Runs one action at a time, and calls `onDone` after each. */
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
