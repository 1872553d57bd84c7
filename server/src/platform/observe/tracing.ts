import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  createTraceState,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/**
 * Tracing with the OpenTelemetry API only. An SDK that was registered earlier exports the spans; without one nothing is
 * recorded, and the caller's trace context is still propagated.
 */

const tracer = trace.getTracer('vitrine')

/** A context manager, for processes without an SDK. */
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

const PROBE = Symbol('probe')

/** Registers a context manager, unless an SDK has done so. */
export function registerSpanContexts(): void {
  const isRegistered = context.with(ROOT_CONTEXT.setValue(PROBE, true), () => context.active().getValue(PROBE) === true)
  if (!isRegistered) context.setGlobalContextManager(new AsyncContexts())
}

/** @see W3C Trace Context §3.2.2: the form of version 00, and of later ones as far as 00 understands them. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** The trace context of the caller. An invalid one is ignored: §4.3. */
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

/** Headers that propagate the current span to a called service; none without a span. */
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

/** The current span, for log lines. */
export function currentTrace(): { readonly traceId?: string; readonly spanId?: string } {
  const active = trace.getSpanContext(context.active())
  return active && isSpanContextValid(active) ? { traceId: active.traceId, spanId: active.spanId } : {}
}

/** The span of a request in progress. */
export interface RequestSpan {
  readonly context: Context
  readonly span: Span
}

/**
 * Begins the span of a request.
 *
 * @returns null without an SDK and without a trace of the caller
 */
export function beginRequest(name: string, attributes: Attributes, headers: IncomingHttpHeaders): RequestSpan | null {
  const parent = callersContext(headers)
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
  return isSpanContextValid(span.spanContext()) ? { span, context: trace.setSpan(parent, span) } : null
}

/** Ends the span. A 4xx is not an error of the server: OpenTelemetry, semantic conventions of HTTP server spans. */
export function endRequest(request: RequestSpan | null, status: number, code: string): void {
  if (!request) return
  const { span } = request
  span.setAttribute('http.response.status_code', status)
  if (code !== '') span.setAttribute('error.type', code)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Runs work in the span of a request. */
export function within<Result>(request: RequestSpan | null, work: () => Result): Result {
  return request ? context.with(request.context, work) : work()
}

/**
 * Runs work in a separate trace that is linked to the current one. For calls to third parties: the current trace may be the
 * caller's, and they must not receive its ids and state.
 */
export function inOwnTrace<Result>(...[name, options, work]: Parameters<typeof inSpan<Result>>): Promise<Result> {
  const caller = trace.getSpanContext(context.active())
  const links = caller && isSpanContextValid(caller) ? [{ context: caller }] : []
  return context.with(ROOT_CONTEXT, () => inSpan(name, { ...options, links }, work))
}

/** Runs work in a new span. A failure is recorded by its name only: messages may contain secrets. */
export async function inSpan<Result>(
  name: string,
  options: { readonly kind: 'internal' | 'client'; readonly attributes: Attributes; readonly links?: Link[] },
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = context.active()
  const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT }
  const span = tracer.startSpan(name, { ...options, kind: kinds[options.kind] }, parent)
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
