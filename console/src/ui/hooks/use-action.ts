import { useState } from 'preact/hooks'

/** An action started by a button: its error, and whether it is running. */
export interface Action {
  readonly actionError: unknown
  readonly busy: boolean
  run(work: () => Promise<unknown>): Promise<void>
}

/** Runs one action at a time, and calls `onDone` after each that succeeds. */
export function useAction(onDone: () => void): Action {
  const [actionError, setActionError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (busy) return
    setBusy(true)
    setActionError(null)
    try {
      await work()
      onDone()
    } catch (thrown) {
      setActionError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return { actionError, busy, run }
}
