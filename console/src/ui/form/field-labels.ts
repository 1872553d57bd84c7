import { createContext } from 'preact'

/** A field of the form on the screen. */
export interface FieldLabel {
  readonly id: string
  readonly label: string
}

/** The fields of the surrounding form by their JSON pointers: an error names them as the screen does. */
export const FieldLabels = createContext<Map<string, FieldLabel> | null>(null)
