/** A table that was chosen to be imported. It is in memory only: after the page is loaded again it has to be chosen again. */
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
