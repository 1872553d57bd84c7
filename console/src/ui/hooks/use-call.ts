import { useEffect, useRef, useState } from 'preact/hooks'

/** The state of a request. The previous data stays until the new data has arrived. */
export interface Loaded<Answer> {
  readonly answer: Answer | null
  readonly error: unknown
  readonly loading: boolean
  reload(): void
}

/** Sends a request, and again when `key` changes. A response to an outdated request is dropped. */
export function useCall<Answer>(key: string, ask: () => Promise<Answer>): Loaded<Answer> {
  const [state, setState] = useState<{ answer: Answer | null; error: unknown; loading: boolean }>({
    answer: null,
    error: null,
    loading: true,
  })
  const [round, setRound] = useState(0)
  const latest = useRef(0)
  useEffect(() => {
    latest.current += 1
    const mine = latest.current
    setState((before) => ({ ...before, loading: true }))
    ask().then(
      (answer) => mine === latest.current && setState({ answer, error: null, loading: false }),
      (error: unknown) => mine === latest.current && setState((before) => ({ ...before, error, loading: false })),
    )
  }, [key, round])
  return { ...state, reload: () => setRound((before) => before + 1) }
}
