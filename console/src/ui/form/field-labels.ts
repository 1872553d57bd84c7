import { createContext } from 'preact'

/** A field of the form on the screen. */
export interface FieldLabel {
  readonly id: string
  readonly label: string
}

/** The fields of the surrounding form, keyed by JSON pointer. An error message shows their labels. */
export const FieldLabels = createContext<Map<string, FieldLabel> | null>(null)
