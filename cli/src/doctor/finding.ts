/** What a check has found. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly told: string
  /** What to do about it, where something is wrong. */
  readonly remedy?: string
}

export function well(check: string, told: string): Finding {
  return { check, status: 'ok', told }
}

/** Works, and not as it should where customers are real. */
export function doubtful(check: string, told: string, remedy: string): Finding {
  return { check, status: 'warning', told, remedy }
}

export function wrong(check: string, told: string, remedy: string): Finding {
  return { check, status: 'failed', told, remedy }
}
