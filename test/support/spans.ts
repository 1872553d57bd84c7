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

/** A span as it ended. */
export interface EndedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** The span that it stands in; null: it begins its trace. */
  readonly parentId: string | null
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: SpanStatus
}

/** Takes spans as an SDK does, and keeps them in the order in which they ended. For the rest of the process. */
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
