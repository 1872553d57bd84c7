import { jsonLines, type LineFile, lineFile } from '../../platform/line-files/line-file.ts'
import { csvProducts } from './import-csv.ts'

/** The lines of a file by its name: `.jsonl` or `.csv`, each also with `.gz` behind it. */
export function catalogueFile(path: string): LineFile {
  return lineFile(path, /\.csv(\.gz)?$/.test(path) ? csvProducts : jsonLines)
}
