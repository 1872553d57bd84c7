/** The table chosen for an import. It is only in memory: after a reload of the page it has to be chosen again. */
export interface ChosenFile {
  readonly file: File
  readonly format: 'csv' | 'csv.gz'
  readonly store: string
}

let chosen: ChosenFile | null = null

export function chooseFile(next: ChosenFile): void {
  chosen = next
}

export function chosenFile(): ChosenFile | null {
  return chosen
}
