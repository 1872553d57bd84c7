import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** How many endpoints of an environment are enabled, paused or disabled. */
export interface EndpointFigure {
  readonly environment: Environment
  readonly status: string
  readonly count: number
}

const figures = statement<EndpointFigure>(
  'webhooks.endpoint_figures',
  'select environment, status, count(*)::integer as count from webhook_endpoints group by environment, status',
)

export function endpointFigures(reader: Reader): Promise<readonly EndpointFigure[]> {
  return reader.rows(figures)
}
