import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type SpanStatus,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** A span that has ended. */
export interface EndedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Null for the root of a trace. */
  readonly parentId: string | null
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: SpanStatus
}

/** Records spans for the rest of the process, in the order in which they end: its file must be alone. */
export function recordSpans(): EndedSpan[] {
  const ended: EndedSpan[] = []
  let made = 0
  const tracer: Tracer = {
    startSpan: (name: string, options: SpanOptions = {}, parent: Context = ROOT_CONTEXT) => {
      made += 1
      const above = trace.getSpanContext(parent)
      const isInTrace = above !== undefined && isSpanContextValid(above)
      const spanId = made.toString(16).padStart(16, '0')
      const traceId = isInTrace ? above.traceId : made.toString(16).padStart(32, 'e')
      const parentId = isInTrace ? above.spanId : null
      const attributes: Record<string, unknown> = { ...options.attributes }
      let status: SpanStatus = { code: 0 }
      const span = {
        spanContext: () => ({
          traceId,
          spanId,
          traceFlags: 1,
          ...(above?.traceState && { traceState: above.traceState }),
        }),
        setAttribute: (key: string, value: unknown) => {
          attributes[key] = value
          return span
        },
        setStatus: (set: SpanStatus) => {
          status = set
          return span
        },
        end: () => void ended.push({ name, traceId, spanId, parentId, attributes, status }),
      } as unknown as Span
      return span
    },
    startActiveSpan: () => {
      throw new Error('not used')
    },
  }
  trace.setGlobalTracerProvider({ getTracer: () => tracer })
  return ended
}
