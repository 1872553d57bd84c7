import { useEffect, useRef, useState } from 'preact/hooks'
import { setReloadError } from './reload-errors.ts'

/** The state of a request. The previous data stays until the new data has arrived. The error of a reload is not in it: `Outdated` shows it. */
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
  const [reload] = useState(() => () => setRound((before) => before + 1))
  const latest = useRef(0)
  /** What the data was loaded for. */
  const loaded = useRef<string | null>(null)
  useEffect(() => {
    mounted.add(reload)
    return () => {
      mounted.delete(reload)
      setReloadError(reload, null)
    }
  }, [])
  useEffect(() => {
    latest.current += 1
    const current = latest.current
    const onData = (data: Data) => {
      if (current !== latest.current) return
      loaded.current = key
      setReloadError(reload, null)
      setState({ data, error: null, loading: false })
    }
    const onError = (error: unknown) => {
      if (current !== latest.current) return
      const isReload = loaded.current === key
      setReloadError(reload, isReload ? error : null)
      setState((before) => ({ ...before, error: isReload ? null : error, loading: false }))
    }
    setState((before) => ({ ...before, loading: true }))
    request().then(onData, onError)
  }, [key, round])
  return { ...state, reload }
}
