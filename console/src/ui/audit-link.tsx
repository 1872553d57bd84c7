import { translate } from '../language.ts'
import { useMay } from '../may.ts'
import { Link } from '../router.tsx'

/** A link to the changes of a record, for roles that may see them. */
export function AuditLink({ subject }: { readonly subject: string }) {
  return useMay()('listAuditLog') && <Link to={`/audit-log?subject=${subject}`}>{translate('Audit log')}</Link>
}
