import { refuse } from '../../kernel/refusal.ts'
import { gunzipped } from '../../platform/line-files/gunzip.ts'
import { jsonLines, textLines } from '../../platform/line-files/line-file.ts'
import { importOrders, type OrderImportReport, type OrderImportRequest } from './order-import.ts'

/** Orders that come as bytes, as somebody sends a file. */
export interface OrderUpload extends Pick<OrderImportRequest, 'database' | 'ids' | 'installationId' | 'now' | 'owe'> {
  readonly format: 'jsonl' | 'jsonl.gz'
  readonly upload: AsyncIterable<Buffer>
}

/**
 * The same as {@link importOrders}, of a file that is read as it comes. What stands before a damage may have been taken.
 *
 * Refusals: `file_unreadable`.
 */
export async function importOrderUpload({ format, upload, ...request }: OrderUpload): Promise<OrderImportReport> {
  const bytes = format === 'jsonl.gz' ? gunzipped(upload) : upload
  try {
    return await importOrders({ ...request, source: jsonLines(textLines(bytes)) })
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message?: string }
    if (!code?.startsWith('Z_')) throw error
    refuse('file_unreadable', {
      details: [{ in: 'body', pointer: '', code: 'damaged', message: `The file is damaged: ${message}.` }],
    })
  }
}
