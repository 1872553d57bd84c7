import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/**
 * Traces, by the API of OpenTelemetry alone. Spans go where an SDK takes them that was registered before us; without one
 * nothing is recorded, and the trace that a caller has named is still passed on.
 */

const tracer = trace.getTracer('vitrine')

/** What knows which work belongs to which span, where no SDK has brought it. */
class AsyncContexts implements ContextManager {
  readonly #running = new AsyncLocalStorage<Context>()

  active(): Context {
    return this.#running.getStore() ?? ROOT_CONTEXT
  }
  with<Given extends unknown[], Work extends (...given: Given) => ReturnType<Work>>(
    active: Context,
    work: Work,
    self?: ThisParameterType<Work>,
    ...given: Given
  ): ReturnType<Work> {
    return this.#running.run(active, () => work.apply(self, given))
  }
  bind<Target>(_context: Context, target: Target): Target {
    return target
  }
  enable(): this {
    return this
  }
  disable(): this {
    return this
  }
}

const IS_KEPT = Symbol('is kept')

/** Makes work know its span from here on, unless somebody has seen to that before. */
export function registerSpanContexts(): void {
  const isKept = context.with(ROOT_CONTEXT.setValue(IS_KEPT, true), () => context.active().getValue(IS_KEPT) === true)
  if (!isKept) context.setGlobalContextManager(new AsyncContexts())
}

/** @see W3C Trace Context §3.2.2: the form of version 00, and of later ones as far as 00 understands them. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** The span that a caller says it is in. What has another form counts for nothing: §4.3. */
function callersContext({ traceparent, tracestate }: IncomingHttpHeaders): Context {
  if (typeof traceparent !== 'string') return ROOT_CONTEXT
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? []
  if (version === '00' && more !== undefined) return ROOT_CONTEXT
  const spanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags || '0', 16),
    isRemote: true,
    ...(typeof tracestate === 'string' && { traceState: createTraceState(tracestate) }),
  }
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT
}

/** What tells a service that we call which span its work belongs to. Nothing where there is none. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const active = trace.getSpanContext(context.active())
  if (!active || !isSpanContextValid(active)) return {}
  const { traceId, spanId, traceFlags, traceState } = active
  const state = traceState?.serialize()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    ...(state && { tracestate: state }),
  }
}

/** What the log says of the span in which a line is written. */
export function traceOfLine(): { readonly traceId?: string; readonly spanId?: string } {
  const active = trace.getSpanContext(context.active())
  return active && isSpanContextValid(active) ? { traceId: active.traceId, spanId: active.spanId } : {}
}

/** A request on its way, in its trace. */
export interface RequestSpan {
  readonly context: Context
  readonly span: Span
}

/**
 * Begins the span of a request.
 *
 * @returns null where nobody records and the caller has named no trace: then there is nothing to know
 */
export function beginRequest(name: string, attributes: Attributes, headers: IncomingHttpHeaders): RequestSpan | null {
  const parent = callersContext(headers)
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
  return isSpanContextValid(span.spanContext()) ? { span, context: trace.setSpan(parent, span) } : null
}

/** Ends it. What a caller did wrong is no error of ours: OpenTelemetry, semantic conventions of HTTP server spans. */
export function endRequest(request: RequestSpan | null, status: number, code: string): void {
  if (!request) return
  const { span } = request
  span.setAttribute('http.response.status_code', status)
  if (code !== '') span.setAttribute('error.type', code)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Does a part of the work of a request, in its span. */
export function within<Result>(request: RequestSpan | null, work: () => Result): Result {
  return request ? context.with(request.context, work) : work()
}

/** Does work in a span of its own. Its failure is an error by its name: messages may hold what a trace must not. */
export async function inSpan<Result>(
  name: string,
  { kind, attributes }: { readonly kind: 'internal' | 'client'; readonly attributes: Attributes },
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = context.active()
  const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT }
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
  if (!isSpanContextValid(span.spanContext())) return work(span)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span))
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
