import { refuse } from '../../../kernel/refusal.ts'
import { gunzippedUpload } from '../../../platform/line-files/gunzip.ts'
import type { LineReport } from '../../../platform/line-files/invalid-line.ts'
import { jsonLines, textLines } from '../../../platform/line-files/line-file.ts'
import { importOrders, type OrderImportRequest } from './run.ts'

/** An uploaded file of orders. */
interface OrderUpload
  extends Pick<OrderImportRequest, 'database' | 'ids' | 'installationId' | 'now' | 'beginFulfillment'> {
  readonly format: 'jsonl' | 'jsonl.gz'
  readonly upload: AsyncIterable<Buffer>
}

/**
 * Runs {@link importOrders} on a file while it is uploaded. Lines before a damaged part may have been imported.
 *
 * Refusals: `file_unreadable`.
 */
export async function importOrderUpload({ format, upload, ...request }: OrderUpload): Promise<LineReport> {
  const bytes = format === 'jsonl.gz' ? gunzippedUpload(upload) : upload
  try {
    return await importOrders({ ...request, source: jsonLines(textLines(bytes)) })
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message?: string }
    if (!code?.startsWith('Z_')) throw error
    refuse('file_unreadable', {
      faults: [{ field: '', code: 'damaged', message: `The file is damaged: ${message}.` }],
    })
  }
}
