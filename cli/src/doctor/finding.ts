/** What a check has found. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly detail: string
  /** What to do about it, where something is wrong. */
  readonly remedy?: string
}

export function well(check: string, detail: string): Finding {
  return { check, status: 'ok', detail }
}

/** Works, and not as it should where customers are real. */
export function doubtful(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'warning', detail, remedy }
}

export function wrong(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'failed', detail, remedy }
}
