/** The result of a check. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly detail: string
  /** How to fix it, if something is wrong. */
  readonly remedy?: string
}

/** `1 endpoint`, `2 endpoints`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function well(check: string, detail: string): Finding {
  return { check, status: 'ok', detail }
}

/** It works, but not as it should in production. */
export function doubtful(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'warning', detail, remedy }
}

export function wrong(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'failed', detail, remedy }
}
