import { useEffect, useRef, useState } from 'preact/hooks'

/** What is known of an answer that is on its way. What was shown before stays until the new one is there. */
export interface Loaded<Answer> {
  readonly answer: Answer | null
  readonly error: unknown
  readonly loading: boolean
  reload(): void
}

/** Asks for an answer, and again when `key` changes. An answer that comes after a later question is dropped. */
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
