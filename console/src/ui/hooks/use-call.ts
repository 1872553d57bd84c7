import { useEffect, useRef, useState } from 'preact/hooks'

/** The state of a request. The previous data stays until the new data has arrived. */
export interface CallState<Data> {
  readonly data: Data | null
  readonly error: unknown
  readonly loading: boolean
  reload(): void
}

/** Loads again what each request on the page has loaded. */
const mounted = new Set<() => void>()
export function reloadAll(): void {
  for (const reload of mounted) reload()
}

/** Sends a request, and again when `key` changes. A response to an outdated request is dropped. */
export function useCall<Data>(key: string, request: () => Promise<Data>): CallState<Data> {
  const [state, setState] = useState<Omit<CallState<Data>, 'reload'>>({ data: null, error: null, loading: true })
  const [round, setRound] = useState(0)
  const latest = useRef(0)
  const reload = () => setRound((before) => before + 1)
  useEffect(() => {
    mounted.add(reload)
    return () => void mounted.delete(reload)
  }, [])
  useEffect(() => {
    latest.current += 1
    const current = latest.current
    setState((before) => ({ ...before, loading: true }))
    request().then(
      (data) => current === latest.current && setState({ data, error: null, loading: false }),
      (error: unknown) => current === latest.current && setState((before) => ({ ...before, error, loading: false })),
    )
  }, [key, round])
  return { ...state, reload }
}
